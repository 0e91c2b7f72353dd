"""The dashboard on a cluster: jobs submitted, steered and seen through a real Redis, done by a real worker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

from tests.crawl.crawling import PATIENCE
from tests.dashboard.conftest import ROOT, launch
from tests.servers.redis import RedisServer, needs_redis
from tests.sites import Served


@needs_redis
def test_the_jobs_of_a_cluster(tmp_path: Path, news: Served) -> None:
    with RedisServer(tmp_path / "redis") as server:
        process, shown = launch(
            tmp_path / "own", "--allow-private", "--frontier", server.url, "--spool", str(tmp_path / "spool")
        )
        worker = subprocess.Popen(
            [
                *(sys.executable, "-m", "nephila", "worker", "--frontier", server.url),
                "--spool",
                str(tmp_path / "spool"),
            ],
            cwd=ROOT,
        )
        try:
            assert shown.ask("/api/v1/crawls")[1] == []
            shown.start(news["news"], "shared", delay=5, max_pages=30)  # not over before it is paused
            assert shown.ask("/api/v1/crawls/shared/pause", "POST")[1]["state"] == "paused"
            change = {"limits": {"max_pages": 12}, "politeness": {"delay": 0}}
            changed = shown.ask("/api/v1/crawls/shared", "PATCH", change)[1]
            assert (changed["state"], changed["max_pages"]) == ("paused", 12)
            assert shown.ask("/api/v1/crawls/shared/resume", "POST")[1]["state"] == "running"
            assert shown.wait("shared", "done")["records"] == 12
            assert shown.ask("/api/v1/crawls/shared/hosts")[1]
            records = shown.ask("/api/v1/crawls/shared/records?limit=100")[1]
            assert len({record["url"] for record in records}) == len(records) == 12
            word = next(record["title"] for record in records if record["title"]).split()[0]
            assert shown.ask(f"/api/v1/crawls/shared/records?search={quote(word)}")[1]
            whole = shown.ask(f"/api/v1/crawls/shared/records/{records[0]['id']}")[1]
            assert whole["url"] == records[0]["url"]
            assert shown.ask("/api/v1/crawls/shared", "DELETE")[0] == 204
            assert shown.ask("/api/v1/crawls/shared")[0] == 404
        finally:
            for each in (worker, process):
                each.terminate()
            for each in (worker, process):
                each.wait(PATIENCE)
