"""The static files: as written, compressed once, and cached by browsers until they change.

Their addresses carry a fingerprint (`?v=`). Style sheets are bundled and so are scripts, since over
plain http each file costs a round trip. Those of an extra are `<its name>/<file>`; its style sheets
in `bundled/more/`, say, join `css/more.css`.
"""

import gzip
import hashlib
import mimetypes
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

from flask import Flask, Response, abort, request, url_for
from msgspec import Struct

from referee.extras import folders
from referee.rules.text import say
from referee.web.answers.compression import MIN_BYTES, accepts_gzip, is_text

#: The bundled style sheets: one for score sheets, and one with what the other pages also need.
STYLE, MORE_STYLE = "css/referee.css", "css/more.css"
STYLES = ("tokens", "base", "cards", "forms", "sheet", "chart", "waiting", "drawer")
MORE_STYLES = ("lists", "home", "rulings", "rules", "settling", "paper")
PRINT_STYLE = "print"  # at the end of both bundles
#: The bundled scripts, likewise; third-party ones come first.
SCRIPT, MORE_SCRIPT = "js/referee.js", "js/more.js"
MORE_SCRIPTS = (
    "sheet/indexed-png",
    "sheet/picture",
    "sheet/print",
    "sheet/share",
    "site/felt",
    "site/seating",
)
#: Scripts that aren’t in a bundle, each a file of its own: all but the first are fetched on demand.
ALONE = (
    "scripted",
    "forms/asks",
    "forms/fill-up",
    "forms/muck",
    "forms/number-pad",
    "forms/stepper",
    "phone/carry-drafts",
    "sheet/own",
    "sheet/told",
)
VENDORED = ("htmx.org@4.0.1/htmx.min.js", "htmx.org@4.0.1/hx-ptag.min.js")
AT_THE_ROOT = ("robots.txt", "sw.js")  # a service worker controls only addresses below its own
FOR_GOOD = "public, max-age=31536000, immutable"
ASK_FIRST = "no-cache"

mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("text/javascript", ".js")  # some systems have another type


class StaticFile(Struct, frozen=True):
    """A file ready to send; `zipped` is empty if compression gains nothing."""

    body: bytes
    zipped: bytes
    mimetype: str
    tag: str


def files_in(folder: Path) -> dict[str, StaticFile]:
    """The files in `folder` by their relative path, including the bundles."""
    return {name: _prepared(name, body) for name, body in _contents(folder)}


def install(app: Flask, folder: Path) -> None:
    """Serve the files in `folder`; templates have their addresses: `asset("img/icon.svg")`."""
    files = files_in(folder)

    def static(filename: str) -> Response:
        if filename not in files:
            abort(404, str(say("There’s no such file here.")))
        file = files[filename]
        zipped = bool(file.zipped) and accepts_gzip()
        answer = Response(file.zipped if zipped else file.body, mimetype=file.mimetype)
        if zipped:
            answer.headers["Content-Encoding"] = "gzip"
        if file.zipped:
            answer.vary.add("Accept-Encoding")
        named = request.args.get("v") == file.tag
        answer.headers["Cache-Control"] = FOR_GOOD if named else ASK_FIRST
        answer.set_etag(file.tag + "-gzip" * zipped)
        # Safari plays videos only from servers that support range requests.
        in_parts = file.mimetype.startswith("video/")
        answer.make_conditional(request, accept_ranges=in_parts, complete_length=len(file.body))
        return answer

    app.jinja_env.globals["asset"] = lambda name: url_for(
        "static", filename=name, v=files[name].tag
    )
    app.add_url_rule("/static/<path:filename>", "static", static)
    for name in AT_THE_ROOT:
        app.add_url_rule(f"/{name}", name.replace(".", "_"), partial(static, name))


def _contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    bundled = {f"css/{name}.css" for name in (*STYLES, *MORE_STYLES, PRINT_STYLE)}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in bundled and not name.startswith("js/"):
            yield name, path.read_bytes()
    for extra, own in folders("static").items():
        for path in filter(Path.is_file, own.iterdir()):
            yield f"{extra}/{path.name}", path.read_bytes()
    for name, styles in ((STYLE, STYLES), (MORE_STYLE, MORE_STYLES)):
        ours = [folder / "css" / f"{style}.css" for style in (*styles, PRINT_STYLE)]
        more = (own.glob(f"bundled/{Path(name).stem}/*.css") for own in folders("static").values())
        yield name, _style([*ours[:-1], *sorted(chain(*more))], ours[-1])
    # Ordered by name, whatever their folder.
    scripts = sorted((folder / "js").rglob("*.js"), key=lambda path: path.name)
    rooms = {path.relative_to(folder / "js").with_suffix("").as_posix(): path for path in scripts}
    for room in ALONE:
        yield f"js/{room}.js", _script([], [rooms.pop(room)])
    yield MORE_SCRIPT, _script([], [rooms.pop(room) for room in MORE_SCRIPTS])
    vendored = [(folder / "vendor" / name).read_bytes() for name in VENDORED]
    yield SCRIPT, _script(vendored, rooms.values())


def _style(styles: Iterable[Path], on_paper: Path) -> bytes:
    """These style sheets, and the one that holds on paper, as one file."""
    screen = (path.read_bytes() for path in styles)
    return b"\n".join((*screen, b"@media print {", on_paper.read_bytes(), b"}\n"))


def _script(vendored: Sequence[bytes], ours: Iterable[Path]) -> bytes:
    """The scripts as one file; ours each in a block, so that the others see no names."""
    blocks = (b"{\n" + path.read_bytes() + b"}\n" for path in ours)
    return b"\n".join((b'"use strict";', *vendored, b"".join(blocks)))


def _prepared(name: str, body: bytes) -> StaticFile:
    mimetype = mimetypes.guess_type(name)[0] or "application/octet-stream"
    worth = is_text(mimetype) and len(body) >= MIN_BYTES
    zipped = gzip.compress(body) if worth else b""
    return StaticFile(body, zipped, mimetype, hashlib.sha256(body).hexdigest()[:12])
