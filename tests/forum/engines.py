"""Real forum programs on this machine, from the recipes beside the repository: installed once, seeded, started.

`FORUM_DIR` names the folder where they live (default: in the user's cache). Each crawl starts from the database as it
was seeded.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from nephila.record import Record

RECIPES = Path(__file__).parents[2].resolve().parent / "shared" / "forums"
HOME = Path(os.environ.get("FORUM_DIR", Path.home() / ".cache" / "nephila-forums"))
USER, PASSWORD = "crawler", "Crawl-forum-1"
DATABASES = {"spirit": "www/spiritsite/db.sqlite3", "flaskbb": "www/flaskbb/flaskbb.sqlite"}
PER_PAGE = {"spirit": (20, 20), "flaskbb": (10, 10)}
"""Posts of a thread's page, threads of a board's."""
MAY_CHANGE = {
    "django_session", "spirit_comment_bookmark_commentbookmark", "spirit_topic_unread_topicunread",
    "spirit_topic_notification_topicnotification", "forumsread", "topicsread", "sqlite_sequence",
}  # fmt: skip
MAY_COUNT = {"view_count", "views", "last_seen", "last_ip", "lastseen", "last_login", "reindex_at"}


@dataclass(frozen=True)
class Engine:
    name: str
    home: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def database(self) -> Path:
        return self.home / DATABASES[self.name]

    def recipe(self, *arguments: str) -> None:
        environment = {**os.environ, "FORUM_DIR": str(self.home), "PORT": str(self.port)}
        command = ["bash", str(RECIPES / f"{self.name}.sh"), *arguments]
        subprocess.run(command, env=environment, check=True, timeout=900, stdout=subprocess.DEVNULL)

    def python(self, code: str) -> str:
        """Runs code in the program's own environment, beside its models."""
        site = self.database.parent
        environment = {
            **os.environ, "DJANGO_SETTINGS_MODULE": "spiritsite.settings.bench", "PYTHONPATH": str(site),
            "FLASKBB_SETTINGS": str(site / "flaskbb.cfg"), "SITE": str(site),
        }  # fmt: skip
        python = self.home / f"v_{self.name}" / "bin" / "python"
        done = subprocess.run(
            [python, "-c", code], cwd=site, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def gold(self, *, private: bool) -> list[dict[str, Any]]:
        lines = (self.home / "gt" / f"{self.name}.jsonl").read_text().splitlines()
        posts = [json.loads(line) for line in lines]
        return [post for post in posts if private or not post["private"]]

    def needed(self, *, private: bool, posts: int | None = None, threads: int | None = None) -> int:
        """Pages that hold everything once: the index, the boards', the threads'."""
        a_page, a_list = posts or PER_PAGE[self.name][0], threads or PER_PAGE[self.name][1]
        gold = self.gold(private=private)
        sizes = Counter(post["thread_id"] for post in gold)
        boards = Counter({post["thread_id"]: post["board"] for post in gold}.values())
        return 1 + sum(ceil(n / a_list) for n in boards.values()) + sum(ceil(n / a_page) for n in sizes.values())

    def contents(self) -> dict[str, Counter[tuple[Any, ...]]]:
        """All rows but for sessions, read marks and counts of views."""
        found = {}
        with closing(sqlite3.connect(self.database)) as sql:
            tables = [name for (name,) in sql.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in sorted(set(tables) - MAY_CHANGE):
                columns = [row[1] for row in sql.execute(f"PRAGMA table_info('{table}')") if row[1] not in MAY_COUNT]
                listed = ", ".join(f'"{column}"' for column in columns)
                found[table] = Counter(sql.execute(f'SELECT {listed} FROM "{table}"').fetchall())
        return found

    def forget_sessions(self) -> int:
        with closing(sqlite3.connect(self.database, timeout=30)) as sql, sql:
            return sql.execute("DELETE FROM django_session").rowcount


def installed(name: str, home: Path = HOME, *seed: str) -> Engine:
    """The program with contents in it, not running; `seed`: options of the generator of contents."""
    port = _port(home, name)
    engine = Engine(name, home, port)
    pristine = engine.database.with_suffix(".pristine")
    if not pristine.exists():
        home.mkdir(parents=True, exist_ok=True)
        own, shared = home / f"v_{name}", HOME / f"v_{name}"
        if home != HOME and shared.exists() and not own.exists():
            own.symlink_to(shared)
        if seed:
            subprocess.run(["python3", RECIPES / "seedgen.py", home / "seed.json", *seed], check=True)
        engine.recipe("install")
        engine.recipe("seed")
        shutil.copyfile(engine.database, pristine)
    return engine


def _port(home: Path, name: str) -> int:
    """The port that the contents name in their links: chosen once."""
    note = home / f"{name}.port"
    if not note.exists():
        home.mkdir(parents=True, exist_ok=True)
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            note.write_text(str(free.getsockname()[1]))
    return int(note.read_text())


@contextmanager
def running(engine: Engine) -> Iterator[Engine]:
    """As it was seeded."""
    for leftover in engine.database.parent.glob(f"{engine.database.name}-*"):
        leftover.unlink()
    shutil.copyfile(engine.database.with_suffix(".pristine"), engine.database)
    engine.recipe("start")
    try:
        yield engine
    finally:
        engine.recipe("stop")


def compare(records: list[Record], gold: list[dict[str, Any]]) -> list[str]:
    """What differs between the posts of a crawl and those that there are."""
    wanted = {str(post["post_id"]): post for post in gold}
    posts = [record for record in records if record.kind == "post" and record.post]
    times = Counter(str((record.post or {})["id"]) for record in posts)
    wrong = [f"{number} is missing" for number in wanted if number not in times]
    wrong += [f"{number} is there {count} times" for number, count in times.items() if count > 1]
    wrong += [f"{number} is no post" for number in times if number not in wanted]
    for record in posts:
        told = record.post or {}
        post = wanted.get(str(told["id"]))
        if post is None:
            continue
        pairs = {
            "thread": (_folded(record.title), _folded(post["thread"])),
            "position": (told["position"], post["pos"]),
            "author": (record.author, post["author"]),
            "date": ((record.published or "")[:16], post["date"][:16]),
            "text": (_folded(record.text), _folded(post["text"])),
        }
        if not (post["private"] and post["engine"] == "spirit"):  # shown there as private topics, under no board
            pairs["board"] = ((told["board"] or [None])[-1], post["board"])
        wrong += [f"{told['id']} {name}: {a!r}, not {b!r}" for name, (a, b) in pairs.items() if a != b]
    return wrong


def _folded(text: str | None) -> str:
    return " ".join((text or "").split())
