"""The numbers of posts are the same in every process: workers that read one page must not take its posts for new."""

from __future__ import annotations

import os
import subprocess
import sys

SCRIPT = """
from nephila.document import parse
from nephila.forum import read_posts

def post(n):
    marks = " ".join(f'data-{name}="{900 - 7 * n + len(name)}"' for name in ("a", "bc", "def", "ghij", "klmno"))
    return (f'<div class="post" {marks}><a class="user" href="/u/{n}">Ann{n}</a>'
            f'<time datetime="2024-05-0{n + 1}">May</time>'
            f'<div class="body"><p>Answer {n}: mine hums in G, and did so from the first day.</p></div></div>')

found = read_posts(parse("".join(map(post, range(5))), "https://board.example/t/12"))
print([post.id for post in found.posts])
"""


def test_posts_have_the_same_numbers_whatever_the_order_of_sets() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert len(said) == 1
    assert "None" not in said.pop()
