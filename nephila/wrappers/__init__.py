"""Pages of one template -> rules -> typed fields, without a person.

    Document ──outline──▶ Outline ──groups──▶ which template? ──▶ Template.read ──▶ fields, agreement ──watch──▶ heal
                              │ enough pages of a new template                          ▲
                              └──slots──▶ evidence ──naming──▶ learn ──▶ Template ──▶ store

The room takes documents and gives templates and what they read; it knows nothing of the crawl, the frontier or the
outputs. docs/rules.md tells how it works and how well.
"""
