"""The bytes sent: compressed where that helps, cached by browsers where that is safe."""

import gzip
import io
import re
from urllib.parse import urljoin
from urllib.robotparser import RobotFileParser

import pytest
from flask.testing import FlaskClient
from PIL import Image

from referee.web.answers.assets import STYLE
from referee.web.context import state
from tests.support.phone import Phone

GZIP = {"Accept-Encoding": "gzip, deflate"}


def asset(client: FlaskClient, name: str) -> str:
    """The address by which pages name a static file."""
    found = re.search(rf'/static/{name}\?v=\w+"', client.get("/").text)
    assert found is not None
    return found[0][:-1]


def test_a_page_is_compressed_for_browsers_that_accept_gzip(host: Phone) -> None:
    """It is the same page, far smaller; others get it uncompressed."""
    for place in ("/share", "/nowhere"):
        small, plain = host.get(place, **GZIP), host.get(place)
        assert small.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(small.data) == plain.data
        assert int(small.headers["Content-Length"]) == len(small.data) < len(plain.data) / 1.5
        assert "Content-Encoding" not in plain.headers
        for answer in (small, plain):
            assert {"Accept-Encoding", "HX-Request-Type"} <= set(answer.vary)


@pytest.mark.parametrize(
    "accepts", ["identity", "br, zstd", "gzip;q=0, br", "*;q=0", "rubbish ;;q"]
)
def test_gzip_is_sent_only_where_it_is_accepted(host: Phone, accepts: str) -> None:
    """Not to a browser that doesn't name it, or names it with a weight of 0."""
    assert "Content-Encoding" not in host.get(**{"Accept-Encoding": accepts}).headers


def test_small_responses_are_not_compressed(host: Phone) -> None:
    """A redirect or a 304 is smaller than the headers that compression adds."""
    little = [
        host.post("/entries", {"action": "out", "player": "Ben", "after": 0, "key": "k"}, **GZIP),
        host.client.get("/static/" + STYLE, headers={"If-None-Match": "*", **GZIP}),
    ]
    assert [answer.status_code for answer in little] == [303, 304]
    assert not any("Content-Encoding" in answer.headers for answer in little)


def test_a_static_file_is_cached_for_ever_by_its_fingerprint(client: FlaskClient) -> None:
    """Without a fingerprint, or with a wrong one, browsers ask each time, by ETag."""
    address = asset(client, STYLE)
    kept, plain = client.get(address, headers=GZIP), client.get(address)
    assert kept.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert kept.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in kept.vary
    assert gzip.decompress(kept.data) == plain.data
    assert kept.headers["ETag"] != plain.headers["ETag"], "other bytes"
    for other in (address[:-1] + "!", address.split("?")[0]):
        assert client.get(other).headers["Cache-Control"] == "no-cache"
    for headers, answer in ((GZIP, kept), ({}, plain)):
        asked = {**headers, "If-None-Match": answer.headers["ETag"]}
        again = client.get(address, headers=asked)
        assert (again.status_code, again.data) == (304, b"")
    picture = client.get("/static/img/icon-512.png", headers=GZIP)
    assert picture.mimetype == "image/png"
    assert "Content-Encoding" not in picture.headers, "it is compressed already"
    assert "Accept-Encoding" not in picture.vary


@pytest.mark.parametrize(
    "name", ["nothing.css", "../pyproject.toml", "css", "..%2f..%2fREADME.md", "css/%00", ""]
)
def test_only_static_files_are_served(client: FlaskClient, name: str) -> None:
    """Folders, and paths that lead out of the folder, are 404."""
    assert client.get(f"/static/{name}").status_code == 404


def test_a_part_that_a_file_does_not_have(client: FlaskClient) -> None:
    """The answer says how long the file is."""
    refused = client.get("/static/video/black-and-silent.mp4", headers={"Range": "bytes=9999999-"})
    assert (refused.status_code, refused.headers["Content-Range"][:8]) == (416, "bytes */")


def test_robots_may_index_rules_but_no_documents(client: FlaskClient, host: Phone) -> None:
    """Home, rules and questions are public; pages behind a link say that they are not.

    Search engines may fetch these: else they would list an address without having read that.
    """
    answer = client.get("/robots.txt")
    assert answer.mimetype == "text/plain"
    robots = RobotFileParser()
    robots.parse(answer.text.splitlines())
    for place in ("", "/more", "/share", "/referee"):
        assert "noindex" in host.get(place).headers["X-Robots-Tag"]
    for at in (*state(client.application).documents, "e", "move"):
        assert "noindex" in client.get(f"/{at}/token").headers["X-Robots-Tag"]
        assert robots.can_fetch("*", f"/{at}/token"), at
    for path in ("/", "/rules/red-nines", "/referee", "/static/css/referee.css?v=1"):
        assert robots.can_fetch("*", path), path
        assert "X-Robots-Tag" not in client.get(path).headers
    assert not robots.can_fetch("*", "/new/red-nines")
    for path in ("/", "/rules/red-nines", "/referee", "/referee/red-nines"):
        assert '<meta name="description"' in client.get(path).text


def test_the_service_worker_is_served_from_the_root(client: FlaskClient) -> None:
    """There it controls all pages; it is revalidated each time, under the same policy."""
    worker = client.get("/sw.js")
    assert worker.mimetype == "text/javascript"
    assert worker.headers["Cache-Control"] == "no-cache"
    assert "script-src 'self'" in worker.headers["Content-Security-Policy"]
    tag = worker.headers["ETag"]
    assert client.get("/sw.js", headers={"If-None-Match": tag}).status_code == 304


def test_the_manifest_starts_at_home(client: FlaskClient) -> None:
    """Each of its icons exists, in the size that it gives."""
    address = asset(client, "manifest.webmanifest")
    manifest = client.get(address).get_json()
    assert urljoin(address, manifest["start_url"]) == urljoin(address, manifest["scope"]) == "/"
    for icon in manifest["icons"]:
        picture = client.get(urljoin(address, icon["src"]))
        assert picture.mimetype == icon["type"]
        if icon["type"] == "image/png":
            width, height = Image.open(io.BytesIO(picture.data)).size
            assert icon["sizes"] == f"{width}x{height}"
