"""The name in the local network: announced, unique, withdrawn, and never required.

The tests use the loopback interface only, and the sockets of `unicast_lost` take its unicast
packets, so nothing depends on which of several sockets a kernel prefers. Every test has a name of
its own, since other tests may run on this machine.
"""

import secrets
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from flask import Flask
from zeroconf import (  # type: ignore[attr-defined]  # as in house_name
    AddressResolver,
    DNSQuestionType,
    IPVersion,
    ServiceInfo,
    Zeroconf,
)

from referee.settings import Settings
from referee.web.app import create_app
from referee.web.serving import house_name
from referee.web.serving.house_name import keep_announced, name_in
from tests.support.house_on_loopback import LOOPBACK
from tests.support.phone import begin, first_in
from tests.support.server import Server

PORT = 9999


def in_a_thread(make: Callable[[], Any]) -> Any:
    """The result of `make`, from another thread: zeroconf would use an event loop of this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(make).result()


@pytest.fixture
def name() -> str:
    """A unique name."""
    return f"cards-{secrets.token_hex(4)}"


def announced(name: str, port: int = PORT) -> tuple[ExitStack, str]:
    """Announce this name, or the next free one, on loopback."""
    held: tuple[ExitStack, str] = in_a_thread(lambda: house_name.announced(name, LOOPBACK, port))
    return held


@pytest.fixture
def unicast_lost() -> Iterator[None]:
    """Further sockets on the port, which receive nearly all unicast packets."""
    with ExitStack() as open_sockets:
        for _ in range(40):
            one = open_sockets.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if hasattr(socket, "SO_REUSEPORT"):
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            one.bind((LOOPBACK, 5353))
        yield


@pytest.fixture
def phone(unicast_lost: None) -> Iterator[Zeroconf]:
    """Another device in the network, which looks names up."""
    asking = in_a_thread(lambda: Zeroconf(interfaces=[LOOPBACK], ip_version=IPVersion.V4Only))
    yield asking
    asking.close()


def leads_to(phone: Zeroconf, host: str) -> list[str]:
    """The addresses that a name has now, asked and answered by multicast."""
    found = AddressResolver(f"{host}.")
    found.request(phone, 1500, question_type=DNSQuestionType.QM)
    return found.parsed_addresses()


def is_found(phone: Zeroconf, host: str) -> bool:
    """Whether a name leads to this machine, though an answer may be late."""
    return any(leads_to(phone, host) == [LOOPBACK] for _ in range(5))


def is_withdrawn(phone: Zeroconf, host: str) -> bool:
    """Whether a name has no address, or only one that is about to expire in the phone's cache."""
    return any(leads_to(phone, host) == [] for _ in range(5))


def test_two_programs_on_one_machine_share_a_name(
    monkeypatch: pytest.MonkeyPatch, phone: Zeroconf, name: str
) -> None:
    """It is withdrawn when the last of them stops."""
    monkeypatch.setattr(house_name, "ASK_MILLISECONDS", 300)  # there's no other machine
    first, its_name = announced(name)
    second, same_name = announced(name, PORT + 1)
    assert its_name == same_name == f"{name}.local"
    assert is_found(phone, its_name)
    first.close()
    assert is_found(phone, its_name)
    second.close()
    assert is_withdrawn(phone, its_name)


def test_only_so_many_names_are_tried(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """If other machines have all of them, it gives up after twenty."""
    monkeypatch.setattr(house_name, "_is_of_another", lambda *_: True)
    with pytest.raises(OSError, match=rf"the names up to {name}-20\.local are taken"):
        announced(name)


def test_another_machine_is_heard_beside_a_second_program(unicast_lost: None, name: str) -> None:
    """Its multicast answer is heard even if its unicast answer is lost."""
    kind = "_ipp._tcp.local."
    printer = ServiceInfo(
        kind,
        f"{name}.{kind}",
        addresses=[socket.inet_aton("192.0.2.7")],
        port=631,
        server=f"{name}.local.",
    )
    offers = in_a_thread(lambda: Zeroconf(interfaces=[LOOPBACK], ip_version=IPVersion.V4Only))
    offers.register_service(printer)
    second, its_name = announced(name)
    second.close()
    offers.close()
    assert its_name == f"{name}-2.local"


def test_the_name_follows_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To another network and back; if it can't be announced there, one line says why."""
    lines, announced_at, stays, file = list[str](), list[str](), Event(), tmp_path / "name"
    cannot_be_had = {"192.0.2.66": OSError("No such device"), "192.0.2.67": ArithmeticError()}
    addresses = iter([None, "192.0.2.7", "192.0.2.7", "192.0.2.9", None, "192.0.2.66",
                      "192.0.2.67", "192.0.2.7"])  # fmt: skip

    def address_to_announce(_: str) -> str | None:
        try:
            return next(addresses)
        except StopIteration:
            stays.set()
            return "192.0.2.7"

    def announced_there(wanted: str, address: str, _: int) -> tuple[ExitStack, str]:
        if address in cannot_be_had:
            raise cannot_be_had[address]
        held = ExitStack()
        if address == "192.0.2.9":
            held.callback(lambda: 1 / 0)  # withdrawing fails, as that network is gone
        announced_at.append(address)
        held.callback(announced_at.remove, address)
        return held, f"{wanted}.local"

    monkeypatch.setattr(house_name, "address_to_announce", address_to_announce)
    monkeypatch.setattr(house_name, "announced", announced_there)
    monkeypatch.setattr(house_name, "WATCH_SECONDS", 0.001)
    over, tell = Event(), lambda line: lines.append(str(line))
    name = Thread(target=keep_announced, args=("referee", ("0.0.0.0", PORT), file, tell, over))
    name.start()
    assert stays.wait(10)
    assert (announced_at, name_in(file)) == (["192.0.2.7"], "referee.local")
    over.set()
    name.join()
    assert (announced_at, name_in(file)) == ([], "")
    its_name = "Its name, which stays when the address changes: http://referee.local:9999"
    moved = "This machine has another address now: http://192.0.2.{}:9999"
    assert lines == [
        its_name,
        moved.format(9),
        its_name,
        "There’s no name for it in this network (No such device).",
        moved.format(67),
        "There’s no name for it in this network (ArithmeticError).",
        moved.format(7),
        its_name,
    ]


@pytest.mark.parametrize(
    ("listens_on", "told"),
    [("0.0.0.0", "192.0.2.7"), ("192.0.2.8", "192.0.2.8"), ("127.0.0.1", None), ("::1", None),
     ("::", "192.0.2.7"), ("2001:db8::1", None)],
)  # fmt: skip
def test_the_name_is_announced_where_phones_can_reach_the_program(
    monkeypatch: pytest.MonkeyPatch, listens_on: str, told: str | None
) -> None:
    """Not if it listens on this machine only."""
    monkeypatch.setattr(house_name, "house_address", lambda: "192.0.2.7")
    assert house_name.address_to_announce(listens_on) == told


# --- beside the QR code


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """An app announced as referee.local, at 192.0.2.7."""
    monkeypatch.setattr("referee.web.answers.addresses.house_address", lambda: "192.0.2.7")
    (tmp_path / "name").write_text("referee.local")
    return create_app(Settings(tmp_path / "instance"), tmp_path / "name")


@pytest.mark.parametrize(
    ("opened_as", "shown", "other"),
    [
        ("http://192.0.2.7:9999", "192.0.2.7", "referee.local"),
        ("http://localhost:9999", "192.0.2.7", "referee.local"),
        ("http://referee.local:9999", "referee.local", "192.0.2.7"),
    ],
)
def test_the_name_is_offered_beside_the_code(
    named: Flask, opened_as: str, shown: str, other: str
) -> None:
    """The code has the kind of address that the page was opened by; a tap shows the other."""
    host = begin(named.test_client(), "multiple-9", ["Ann", "Ben"])

    def at(place: str) -> str:
        answer = named.test_client().get(f"/s/{host.token}{place}", base_url=opened_as)
        assert answer.status_code == 200
        return answer.text

    def link(page: str) -> str:
        return first_in(page, r'id="link" dir="ltr" readonly value="http://([^/]+)/s/')

    page = at("/share?code=score")
    assert link(page) == f"{shown}:9999"
    assert "Show the code with the " + ("name" if "local" in other else "number") in page
    swapped = at("/share?code=score&by=other")
    assert link(swapped) == f"{other}:9999"
    assert "code/score.svg?by=other" in swapped
    assert "Show the code with the " + ("number" if "local" in other else "name") in swapped
    assert at("/code/score.svg") != at("/code/score.svg?by=other")
    named.extensions["referee"].house_name.write_text("")
    for place in ("/share", "/share?by=other"):
        assert "Show the code with" not in at(place), "without a name none is offered"


def test_a_phone_moves_to_the_name(named: Flask) -> None:
    """The games in the cookies of the IP address are moved to those of the name."""
    client = named.test_client()
    number, name = "http://192.0.2.7:9999", "http://referee.local:9999"
    begun = client.post("/new/pink-nines", data={"name": ["Ann", "Ben"]}, base_url=number)
    sheet = begun.headers["Location"]
    assert sheet not in client.get("/", base_url=name).text, "cookies belong to a host"
    page = client.post("/move", base_url=number, follow_redirects=True).text
    found = first_in(page, r'href="http://referee\.local:9999(/move/[\w-]+)"')
    key = first_in(client.get(found, base_url=name).text, r'name="key" value="([^"]+)"')
    client.post(found, data={"key": key}, base_url=name)
    assert sheet in client.get("/", base_url=name).text
    page = client.post("/move", base_url=name, follow_redirects=True).text
    assert "Go on by name" not in page, "it is there already"


# --- the whole program


def test_a_program_and_its_name(tmp_path: Path, phone: Zeroconf, name: str) -> None:
    """It prints its name, and withdraws it when it is stopped by SIGTERM."""
    program = "tests.support.house_on_loopback"
    server = Server(tmp_path, "--name", name, program=program)
    said = server.process.stdout or ()
    line = next(line for line in said if line.startswith("Its name, which stays"))
    try:
        port = server.address.rsplit(":", 1)[1]
        assert line.rsplit(" ", 1)[1].strip() == f"http://{name}.local:{port}"
        assert is_found(phone, f"{name}.local")
    finally:
        server.stop()
    assert server.process.returncode == 0
    assert is_withdrawn(phone, f"{name}.local")
