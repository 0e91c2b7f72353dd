"""PostgreSQL and MariaDB from Debian's packages."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pymysql

from .ports import free_port
from .process import as_user, listening, program, running


@contextlib.contextmanager
def postgresql() -> Iterator[str]:
    """The URI of a fresh database. Its directory is not below the test's own, where no user but ours may go."""
    with tempfile.TemporaryDirectory(prefix="nephila-postgresql-") as home:
        yield from _postgresql(Path(home))


def _postgresql(place: Path) -> Iterator[str]:
    initdb = program("initdb", "lib/postgresql/*/bin/initdb", package="postgresql")
    become, port, data = as_user("postgres"), free_port(), place / "data"
    if become is not None:
        shutil.chown(place, "postgres", "postgres")
    subprocess.run(
        [initdb, "-D", data, "-U", "nephila", "--auth=trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8"],
        check=True,
        capture_output=True,
        preexec_fn=become,
        cwd=place,
    )
    server = Path(initdb).with_name("postgres")
    command: list[str | Path] = [server, "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", place, "-c", "fsync=off"]

    def ready() -> bool:
        try:
            psycopg.connect(f"postgresql://nephila@127.0.0.1:{port}/postgres", connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    with running(command, place / "log", ready, become=become, stop=signal.SIGINT):
        yield f"postgresql://nephila@127.0.0.1:{port}/postgres"


@contextlib.contextmanager
def mariadb(place: Path) -> Iterator[str]:
    """The URI of a fresh database."""
    server = program("mariadbd", "sbin/mariadbd", package="mariadb-server")
    install = program("mariadb-install-db", "mysql_install_db", package="mariadb-server")
    place.mkdir(parents=True, exist_ok=True)
    data, port = place / "data", free_port()
    user = ["--user=root"] if os.getuid() == 0 else []
    subprocess.run(
        [
            install,
            "--no-defaults",
            f"--datadir={data}",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            *user,
        ],
        check=True,
        capture_output=True,
        cwd=place,
    )
    command = [server, "--no-defaults", *user, f"--datadir={data}", f"--port={port}", "--bind-address=127.0.0.1"]
    command += [f"--socket={place}/s", f"--pid-file={place}/pid", "--innodb-buffer-pool-size=64M"]
    command += ["--innodb-flush-log-at-trx-commit=0", "--skip-innodb-doublewrite", "--innodb-flush-method=nosync"]

    def ready() -> bool:
        if not listening(port):
            return False
        try:
            with pymysql.connect(host="127.0.0.1", port=port, user="root") as connection:
                connection.cursor().execute("CREATE DATABASE IF NOT EXISTS nephila CHARACTER SET utf8mb4")
        except pymysql.err.OperationalError:
            return False
        return True

    with running(command, place / "log", ready):
        yield f"mysql://root@127.0.0.1:{port}/nephila"
