"""Questions about several people: a row for each person or turn."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from tests.support.phone import PARTIAL, begin

SHOWDOWN = "/referee/multiple-9-holdem/showdown"
ODDS = "/referee/multiple-9-holdem/odds"
POTS = "/referee/multiple-9-holdem/pots"
SEQUENCE = "/referee/red-nines-1881/sequence"
EXCHANGE = "/referee/nine-five-two/exchange"
BOARD = "J 7 9 2 10"


def cells(page: str) -> dict[str, str]:
    """The values of the fields in the rows of people; "checked" for a ticked box."""
    rows = page.partition('id="places"')[2].partition('class="docked"')[0]
    found = {}
    for field in re.findall(r"<input [^>]*>", rows):
        (name,), (value,) = (re.findall(f' {part}="([^"]*)"', field) for part in ("name", "value"))
        if not name.rpartition(".")[2].isdecimal() and not name.endswith(".row"):
            continue
        if 'type="' not in field or 'type="text"' in field:
            found[name] = unescape(value)
        elif " checked" in field:
            found[name] = "checked" if value == "on" else value
    return found


def ruled(client: FlaskClient, place: str, **fields: str) -> str:
    """The ruling on these fields, requested as htmx does."""
    answer = client.get(place, query_string=fields, headers=PARTIAL)
    assert answer.status_code == 200
    return unescape(answer.text)


def test_rows_without_names_are_numbered(client: FlaskClient) -> None:
    """Without a sheet there are as many rows as the game needs: “Player 1”, “Player 2”."""
    page = client.get(SHOWDOWN).text
    assert cells(page) == {"who.0": "", "hands.0": "", "who.1": "", "hands.1": ""}
    assert 'placeholder="Player 2"' in page
    said = ruled(client, SHOWDOWN, **{"hands.0": "A 2", "hands.1": "8 2", "board": BOARD})
    assert "Player 2 wins." in said


def test_numbers_ticks_and_the_dealer(client: FlaskClient) -> None:
    """Numbers may be sums or negative; a tick says who folded, a mark who deals."""
    rows = {"who.0": "Ann", "paid.0": "4+6", "who.1": "Ben", "paid.1": "20",
            "who.2": "Cat", "paid.2": "20", "folded.2": "on"}  # fmt: skip
    assert "2 pots: 30 and 20" in ruled(client, POTS, **rows)
    rows |= {"folded.2": "checked"}
    assert cells(client.get(POTS, query_string=rows).text) == rows
    rows = {"who.0": "Ann", "scores.0": "2", "who.1": "Ben", "scores.1": "−1",
            "who.2": "Cat", "scores.2": "- 1", "dealer.row": "1"}  # fmt: skip
    assert "may give" in ruled(client, EXCHANGE, **rows)
    page = client.get(EXCHANGE, query_string=rows).text
    assert cells(page) == rows
    assert page.count('name="dealer.row"') == 3


def test_the_players_of_a_sheet_have_rows(client: FlaskClient) -> None:
    """Asked from a sheet, names are filled in; players without cards take no part."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben", "Cat"])
    page = host.get("/referee/showdown").text
    assert [cells(page)[f"who.{row}"] for row in range(3)] == ["Ann", "Ben", "Cat"]
    assert "Add a player" not in page
    place = f"/s/{host.token}/referee/showdown"
    said = ruled(client, place, **{"hands.1": "8 2", "hands.2": "A 2", "board": BOARD})
    assert "Ben wins." in said
    assert not re.search(r"\bAnn\b", said.partition('id="felt"')[0])


def test_buttons_without_script(client: FlaskClient) -> None:
    """One adds a row to the form; a docked key writes into the open cell."""
    sent = {"who.0": "Ann", "hands.0": "8 2", "hands.1": "A 2", "board": BOARD, "do": "row"}
    for headers in ({}, PARTIAL):
        page = client.get(SHOWDOWN, query_string=sent, headers=headers).text
        assert cells(page) == {"who.0": "Ann", "hands.0": "8 2", "who.1": "", "hands.1": "A 2",
                               "who.2": "", "hands.2": ""}  # fmt: skip
        assert "Ann wins." in page
        assert f'value="{BOARD}"' in page
    sent = {"who.1": "Ben", "hands.1": "Q", "at": "hands.1", "tap": "@:5"}
    page = client.get(SHOWDOWN, query_string=sent).text
    assert cells(page)["hands.1"] == "Q 5"
    assert re.findall(r'name="at" value="([^"]*)" checked', page) == ["hands.1"]


def test_there_are_no_more_rows_than_seats(client: FlaskClient) -> None:
    """Hold’em seats ten, so the tenth row is the last; Nine Five Two has three."""
    nine = {f"who.{row}": "" for row in range(9)}
    page = client.get(SHOWDOWN, query_string={**nine, "do": "row"}).text
    assert "who.9" in cells(page)
    assert "Add a player" not in page
    assert "who.3" not in cells(client.get(EXCHANGE, query_string={"do": "row"}).text)


def test_faults_name_the_person(client: FlaskClient) -> None:
    """Every text that is no card or number is quoted, and stays in its field."""
    sent = {"who.0": "Ann", "hands.0": "Q Z", "hands.1": "17:5;X", "board": BOARD}
    page = unescape(client.get(SHOWDOWN, query_string=sent).text)
    for fault in ("“Z” in Ann’s", "“17” in Player 2’s", "“X” in Player 2’s"):
        assert f"{fault} hand isn’t a card" in page
    assert (cells(page)["hands.0"], cells(page)["hands.1"]) == ("Q Z", "17:5;X")
    said = ruled(client, POTS, **{"who.0": "Ann", "paid.0": "ten", "paid.1": "20 30"})
    assert "Ann: “ten” isn’t a whole number." in said
    assert "Player 2: “20 30” isn’t a whole number." in said
    assert "Ann: −5 is below 0." in ruled(client, POTS, **{"who.0": "Ann", "paid.0": "−5"})


def test_a_name_may_contain_separators(client: FlaskClient) -> None:
    """A colon or semicolon in a name does not make two players of one."""
    sent = {"who.0": "Ann; the Queen: 1", "hands.0": "8 2", "hands.1": "A 2", "board": BOARD}
    assert "Ann the Queen 1 wins." in ruled(client, SHOWDOWN, **sent)


@pytest.mark.parametrize("place", [SHOWDOWN, ODDS, POTS, EXCHANGE, "/referee/multiple-9/hand"])
@pytest.mark.parametrize(
    "fields",
    [
        {f"{name}.{n}": "2" for n in range(120) for name in ("who", "hands", "paid", "turns")},
        {"who.999": "Ann", "hands.41": "Q 5", "paid.99999999999": "1", "scores.-1": "2"},
        {"dealer.row": "9" * 5000, "hands.row": "x", "who.": "y", "scores.0.0": "1", "do": "row"},
        {"hands.0": "9" * 700, "paid.0": "9" * 41, "scores.0": "9" * 30, "folded.x": "on"},
        {"hands": "Ann:2 3", "paid": ":", "scores": ";;", "folded": ",", "dealer": ":", "do": "?"},
        {"who.0": "N" * 3000, "hands.0": "2 3", "paid.0": "1", "scores.0": "1"},
    ],
)
def test_any_fields_get_a_page(client: FlaskClient, place: str, fields: dict[str, str]) -> None:
    """Nonsense in the address is answered with at most forty rows."""
    for headers in ({}, PARTIAL):
        answer = client.get(place, query_string=fields, headers=headers)
        assert answer.status_code == 200
        assert sum(name.startswith("who.") for name in cells(answer.text)) <= 40


def test_more_people_or_turns_than_rows_are_a_fault(client: FlaskClient) -> None:
    """They are not dropped silently."""
    many = {f"paid.{row}": "1" for row in range(41)}
    assert "Only 40 people fit on this page; you named more." in ruled(client, POTS, **many)
    many = {f"turns.{row}": "7S" for row in range(41)}
    assert "Only 40 turns fit on this page; you have more." in ruled(client, SEQUENCE, **many)


# --- turns


def test_rows_of_turns_are_named_clockwise(client: FlaskClient) -> None:
    """The first row is that of the player at the dealer's left; an empty row is a pass."""
    table = {"seating": "Ann, Ben, Cat", "dealer": "Ann"}
    page = client.get(SEQUENCE, query_string=table).text
    assert [cells(page)[f"who.{row}"] for row in range(3)] == ["Ben", "Cat", "Ann"]
    suits = {"turns.0:suit": "S"}  # sent with every form, and no card by itself
    assert "The ruling appears here" in ruled(client, SEQUENCE, **table, **suits)
    laid = {"who.0": "Ben", "turns.0": "7S", "who.1": "Cat", "who.2": "Ann", "turns.2": "8S"}
    assert "Ben needs the nine of spades" in ruled(client, SEQUENCE, **table, **laid)


def test_the_same_player_may_have_several_turns(client: FlaskClient) -> None:
    """Each turn has a row; an added one is the next player's; a dash is a pass."""
    turns = {"who.0": "Ann", "turns.0": "7S", "who.1": "Ann", "turns.1": "4H", "who.2": "Ben",
             "turns.2": "5H", "seating": "Ann,Ben,Cat"}  # fmt: skip
    found = cells(client.get(SEQUENCE, query_string={**turns, "do": "row"}).text)
    rows = [(found[f"who.{row}"], found[f"turns.{row}"]) for row in range(4)]
    assert rows == [("Ann", "7S"), ("Ann", "4H"), ("Ben", "5H"), ("Cat", "")]
    passed = {"who.0": "Ann", "turns.0": "7S", "turns.1": "-", "seating": "Ann,Ben,Cat"}
    assert "Cat needs the eight of spades" in ruled(client, SEQUENCE, **passed)


def test_a_sheet_knows_who_sits_where(client: FlaskClient) -> None:
    """Names and dealer are filled in, separators in a name replaced by spaces."""
    host = begin(client, "pink-nines", ["Ann", "Ben: the 2nd", "Cat"])
    found = cells(host.get("/referee/sequence").text)
    assert [found[f"who.{row}"] for row in range(3)] == ["Ben the 2nd", "Cat", "Ann"]
    page = host.get("/referee/sequence?turns.0=7&seating=Ann, Ben the 2nd, Cat&dealer=Ann").text
    assert "Cat needs an eight" in page
