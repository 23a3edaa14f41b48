"""Whoever changes a figure that is in counts again: nothing is recorded with the older one."""

import re

import pytest
from flask.testing import FlaskClient

from tests.extras.seats.test_clash import FIVE, THREE, taken
from tests.extras.seats.test_gathering import Table, out, tricks
from tests.extras.seats.test_states import by_the_drawer, chips
from tests.support.phone import Phone, first_in, words


@pytest.fixture
def three(client: FlaskClient) -> Table:
    return Table(client, "nine-five-two", THREE)


def keys(page: str) -> dict[str, str]:
    """The forms of a page by the words on their buttons, the name of an arrow included."""
    forms = re.findall(r"(?s)<form\b.*?</form>", page)
    named = {re.sub(r'aria-label="([^"]*)"[^>]*>', r">\1", form): form for form in forms}
    return {words(form): own for form, own in named.items()}


def taps(phone: Phone, key: str, place: str = "/seat") -> str:
    """Tap the key with these words on a phone’s page; the page to which it leads."""
    page = phone.client.get(f"/s/{phone.token}{place}", follow_redirects=True).text
    answer = phone.press(keys(page)[key])
    assert answer.status_code == 303, words(answer)
    return phone.client.get(answer.headers["Location"], follow_redirects=True).text


def undo(phone: Phone) -> None:
    """Tap *Undo* on the sheet."""
    found = keys(phone.get().text)
    taps(phone, next(key for key in found if key.endswith("Undo")), "")


def remove(phone: Phone, row: int) -> None:
    """Remove an entry in the log."""
    mark = first_in(phone.get("/record").text, r'name="after" value="([^"]+)"')
    form = {"after": mark, "key": f"removes {row}", "sure": "yes"}
    assert phone.post(f"/entries/{row}/void", form).status_code == 303


def test_nothing_is_recorded_with_a_figure_that_is_being_changed(three: Table) -> None:
    """All see that its player counts again, and nothing else; the pad has what was sent."""
    taken(three, Ann=9, Cy=3)
    pad = taps(three["Cy"], "Change mine")
    assert re.search(r'name="tricks.2" value="3"\s+checked', pad)
    assert chips(three["Ann"])["Cy"] == "checking again"
    assert "Still to come: Ben and Cy" in three["Ann"].says()
    taken(three, Ben=4)
    assert three.entries == []
    taken(three, Cy=2)
    assert three.entries == []  # 15 tricks
    taken(three, Ben=5)
    assert three.entries[0]["tricks"] == {"Ann": 9, "Ben": 5, "Cy": 2}


def test_a_look_at_ones_own_figure_delays_nothing(three: Table) -> None:
    """The arrow of its pad leads back: what was in is in, and the deal is recorded."""
    taken(three, Ann=9, Cy=2)
    pad = taps(three["Cy"], "Change mine")
    for _ in range(2):  # a tap again, as the answer was lost
        back = three["Cy"].press(keys(pad)["Back"])
    assert "Change mine" in words(three["Cy"].client.get(back.headers["Location"]))
    assert chips(three["Ann"])["Cy"] == "in"
    taps(three["Cy"], "Change mine")
    taken(three, Ben=5)
    assert three.entries == []
    three["Cy"].press(keys(three["Cy"].get("/seat?change=yes").text)["Back"])
    assert three.entries[0]["tricks"] == {"Ann": 9, "Ben": 5, "Cy": 2}


def test_whoever_leaves_the_pad_otherwise_is_asked(three: Table) -> None:
    """By the phone’s own gesture, say: their page asks, and one tap says that it is right."""
    taken(three, Ann=9, Cy=2)
    taps(three["Cy"], "Change mine")
    taken(three, Ben=5)
    assert "Is yours right?" in three["Cy"].says()
    assert "Is yours right?" not in three["Ann"].says()
    taps(three["Cy"], "It’s still right")
    assert three.entries[0]["tricks"]["Cy"] == 2


def test_a_change_that_is_refused_leaves_nothing_to_be_recorded(client: FlaskClient) -> None:
    """A slip is in its way; what Ben had said before isn’t true anymore."""
    table = Table(client, "9-of-a-kind", FIVE)
    table["Ann"].enter({"action": "end", "callers": "Ann", "by": "nine"})
    ben = {"action": "end", "hands.1.deadwood": "30"}
    table["Ben"].enter(ben)
    assert "hands" not in table["Ben"].enter(ben | {"hands.1.deadwood": "4o"})
    for seat, name in enumerate(FIVE[2:], 2):
        table[name].enter({"action": "end", f"hands.{seat}.deadwood": "20"})
    assert table.entries == []
    assert chips(table.host)["Ben"] == "checking again"
    table["Ben"].enter(ben | {"hands.1.deadwood": "40"})
    assert [entry["hands"]["Ben"]["deadwood"] for entry in table.entries] == [40]


def test_two_correct_their_figures_after_an_undo(three: Table) -> None:
    """Dot is faster: it is recorded once Cy has sent his as well."""
    taken(three, Ann=8, Ben=6, Cy=2)
    undo(three["Ben"])
    for name in ("Ben", "Cy"):
        taps(three[name], "Change mine")
    taken(three, Ben=7)
    assert three.entries == []
    taken(three, Cy=1)
    assert three.entries[0]["tricks"] == {"Ann": 8, "Ben": 7, "Cy": 1}


def test_a_look_after_an_undo_records_nothing(three: Table) -> None:
    """It is somebody else’s figure that was wrong, and they haven’t changed it yet."""
    taken(three, Ann=8, Ben=6, Cy=2)
    undo(three["Ben"])
    pad = taps(three["Ann"], "Change mine")
    three["Ann"].press(keys(pad)["Back"])
    assert three.entries == []


def test_a_phone_that_dies_while_its_player_counts_again(three: Table) -> None:
    """Whoever keeps score enters it, or lets the deal be recorded as it is."""
    for cy in (1, 2):
        deal = int(three["Cy"].deal())
        for name, number in (("Ann", 9), ("Cy", 2)):
            three[name].enter(tricks(THREE.index(name), number), deal=deal)
        taps(three["Cy"], "Change mine")
        three["Ben"].enter(tricks(1, 16 - 9 - cy), deal=deal)
        before = len(three.entries)
        if cy == 2:
            taps(three.host, "Record it as it is", "")
        else:
            pad = taps(three.host, "Cy", "")
            assert "You’re entering Cy’s" in words(pad)
            three.changes("Cy", tricks(2, cy), deal)
        assert len(three.entries) == before + 1
        assert three.entries[-1]["tricks"]["Cy"] == cy


def test_a_scorekeeper_changes_somebodys_figure(three: Table) -> None:
    """Meanwhile it isn’t recorded either, unless Cy says that it is right; back changes nothing."""
    taken(three, Ann=8, Ben=6, Cy=2)
    undo(three["Ben"])
    pad = taps(three.host, "Cy", "")
    taken(three, Ben=7)
    assert three.entries == []
    assert "Is yours right?" in three["Cy"].says()
    three.host.press(keys(pad)["Back"])
    assert "Count yours again" in three["Cy"].says()


def test_a_deal_recorded_during_a_change_is_taken_back_as_it_was(three: Table) -> None:
    """From the drawer: whoever was changing theirs is asked nothing."""
    taken(three, Ann=9, Cy=3)
    taps(three["Cy"], "Change mine")
    by_the_drawer(three, cy=3)
    undo(three.host)
    assert chips(three["Ann"])["Cy"] == "in"


def test_figures_in_conflict_stay_hidden_while_one_is_changed(three: Table) -> None:
    """All had stood by theirs, and whoever keeps score saw them."""
    taken(three, Ann=10, Ben=5, Cy=2)
    for player in THREE:
        three[player].post("/seat/stands", {"seat_of": player})
    assert "says 10" in words(three.host.get())
    taps(three["Cy"], "Change mine")
    assert "says 10" not in words(three.host.get())


def test_a_change_under_way_is_dropped_only_once_it_alone_is_awaited(three: Table) -> None:
    taken(three, Ann=9, Cy=3)
    taps(three["Cy"], "Change mine")
    assert "Record it" not in words(three.host.get())
    taken(three, Ben=4)
    assert "Record it as it is" in words(three.host.get())


def test_no_key_records_what_cannot_be_recorded_yet(three: Table) -> None:
    """All are asked, and one is changing theirs: no scorekeeper answers for the rest."""
    taken(three, Ann=10, Ben=5, Cy=2)
    taps(three["Cy"], "Change")
    assert "Record it" not in words(three.host.get())
    for player in ("Ann", "Ben"):
        three[player].post("/seat/stands", {"seat_of": player})
    assert "Record it" not in words(three.host.get())
    assert "says 10" not in words(three.host.get())


def test_no_key_records_a_deal_of_which_nobody_has_said_who_won(client: FlaskClient) -> None:
    table = Table(client, "red-nines-1881", [*THREE, "Dot"])
    for seat, name in enumerate([*THREE, "Dot"]):
        table[name].enter(out(seat, "1"))
    taps(table["Cy"], "Change mine")
    assert "Record it" not in words(table.host.get())


def test_figures_stay_hidden_on_every_page_while_one_is_changed(three: Table) -> None:
    """Also on the pads that a scorekeeper may open."""
    taken(three, Ann=10, Ben=5, Cy=2)
    for player in THREE:
        three[player].post("/seat/stands", {"seat_of": player})
    taps(three["Cy"], "Change mine")
    pad = three.host.get("/seat?player=Ann&change=yes").text
    assert 'name="tricks.0" value="10"' in pad
    assert not re.search(r'name="tricks.0" value="10"\s+checked', pad)
    assert "Only this phone shows" not in words(three.host.get("/seat?player=Ann"))


@pytest.mark.parametrize("row", [1, 2])
@pytest.mark.parametrize("scene", ["change", "conflict"])
def test_an_older_deal_that_is_removed_has_nothing_to_do_with_this_one(
    three: Table, scene: str, row: int
) -> None:
    """Who is checking theirs still is, and so are those who have been asked."""
    for deal in (0, 1):
        for seat, (name, number) in enumerate({"Ann": 9, "Ben": 5, "Cy": 2}.items()):
            three[name].enter(tricks(seat, number), deal=deal)
    figures = {"Ann": 10, "Cy": 2} | ({"Ben": 5} if scene == "conflict" else {})
    for name, number in figures.items():
        three[name].enter(tricks(THREE.index(name), number), deal=2)
    if scene == "change":
        taps(three["Cy"], "Change mine")
    before = chips(three.host)
    remove(three.host, row)
    assert chips(three.host) == before
    assert "took it back" not in words(three.host.get())
    if scene == "change":
        three["Ben"].enter(tricks(1, 4), deal=3 - row)
        assert len(three.entries) == 1
        assert chips(three.host)["Cy"] == "checking again"


def test_nobody_is_asked_whether_a_look_after_an_undo_was_right(three: Table) -> None:
    """No answer would record anything: somebody’s figure was wrong, and has to be sent again."""
    taken(three, Ann=8, Ben=6, Cy=2)
    undo(three["Ben"])
    taps(three["Ann"], "Change mine")
    assert "Is yours right?" not in three["Ann"].says()
    assert "Change mine" in keys(three["Ann"].get("/seat").text)


def test_a_scorekeepers_way_back_leaves_a_player_to_their_own_change(three: Table) -> None:
    taken(three, Ann=9, Cy=3)
    taps(three["Cy"], "Change mine")
    looked = taps(three.host, "Cy", "")
    three.host.press(keys(looked)["Back"])
    taken(three, Ben=4)
    assert three.entries == []


def test_a_scorekeeper_who_leaves_a_pad_is_no_obstacle(three: Table) -> None:
    """By the browser's own way back: the player says that theirs is right, or it is recorded so."""
    taken(three, Ann=9)
    three.host.post("/seat/hand", {"seat_of": "Ben", "deal": 0, **tricks(1, 5)})
    taps(three.host, "Ben", "")
    taken(three, Cy=2)
    assert three.entries == []
    assert chips(three["Ann"])["Ben"] == "checking again"
    assert "Is yours right?" in three["Ben"].says()
    taps(three.host, "Record it as it is", "")
    assert len(three.entries) == 1


def test_a_scorekeeper_who_sits_down_during_a_change_still_ends_it(three: Table) -> None:
    """By the arrow of the pad: their phone had no name when it was opened."""
    taken(three, Ann=9, Cy=2)
    pad = taps(three.host, "Cy", "")
    three.host.post("/seat/take", {"player": "Ben", "sure": "yes"})
    three.host.press(keys(pad)["Back"])
    assert chips(three["Ann"])["Cy"] == "in"


def test_two_who_change_their_calls_do_not_stand_in_each_others_way(client: FlaskClient) -> None:
    """Both had said that the game was blocked, and mean nine of a kind."""
    table = Table(client, "9-of-a-kind", ["Ann", "Ben", "Cy", "Dot", "Eve"])
    calls = {one: {"action": "end", "callers": one, "by": "blocker"} for one in ("Ann", "Ben")}
    for player, call in calls.items():
        table[player].enter(call)
    for player in calls:
        taps(table[player], "Change")
    for player, call in calls.items():
        form = {"seat_of": player, "deal": 0, **call, "by": "nine", "key": f"{player} again"}
        assert table[player].post("/seat/hand", form).status_code == 303


def test_a_scorekeeper_corrects_what_a_player_cannot(three: Table) -> None:
    """Cy’s phone has died since his figure came in; a pad that was opened before that is late."""
    taken(three, Ann=9, Cy=3)
    right = {"seat_of": "Cy", "deal": 0, **tricks(2, 2)}
    assert "Cy has entered theirs." in words(three.host.post("/seat/hand", right))
    assert "You’re entering Cy’s" in words(taps(three.host, "Cy", ""))
    assert three.host.post("/seat/hand", right).status_code == 303
    assert chips(three["Ann"])["Cy"] == "by the scorer"


def test_whoever_is_asked_and_looks_is_asked_still(three: Table) -> None:
    taken(three, Ann=10, Ben=5, Cy=2)
    pad = taps(three["Ann"], "Change")
    three["Ann"].press(keys(pad)["Back"])
    assert "Count yours again" in three["Ann"].says()
    taps(three["Ann"], "Change")
    taps(three["Ann"], "Still 10")
    assert "Count yours again" not in three["Ann"].says()


def test_a_key_that_asks_everybody_records_nothing(three: Table) -> None:
    """A scorekeeper’s page still had it when the figures were in; Ann is counting again."""
    key = next(form for name, form in keys(three.host.get().text).items() if "everybody" in name)
    taken(three, Ann=9)
    taps(three["Ann"], "Change mine")
    taken(three, Ben=5, Cy=2)
    assert three.host.press(key).status_code == 303
    assert three.entries == []
    assert chips(three["Ann"])["Ann"] == "checking again"


def test_a_tap_on_a_page_of_the_deal_before_changes_nothing(three: Table) -> None:
    taken(three, Ann=9, Ben=5)
    old = keys(three["Ben"].get("/seat").text)["Change mine"]
    taken(three, Cy=2)
    assert three["Ben"].press(old).headers["Location"].endswith("deal=0")
    three["Ben"].enter(tricks(1, 5), deal=1)
    three["Ben"].press(old)
    assert chips(three["Ann"])["Ben"] == "in"
    assert first_in(old, r'name="deal" value="(\d)"') == "0"


def test_whoever_decides_begins_with_what_a_player_stands_by(three: Table) -> None:
    """Else what is not in dispute would have to be typed again, or be forgotten."""
    taken(three, Ann=9, Ben=5, Cy=3)
    assert not re.search(r'value="3"\s+checked', three.host.get("/seat?player=Cy&change=yes").text)
    for player in ("Ann", "Ben", "Cy"):
        three[player].post("/seat/stands", {"seat_of": player})
    pad = taps(three.host, "Cy", "")
    assert re.search(r'name="tricks.2" value="3"\s+checked', pad)


def test_two_on_one_phone_change_theirs(three: Table) -> None:
    """Each has a page of their own, a tab away; nothing on it changes the other’s by mistake."""
    three["Ann"].post("/seat/take", {"player": "Cy", "sure": "yes"})
    taken(three, Ann=9)
    three["Ann"].enter({"seat_of": "Cy", **tricks(2, 3)})
    assert "Enter for Cy" not in words(three["Ann"].get("/seat?player=Ann"))
    pad = taps(three["Ann"], "Change", "/seat?player=Cy")
    assert re.search(r'name="tricks.2" value="3"\s+checked', pad)
