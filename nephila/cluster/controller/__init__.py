"""The controller: starts, scales, stops and removes the services of a cluster on one host or many, from one file.

    plan.py       the file: hosts, services, what needs what
    backend.py    what a host must be able to do with an instance of a service
    processes.py  ... as plain processes of this machine
    containers.py ... as containers, through the API of Docker or Podman, over its socket or SSH
    conductor.py  the verbs: in dependency order, with health awaited and workers drained

It knows nothing of crawling: a worker is a service like Redis or ZooKeeper.
"""
