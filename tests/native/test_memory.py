"""The native library stays within its arrays: built with the compiler's checks, it reads thousands of broken pages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nephila import native

PROGRAM = """
import numpy, random, sys
from pathlib import Path
from nephila import native
from nephila.content import choice, keeping
from nephila.content.features import page as features
from nephila.content.site import memory as site
from nephila.content.talk import whole as talk
from nephila.content.trees import refine
from nephila.content.extract import fill
from nephila.content.model import WEIGHTS, BlockModel, shipped
from nephila.document import Limits, parse, plain_text
from nephila.errors import InputError
from nephila.record import Record
from tests.content.test_native_talk import trees_of_chance
from tests.document.fuzz_document import mutated

native.LIBRARY = Path(sys.argv[1])
assert native.load() is not None
judges = shipped(), BlockModel(dict(numpy.load(WEIGHTS)))
judges[1]._talk = trees_of_chance(0)
talk.talk_asked = lambda *_: True
for module in (choice, features, keeping, refine, talk, BlockModel):
    module._by_numpy = None  # nothing is left to numpy unseen
site._by_python = None
seen = site.SiteMemory()
for seed in range(int(sys.argv[2])):
    rng = random.Random(seed)
    tight = Limits(max_depth=rng.randint(1, 5), max_blocks=rng.randint(1, 9), max_links=rng.randint(1, 5))
    for limits in (Limits(), tight):
        try:
            document = parse(mutated(random.Random(seed)), "https://example.org/", limits=limits)
        except InputError:
            continue
        document.layout, document.hrefs, plain_text(document)
        content = fill(Record(url=""), document, site=seen)
        if content.view is not None:
            seen.learn(content.view, content.likely)
        if document.layout.texts:
            page = features.page_features(document)
            likely = [judge.judge(page) for judge in judges][0].main
            refine.refinement_inputs(page, likely, likely, likely[:2], numpy.arange(len(likely)))
"""


@pytest.mark.slow
def test_it_reads_and_writes_nothing_beyond_its_arrays(tmp_path: Path) -> None:
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("gcc is not installed")
    library = tmp_path / "libnative.so"
    stamp = f"-DSOURCE_CHECKSUM={native.checksum(native.HERE)}u"
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g", "-O1"]
    sources = map(str, sorted(native.HERE.glob("*.c")))
    subprocess.run(
        [compiler, "-std=c99", *checks, "-shared", "-fPIC", stamp, "-o", str(library), *sources, "-lm"], check=True
    )
    runtime = subprocess.run([compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(library), "1500"],
        env=os.environ
        | {"LD_PRELOAD": runtime.stdout.strip(), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
