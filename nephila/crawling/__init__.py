"""A crawl while it runs: the processes that carry it, and the parts of the pipeline between a page and its ack.

The processes: `supervisor` runs workers (`worker_process`, `worker`; what they agree upon is in `orders`) over one
`state` directory, or over `shared` stores; a page that kills its readers is found by `blame`. The way of a page, which
`nephila.pipeline` wires: `worth` tells whether it is still worth its fetch (`aliases`, `barren`), `following` where it
leads (`circles`, `novelty`), `steering` what it is to a forum, `commenting` what its readers wrote, `failures` what
went wrong; `settling` and `segments` take it past `inspection` to the outputs; `early` keeps the first pages to be read
again. `remarks` is what a person is told at the end.

It takes what content, rules and forums make of a page, and knows nothing of how they do it.
"""
