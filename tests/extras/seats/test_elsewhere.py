"""A book that is copied, moved or served by others while figures wait: they go with it."""

import shutil
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from referee.ledger.store import Ledger
from referee.settings import DATABASE, Settings
from referee.sheets.audit import audit
from referee.web.app import create_app
from tests.extras.seats.test_exactly_once import FIVE, LINK, Seated, recorded
from tests.extras.seats.test_gathering import Table, tricks
from tests.support.command_line import run
from tests.support.optional import ENGINES
from tests.support.phone import Phone, first_in, words
from tests.support.proxy import NGINX, OPENSSL, Proxy
from tests.support.server import Server, ask

on_either_engine = pytest.mark.parametrize("book_address", list(ENGINES), indirect=True)


@pytest.fixture
def three(client: FlaskClient) -> Table:
    """Ann and Ben are in."""
    table = Table(client, "nine-five-two", ["Ann", "Ben", "Cy"])
    table["Ann"].enter(tricks(0, 9))
    table["Ben"].enter(tricks(1, 5))
    return table


def goes_on(table: Table, folder: Path, place: str = "") -> None:
    """With the book at `place`, or in `folder`, the same phones finish the deal, once."""
    app = create_app(Settings(instance=folder, database=place))
    for seat in table.seats.values():
        seat.goes_to(app)
    table.host = Phone(app.test_client(), table.host.token)
    assert table.entries == []
    assert "Yours is in" in table["Ann"].says()
    assert "Ann, Ben" in table["Cy"].says() or "Ann and Ben are in" in table["Cy"].says()
    for _ in range(2):
        form = {"seat_of": "Cy", "deal": 0, "key": "the last", **tricks(2, 2)}
        assert table["Cy"].post("/seat/hand", form).status_code == 303
    assert [entry["tricks"] for entry in table.entries] == [{"Ann": 9, "Ben": 5, "Cy": 2}]
    with closing(Ledger(place or folder / DATABASE)) as ledger:
        assert audit(ledger).faults == ()


@pytest.mark.parametrize("how", ["backup", "files"])
def test_figures_wait_in_a_copy_of_the_file(three: Table, tmp_path: Path, how: str) -> None:
    """Made while it is being served; both copies then go on, each by itself."""
    other = tmp_path / "elsewhere"
    other.mkdir()
    if how == "backup":
        said = run("backup", str(other / DATABASE), "--instance", str(tmp_path))
        assert said.exit_code == 0, said.output
    else:
        for file in tmp_path.glob(f"{DATABASE}*"):  # with the log beside it
            shutil.copy(file, other)
    goes_on(three, other)
    goes_on(three, tmp_path)


@on_either_engine
def test_figures_that_wait_move_with_the_book(
    three: Table, tmp_path: Path, book_address: str
) -> None:
    """From either kind of database into a file."""
    there = tmp_path / "there"
    there.mkdir()
    where = ("--database", book_address) if book_address else ("--instance", str(tmp_path))
    said = run("move", "--to", str(there / DATABASE), *where)
    assert said.exit_code == 0, said.output
    goes_on(three, there)


@on_either_engine
def test_figures_that_wait_move_into_any_database(tmp_path: Path, book_address: str) -> None:
    new = tmp_path / "new"
    new.mkdir()
    begun = create_app(Settings(instance=tmp_path)).test_client()
    table = Table(begun, "nine-five-two", ["Ann", "Ben", "Cy"])
    table["Ann"].enter(tricks(0, 9))
    table["Ben"].enter(tricks(1, 5))
    said = run("move", "--to", book_address or str(new / DATABASE), "--instance", str(tmp_path))
    assert said.exit_code == 0, said.output
    goes_on(table, new, book_address)


def test_a_sheet_that_is_brought_in_has_no_seats(three: Table) -> None:
    """Its file contains no waiting figures and no seats."""
    file = three.host.get("/sheet.json").data
    assert b"seat" not in file
    client = three.host.client
    answer = client.post("/bring-in", data={"sheet": (BytesIO(file), "a.json"), "copy": "yes"})
    brought = Phone(client, answer.headers["Location"].rsplit("/", 1)[1])
    assert brought.file()["entries"] == []
    assert "are in" not in words(brought.get())
    assert "no phone" not in words(brought.get())


@pytest.mark.skipif(not (NGINX and OPENSSL), reason="nginx is not installed")
def test_five_phones_behind_a_proxy_whose_first_server_stops(tmp_path: Path) -> None:
    """Each of their requests may reach another server; the figures are there on both."""
    proxy = Proxy(tmp_path, Server(tmp_path), Server(tmp_path))
    try:
        form = {"name": FIVE, "dealer": "0", "target": "0"}
        sheet = ask(proxy.address, "/new/plain-score", form).leads_to
        token = first_in(ask(proxy.address, f"{sheet}/share?code=play").text, LINK)
        *four, eve = [Seated([proxy], token, seat) for seat in range(5)]
        for place, seat in enumerate(four):
            seat.enters(0, 0, place, lost=True)
        proxy.servers[0].stop()
        assert "Yours is in" in four[0].waits(0)
        assert "Ann, Ben, Cy, and Dot are in" in eve.get("/seat").text
        eve.enters(0, 0, 4, lost=True)
        assert recorded(proxy, token) == [dict(zip(FIVE, range(5), strict=True))]
    finally:
        proxy.stop()
