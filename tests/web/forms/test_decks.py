"""Cards in the letters of other decks: how forms are read, and how cards are shown on a phone."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from referee.rules.cards.cards import RANKS
from referee.rules.core.asking import CardKeys
from referee.rules.language import language, speaking
from referee.rules.text import as_printed
from referee.web.forms.decks import DECKS, as_filled_in, in_our_letters, letters_in
from referee.web.forms.sent import Fields
from tests.support.key_cases import CASES
from tests.support.phone import Phone, begin, first_in, words

ASK = "/referee/multiple-9/discard"


@pytest.mark.parametrize("case", CASES["letters"], ids=str)
def test_a_card_is_read_and_written_in_other_letters(case: dict[str, Any]) -> None:
    """By one table for script and server; what was read once is the same if it is read again."""
    reads = in_our_letters(case["text"], case["said"])
    assert reads == case["reads"]
    assert in_our_letters(reads, case["said"]) == reads
    letters = case["said"].partition(":")[0] or "JQK"
    with speaking(replace(language(), letters=letters)):
        assert as_printed(reads) == case["writes"]


@pytest.mark.parametrize("case", CASES["filled"], ids=str)
def test_cards_are_filled_in_as_another_deck_has_them(case: dict[str, Any]) -> None:
    """By the same table; a field with these keys says the same of its letters."""
    letters, _, behind_rank = case["said"].partition(":")
    pad = CardKeys(RANKS, suits=behind_rank[:-1], red_nine=behind_rank == "R")
    with speaking(replace(language(), letters=letters or "JQK")):
        assert letters_in(pad) == case["said"]
        assert as_filled_in(case["cards"], pad) == case["then"]


@pytest.mark.parametrize("letters", sorted(DECKS.values()))
def test_no_deck_gives_one_of_our_letters_to_another_rank(letters: str) -> None:
    """So a card in our letters is read on every phone, and none is taken for another."""
    assert in_our_letters("J Q K A 10 T * 9", f"{letters}:") == "J Q K A 10 T * 9"
    assert in_our_letters(" ".join(letters), f"{letters}:") == "J Q K"


def test_a_card_behind_a_hebrew_and_has_the_letter_of_the_deck() -> None:
    """A mark like a hyphen joins the two."""
    with speaking(replace(language("he"), letters="BVH")):
        assert as_printed("7 ו־J") == "7 ו־B"


def test_a_form_says_in_which_letters_it_is() -> None:
    """Other fields stay, such as a name; so do all where it names no deck, or has a file there."""
    sent = [("hand", "D 5"), ("hand:letters", "BDK:"), ("name", "D"), ("other", "D")]
    assert Fields(sent).to_dict() == {"name": "D", "other": "D", "hand": "Q 5"}
    assert Fields([("hand", "D"), ("hand:letters", "XYZ:")])["hand"] == "D"
    assert "hand" not in Fields([("hand:letters", "BDK:")])
    file = object()
    assert Fields([("hand", file), ("hand:letters", object())])["hand"] is file


def test_the_deck_on_the_table_is_chosen_on_each_phone(client: FlaskClient) -> None:
    """Whatever its language is; then cards and keys are shown as the deck has them."""
    assert 'aria-pressed="true"><b><bdi dir="ltr">J Q K' in client.get("/language").text
    chosen = client.post("/language", data={"letters": "BDK"})
    assert (chosen.status_code, chosen.headers["Location"]) == (303, "/")
    assert 'aria-pressed="true"><b><bdi dir="ltr">B D K' in client.get("/language").text
    page = client.get(ASK, query_string={"cards": "Q 6"}).text
    assert 'data-rank="D"' in page
    assert 'value="@:Q">D</button>' in page
    client.set_cookie("letters", "<b>")
    assert 'value="@:Q">Q</button>' in client.get(ASK).text


@pytest.mark.parametrize("tag", ["de", "fr", "nl", "pl", "es", "he"])
def test_a_deck_that_is_not_chosen_is_the_usual_one_of_the_language(tag: str) -> None:
    """Spanish and Hebrew decks of this kind have J, Q, K, as English ones."""
    assert DECKS.get(tag, "JQK") == {"de": "BDK", "fr": "VDR", "nl": "BVH", "pl": "WDK"}.get(
        tag, "JQK"
    )


def test_a_ruling_is_the_same_in_all_letters(client: FlaskClient) -> None:
    """The address of a question means the same on every phone: it says in which letters it is."""
    ours = client.get(ASK, query_string={"cards": "J Q K 4"}).text
    client.set_cookie("letters", "VDR")
    page = client.get(ASK, query_string={"cards": "V D R 4", "cards:letters": "VDR:"}).text
    assert 'name="cards:letters" value="VDR:"' in page
    assert 'value="V D R 4"' in page
    client.set_cookie("letters", "JQK")
    asked = {"cards": "V D R 4", "cards:letters": "VDR:"}
    assert words(client.get(ASK, query_string=asked)) == words(ours)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("multiple-9/discard?cards=J+7", "B+7 makes 18."),
        ("multiple-9-holdem/hand?hole=Q+J&board=Q+Q+J+J+Q", "(D+D+D+D+B+B+B)"),
        ("multiple-9-holdem/hand?hole=Q+J&board=2+3+4", "left over: D"),
    ],
)
def test_cards_that_are_added_up_have_the_letters_of_the_deck(
    client: FlaskClient, asked: str, said: str
) -> None:
    """In the groups of a ruling, and in the remaining cards."""
    client.set_cookie("letters", "BDK")
    assert said in words(client.get(f"/referee/{asked}"))


@pytest.mark.parametrize(("letters", "said"), [("BDK", "for 9R 2 K"), ("VDR", "for 9♥ 2 R")])
def test_a_red_nine_is_distinguished_from_a_nine_and_a_king(
    client: FlaskClient, letters: str, said: str
) -> None:
    """Where R is the king, it is the nine of hearts."""
    client.set_cookie("letters", letters)
    host = begin(client, "red-nines", ["Ann", "Ben", "Cat", "Dan"])
    out = {"action": "out", "player": "Ann", "how": "cards", "hands.2": "4", "hands.3": "5"}
    host.record({**out, "hands.1": "9R 2 K"}, 0)
    assert said in words(host.get("/deals/1"))


def test_keys_write_without_script_as_the_deck_has_it(client: FlaskClient) -> None:
    """Beside what was typed."""
    client.set_cookie("letters", "BDK")
    sent = {"cards": "D 5", "cards:letters": "BDK:", "at": "cards", "tap": "@:J"}
    page = client.get(ASK, query_string=sent).text
    assert 'value="D 5 B"' in page


def test_two_cards_run_together_are_not_taken_for_one(client: FlaskClient) -> None:
    """“KD” is no king of diamonds on a German phone where nobody asks for suits."""
    client.set_cookie("letters", "BDK")
    sent = {"cards": "KD 5", "cards:letters": "BDK:"}
    assert "“K/D” in the cards laid down isn’t a card" in client.get(ASK, query_string=sent).text


def test_hints_for_typing_use_the_letters_of_the_deck(client: FlaskClient) -> None:
    """Words that begin with one of ours stay as they are."""
    client.set_cookie("letters", "VDR")
    page = client.get(ASK, query_string={"cards": "Z"}).text
    assert "Use A, 2–10, V, D, R, separated by spaces." in page
    with speaking(replace(language(), letters="VDR")):
        assert as_printed("Karte K: KS, 10D or K♦, jack") == "Karte R: RS, 10D or R♦, jack"


def test_cards_of_a_house_rule_have_the_letters_of_the_deck(client: FlaskClient) -> None:
    """On a sheet, and where the referee is asked."""
    client.set_cookie("letters", "BDK")
    asked = client.get("/referee/multiple-9-holdem/showdown?royal=true")
    assert "D D D D B B B beats other hands" in words(asked)
    holdem = begin(client, "multiple-9-holdem", ["Ann", "Ben"], royal="true")
    assert "D D D D B B B beats other hands" in words(holdem.get("/more"))


def test_a_card_in_a_sentence_has_the_letter_of_the_deck(client: FlaskClient) -> None:
    """So do cards drawn beside it."""
    client.set_cookie("letters", "VDR")
    assert "a 3 was drawn: 7 and V make 18" in words(client.get("/rules/multiple-9"))


def test_a_sheet_has_the_same_entries_whatever_deck_is_on_the_table(client: FlaskClient) -> None:
    """Its file and its figures, down to the sentences of the spreadsheet; only a page differs."""
    kept = []
    for letters in ("JQK", "BDK"):
        client.set_cookie("letters", letters)
        host = begin(client, "red-nines", ["Ann", "Ben", "Cat", "Dan"])
        jack, queen, king = letters
        form = {"action": "out", "player": "Ann", "how": "cards"}
        for seat, cards in enumerate([f"{jack} 9R", f"{queen} {queen}", f"{king} A"], start=1):
            form[f"hands.{seat}"] = cards
            form[f"hands.{seat}:letters"] = f"{letters}:R"
        host.record(form, 0)
        page = host.get().text
        assert page.count("12 × 2") == 0
        file = json.loads(host.get("/sheet.json").text)
        kept.append((file["entries"], host.get("/standings.csv").text.partition("\n")[2]))
        reads = host.get("/deals/1").text
        assert f"{queen} {queen} in hand" in reads
    assert kept[0] == kept[1]


@pytest.mark.parametrize(
    ("letters", "stored", "shown"),
    [("BDK", "9D Q 2", "9♦ D 2"), ("BVH", "9h KS", "9♥ H♠"), ("WDK", "9R K 10C", "9R K 10♣")],
)
def test_a_suit_that_a_sheet_holds_comes_back_from_any_phone(
    client: FlaskClient, letters: str, stored: str, shown: str
) -> None:
    """As its sign, which no deck has for a rank, where its letter could be a second card."""
    host = begin(client, "red-nines", ["Ann", "Ben", "Cat", "Dan"])
    out = {"action": "out", "player": "Ann", "how": "cards", "hands.2": "4", "hands.3": "5"}
    assert host.record({**out, "hands.1": stored}, 0).status_code < 400
    totals = host.totals()
    client.set_cookie("letters", letters)
    page = host.get("/entries/1").text
    line = first_in(page, r'name="hands.1" [^>]*value="([^"]*)"')
    assert line == shown
    said = first_in(page, r'name="hands.1:letters" value="([^"]*)"')
    sent = {**out, "hands.1": line, "hands.1:letters": said, "hands.3": "6", "after": 1, "why": ""}
    shows = host.post("/entries/1", sent)
    assert shows.status_code == 200, words(shows)
    host.press(shows.text, sure="yes")
    assert [*host.totals()[:3], host.totals()[3] != totals[3]] == [*totals[:3], True]


def test_each_phone_has_its_own_copy_of_a_page(host: Phone) -> None:
    """Pages are kept for all phones with the same letters."""
    host.record({"action": "turn", "player": "Ben", "cards": "Q 6", "drew": "true"}, 0)
    ours = host.get().text
    host.client.set_cookie("letters", "VDR")
    theirs = host.get().text
    assert (ours.count('data-rank="Q"') > 0, ours.count('data-rank="D"')) == (True, 0)
    assert (theirs.count('data-rank="Q"'), theirs.count('data-rank="D"') > 0) == (0, True)
