"""A Podman engine of the tests' own, and the image built from deploy/Dockerfile on a base made with debootstrap.

Works where no Docker runs and no registry can be reached: needs root, podman, buildah, runc, debootstrap, and wheels or
a package index for pip. NEPHILA_TEST_CONTAINERS names a directory that is kept, so that a second run starts from there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
TOOLS = ("podman", "buildah", "runc", "debootstrap", "conmon")
KEPT = "NEPHILA_TEST_CONTAINERS"
_LIMITS = '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]\n'


def missing() -> str | None:
    """Why it cannot be had here."""
    if os.geteuid() != 0:
        return "containers are built and run by root here"
    absent = [tool for tool in TOOLS if shutil.which(tool) is None]
    return f"not installed: {', '.join(absent)}" if absent else None


class Podman:
    def __init__(self, place: Path) -> None:
        self.place = place
        self.socket = place / "podman.sock"
        self._service: subprocess.Popen[bytes] | None = None
        place.mkdir(parents=True, exist_ok=True)
        (place / "containers.conf").write_text(_LIMITS)
        self._storage = ["--storage-driver", "vfs", "--root", str(place / "storage"), "--runroot", str(place / "run")]

    def run(self, *arguments: str, engine: str = "podman") -> str:
        command = [engine, *self._storage, *arguments]
        done = subprocess.run(command, check=False, capture_output=True, cwd=ROOT, text=True)
        assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout

    def has(self, image: str) -> bool:
        return subprocess.run(["podman", *self._storage, "image", "exists", image], check=False).returncode == 0

    def build(self, image: str) -> None:
        if not self.has("localhost/base:1"):
            self._make_base()
        wheels = self._wheels()
        arguments = {"BASE": "localhost/base:1", "PIP_OPTIONS": "--no-index --find-links /wheels"}
        given = [part for name, value in arguments.items() for part in ("--build-arg", f"{name}={value}")]
        options = ["--isolation", "chroot", "--format", "docker", "-v", f"{wheels}:/wheels:ro", *given]
        self.run("bud", *options, "-t", image, "-f", "deploy/Dockerfile", ".", engine="buildah")

    def _make_base(self) -> None:
        root = self.place / "rootfs"
        included = "--include=python3,python3-venv,ca-certificates"
        subprocess.run(["debootstrap", "--variant=minbase", included, "bookworm", str(root)], check=True)
        packed = subprocess.Popen(["tar", "-C", str(root), "-c", "."], stdout=subprocess.PIPE)
        subprocess.run(["podman", *self._storage, "import", "-", "base:1"], stdin=packed.stdout, check=True)
        assert packed.wait() == 0
        shutil.rmtree(root)

    def _wheels(self) -> Path:
        """What the image needs, for the Python of the base; the newest versions that are there."""
        wheels = self.place / "wheels"
        if not wheels.exists():
            wanted = [".[cluster,dashboard,metrics]", "hatchling>=1.24", "async-timeout>=4.0.3"]
            command = [
                sys.executable,
                "-m",
                "pip",
                "download",
                "-q",
                "--python-version",
                "3.11",
                "--only-binary",
                ":all:",
            ]
            subprocess.run([*command, "-d", str(wheels), *wanted], check=True, cwd=ROOT)
        return wheels

    def start(self) -> None:
        """The engine's API on a socket."""
        flags = [*self._storage, "--runtime", "runc", "--cgroup-manager", "cgroupfs"]
        with (self.place / "service.log").open("ab") as log:
            self._service = subprocess.Popen(
                ["podman", *flags, "system", "service", "--time", "0", f"unix://{self.socket}"],
                env={**os.environ, "CONTAINERS_CONF": str(self.place / "containers.conf")},
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + 60
        while not self.socket.exists():
            assert time.monotonic() < deadline, (self.place / "service.log").read_text()
            time.sleep(0.1)

    def stop(self) -> None:
        if self._service is not None:
            self._service.terminate()
            self._service.wait(timeout=30)
            self.socket.unlink(missing_ok=True)


class SshServer:
    """sshd for this user on a free port; `path` begins with an `ssh` that knows how to get in."""

    def __init__(self, place: Path, port: int) -> None:
        self._place, self.port = place, port
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def path(self) -> str:
        return f"{self._place / 'bin'}{os.pathsep}{os.environ['PATH']}"

    def __enter__(self) -> SshServer:
        place = self._place
        (place / "bin").mkdir(parents=True)
        Path("/run/sshd").mkdir(exist_ok=True)
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(place / name)], check=True)
        (place / "sshd_config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {place}/host\nAuthorizedKeysFile {place}/user.pub\n"
            "StrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nPidFile none\n"
        )
        host_key = " ".join((place / "host.pub").read_text().split()[:2])
        (place / "known").write_text(f"[127.0.0.1]:{self.port} {host_key}\n")
        wrapper = place / "bin" / "ssh"
        real = shutil.which("ssh")
        wrapper.write_text(f'#!/bin/sh\nexec {real} -F none -i {place}/user -o UserKnownHostsFile={place}/known "$@"\n')
        wrapper.chmod(0o755)
        with (place / "sshd.log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(shutil.which("sshd")), "-D", "-e", "-f", str(place / "sshd_config")], stderr=log
            )
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(timeout=30)
