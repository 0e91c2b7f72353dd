"""Places for files: S3 by moto's server, SFTP by Debian's OpenSSH, WebHDFS by a reference of our own."""

from __future__ import annotations

import contextlib
import os
import pwd
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import orjson

from .ports import free_port
from .process import listening, program, running


@contextlib.contextmanager
def s3(place: Path) -> Iterator[dict[str, str]]:
    """The environment in which s3:// means a bucket `nephila` on loopback."""
    port = free_port()
    place.mkdir(parents=True, exist_ok=True)
    environment = {
        "FSSPEC_S3_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    command = [sys.executable, "-m", "moto.server", "-p", str(port), "-H", "127.0.0.1"]
    with running(command, place / "log", lambda: listening(port)):
        import urllib3

        urllib3.request("PUT", f"http://127.0.0.1:{port}/nephila", retries=3)
        yield environment


@contextlib.contextmanager
def sftp(place: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The URI of a directory, and the environment that holds the key to it."""
    sshd = program("sshd", "sbin/sshd", package="openssh-server")
    place.mkdir(parents=True, exist_ok=True)
    place.chmod(0o700)
    port, user = free_port(), pwd.getpwuid(os.getuid()).pw_name
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", place / name], check=True)
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    (place / "config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {place}/host\nAuthorizedKeysFile {place}/user.pub\n"
        f"PidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\nPermitRootLogin yes\n"
        "MaxStartups 100\nSubsystem sftp internal-sftp\n"
    )
    key = orjson.dumps({"key_filename": f"{place}/user", "allow_agent": False, "look_for_keys": False}).decode()
    with running([sshd, "-D", "-e", "-f", place / "config"], place / "log", lambda: listening(port)):
        (place / "files").mkdir()
        yield f"sftp://{user}@127.0.0.1:{port}{place}/files", {"FSSPEC_SFTP": key}


class _WebHdfs(BaseHTTPRequestHandler):
    """CREATE in two steps, as the name node and a data node would do it; MKDIRS, LISTSTATUS, GETFILESTATUS, OPEN..."""

    protocol_version = "HTTP/1.1"
    root: Path

    def _file(self) -> Path:
        return self.root / unquote(urlsplit(self.path).path).removeprefix("/webhdfs/v1").strip("/")

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        operation, file = query["op"].upper(), self._file()
        if operation in ("CREATE", "APPEND") and "data" not in query:
            self._say(307, b"", location=f"http://{self.headers['host']}{self.path}&data=true")
        elif operation in ("CREATE", "APPEND"):
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("wb" if operation == "CREATE" else "ab") as out:
                out.write(body)
            self._say(201 if operation == "CREATE" else 200, b"")
        elif operation == "MKDIRS":
            file.mkdir(parents=True, exist_ok=True)
            self._say(200, b'{"boolean": true}')
        elif operation == "DELETE":
            file.unlink(missing_ok=True)
            self._say(200, b'{"boolean": true}')
        elif operation == "RENAME":
            file.replace(self.root / query["destination"].strip("/"))
            self._say(200, b'{"boolean": true}')
        elif not file.exists():
            self._say(404, b'{"RemoteException": {"exception": "FileNotFoundException", "message": "absent"}}')
        elif operation == "OPEN":
            self._say(200, file.read_bytes())
        elif operation == "GETFILESTATUS":
            self._say(200, orjson.dumps({"FileStatus": _status(file, "")}))
        else:
            found = [_status(each, each.name) for each in (sorted(file.iterdir()) if file.is_dir() else [file])]
            self._say(200, orjson.dumps({"FileStatuses": {"FileStatus": found}}))

    do_GET = do_PUT = do_POST = do_DELETE = _answer  # noqa: N815

    def _say(self, status: int, data: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        """Quiet."""


def _status(file: Path, suffix: str) -> dict[str, Any]:
    size = 0 if file.is_dir() else file.stat().st_size
    return {"pathSuffix": suffix, "type": "DIRECTORY" if file.is_dir() else "FILE", "length": size}


@contextlib.contextmanager
def webhdfs(place: Path) -> Iterator[str]:
    port, root = free_port(), Path(__file__).parent.parent.parent
    (place / "files").mkdir(parents=True)
    command = [sys.executable, "-m", "tests.servers.places", str(port), str(place / "files")]
    with running(command, place / "log", lambda: listening(port), env={"PYTHONPATH": str(root)}):
        yield f"webhdfs://127.0.0.1:{port}/"


if __name__ == "__main__":
    _WebHdfs.root = Path(sys.argv[2])
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), _WebHdfs).serve_forever()
