"""Only by its own names, and under https only over https."""

import sqlite3
from contextlib import closing
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder, TestResponse, run_wsgi_app

from referee.settings import Settings
from referee.web.app import create_app

CARDS = "https://cards.example.org"


def client_of(folder: Path, public_url: str = "", host: str = "0.0.0.0") -> FlaskClient:
    """A phone without cookies at a program that is reached so."""
    settings = Settings(folder, host, public_url=public_url)
    return create_app(settings).test_client(use_cookies=False)


def cookies_of(*answers: TestResponse) -> SimpleCookie:
    """All cookies that these answers set."""
    return SimpleCookie(
        "".join(f"{one}; " for a in answers for one in a.headers.getlist("Set-Cookie"))
    )


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("cards.example.org", 200),
        ("CARDS.example.org:443", 200),
        ("localhost:9999", 200),
        ("127.0.0.1:9999", 200),
        ("[::1]:9999", 200),
        ("192.0.2.7:9999", 200),
        ("cards.example.org:9999", 421),
        ("192.0.2.8", 421),
        ("evil.example", 421),
        ("cards.example.org.evil.example", 421),
        ("evil.example/cards.example.org", 400),
        ("cards.example.org, evil.example", 400),
        ("cards.example.org@evil.example", 400),
        ("<script>", 400),
        ("", 400),
    ],
)
def test_another_hosts_request_is_not_answered(tmp_path: Path, host: str, status: int) -> None:
    """Where a public address is set: by it, the host to listen on, and this machine's own names."""
    client = client_of(tmp_path, CARDS, "192.0.2.7")
    for path in ("/", "/nowhere"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == (404 if status == 200 and path != "/" else status)
        assert answer.mimetype == "text/html"
        assert "evil" not in answer.text
        if status == 421:
            assert f"Referee is at {CARDS}. Open it there." in answer.text
    sent = client.post("/new/multiple-9", data={"name": ["Ann", "Ben"]}, headers={"Host": host})
    assert sent.status_code == (303 if status == 200 else status)


def test_without_a_public_address_any_name_will_do(tmp_path: Path) -> None:
    """Nobody knows by which name the phones in a house find this machine; but a name it must be."""
    client = client_of(tmp_path)
    assert client.get("/", headers={"Host": "cards.local:9999"}).status_code == 200
    for host in ("a b", "a..b", "."):
        assert client.get("/", headers={"Host": host}).status_code == 400
    origin = {"Host": "my_pi:9999", "Origin": "http://my_pi:9999"}
    begun = client.post("/new/multiple-9", data={"name": ["Ann", "Ben"]}, headers=origin)
    assert begun.status_code == 303


#: What DNS takes for a name in other letters, and is none.
ODD = ("xn--0", "xn--a.b:80", "XN--", "xn--a-ecp.ru", "-", "1.2.3", "0x7f.1", "_:8080")


@pytest.mark.parametrize("host", ODD)
def test_an_odd_name_has_its_pages(tmp_path: Path, host: str) -> None:
    """With codes as without: whatever is a name in form is shown as it was sent."""
    app = create_app(Settings(tmp_path))

    def asked(path: str, form: str | None = None) -> tuple[int, str, str]:
        builder = EnvironBuilder(
            path, method="POST" if form else "GET", data=form and {"name": form.split()}
        )
        asked = builder.get_environ() | {"HTTP_HOST": host, "HTTP_COOKIE": f"sheets={sheet[3:]}"}
        parts, status, headers = run_wsgi_app(app, asked, buffered=True)
        return int(status[:3]), headers.get("Location", ""), b"".join(parts).decode()

    sheet = ""
    status, sheet, _ = asked("/new/multiple-9", "Ann Ben")
    assert status == 303
    for path in ("/", sheet, f"{sheet}/share", "/move", "/evenings"):
        assert asked(path)[0] == 200
    shown = asked("/move", "Ann")
    assert shown[0] == 200
    assert f"http://{host.lower().removesuffix(':80')}/move/" in shown[2]


def test_whoever_watches_servers_asks_by_any_name(tmp_path: Path) -> None:
    """All is well while the book can be written in, even if another program does."""
    client = client_of(tmp_path, CARDS, "192.0.2.7")
    answer = client.get("/health", headers={"Host": "10.0.0.9:9991"})
    assert (answer.status_code, answer.text) == (200, "ok\n")
    with closing(sqlite3.connect(tmp_path / "referee.sqlite")) as other:
        other.execute("BEGIN IMMEDIATE")
        assert client.get("/health").status_code == 200
    (tmp_path / "referee.sqlite").rename(tmp_path / "elsewhere.sqlite")
    assert client.get("/health", headers={"Host": "10.0.0.9:9991"}).status_code == 503


def test_over_https_browsers_are_told_to_stay_there(tmp_path: Path) -> None:
    """On every page and file; over plain http, where they would not listen, there is nothing."""
    client = client_of(tmp_path, CARDS)
    for path in ("/", "/nowhere", "/static/js/theme.js"):
        found = [
            "Strict-Transport-Security" in client.get(path, headers={"Host": host}).headers
            for host in ("cards.example.org", "localhost")
        ]
        assert found == [True, False]


def test_under_https_cookies_go_over_nothing_else(tmp_path: Path) -> None:
    """And from this host only. Over plain http, at the machine itself, they are as they were."""
    client = client_of(tmp_path, CARDS)
    names = {}
    for host in ("cards.example.org", "localhost"):
        at = {"Host": host}
        begun = client.post("/new/multiple-9", data={"name": ["Ann", "Ben"]}, headers=at)
        sheet = begun.headers["Location"]
        answers = [
            begun,
            client.get("/", headers=at),
            client.get(sheet, headers=at),
            client.post("/theme", data={"theme": "dark"}, headers=at),
            client.post("/theme", data={"theme": "auto"}, headers=at),
            client.post(f"{sheet}/phone", data={"phone": "Ann’s"}, headers=at),
        ]
        found = cookies_of(*answers)
        names[host] = set(found)
        for one in found.values():
            assert bool(one["secure"]) == (host != "localhost")
            assert one["httponly"]
            assert one["samesite"] in ("Lax", "Strict")
            assert (one["path"], one["domain"]) == ("/", "")
    assert names["localhost"] == {"sheets", "theme", "phone", "at-home"}
    assert names["cards.example.org"] == {f"__Host-{name}" for name in names["localhost"]}


def test_cookies_are_found_again_under_https(tmp_path: Path) -> None:
    """What was kept so is read so, and nothing that came over plain http or from another host."""
    client = client_of(tmp_path, CARDS)
    for name, theme in (("__Host-theme", "dark"), ("theme", "auto")):
        at = {"Host": "cards.example.org", "Cookie": f"{name}=dark"}
        assert f'data-theme="{theme}"' in client.get("/", headers=at).text


def test_forms_from_the_public_address_are_ours(tmp_path: Path) -> None:
    """A browser at the public address says https in Origin; the proxy asks over http."""
    client = client_of(tmp_path, CARDS)
    for origin, status in ((CARDS, 303), ("https://evil.example", 403)):
        at = {"Host": "cards.example.org", "Origin": origin}
        sent = client.post("/new/multiple-9", data={"name": ["Ann", "Ben"]}, headers=at)
        assert sent.status_code == status
