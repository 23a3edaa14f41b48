"""Which host names are answered, and what https adds: HSTS and `__Host-` cookies."""

import sqlite3
import tracemalloc
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
    """A phone without cookies, at a program with this public address and host."""
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
def test_with_a_public_address_others_are_refused(tmp_path: Path, host: str, status: int) -> None:
    """Only its host, the host listened on, and this machine's own names are answered."""
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


def test_without_a_public_address_any_well_formed_host_is_answered(tmp_path: Path) -> None:
    """The program can't know by which names phones in the house find this machine."""
    client = client_of(tmp_path)
    assert client.get("/", headers={"Host": "cards.local:9999"}).status_code == 200
    for host in ("a b", "a..b", "."):
        assert client.get("/", headers={"Host": host}).status_code == 400
    origin = {"Host": "my_pi:9999", "Origin": "http://my_pi:9999"}
    begun = client.post("/new/multiple-9", data={"name": ["Ann", "Ben"]}, headers=origin)
    assert begun.status_code == 303


#: Host names that look like an encoded international name or a number, and are neither.
ODD = ("xn--0", "xn--a.b:80", "XN--", "xn--a-ecp.ru", "-", "1.2.3", "0x7f.1", "_:8080")


@pytest.mark.parametrize("host", ODD)
def test_an_odd_but_well_formed_host_has_all_pages(tmp_path: Path, host: str) -> None:
    """Addresses on the pages, also in QR codes, have the name as it was sent."""
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
    shown = asked(asked("/move", "Ann")[1])
    assert shown[0] == 200
    assert f"http://{host.lower().removesuffix(':80')}/move/" in shown[2]


def test_the_health_check_answers_to_any_host(tmp_path: Path) -> None:
    """It is 200 while the book can be written, or another program is writing; else 503."""
    client = client_of(tmp_path, CARDS, "192.0.2.7")
    answer = client.get("/health", headers={"Host": "10.0.0.9:9991"})
    assert (answer.status_code, answer.text) == (200, "ok\n")
    with closing(sqlite3.connect(tmp_path / "referee.sqlite")) as other:
        other.execute("BEGIN IMMEDIATE")
        assert client.get("/health").status_code == 200
    (tmp_path / "referee.sqlite").rename(tmp_path / "elsewhere.sqlite")
    assert client.get("/health", headers={"Host": "10.0.0.9:9991"}).status_code == 503


def test_over_https_every_response_has_hsts(tmp_path: Path) -> None:
    """Over plain http none has: browsers would ignore it."""
    client = client_of(tmp_path, CARDS)
    for path in ("/", "/nowhere", "/static/js/theme.js"):
        found = [
            "Strict-Transport-Security" in client.get(path, headers={"Host": host}).headers
            for host in ("cards.example.org", "localhost")
        ]
        assert found == [True, False]


def test_over_https_cookies_are_secure_and_of_this_host_alone(tmp_path: Path) -> None:
    """Over plain http, as at the machine itself, they are neither."""
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


def test_over_https_only_secure_cookies_are_read(tmp_path: Path) -> None:
    """One without `__Host-` may come from plain http or from another host."""
    client = client_of(tmp_path, CARDS)
    for name, theme in (("__Host-theme", "dark"), ("theme", "auto")):
        at = {"Host": "cards.example.org", "Cookie": f"{name}=dark"}
        assert f'data-theme="{theme}"' in client.get("/", headers=at).text


@pytest.mark.parametrize("value", ["\xff", "\xe9", "\xc3\xa9", '"'])
def test_cookies_of_other_programs_disturb_nobody(tmp_path: Path, value: str) -> None:
    """Browsers send those of other ports of this host too, whatever their bytes."""
    at = {"Cookie": f"other={value}; theme=dark"}
    assert 'data-theme="dark"' in client_of(tmp_path).get("/", headers=at).text


def test_cookies_fill_no_memory(tmp_path: Path) -> None:
    """Requests with as many cookies as their headers hold are soon forgotten."""
    client = client_of(tmp_path)
    client.get("/health")
    tracemalloc.start()
    for number in range(64):
        cookies = ";".join(f"{number:x}-{one:x}" for one in range(4000))
        client.get("/health", headers={"Cookie": cookies})
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 16_000_000


def test_a_form_from_the_public_address_is_accepted(tmp_path: Path) -> None:
    """Its Origin is https, though the proxy passes it on over http."""
    client = client_of(tmp_path, CARDS)
    for origin, status in ((CARDS, 303), ("https://evil.example", 403)):
        at = {"Host": "cards.example.org", "Origin": origin}
        sent = client.post("/new/multiple-9", data={"name": ["Ann", "Ben"]}, headers=at)
        assert sent.status_code == status
