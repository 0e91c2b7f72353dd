"""What people say below and among each other: readers' comments, and the posts of a thread.

`whole` tells comments as one stretch, by `lines` that speak of them; `replies` those of languages that it knows little
of; `posts` hears what reads the posts of a thread.
"""
