"""A PostgreSQL server for one test run, on loopback."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import psycopg

from referee.extras import postgres
from tests.support.until import until

#: Debian's folder for the server's programs is not on the PATH.
INSTALLED = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
PROGRAMS = INSTALLED[-1] if INSTALLED else Path(shutil.which("postgres") or "none").parent
POSTGRES = (PROGRAMS / "postgres").is_file()
PGBOUNCER = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
#: What an operator runs to make the role of the server.
ROLE = Path(postgres.__file__).parent / "role.sql"

_NEVER_AS_ROOT = "postgres"  # the user of Debian's server, which refuses to run as root


class Cluster:
    """A running PostgreSQL server with an empty database."""

    def __init__(self, *, durable: bool = False) -> None:
        """Create and start it; it syncs to disk only if `durable`."""
        self._user = _NEVER_AS_ROOT if os.getuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="referee-postgres-"))
        if self._user:
            shutil.chown(self.folder, self._user)
        self.data = self.folder / "data"
        self._numbers = count(1)
        self._run(
            "initdb", "-D", self.data, "-A", "trust", "-U", "referee", "--no-sync", "-E", "UTF8"
        )
        settings = ["listen_addresses = ''", f"unix_socket_directories = '{self.folder}'"]
        if not durable:
            settings += ["fsync = off", "full_page_writes = off"]
        # Unusual defaults, which Referee must override.
        settings += ["default_transaction_isolation = 'serializable'", "synchronous_commit = off"]
        self._configure(*settings, "max_connections = 300")
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self._run("pg_ctl", "-D", self.data, "-w", "-l", self.folder / "log", "start")

    def stop(self, how: str = "fast") -> None:
        """Stop the server; "immediate" is like a kill."""
        self._run("pg_ctl", "-D", self.data, "-w", "-m", how, "stop")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Pause all its processes in this block, as on a hanging disk; connections stay open."""
        main = int((self.data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{main}/task/{main}/children").read_text(encoding="ascii")
        processes = [main, *map(int, children.split())]

        def send(number: signal.Signals) -> None:
            for one in processes:
                with suppress(ProcessLookupError):  # the process of a connection just closed
                    os.kill(one, number)

        try:
            send(signal.SIGSTOP)
            yield
        finally:
            send(signal.SIGCONT)

    def follow(self, primary: "Cluster") -> None:
        """Start again as a synchronous standby of `primary`."""
        shutil.rmtree(self.data)
        source = ("-h", primary.folder, "-U", "referee", "-R", "-cfast")
        self._run("pg_basebackup", *source, "-D", self.data)
        self._configure(f"unix_socket_directories = '{self.folder}'")
        (self.data / "postgresql.auto.conf").chmod(0o600)
        self.start()
        with psycopg.connect(primary.address(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            connection.execute("SELECT pg_reload_conf()")
            query = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
            until(lambda: connection.execute(query).fetchone())

    def promote(self) -> None:
        """Promote the standby, and wait until it can be written to."""
        self._run("pg_ctl", "-D", self.data, "-w", "promote")

    def end(self) -> None:
        """Stop the server, and delete it."""
        if (self.data / "postmaster.pid").exists():
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def fresh(self) -> str:
        """The address of an empty schema in it."""
        schema = f"book_{next(self._numbers)}"
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}".encode())
        return self.address(schema)

    def address(self, schema: str = "public") -> str:
        """The address of a schema in it."""
        return f"postgresql://referee@/postgres?host={self.folder}&options=-csearch_path%3D{schema}"

    @contextmanager
    def behind_pgbouncer(self) -> Iterator[str]:
        """The address of an empty database behind PgBouncer, configured as in docs/deploy."""
        assert PGBOUNCER is not None
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE pooled")
        file = self.folder / "pgbouncer.ini"
        file.write_text(f"""
            [databases]
            pooled = host={self.folder} user=referee
            [pgbouncer]
            pool_mode = transaction
            auth_type = any
            unix_socket_dir = {self.folder}
        """)
        process = subprocess.Popen([PGBOUNCER, "-q", file], user=self._user)
        try:
            give_up = time.monotonic() + 30
            while not (self.folder / ".s.PGSQL.6432").exists():
                assert process.poll() is None
                assert time.monotonic() < give_up
                time.sleep(0.02)
            yield f"postgresql://referee@/pooled?host={self.folder}&port=6432"
        finally:
            process.terminate()
            process.wait(60)

    def psql(self, *arguments: str) -> int:
        """Run `psql` as an operator does; returns its exit status."""
        ran = subprocess.run([PROGRAMS / "psql", "-q", *arguments], check=False, timeout=60)
        return ran.returncode

    def _configure(self, *settings: str) -> None:
        with (self.data / "postgresql.conf").open("a") as file:
            file.write("\n".join([*settings, ""]))

    def _run(self, program: str, *arguments: str | Path) -> None:
        ran = subprocess.run(
            [PROGRAMS / program, *arguments],
            user=self._user,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ran.returncode == 0, f"{program}: {ran.stdout}{ran.stderr}"
