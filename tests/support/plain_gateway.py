"""A small app behind the real server: `python -m tests.support.plain_gateway serve --port 0 …`."""

import argparse
import time
from pathlib import Path

from flask import Flask, request

from referee.settings import Settings
from referee.web.answers.errors import answer_refused
from referee.web.serving.gateway import Gateway
from referee.web.serving.server import serve_forever

LARGE = b"9" * 5_000_000
PATIENCE = 20  # seconds


def create_app(folder: Path) -> Flask:
    """An app that echoes the path and the body; `/large` returns five million nines.

    `/slow` creates the file `asked` in the folder, and waits for another, `go-on`.
    """
    app = Flask("plain")
    app.before_request(answer_refused)

    def slow() -> bytes:
        (folder / "asked").touch()
        give_up = time.monotonic() + PATIENCE
        while not (folder / "go-on").exists() and time.monotonic() < give_up:
            time.sleep(0.01)
        return echo()

    def echo(**_: str) -> bytes:
        return request.path.encode() + request.get_data()

    app.add_url_rule("/slow", "slow", slow)
    app.add_url_rule("/large", "large", lambda: LARGE)
    app.add_url_rule("/<path:path>", "echo", echo, methods=["GET", "POST"])
    return app


def create(settings: Settings, counts: Path) -> Gateway:
    """The app behind its gateway, as a worker creates it."""
    return Gateway(create_app(settings.instance))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("serve")
    for name in ("--host", "--port", "--instance", "--workers"):
        parser.add_argument(name)
    arguments = parser.parse_args()
    serve_forever(
        Settings(
            Path(arguments.instance),
            arguments.host,
            int(arguments.port),
            workers=int(arguments.workers or 1),
        ),
        create,
        print,
    )
