"""SQL: records as rows of a table in SQLite, PostgreSQL, MySQL or MariaDB, upserted by their URL.

    view     the learned fields as typed columns, a view that grows with them
    schema   the two tables and how an older one is brought up to date
    writing  what differs between the databases: how many rows get in quickly
    sink     the commit: delivery keys and rows in one transaction of the database itself

The delivery keys live in the database, so that a record is there once however many machines write.
"""

from nephila.sinks.sql.sink import SqlSink

__all__ = ["SqlSink"]
