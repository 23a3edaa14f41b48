"""The yardstick for pages: the same kind of server with constant views.

`python -m benchmarks.constant_server FILE DATABASE`: `/page` answers with the bytes of FILE,
`/unchanged` with an empty 304; a POST to `/s/TOKEN/entries` adds a row to DATABASE.
"""

import sqlite3
import sys
import threading
from functools import partial
from pathlib import Path

from flask import Flask, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from referee.settings import Settings
from referee.web.serving.gateway import Gateway
from referee.web.serving.server import serve_forever


class Bare:
    """The least work that keeping an entry takes: one row committed, as safely as by the ledger.

    Each thread has a connection of its own.
    """

    def __init__(self, path: Path) -> None:
        """Create the table in a new database at `path`, or open it."""
        self._path = path
        self._local = threading.local()
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)"
        )

    @property
    def _connection(self) -> sqlite3.Connection:
        if not hasattr(self._local, "connection"):
            connection = sqlite3.connect(self._path, isolation_level=None)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            self._local.connection = connection
        found: sqlite3.Connection = self._local.connection
        return found

    def commit(self, size: int) -> None:
        """Commit one row of this many bytes; it is on the disk when this returns."""
        self._connection.execute("INSERT INTO rows (body) VALUES (?)", ("x" * size,))


def create(body: bytes, database: Path, settings: Settings, counts: Path) -> Gateway:
    """The constant app as a worker calls it."""
    bare = Bare(database)
    app = Flask("constant")

    @app.get("/page")
    def page() -> bytes:
        return body

    @app.get("/unchanged")
    def unchanged() -> Response:
        return Response(status=304)

    @app.post("/s/<token>/entries")
    def entry(token: str) -> AnyResponse:
        bare.commit(sum(map(len, request.form.values())))
        return redirect(f"/s/{token}", 303)

    return Gateway(app)


def main() -> None:
    """Serve until stopped."""
    body, database = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
    settings = Settings(instance=database.parent / "constant", host="127.0.0.1", port=0)
    serve_forever(settings, partial(create, body, database), print)


if __name__ == "__main__":
    main()
