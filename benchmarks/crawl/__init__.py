"""The crawl benchmark: eight generated sites behind a real nginx on loopback, crawled in turn by every contestant.

`python -m benchmarks.crawl` measures; `python -m benchmarks.crawl.kill` kills a crawl again and again and looks for
lost and doubled pages. The rooms: `text` and `templates` make pages, `sites` the link graph and the files, `servers`
nginx and redis, `contestants` the command of each crawler and how its output is read, `measure` runs one of them,
`report` prints and draws. Nothing here imports `nephila`: it is run as its users run it, by its command line.
"""
