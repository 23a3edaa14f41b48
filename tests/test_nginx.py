"""Several servers behind nginx, with the configuration in `docs/deploy`."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.support.proxy import NAME, NGINX, OPENSSL, Proxy
from tests.support.server import FORM, PARTS, Server, ask, form_with

TABLES = 6

pytestmark = pytest.mark.skipif(not (NGINX and OPENSSL), reason="nginx is not installed")


def post(address: str, path: str, fields: Mapping[str, object]) -> str:
    """Send a form as a browser does; returns the path of the redirect."""
    answer = ask(address, path, fields, {"Origin": address})
    assert answer.status == 303, answer.text
    return answer.leads_to


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    """Two servers behind nginx, ended after the test."""
    running = Proxy(tmp_path, Server(tmp_path), Server(tmp_path))
    yield running
    running.stop()


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[Proxy]:
    """The same, but nginx waits a second only."""
    running = Proxy(tmp_path, Server(tmp_path), Server(tmp_path), seconds=1)
    yield running
    running.stop()


def test_two_processes_on_one_book(proxy: Proxy) -> None:
    """Both processes show an entry at once; if one stops, the other serves on."""
    first, second = (server.address for server in proxy.servers)
    sheet = post(proxy.address, "/new/multiple-9", {"name": ["Ann", "Ben"], "dealer": "0"})
    for seq in range(6):
        entry = {"action": "out", "player": ("Ann", "Ben")[seq % 2], "after": seq, "key": f"k{seq}"}
        assert post((first, second)[seq % 2], f"{sheet}/entries", entry) == sheet
        for address in (proxy.address, first, second):
            page = ask(address, sheet).text
            assert f'data-seq="{seq + 1}-' in page
    tag = re.search(r'hx-ptag="([\w-]+)"', page)
    assert tag is not None
    assert ask(proxy.address, f"{sheet}/board", headers={"HX-PTag": tag[1]}).status == 304
    proxy.servers[0].stop()
    kept = ask(proxy.address, f"{sheet}/sheet.json").text
    assert len(json.loads(kept)["entries"]) == 6
    proxy.servers[0].start()


def test_nginx_closes_slow_connections(hasty: Proxy) -> None:
    """Those with half a head or half a form.

    nginx adds the length to a chunked form, which Referee alone would refuse.
    """
    form = f"POST /new/multiple-9 HTTP/1.1\r\nHost: x\r\nContent-Type: {FORM}\r\n".encode()
    half = form + b"Content-Length: 900\r\n\r\na="
    with ExitStack() as stack:
        wires = [stack.enter_context(hasty.wire()) for _ in range(40)]
        for number, wire in enumerate(wires):
            wire.sendall(half if number % 2 else b"GET / HT")
        for wire in wires:
            with suppress(ConnectionResetError):
                told = wire.recv(1000)
                assert told == b"" or told.startswith(b"HTTP/1.1 408 "), told
    with hasty.wire() as wire:
        chunk = b"Transfer-Encoding: chunked\r\n\r\n11\r\nname=Ann&name=Ben\r\n0\r\n\r\n"
        wire.sendall(form + chunk)
        assert wire.recv(1000).startswith(b"HTTP/1.1 303 ")


def without_disk(proxy: Proxy) -> None:
    """Take the folders for temporary files away from nginx."""
    for folder in ("client_body", "proxy"):
        (proxy.folder / folder).rmdir()
        (proxy.folder / folder).touch()


def test_nginx_puts_no_file_and_no_form_on_its_disk(proxy: Proxy) -> None:
    """Large requests arrive whole though it has no folders for temporary files."""
    without_disk(proxy)
    body = form_with(b"9" * 3_000_000)
    answer = ask(proxy.address, "/bring-in", body, {"Content-Type": PARTS})
    assert answer.status == 422
    assert "isn’t a sheet file" in answer.text
    names = {"name": ["Ann", "Ben"], "dealer": "0", "note": "9" * 60_000}
    assert post(proxy.address, "/new/multiple-9", names).startswith("/s/")


def test_phones_are_redirected_to_https(tmp_path: Path) -> None:
    """They stay there, and forms and cookies of the public address are accepted."""
    proxy = Proxy(tmp_path, *(Server(tmp_path, "--public-url", f"https://{NAME}") for _ in "ab"))
    try:
        moved = ask(f"http://127.0.0.1:{proxy.http[1]}", "/evenings?x=1", headers={"Host": "other"})
        assert (moved.status, moved.leads_to) == (301, f"https://{NAME}/evenings?x=1")
        with closing(proxy.securely()) as phone:
            form = urlencode({"name": ["Ann", "Ben"], "dealer": "0"}, doseq=True)
            headers = {"Content-Type": FORM, "Origin": f"https://{NAME}"}
            phone.request("POST", "/new/multiple-9", form, headers)
            answer = phone.getresponse()
            answer.read()
        assert answer.status == 303
        assert (answer.headers["Set-Cookie"] or "").startswith("__Host-sheets=")
    finally:
        proxy.stop()


BEGINS = 300  # accepted at once from one address, before the limit applies


@pytest.mark.parametrize("what", ["sheets", "games played again", "files"])
def test_nginx_limits_new_sheets_by_address(proxy: Proxy, what: str) -> None:
    """A hall's phones may begin at the same time; a program that goes on is refused."""
    sheet = post(proxy.address, "/new/multiple-9", {"name": ["Ann", "Ben"], "dealer": "0"})
    path = {
        "sheets": "/new/multiple-9",
        "games played again": f"{sheet}/again",
        "files": "/bring-in",
    }[what]
    assert_is_limited(proxy, path)
    assert ask(proxy.address, f"{sheet}/entries", {"action": "x"}).status == 422


def assert_is_limited(proxy: Proxy, path: str) -> None:
    """Check that some hundreds of forms at once are accepted, and then no more."""
    statuses = list[int]()
    while 429 not in statuses:
        statuses.append(ask(proxy.address, path, {}).status)
        assert len(statuses) < 2 * BEGINS, Counter(statuses)
    assert set(statuses[: BEGINS - 5]) == {422}, Counter(statuses)
