"""The yardstick for pages: the same kind of server, whose views return a constant.

`python -m benchmarks.constant_server FILE`: `/page` answers with the bytes of FILE, `/unchanged`
with an empty 304.
"""

import logging
import sys
from pathlib import Path

from flask import Flask, Response

from referee.settings import Settings
from referee.web.serving import attend, listen


def main() -> None:
    """Serve until stopped."""
    body = Path(sys.argv[1]).read_bytes()
    app = Flask("constant")

    @app.get("/page")
    def page() -> bytes:
        return body

    @app.get("/unchanged")
    def unchanged() -> Response:
        return Response(status=304)

    settings = Settings(instance=Path(), host="127.0.0.1", port=0)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # as the program has it
    server = listen(app, settings)
    print(f"http://127.0.0.1:{server.effective_port}")
    attend(server)


if __name__ == "__main__":
    main()
