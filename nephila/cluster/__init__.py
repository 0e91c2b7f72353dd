"""The cluster: many workers, one frontier, nothing lost.

    nephila submit job.toml ──▶ registry ──▶ stations (one process each) ──▶ a Worker for every running job
                                               │     ▲
                                    ephemeral  │     │ fence: may I still ask hosts?
                                               ▼     │
                                             ZooKeeper ──▶ one station is the master: frees what the dead held

A station (`nephila worker`) serves all running jobs at once and divides its requests in flight among them. What it
finishes goes to its own spool, in committed segments; `nephila export` merges the spools, each delivery once. Redis
holds the jobs, their frontiers and their memories; ZooKeeper, where there is one, tells at once that a worker has died.
This room knows most others; none knows it.
"""
