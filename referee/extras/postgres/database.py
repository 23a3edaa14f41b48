"""The engine for a ledger in a PostgreSQL database.

A writer holds an advisory lock of its sheet until it commits. That needs no right to update the
sheet's row, which nobody has, and writers of different sheets do not wait for one another. At READ
COMMITTED every statement after taking the lock sees what was committed under it before;
SERIALIZABLE would need retries.
"""

import logging
import re
import threading
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any

import psycopg
from psycopg import Connection, IsolationLevel, errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool, PoolTimeout

from referee.extras.postgres.changes import Changes
from referee.extras.postgres.tables import bring_up_to_date, make_tables, triggers
from referee.ledger.databases import shown
from referee.ledger.engine import BUSY_SECONDS, READ_SECONDS, Engine, Writing
from referee.ledger.errors import InUseError, LedgerError, UnavailableError
from referee.ledger.extras import tables_in
from referee.rules.text import say

# These log every failed try; people get one message from us.
logging.getLogger("psycopg").setLevel(logging.ERROR)

MOST_CONNECTIONS = 16  # of one process
RECONNECT_SECONDS = 1.5  # for which the pool tries to make a connection
AWAY_SECONDS = 1  # for which other requests fail at once after a failure
STATEMENT_SECONDS = 2 * BUSY_SECONDS  # after which a statement without an answer fails
FROZEN_SECONDS = BUSY_SECONDS / 2  # after which the database frees a silent writer's lock
#: With limits for noticing that the database's machine has vanished, so that no statement waits for
#: ever.
_CONNECTION_OPTIONS: dict[str, Any] = {
    "client_encoding": "UTF8",
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
#: For the database to notice that our machine has vanished, and to free its locks.
_KEEPALIVES = (
    "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3"
)

#: An entry is acknowledged only once it is on the disk, whatever the database's default.
_BEGIN = """
SELECT set_config('lock_timeout', ?, true),
    set_config('idle_in_transaction_session_timeout', ?, true),
    set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'),
        true),
    current_setting('transaction_read_only')
"""
_NO_IDLE_LIMIT = "SET LOCAL idle_in_transaction_session_timeout = 0"
_TRIGGERS = """
SELECT tgname FROM pg_trigger WHERE tgenabled IN ('O', 'A') AND pg_table_is_visible(tgrelid)
"""
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))"


class _Connection(Connection[Any]):
    """A connection that waits only for a limited time, as a database may hang silently."""

    most_seconds: float | None = STATEMENT_SECONDS

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for an answer; after `most_seconds` the connection counts as lost."""
        try:
            return super().wait(gen, interval, self.most_seconds if timeout is None else timeout)
        except psycopg.OperationalError:
            if self.info.transaction_status == TransactionStatus.ACTIVE:
                self.close()  # a late answer would be taken for that of the next statement
            raise


class PostgresEngine(Engine):
    """A PostgreSQL database, with a pool of connections for all threads of this process."""

    def __init__(self, address: str) -> None:
        """Open the database at `address`, and make the tables if there are none.

        Raises `UnavailableError`, `OlderError`, `NewerError`, or `DamagedError` if tables are
        missing.
        """
        self._local = threading.local()
        self._pool = ConnectionPool(
            address,
            connection_class=_Connection,
            kwargs={"autocommit": True, "application_name": "referee", **_CONNECTION_OPTIONS},
            min_size=0,
            max_size=MOST_CONNECTIONS,
            open=False,
            timeout=READ_SECONDS,
            reconnect_timeout=RECONNECT_SECONDS,
            configure=_configured,
            check=_checked,
        )
        weakref.finalize(self, self._pool.close)
        self._away_until = float("-inf")  # by the monotonic clock
        # Until the address is checked, all before its last @ may be the password.
        self.name = re.sub(r"(?<=//)([^/@:?]*):.*@", r"\1@", address).partition("?")[0]
        with self._translated():
            _check_address(address, self.name)
        self.name = shown(address)
        self.watched = self._changes = Changes(
            partial(_Connection.connect, address, autocommit=True, **_CONNECTION_OPTIONS)
        )
        # A single connection's error says why it failed; a pool's does not.
        with (
            self._translated(),
            _Connection.connect(address, **_CONNECTION_OPTIONS) as connection,
        ):
            if connection.info.parameter_status("server_encoding") != "UTF8":
                says = say(
                    "{path} can’t hold every letter. Make it with: createdb -T template0 -E UTF8 "
                    "-l C.UTF-8",
                    path=self.name,
                )
                raise UnavailableError(says)
            connection.isolation_level = IsolationLevel.READ_COMMITTED
            _execute(connection, _LOCK, ("tables",))
            bring_up_to_date(connection, PostgresWriting(connection), self.name)
            query = "SELECT current_setting('transaction_read_only')"
            self._read_only: str = connection.execute(query).fetchall()[0][0]
            version = connection.info.parameter_status("server_version") or ""
        self.product = f"PostgreSQL {version.partition(' ')[0]}"

    def close(self) -> None:
        """Stop listening for changes; the pool keeps all other connections."""
        self._changes.stop()

    def read(self, query: str, *values: object) -> list[Any]:
        """The rows that `query` finds; within a transaction of this thread, as that sees them."""
        with self._translated():
            transaction: Connection[Any] | None = getattr(self._local, "transaction", None)
            if transaction is not None:
                return _execute(transaction, query, values).fetchall()
            with self._connected() as connection:
                return _execute(connection, query, values).fetchall()

    @contextmanager
    def writing(self, *locks: str, wait: float = BUSY_SECONDS) -> Iterator["PostgresWriting"]:
        """Begin a transaction that holds advisory `locks` from its first statement on.

        If the connection is lost during the commit, nobody knows whether it was committed. Then
        this raises `UnavailableError`, and trying again with the same key gives the answer.
        """
        with self._translated(), self._connected() as connection, connection.transaction():
            times = (f"{seconds * 1000:.0f}" for seconds in (wait, FROZEN_SECONDS))
            self._check_writable(_execute(connection, _BEGIN, (*times,)).fetchall()[0][-1])
            for lock in locks:
                _execute(connection, _LOCK, (lock,))
            self._local.transaction = connection
            try:
                yield PostgresWriting(connection)
            finally:
                self._local.transaction = None

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Begin a transaction in which this thread reads everything as of that moment."""
        with (
            self._translated(),
            self._connected(patient=True) as connection,
            connection.transaction(),
        ):
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            connection.execute(_NO_IDLE_LIMIT)
            self._local.transaction = connection
            try:
                yield
            finally:
                self._local.transaction = None

    def check_writable(self) -> None:
        """Raise `UnavailableError` if the database was read-only, as a replica, when it was opened.

        It sends no query, as this process may not start the pool's threads yet.
        """
        self._check_writable(self._read_only)

    def _check_writable(self, read_only: str) -> None:
        if read_only == "on":
            says = say(
                "{path} can only be read. Name the host that can be written to, or add "
                "target_session_attrs=read-write.",
                path=self.name,
            )
            raise UnavailableError(says)

    def make_tables(self, writing: Writing, schema: str) -> None:
        """Make the tables of a schema, and the triggers that keep their rows unchanged."""
        make_tables(writing, schema)

    def missing_triggers(self) -> list[str]:
        """The missing triggers."""
        there = [name for (name,) in self.read(_TRIGGERS)]
        return [name for name in triggers(tables_in(self.read)) if name not in there]

    def continue_numbers(self, writing: Writing, filled: Mapping[str, str]) -> None:
        """Continue the numbering of these tables after rows inserted with numbers of their own."""
        for table in (table for table, columns in filled.items() if columns.startswith("id,")):
            sequence = f"setval(pg_get_serial_sequence('{table}', 'id'), max(id))"
            writing.execute(f"SELECT {sequence} FROM {table} HAVING max(id) > 0")

    @contextmanager
    def _connected(self, patient: bool = False) -> Iterator[_Connection]:
        """A connection of the pool; on a `patient` one a statement may take any time.

        Just after a failure this fails at once, so that threads are free for other pages.
        """
        if time.monotonic() < self._away_until:
            raise psycopg.OperationalError("no answer")
        self._pool.open()  # does nothing if it is open; not earlier, as workers are forked first
        try:
            connection = self._pool.getconn()
        except PoolTimeout:
            self._away_until = time.monotonic() + AWAY_SECONDS
            if self._pool.get_stats()["pool_available"]:
                self._pool.drain()  # its idle connections don't work, or one would have been used
            raise
        try:
            connection.most_seconds = None if patient else STATEMENT_SECONDS
            yield connection
        finally:
            self._pool.putconn(connection)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn the errors of the database into ours."""
        try:
            yield
        except psycopg.Error as error:
            raise _meaning(error, self.name) from error


class PostgresWriting:
    """A write transaction on one connection."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """Execute one statement; returns a cursor."""
        return _execute(self._connection, statement, values)

    def executemany(self, statement: str, values: Sequence[Sequence[Any]]) -> None:
        """Execute one statement with each of these values."""
        self._connection.most_seconds = None  # to write a whole book, and to read it again
        self._connection.execute(_NO_IDLE_LIMIT)
        with self._connection.cursor() as cursor:
            cursor.executemany(_as_psycopg(statement), values)


def _execute(
    connection: Connection[Any], statement: str, values: Sequence[object]
) -> psycopg.Cursor[Any]:
    return connection.execute(_as_psycopg(statement), values)


@lru_cache(1000)
def _as_psycopg(statement: str) -> bytes:
    """The statement with psycopg's placeholders instead of `?`."""
    return statement.replace("%", "%%").replace("?", "%s").encode()


def _checked(connection: _Connection) -> None:
    """Check that the connection works: the database may have been restarted or have stopped."""
    connection.most_seconds = READ_SECONDS
    ConnectionPool.check_connection(connection)


def _configured(connection: _Connection) -> None:
    """Set what `writing` relies on, whatever the database's defaults."""
    connection.isolation_level = IsolationLevel.READ_COMMITTED
    connection.execute(_KEEPALIVES)
    if connection.execute("SELECT pg_backend_pid()").fetchone() != (connection.info.backend_pid,):
        connection.prepare_threshold = None  # behind a pooler the session may change any time


# --- errors


def _check_address(address: str, path: str) -> None:
    """Raise `UnavailableError` if the password in an address would be misread.

    After a bare `@` or `/` its rest would be taken for a host or a database, and printed.
    """
    parts = conninfo_to_dict(address)
    if any("@" in str(parts.get(part)) for part in ("host", "dbname")):
        says = say(
            "{path} can’t be opened: in its password, write %40 for @, %2F for /, and %3F for ?.",
            path=path,
        )
        raise UnavailableError(says)


def _meaning(error: psycopg.Error, name: str) -> LedgerError:
    """Our error for one of psycopg; its message never has the password."""
    # The last error of each address that was tried.
    tried = dict.fromkeys(re.findall(r"^.* failed: +(?:FATAL: +)?(.*)$", str(error), re.MULTILINE))
    why = error.diag.message_primary or "; ".join(tried) or " ".join(str(error).split())
    if isinstance(error, psycopg.ProgrammingError) and error.sqlstate is None:
        why = re.sub('".*"', "“…”", why)  # quotes a part of the address, perhaps the password
    match error:
        case (
            errors.LockNotAvailable()
            | errors.DeadlockDetected()
            | errors.IdleInTransactionSessionTimeout()
        ):
            return InUseError(
                say("{path} is in use by another program. Try again in a moment.", path=name)
            )
        case errors.DiskFull():
            return UnavailableError(say("The disk that holds {path} is full.", path=name))
        case errors.InsufficientPrivilege() | errors.ReadOnlySqlTransaction():
            return UnavailableError(
                say("Referee isn’t allowed to write to {path}: {why}.", path=name, why=why)
            )
        case PoolTimeout():
            return UnavailableError(say("{path} doesn’t answer.", path=name))
        case psycopg.OperationalError() | psycopg.ProgrammingError(sqlstate=None):
            return UnavailableError(say("{path} can’t be opened: {why}.", path=name, why=why))
        case _:
            return LedgerError(
                say("The database {path} reports an error: {why}.", path=name, why=why)
            )
