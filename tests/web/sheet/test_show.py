"""The page of a sheet: recording, previews, a new sheet, a long one, and More."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

import pytest
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from referee.sheets.files import sheet_from
from referee.web.answers.security import HOME_COOKIE
from referee.web.context import state
from tests.support.cases import cases_of
from tests.support.phone import PARTIAL, Phone, begin, first_in, words

#: The last change; a sheet on which nothing was recorded has none.
TOAST = 'id="toast"'
NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve"]
NINES = "9" * 5000
TURN = {"action": "turn", "player": "Ben", "cards": "8 4 4 A A"}


def test_a_refused_entry_stays_in_the_form(host: Phone) -> None:
    """Every fault is named with its rule, and nothing is stored."""
    answer = host.record({"action": "turn", "player": "Ann", "cards": "6 3"}, after=0)
    assert answer.status_code == 422
    assert "It’s Ben’s turn, not Ann’s." in answer.text
    assert "is only allowed as your last play" in answer.text
    assert f"/rules/multiple-9?sheet={host.token}#discards" in answer.text
    assert 'value="6 3"' in answer.text
    assert TOAST not in host.get().text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"action": "whist"}, "doesn’t belong to this game"),
        ({"action": "turn"}, "Still missing: whose turn it was"),
        (
            {"action": "turn", "player": "Ben", "cards": "11"},
            "“11” in the cards laid down isn’t a card in this game",
        ),
        (
            {"action": "adjust", "player": "Ben", "points": "2", "reason": " "},
            "Still missing: the reason",
        ),
        ({**TURN, "after": "soon"}, "This page is incomplete"),
        ({**TURN, "key": "k" * 99}, "key has 1 to 64"),
    ],
)
def test_unreadable_entries(host: Phone, fields: dict[str, str], said: str) -> None:
    """The page says in words what cannot be read."""
    answer = host.record(fields, after=0)
    assert answer.status_code == 422
    assert said in answer.text.replace("&#39;", "'")
    assert TOAST not in host.get().text


def said(host: Phone, fields: Mapping[str, object]) -> str:
    """The preview above the button for these fields."""
    return words(re.sub(r"<[^>]+>", "", host.post("/preview", fields).text))


PREVIEWS = [(slug, case) for slug in GAMES for case in cases_of(slug, "preview")]


def test_a_preview_is_of_the_deal_that_the_form_is_for(client: FlaskClient) -> None:
    """Also if that has been recorded meanwhile; recording it says so."""
    host = begin(client, "multiple-9", ["Ann", "Ben"], target="1")
    form = {"action": "out", "player": "Ann", "after": 0}
    assert "Ann wins." in said(host, form)
    assert host.record({"action": "out", "player": "Ben"}, after=0).status_code == 303
    assert "Ann wins." in said(host, form)
    assert "The game is over." in said(host, {**form, "after": 1})
    assert "The game is over." in said(host, {**form, "after": "0-of-another-book"})


@pytest.mark.parametrize(("slug", "case"), PREVIEWS)
def test_previews(client: FlaskClient, slug: str, case: dict[str, Any]) -> None:
    """Each case's preview, in words; nothing is stored."""
    host = begin(client, slug, NAMES[: case["players"]], **case.get("options", {}))
    assert said(host, dict(parse_qsl(case["form"]))) == case["says"]
    assert TOAST not in host.get().text


def test_a_preview_has_the_figures_of_the_row_to_come(client: FlaskClient) -> None:
    """With the deal's stakes; once recorded, pad and last change say the same."""
    host = begin(client, "pink-nines", ["Ann", "Ben", "Cat"])
    out = {"action": "out", "player": "Ben"}
    assert said(host, out) == "Ann −1, Ben +2 (3 pool − 1 staked), Cat −1."
    host.record(out, after=0)
    page = host.get().text
    assert re.findall(r"<td class=\"\w+\"><b>([^<]+)</b>", page) == ["−1", "+2", "−1"]
    assert "Deal 1: Ben +2, Ann −1, Cat −1" in " ".join(page.split())


def test_a_board_has_no_preview(client: FlaskClient) -> None:
    """Nobody’s chips change by it."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben"])
    for after, (player, move) in enumerate((("Ann", "call"), ("Ben", "check"))):
        host.record({"action": "bet", "player": player, "move": move}, after)
    assert said(host, {"action": "board", "cards": "J 7 9"}) == ""


def test_one_legal_raise_is_one_button(client: FlaskClient) -> None:
    """Ben has less than a full raise, so he can only fold, call or go all in."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben", "Cat"], stack=20)
    host.record({"action": "bet", "player": "Ann", "move": "raise", "to": "15"}, after=0)
    seat = (
        host.get("/record").text.partition('name="folds" value="Ben"')[2].partition("name=folds")[0]
    )
    betting = seat.partition('name="folds"')[0]
    assert "All in: 20" in betting
    assert "data-stepper" not in betting
    raised = {"action": "bet", "player": "Ben", "move": "raise", "to": "20"}
    assert re.search(r'name="to.1" value="20"', betting)
    assert host.record(raised, after=1).status_code == 303


def test_an_opened_hand_has_its_moves_folded(client: FlaskClient) -> None:
    """It has each player's result, its blinds, a fold for the bets, and how it ended."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben", "Cat"])
    moves = [("Ann", "call"), ("Ben", "call"), ("Cat", "raise"), ("Ann", "fold"), ("Ben", "fold")]
    for after, (player, move) in enumerate(moves):
        raised = {"to": "8"} if move == "raise" else {}
        host.record({"action": "bet", "player": player, "move": move, **raised}, after)
    page = host.get("/deals/1").text.partition("<main")[2]
    told = words(page.partition(">")[2])
    assert told.startswith(
        "Ann fold −2 Ben fold −2 Cat 6 pot − 2 +4 "
        "Ben: small blind −1 Cat: big blind −2 Ann called −2"
    )
    assert told.count("blind") == 2  # none of the next hand
    assert page.count("<details") == len(moves) - 1


def test_tricks_are_asked_for_in_seating_order(client: FlaskClient) -> None:
    """Each player's field names their target."""
    host = begin(client, "nine-five-two", ["Ann", "Ben", "Cat"], dealer="1")
    form = host.get("/record").text
    asked = re.findall(r"([A-Z]\w+)’s tricks<small>needs (\d)", form)
    assert asked == [("Ann", "2"), ("Ben", "9"), ("Cat", "5")]
    for row, winner in enumerate(["Ben", "Ben", "Ben", "Ann", "Ann", "Ann"]):
        host.record({"action": "trick", "winner": winner}, after=row)
    needed = re.findall(r'name="winner" value="\w+">(\w+\s*<small>.*?)</small>', host.get().text)
    assert [*map(words, needed)] == [
        "Ann has 3",
        "Ben needs 6 of 10 left",
        "Cat needs 5 of 10 left",
    ]


def test_a_preview_says_that_an_entry_ends_the_game(client: FlaskClient) -> None:
    """Before it is recorded."""
    host = begin(client, "multiple-9", ["Ann", "Ben"], target="1")
    assert "Ann wins." in host.post("/preview", {"action": "out", "player": "Ann"}).text
    host.record({"action": "out", "player": "Ann"}, after=0)
    page = host.get().text
    assert "Ann wins" in page
    assert "Play again" in page
    assert "data-entry" not in page


def test_a_card_key_works_without_script(host: Phone) -> None:
    """It is a button that sends the form, which comes back with the card in it."""
    fields = {"action": "turn", "player": "Ben", "cards": "8 4", "tap": "cards:A"}
    answer = host.record(fields, after=0)
    assert answer.status_code == 200
    assert 'value="8 4 A"' in answer.text
    again = host.record({**fields, "cards": "8 4 A", "tap": "cards:back"}, after=0)
    assert 'value="8 4"' in again.text


def test_names_and_reasons_are_escaped(client: FlaskClient) -> None:
    """Whatever is typed is never markup."""
    wicked = "<script>alert(1)</script>"[:24]
    host = begin(client, "multiple-9", [wicked, "O'Neil & Söhne"])
    host.record(
        {"action": "adjust", "player": wicked, "points": 1, "reason": "<img src=x onerror=y>"},
        after=0,
    )
    for place in ("", "/board", "/more", "/share"):
        page = host.get(place).text
        assert "<script>alert" not in page
        assert "<img src=x" not in page
    assert "<script>alert" not in client.get("/").text


def test_a_copy_for_the_service_worker_sets_no_cookie(host: Phone) -> None:
    """It would overwrite that of a sheet opened in the meantime."""
    begin(host.client, "red-nines", NAMES)
    copied = host.get(Purpose="prefetch")
    opened = host.get()
    assert "sheets=" in opened.headers["Set-Cookie"]
    assert "Set-Cookie" not in copied.headers
    assert copied.status_code == 200


def test_a_sheet_opened_again_sets_no_cookie(client: FlaskClient) -> None:
    """Its link is already the latest in the cookie, which a newly started browser has renewed."""

    def opened(sheet: Phone) -> str:
        """The links that opening it puts in the cookie, "" if none."""
        cookies = sheet.get().headers.getlist("Set-Cookie")
        return next((one.split(";")[0] for one in cookies if one.startswith("sheets=")), "")

    first, second = (begin(client, "red-nines", NAMES) for _ in range(2))
    assert opened(first) == f"sheets={first.token}.{second.token}"
    assert opened(first) == ""
    assert opened(second) == f"sheets={second.token}.{first.token}"
    assert opened(second) == ""
    client.delete_cookie(HOME_COOKIE)
    assert opened(second) == f"sheets={second.token}.{first.token}"


def test_a_new_sheet_names_all_faults_at_once(client: FlaskClient) -> None:
    """The form keeps what was typed."""
    answer = client.post(
        "/new/multiple-9", data={"name": ["Ann", "ann ", "x" * 30], "target": "soon"}
    )
    assert answer.status_code == 422
    assert "Two players are called" in answer.text
    assert "A name has 1 to 24 characters" in answer.text
    assert "isn’t a whole number" in answer.text
    assert 'value="soon"' in answer.text


def test_names_on_a_new_sheet_are_added_and_moved_by_buttons(client: FlaskClient) -> None:
    """The dealer's mark moves along."""
    sent = {"name": ["Ann", "Ben"], "dealer": "0"}
    moved = client.post("/new/multiple-9", data={**sent, "do": "down:0"}, headers=PARTIAL).text
    assert moved.index('value="Ben"') < moved.index('value="Ann"')
    assert re.findall(r'name="dealer" value="(\d)"[^>]* checked', moved) == ["1"], "Ann still deals"
    added = client.post("/new/multiple-9", data={**sent, "do": "add:Cat"}).text
    assert 'value="Cat"' in added
    begin(client, "pink-nines", ["Dan", "Eve"])
    assert 'value="add:Dan"' in client.get("/new/multiple-9").text, "names are offered again"
    for wild in ("up:0", "down:9", "up:x", f"up:{NINES}", "row", "add:", "", "jump:1"):
        assert client.post("/new/multiple-9", data={**sent, "do": wild}).status_code == 200
    assert client.post("/new/multiple-9", data={"name": "A", "dealer": NINES}).status_code == 422
    assert client.get(f"/referee/multiple-9/deal?players={NINES}").status_code == 200


def test_a_long_sheet_shows_its_latest_sixty_deals(client: FlaskClient) -> None:
    """With a link to all of them."""
    out = {"action": "out", "player": "Ben"}
    file = {"referee": 1, "game": "multiple-9", "players": ["Ann", "Ben"], "entries": [out] * 62}
    taken_in = state(client.application).book.import_sheet(
        sheet_from(file | {"options": {"target": 0}})
    )
    long = Phone(client, taken_in.token)
    page, whole = long.get().text, long.get("/log").text
    assert page.count('class="opens"') == 60
    assert f"/s/{long.token}/deals/62" in page
    assert "2 earlier" in page
    assert f"/s/{long.token}/log" in page
    assert whole.count('class="opens"') == 62
    assert "Everything so far" in whole
    assert f"/s/{long.token}/log" not in whole
    for seq in range(62, 85):
        assert long.post("/undo", {"after": seq}).status_code == 303
    page = long.get().text
    assert "23 removed" in page
    assert "Show all 23 removed" in page
    assert page.count("Bring it back") == 2 + 20  # the last removal, beside the score pad too
    assert long.get("/log").text.count("Bring it back") == 23


@pytest.mark.parametrize(("fewest", "told"), [("", "to go"), ("true", "from the end")])
def test_the_target_is_no_aim_where_the_fewest_points_win(
    client: FlaskClient, fewest: str, told: str
) -> None:
    sheet = begin(client, "plain-score", ["Ann", "Ben"], target="100", lowest_wins=fewest)
    assert words(sheet.get()).count(f"100 {told}") == 2


def test_a_deal_has_a_page(host: Phone) -> None:
    """With its scores, when and by whom it was recorded; writers can correct or remove it."""
    host.client.set_cookie("phone", "kitchen")
    host.record({"action": "out", "player": "Ben"}, after=0)
    page = host.get("/deals/1").text
    assert "Ben: won the deal" in page
    assert re.search(r"Recorded .* by kitchen", page)
    for button in ("Correct", "Remove"):
        assert button in page
        assert button not in host.other("view").get("/deals/1").text
    for nowhere in ("/deals/2", "/deals/0", "/deals/x"):
        assert host.get(nowhere).status_code == 404


def test_steps_of_the_deal_can_be_ticked(client: FlaskClient) -> None:
    """The boxes belong to no form: nothing is sent or stored."""
    host = begin(client, "nine-five-two", ["Ann", "Ben", "Cat"])
    now = host.get().text.partition('class="now"')[2].partition("</section>")[0]
    assert "Ann deals 16 each, 4 to the kitty" in now
    assert re.findall(r'<input type="checkbox"><span>([^<]+)', now) == [
        "Cat cuts",
        "Ann names trumps, takes the kitty, discards 4",
        "Ben leads",
    ]


def test_recording_has_a_page_of_its_own(host: Phone) -> None:
    """For phones without script; a refused form comes back to it."""
    page = host.get("/record")
    assert page.status_code == 200
    assert '<section id="record"' in page.text
    assert '<dialog id="record"' in host.get("/record", **PARTIAL).text
    refused = host.record({"action": "turn", "player": "Ann", "cards": "6 3"}, after=0)
    assert '<section id="record"' in refused.text
    assert host.get("/record").text.count("<form") >= 2


def test_more_is_sorted(client: FlaskClient) -> None:
    """Players, corrections of the score, stopping, paper and files, in that order."""
    host = begin(client, "plain-score", ["Ann", "Ben", "Cat"])
    host.record({"action": "deal", "points.0": 3, "points.1": 1, "points.2": 2}, after=0)
    page = host.get("/more").text
    heads = re.findall(r"<h2>([^<]+?)\s*<", page)
    order = ["Players", "Fix the score", "Stop", "Paper and files", "This phone"]
    assert [head for head in heads if head in order] == order
    fix = page.partition("Fix the score")[2].partition("<h2>Stop")[0]
    for action in ("adjust", "abandon"):
        assert f'name="action" value="{action}"' in fix
    assert f'href="/s/{host.token}/log"' in fix
    assert "Ann leads with 3" in page


# --- house rules that ask the drawer for something more

ASKS = [(slug, case) for slug in GAMES for case in cases_of(slug, "asks")]


@pytest.mark.parametrize(("slug", "case"), ASKS)
def test_the_drawer_asks_only_what_the_house_rules_need(
    client: FlaskClient, slug: str, case: dict[str, Any]
) -> None:
    """Without the house rule the question is not in the form."""
    players = NAMES[: case["players"]]
    plain, phone = begin(client, slug, players), begin(client, slug, players, **case["options"])
    assert case["control"] not in plain.get("/record").text
    assert case["control"] in phone.get("/record").text
    answer = phone.record(dict(parse_qsl(case["form"])), after=0)
    assert answer.status_code == 303, answer.text
    field = case["control"].split('"')[1].partition(".")[0]
    assert phone.file()["entries"][0][field] is not None
    assert case["control"] in phone.get("/entries/1").text
    assert phone.totals() == case["scores"].split()


def test_a_house_rule_that_changes_no_result_is_not_offered(client: FlaskClient) -> None:
    """`royal` may be in a file, but is on no page."""
    says = "beats other hands of nine nines"
    phone = begin(client, "multiple-9-holdem", NAMES[:3])
    for page in ("/settings", "/more", "/referee/showdown", "/referee/odds"):
        assert says not in phone.get(page).text, page
    for page in ("/new/multiple-9-holdem", "/rules/multiple-9-holdem"):
        assert says not in client.get(page).text, page
    assert "House rules" not in phone.get("/referee/showdown").text
    agreed = begin(client, "multiple-9-holdem", NAMES[:3], royal="true")
    assert says in agreed.get("/settings").text
    assert says in agreed.get("/more").text


def test_a_viewer_sees_who_keeps_score(host: Phone) -> None:
    """The phone that wrote last, if it has a name."""
    viewer = host.other("view")
    felt = r'(?s)class="now".*?<h2>(.*?)</h2>'
    dealt = "You’re watching Ann deals 5 each, 37 to the stock."
    assert words(first_in(viewer.get().text, felt)) == dealt
    assert "You’re watching" not in host.get().text
    host.post("/phone", {"phone": "Ben"})
    host.record({"action": "out", "player": "Cat"}, after=0)
    told = "You’re watching Ben keeps score. Ben deals 5 each, 37 to the stock."
    assert words(first_in(viewer.get().text, felt)) == told


def test_rivals_of_an_evening_are_counted_alike_on_every_phone(client: FlaskClient) -> None:
    """A game that a third player won counts for neither; one apart from the evening doesn't count.

    Nor does one from whose link for viewing somebody was turned away.
    """
    alone = begin(client, "plain-score", ["Ann", "Ben", "Cat"], target="10")
    _win(alone, "Ann")
    assert alone.get("/against").status_code == HTTPStatus.NO_CONTENT
    assert "Ann against Ben this evening first game" in words(alone.get().text)
    phone = begin(client, "plain-score", ["Ann", "Ben", "Cat"], target="10")
    _win(phone, "Cat")
    second = phone.again()
    _win(second, "Ann")
    phone = second.again(2, "third")
    _win(phone, "Ann")
    for here in (phone, phone.other("score"), phone.other("view")):
        assert words(here.get("/against")) == "Ann against Ben this evening 2 games to 0"
    second.post("/links", {"role": "view"})
    for here in (phone, phone.other("view")):
        assert words(here.get("/against")) == "Ann against Ben this evening 1 game to 0"


def _win(phone: Phone, winner: str) -> None:
    points = {f"points.{seat}": 3 - seat for seat in range(3)}
    points[f"points.{NAMES.index(winner)}"] = 10
    assert phone.record({"action": "deal", **points}, after=0).status_code == 303


def test_steps_known_from_the_deal_before_are_folded(client: FlaskClient) -> None:
    """From the second round on one line says what is new; a tap opens all of them."""
    host = begin(client, "colorado-nines", NAMES[:3])
    assert '<details class="folded">' not in host.get().text
    grids = {f"grids.{seat}": "5" for seat in range(3)}
    assert host.record({"action": "grids", **grids}, after=0).status_code == 303
    page = host.get().text
    assert '<details class="folded"><summary>Cat begins</summary>' in page
    assert "Everyone lays theirs out three by three" in page
    assert host.record({"action": "last", "player": "Ben"}, after=1).status_code == 303
    assert '<details class="folded">' not in host.get().text, "last turns are new"
