"""Several servers behind nginx, with the configuration in `docs/deploy`."""

import json
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from tests.support.server import Server

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
DEPLOY = Path(__file__).parent.parent / "docs" / "deploy"
AROUND = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


class Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirects."""

    def redirect_request(self, *_: object) -> None:
        """Follow none."""


BROWSER = urllib.request.build_opener(Stay)


def get(address: str, path: str, **headers: str) -> str:
    """GET this path; returns the body."""
    with BROWSER.open(urllib.request.Request(address + path, headers=headers), timeout=10) as page:
        return str(page.read().decode())


def post(address: str, path: str, fields: Mapping[str, object]) -> str:
    """Send a form as a browser does; returns the path of the redirect."""
    body = urllib.parse.urlencode(fields, doseq=True).encode()
    asked = urllib.request.Request(address + path, body, {"Origin": address})
    with pytest.raises(urllib.error.HTTPError) as sent:
        BROWSER.open(asked, timeout=10)
    assert sent.value.code == 303, sent.value.read()
    return urllib.parse.urlsplit(sent.value.headers["Location"]).path


def begin(address: str) -> str:
    """Begin a sheet; returns its path."""
    return post(address, "/new/multiple-9", {"name": ["Ann", "Ben"], "dealer": "0"})


class Proxy:
    """nginx in front of servers, at an address of its own."""

    def __init__(self, folder: Path, configuration: str, places: dict[str, Server]) -> None:
        """`places` maps addresses in the configuration to the servers that replace them."""
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            port = free.getsockname()[1]
        text = (DEPLOY / configuration).read_text()
        for place, server in places.items():
            assert text.count(f"server {place};") == 1
            text = text.replace(f"server {place};", f"server {server.address[7:]};")
        text = text.replace("listen 80;", f"listen 127.0.0.1:{port};")
        (folder / "site.conf").write_text(text)
        (folder / "nginx.conf").write_text(AROUND.format(folder=folder))
        assert NGINX is not None
        command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]
        self.process = subprocess.Popen([*command, "-e", str(folder / "error.log")])
        self.address = f"http://127.0.0.1:{port}"
        give_up = time.monotonic() + 20
        while True:
            try:
                get(self.address, "/")
            except OSError as error:
                assert self.process.poll() is None, (folder / "error.log").read_text()
                assert time.monotonic() < give_up, error
            else:
                return

    def stop(self) -> None:
        """End it and wait for it."""
        self.process.terminate()
        self.process.wait(timeout=10)


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[Callable[[str, dict[str, Server]], Proxy]]:
    """A function that puts nginx in front of servers; all are stopped after the test."""
    running: list[Proxy | Server] = []

    def start(configuration: str, places: dict[str, Server]) -> Proxy:
        running.extend(places.values())
        folder = tmp_path / "nginx"
        folder.mkdir()
        proxy = Proxy(folder, configuration, places)
        running.append(proxy)
        return proxy

    yield start
    for one in reversed(running):
        one.stop()


def test_two_processes_on_one_book(
    tmp_path: Path, behind: Callable[[str, dict[str, Server]], Proxy]
) -> None:
    """Both processes show an entry at once; if one stops, the other serves on."""
    both = first, second = Server(tmp_path), Server(tmp_path)
    places = {"127.0.0.1:9991": first, "127.0.0.1:9992": second}
    proxy = behind("nginx-processes.conf", places).address
    sheet = begin(proxy)
    for seq in range(6):
        entry = {"action": "out", "player": ("Ann", "Ben")[seq % 2], "after": seq, "key": f"k{seq}"}
        assert post(both[seq % 2].address, f"{sheet}/entries", entry) == sheet
        for address in (proxy, first.address, second.address):
            assert f'data-seq="{seq + 1}-' in get(address, sheet)
    tag = re.search(r'hx-ptag="([\w-]+)"', get(proxy, sheet))
    assert tag is not None
    with pytest.raises(urllib.error.HTTPError, match="304"):
        get(proxy, f"{sheet}/board", **{"HX-PTag": tag[1]})
    first.stop()
    assert len(json.loads(get(proxy, f"{sheet}/sheet.json"))["entries"]) == 6
    first.start()


def test_nginx_lets_go_of_who_holds_on(
    tmp_path: Path,
    behind: Callable[[str, dict[str, Server]], Proxy],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Connections with half a head or half a form are closed (timeouts are shortened here).

    nginx adds the length to a chunked form, which Referee alone would refuse.
    """
    text = Path.read_text
    monkeypatch.setattr(Path, "read_text", lambda path, *how: text(path, *how).replace("10s", "1s"))
    place = {"127.0.0.1:9991": Server(tmp_path), "127.0.0.1:9992": Server(tmp_path)}
    proxy = behind("nginx-processes.conf", place)
    form = b"POST /new/multiple-9 HTTP/1.1\r\nHost: x\r\n"
    form += b"Content-Type: application/x-www-form-urlencoded"
    half = form + b"\r\nContent-Length: 900\r\n\r\na="
    with ExitStack() as stack:
        wires = [stack.enter_context(_wire(proxy)) for _ in range(40)]
        for number, wire in enumerate(wires):
            wire.sendall(half if number % 2 else b"GET / HT")
        for wire in wires:
            with suppress(ConnectionResetError):
                told = wire.recv(1000)
                assert told == b"" or told.startswith(b"HTTP/1.1 408 "), told
    with _wire(proxy) as wire:
        wire.sendall(
            form + b"\r\nTransfer-Encoding: chunked\r\n\r\n11\r\nname=Ann&name=Ben\r\n0\r\n\r\n"
        )
        assert wire.recv(1000).startswith(b"HTTP/1.1 303 ")


def test_nginx_puts_no_photo_and_no_form_on_its_disk(
    tmp_path: Path, behind: Callable[[str, dict[str, Server]], Proxy]
) -> None:
    """Without folders for temporary files, large requests still arrive whole."""
    server = Server(tmp_path)
    places = ("127.0.0.1:9991", "127.0.0.1:9992")
    proxy = behind("nginx-processes.conf", dict.fromkeys(places, server))
    for folder in ("body", "proxy"):
        (tmp_path / "nginx" / folder).rmdir()
        (tmp_path / "nginx" / folder).touch()

    def send(path: str, name: str, content: bytes) -> tuple[int, str]:
        part = "--b\r\nContent-Disposition: form-data; name="
        body = f'{part}"photo.for"\r\n\r\ncards\r\n{part}"{name}"; filename="a"\r\n\r\n'.encode()
        body += content + b"\r\n--b--\r\n"
        heads = {"Origin": proxy.address, "Content-Type": "multipart/form-data; boundary=b"}
        with pytest.raises(urllib.error.HTTPError) as sent:
            BROWSER.open(urllib.request.Request(proxy.address + path, body, heads), timeout=60)
        return sent.value.code, sent.value.read().decode()

    code, page = send("/referee/multiple-9/discard/photo", "photo", b"9" * 5_000_000)
    assert (code, "isn’t a photo" in page) == (415, True), page
    code, page = send("/bring-in", "sheet", b"9" * 3_000_000)
    assert (code, "isn’t a sheet file" in page) == (422, True), page
    names = {"name": ["Ann", "Ben"], "dealer": "0", "note": "9" * 60_000}
    assert post(proxy.address, "/new/multiple-9", names).startswith("/s/")


def _wire(proxy: Proxy) -> socket.socket:
    host, port = proxy.address[7:].split(":")
    return socket.create_connection((host, int(port)), 20)
