"""The static files: as written, compressed once, and cached by browsers until they change.

Their addresses carry a fingerprint (`?v=`), and all scripts have the same, so that a page never
mixes those of two versions. Style sheets are bundled and so are scripts, since over plain http each
file costs a round trip. Those of an extra are `<its name>/<file>`; its style sheets in
`bundled/more/`, say, join `css/more.css`.
"""

import gzip
import hashlib
import mimetypes
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from urllib.parse import quote

from flask import Flask, Response, abort, request
from msgspec import Struct

from referee.extras import folders
from referee.rules.text import say
from referee.web.answers.compression import MIN_BYTES, accepts_gzip, is_text
from referee.web.answers.modules import linked

#: The bundled style sheets: one for score sheets, and one with what the other pages also need.
STYLE, MORE_STYLE = "css/referee.css", "css/more.css"
TOKENS = "tokens"  # also by itself, for a page with a style of its own
STYLES = (TOKENS, "base", "cards", "forms", "sheet", "chart", "waiting", "drawer")
MORE_STYLES = ("lists", "home", "rulings", "rules", "settling", "paper")
PRINT_STYLE = "print"  # at the end of both bundles
#: The bundled scripts: what every page needs, and what forms with several questions also need.
SCRIPT, FORMS_SCRIPT = "js/referee.js", "js/forms/asks.js"
#: Third-party scripts, a bundle of classic ones.
VENDORED = ("htmx.org@4.0.1/htmx.min.js", "htmx.org@4.0.1/hx-ptag.min.js")
VENDORED_SCRIPT = "js/htmx.js"
AT = "/static/"
AT_THE_ROOT = ("robots.txt", "sw.js")  # a service worker controls only addresses below its own
FOR_GOOD = "public, max-age=31536000, immutable"
ASK_FIRST = "no-cache"
RELOAD = "location.reload();\n"  # sent to a page that asks for a script of an earlier version

SCRIPT_TYPE = "text/javascript"
mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type(SCRIPT_TYPE, ".js")  # some systems have another type


class StaticFile(Struct, frozen=True):
    """A file ready to send; `zipped` is empty if compression gains nothing."""

    body: bytes
    zipped: bytes
    mimetype: str
    tag: str


def files_in(folder: Path) -> dict[str, StaticFile]:
    """The files in `folder` by their relative path, including the bundles."""
    files = {name: _prepared(name, body, _fingerprint(body)) for name, body in _contents(folder)}
    scripts = linked(_scripts(folder), (SCRIPT, FORMS_SCRIPT), tag="\0")
    tag = _fingerprint("".join(scripts.values()).encode())
    for name, text in scripts.items():
        files[name] = _prepared(name, text.replace("\0", tag).encode(), tag)
    return files


def install(app: Flask, folder: Path) -> None:
    """Serve the files in `folder`; templates have their addresses: `asset("img/icon.svg")`."""
    files = files_in(folder)

    def static(filename: str) -> Response:
        if filename not in files:
            abort(404, str(say("There’s no such file here.")))
        file = files[filename]
        asked = request.args.get("v", "")
        if asked not in ("", file.tag) and file.mimetype == SCRIPT_TYPE:
            return Response(RELOAD, mimetype=SCRIPT_TYPE, headers={"Cache-Control": "no-store"})
        zipped = bool(file.zipped) and accepts_gzip()
        answer = Response(file.zipped if zipped else file.body, mimetype=file.mimetype)
        if zipped:
            answer.headers["Content-Encoding"] = "gzip"
        if file.zipped:
            answer.vary.add("Accept-Encoding")
        answer.headers["Cache-Control"] = FOR_GOOD if asked == file.tag else ASK_FIRST
        answer.set_etag(file.tag + "-gzip" * zipped)
        # Safari plays videos only from servers that support range requests.
        in_parts = file.mimetype.startswith("video/")
        answer.make_conditional(request, accept_ranges=in_parts, complete_length=len(file.body))
        return answer

    # Not by `url_for`, which is slow: a page has several of them.
    places = {name: f"{AT}{quote(name)}?v={file.tag}" for name, file in files.items()}
    app.jinja_env.globals["asset"] = places.__getitem__
    app.add_url_rule(f"{AT}<path:filename>", "static", static)
    for name in AT_THE_ROOT:
        app.add_url_rule(f"/{name}", name.replace(".", "_"), partial(static, name))


def _contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files to send, by name, except our own scripts."""
    bundled = {f"css/{name}.css" for name in (*STYLES, *MORE_STYLES, PRINT_STYLE) if name != TOKENS}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in bundled and not name.startswith("js/"):
            yield name, path.read_bytes()
    for extra, own in folders("static").items():
        for path in own.iterdir():
            if path.is_file() and path.suffix != ".js":
                yield f"{extra}/{path.name}", path.read_bytes()
    for name, styles in ((STYLE, STYLES), (MORE_STYLE, MORE_STYLES)):
        ours = [folder / "css" / f"{style}.css" for style in styles]
        more = (own.glob(f"bundled/{Path(name).stem}/*.css") for own in folders("static").values())
        yield name, _style([*ours, *sorted(chain(*more))], folder / "css" / f"{PRINT_STYLE}.css")
    vendored = ((folder / "vendor" / name).read_bytes() for name in VENDORED)
    yield VENDORED_SCRIPT, b"\n".join(vendored)


def _scripts(folder: Path) -> dict[str, str]:
    """Our own scripts as written, by the name under which each could be sent."""
    ours = {path.relative_to(folder).as_posix(): path for path in (folder / "js").rglob("*.js")}
    for extra, own in folders("static").items():
        ours |= {f"{extra}/{path.name}": path for path in own.glob("*.js")}
    return {name: ours[name].read_text(encoding="utf-8") for name in sorted(ours)}


def _style(styles: Iterable[Path], on_paper: Path) -> bytes:
    """These style sheets, and the one for paper, as one file."""
    screen = (path.read_bytes() for path in styles)
    return b"\n".join((*screen, b"@media print {", on_paper.read_bytes(), b"}\n"))


def _prepared(name: str, body: bytes, tag: str) -> StaticFile:
    mimetype = mimetypes.guess_type(name)[0] or "application/octet-stream"
    worth = is_text(mimetype) and len(body) >= MIN_BYTES
    zipped = gzip.compress(body) if worth else b""
    return StaticFile(body, zipped, mimetype, tag)


def _fingerprint(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:12]
