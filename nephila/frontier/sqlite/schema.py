"""The tables of the embedded frontier.

A URL's text is stored once, in `url`, in the order of arrival; everything else points to it by number. At every commit
a URL is in exactly one of six places: `queue` (may be claimed when its host allows it), `setback` (queued too, but
not before a date), `lease`, `freshness` with a due date (done), `dead`,
`parked` (over the budget of its family).
"""

from __future__ import annotations

from nephila.sqlite import Schema

_URL = """
CREATE TABLE url (
    id INTEGER PRIMARY KEY,      -- order of arrival: the second sort key of a queue
    fingerprint INTEGER NOT NULL,
    host INTEGER NOT NULL,
    url TEXT NOT NULL,
    depth INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    modified REAL,
    family INTEGER,
    meta TEXT
)"""

# Dedupe. Fingerprints are random, so in one big B-tree every new URL would dirty a page of its own: 8.3 GB written for
# the fourth million, and growing. New ones go to the small `seen_new`; a rolling merge (adding.py) moves them in
# fingerprint order, so that each page of `seen` takes several at once: 4.0 GB for the same million, and level.
_SEEN = "CREATE TABLE seen (fingerprint INTEGER PRIMARY KEY, url INTEGER NOT NULL)"
_SEEN_NEW = "CREATE TABLE seen_new (fingerprint INTEGER PRIMARY KEY, url INTEGER NOT NULL)"

_HOST = """
CREATE TABLE host (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    queued INTEGER NOT NULL,     -- URLs in queue and setback
    waiting INTEGER NOT NULL,    -- URLs in setback alone
    active INTEGER NOT NULL,     -- requests in flight
    asked_delay REAL NOT NULL,   -- what robots.txt asked for
    ended REAL NOT NULL,         -- when its last request ended: the delay clock
    backoff REAL NOT NULL,       -- not to be asked before: the back-off clock
    since REAL NOT NULL,         -- when it began to wait for its turn
    turn INTEGER NOT NULL,       -- token of its last lease: orders hosts that wait since the same instant
    met INTEGER NOT NULL,        -- requests whose end a worker has told, up to 255: the first had read robots.txt
    next_at REAL                 -- when a claim may ask it; NULL when nothing is queued or all connections are in use
)"""
_HOST_READY = "CREATE INDEX host_ready ON host (next_at, turn) WHERE next_at IS NOT NULL"

_QUEUE = """
CREATE TABLE queue (
    host INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    url INTEGER NOT NULL,
    attempts INTEGER NOT NULL,   -- those already used
    visited INTEGER NOT NULL,    -- 0: a claim need not look for it in freshness, which saves it a page
    PRIMARY KEY (host, rank, url)
) WITHOUT ROWID"""

_SETBACK = """
CREATE TABLE setback (
    url INTEGER PRIMARY KEY,
    host INTEGER NOT NULL,
    ready_at REAL NOT NULL,
    attempts INTEGER NOT NULL
)"""
_SETBACK_READY = "CREATE INDEX setback_ready ON setback (host, ready_at)"

_LEASE = """
CREATE TABLE lease (
    token INTEGER PRIMARY KEY,
    url INTEGER NOT NULL,
    host INTEGER NOT NULL,
    worker TEXT NOT NULL,
    deadline REAL NOT NULL,
    attempt INTEGER NOT NULL,
    fetched INTEGER NOT NULL     -- 1: the request is over, its connection is free
)"""
_LEASE_DEADLINE = "CREATE INDEX lease_deadline ON lease (deadline)"
_LEASE_WORKER = "CREATE INDEX lease_worker ON lease (worker)"

# What is known of a URL that was visited. `due` is in whole seconds (4 bytes), and NULL while the URL is queued again,
# leased or dead.
_FRESHNESS = """
CREATE TABLE freshness (
    url INTEGER PRIMARY KEY,
    visits INTEGER NOT NULL,
    due INTEGER,
    every INTEGER NOT NULL,      -- recrawl interval, seconds
    digest INTEGER,
    etag TEXT,
    last_modified TEXT
)"""
_FRESHNESS_DUE = "CREATE INDEX freshness_due ON freshness (due) WHERE due IS NOT NULL"

_FAMILY = """
CREATE TABLE family (
    family INTEGER PRIMARY KEY,
    taken INTEGER NOT NULL,      -- URLs of it that were let in
    novel INTEGER NOT NULL       -- visits that brought something new
)"""

# What a family has no budget for yet: known, and queued as soon as the family has earned it.
_PARKED = "CREATE TABLE parked (family INTEGER NOT NULL, url INTEGER NOT NULL, PRIMARY KEY (family, url)) WITHOUT ROWID"

_DEAD = """
CREATE TABLE dead (
    url INTEGER PRIMARY KEY,
    reason TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    died_at REAL NOT NULL
)"""
_DEAD_TIME = "CREATE INDEX dead_time ON dead (died_at)"

# One row: counting ten million rows takes seconds, keeping the counts costs one page that every transaction shares.
_TALLY = """
CREATE TABLE tally (
    queued INTEGER NOT NULL,
    leased INTEGER NOT NULL,
    done INTEGER NOT NULL,
    dead INTEGER NOT NULL,
    hosts INTEGER NOT NULL,
    refused INTEGER NOT NULL,    -- URLs in parked
    run_done INTEGER NOT NULL,   -- visits completed in this run: what max_pages bounds
    token INTEGER NOT NULL,      -- the last fencing token given
    urls INTEGER NOT NULL,       -- the last url.id given
    unmerged INTEGER NOT NULL,   -- rows in seen_new
    merged_to INTEGER NOT NULL   -- fingerprint where the rolling merge goes on
)"""
_TALLY_ROW = "INSERT INTO tally VALUES (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -9223372036854775808)"

SCHEMA = Schema(
    kind="frontier",
    application_id=0x4E706846,  # "NphF"
    version=1,
    statements=(
        _URL, _SEEN, _SEEN_NEW, _HOST, _HOST_READY, _QUEUE, _SETBACK, _SETBACK_READY, _LEASE, _LEASE_DEADLINE,
        _LEASE_WORKER, _FRESHNESS, _FRESHNESS_DUE, _FAMILY, _PARKED, _DEAD, _DEAD_TIME, _TALLY, _TALLY_ROW,
    ),
)  # fmt: skip
