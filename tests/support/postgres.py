"""A PostgreSQL cluster of a test run's own, on loopback, ended with it."""

import os
import shutil
import subprocess
import tempfile
from itertools import count
from pathlib import Path

import psycopg

#: Debian keeps the programs of a server out of the way.
INSTALLED = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
PROGRAMS = INSTALLED[-1] if INSTALLED else Path(shutil.which("postgres") or "none").parent
POSTGRES = (PROGRAMS / "postgres").is_file()
#: What an operator runs to make the role of the server.
ROLE = Path(__file__).parents[2] / "docs/deploy/postgresql-role.sql"

_NEVER_AS_ROOT = "postgres"  # the user as whom Debian's server runs


class Cluster:
    """A running PostgreSQL server with an empty database."""

    def __init__(self, *, durable: bool = False) -> None:
        """Make and start it; it waits for the disk only if it is `durable`."""
        self._user = _NEVER_AS_ROOT if os.getuid() == 0 else None
        self._folder = Path(tempfile.mkdtemp(prefix="referee-postgres-"))
        if self._user:
            shutil.chown(self._folder, self._user)
        self.data = self._folder / "data"
        self._numbers = count(1)
        self._run(
            "initdb", "-D", self.data, "-A", "trust", "-U", "referee", "--no-sync", "-E", "UTF8"
        )
        settings = ["listen_addresses = ''", f"unix_socket_directories = '{self._folder}'"]
        if not durable:
            settings += ["fsync = off", "full_page_writes = off"]
        with (self.data / "postgresql.conf").open("a") as file:
            file.write("\n".join([*settings, "max_connections = 300", ""]))
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self._run("pg_ctl", "-D", self.data, "-w", "-l", self._folder / "log", "start")

    def stop(self, how: str = "fast") -> None:
        """Stop the server; "immediate" is as if it was killed."""
        self._run("pg_ctl", "-D", self.data, "-w", "-m", how, "stop")

    def end(self) -> None:
        """Stop the server, and delete it."""
        if (self.data / "postmaster.pid").exists():
            self.stop("immediate")
        shutil.rmtree(self._folder, ignore_errors=True)

    def fresh(self) -> str:
        """The address of an empty schema in it."""
        schema = f"book_{next(self._numbers)}"
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}".encode())
        return self.address(schema)

    def address(self, schema: str = "public") -> str:
        """The address of a schema in it."""
        return (
            f"postgresql://referee@/postgres?host={self._folder}&options=-csearch_path%3D{schema}"
        )

    def _run(self, program: str, *arguments: str | Path) -> None:
        ran = subprocess.run(
            [PROGRAMS / program, *arguments],
            user=self._user,
            cwd=self._folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ran.returncode == 0, f"{program}: {ran.stdout}{ran.stderr}"
