"""Who is alive among the processes that share a frontier."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from nephila.fetch.presence import Presence


def test_the_dead_are_told_once_and_the_living_never(tmp_path: Path) -> None:
    place = tmp_path / "workers"
    me, other = Presence(place, "me"), Presence(place, "other")
    script = (
        "import os, sys; from pathlib import Path; from nephila.fetch.presence import Presence\n"
        "Presence(Path(sys.argv[1]), 'killed'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script, str(place)], check=False)
    assert (place / "killed").exists()
    assert me.departed() == ["killed"]
    assert me.departed() == other.departed() == []
    other.leave()
    assert me.departed() == []
    me.leave()
    assert not place.exists()
    Presence(place, "again").leave()
