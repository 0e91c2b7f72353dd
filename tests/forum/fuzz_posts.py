"""Any bytes as a page of a forum: read without an error, by a fresh model and by one that has learned something."""

from __future__ import annotations

from nephila.document import Limits, parse
from nephila.errors import InputError
from nephila.forum.glance import glance
from nephila.forum.learning import learn
from nephila.forum.model import SiteModel
from nephila.forum.reading import read
from tests.fetch.fuzzing import main
from tests.forum.test_posts import ARTICLE, QUESTION
from tests.sites.layouts import Content, Semicolons, Tables, Tree

_URL = "http://forum.test/topic/12-kettles?page=2"
_CONTENT = Content(seed=3, boards=1, threads=3, most=5)


def _pages() -> list[bytes]:
    found = [ARTICLE.encode(), QUESTION.encode()]
    for style in (Tables, Semicolons, Tree):
        site = style(_CONTENT)
        found.append(site.get(site.start)[1].encode())
    return found


SEEDS = _pages()


def target(data: bytes) -> None:
    try:
        document = parse(data, _URL, limits=Limits())
    except InputError:
        return
    assert glance(document).dated >= 0
    model = SiteModel()
    for _ in range(2):
        reading = read(document, _URL, model, 1.7e9)
        learn(model, reading, "title", 1)
        for post in reading.found.posts if reading.found else ():
            assert 0 <= post.start <= post.stop
            assert post.published is None or post.published[:4].isdigit()
    assert SiteModel.from_json(model.to_json()) == model


if __name__ == "__main__":
    main(target, SEEDS)
