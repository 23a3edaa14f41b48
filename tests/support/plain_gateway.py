"""A small app behind the real server: `python -m tests.support.plain_gateway serve --port 0 …`."""

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from referee.settings import Settings
from referee.sheets.work import go_on, spend
from referee.web.http.gateway import Gateway
from referee.web.http.serving import serve_forever

LARGE = b"9" * 5_000_000
PATIENCE = 20  # seconds


def app(
    folder: Path, environ: dict[str, Any], start_response: Callable[..., object]
) -> list[bytes]:
    """Answer with the path and the body; `/large` with five million nines.

    `/slow` makes a file `asked` in the folder, and waits there for another, `go-on`; so does
    `/long`, which says before that it takes long.
    """
    path = environ["PATH_INFO"]
    if path == "/long":
        spend(10**6)
    if path in ("/slow", "/long"):
        (folder / "asked").touch()
        give_up = time.monotonic() + PATIENCE
        while not (folder / "go-on").exists() and time.monotonic() < give_up:
            go_on()
            time.sleep(0.01)
    body = LARGE if path == "/large" else path.encode() + environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def create(settings: Settings, counts: Path) -> Gateway:
    """The app as a worker calls it."""
    return Gateway(partial(app, settings.instance))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("serve")
    for name in ("--host", "--port", "--instance", "--workers"):
        parser.add_argument(name)
    told = parser.parse_args()
    serve_forever(
        Settings(Path(told.instance), told.host, int(told.port), workers=int(told.workers or 1)),
        create,
        print,
    )
