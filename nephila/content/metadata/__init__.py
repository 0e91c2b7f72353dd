"""What is known of a page besides its text: title, author, dates, language. `description` joins what the others find.

`title`, `signature` and `byline` look for headline and people, `people` tells names from other words, `written_dates`
reads dates in some twenty languages, `scripted` those that only scripts are told, `language` counts words.
"""
