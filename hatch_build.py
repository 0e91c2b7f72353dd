"""Makes the native library when the package is built or installed, where there is a C compiler; it is no condition."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import tempfile
import zlib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path("nephila", "native")
LIBRARY = FOLDER / "libnative.so"


class NativeLibrary(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's
        if self.target_name != "wheel":
            return
        problem = compile_library(Path(self.root))
        if problem is None:
            build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
            build_data["pure_python"] = False
        else:
            self.app.display_warning(f"without the native library, which only makes it faster: {problem}")


def compile_library(root: Path) -> str | None:
    """Compiles the library beside its sources; why not, where it cannot be done."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        return "there is no C compiler"
    sources, library = sorted((root / FOLDER).glob("*.c")), root / LIBRARY
    library.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        made = Path(folder, library.name)
        # As nephila/native/__init__.py has it: a library of other sources is not used.
        stamp = f"-DSOURCE_CHECKSUM={zlib.crc32(b''.join([source.read_bytes() for source in sources]))}u"
        options = ["-std=c99", "-O3", "-ffp-contract=fast", "-Wall", "-shared", "-fPIC", stamp]
        command = [compiler, *options, "-o", str(made), *map(str, sources), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - as the user set it
        if done.returncode:
            return (done.stderr.strip().splitlines() or ["the compiler failed"])[-1]
        os.replace(made, library)  # noqa: PTH105 - at once: a running crawl has the old one open
    return None
