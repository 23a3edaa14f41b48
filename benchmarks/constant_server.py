"""The yardstick for pages: the same kind of server, whose views do nothing but answer.

`python -m benchmarks.constant_server FILE DATABASE`: `/page` answers with the bytes of FILE,
`/unchanged` with an empty 304; what is posted to `/s/TOKEN/entries` is one row more in DATABASE.
"""

import logging
import sys
from pathlib import Path

from flask import Flask, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from benchmarks.bare import Bare
from referee.settings import Settings
from referee.web.http.serving import attend, listen


def main() -> None:
    """Serve until stopped."""
    body, bare = Path(sys.argv[1]).read_bytes(), Bare(Path(sys.argv[2]))
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

    settings = Settings(instance=Path(), host="127.0.0.1", port=0)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # as the program has it
    server = listen(app, settings)
    print(f"http://127.0.0.1:{server.effective_port}")
    attend(server)


if __name__ == "__main__":
    main()
