"""Figures that can't be true together: what those asked see of them; a scorekeeper decides."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from referee.settings import Settings
from referee.web.app import create_app
from tests.extras.seats.test_gathering import ANN_OUT, Seat, Table, out, tricks
from tests.extras.seats.test_hidden import nothing_by_chance
from tests.extras.seats.test_showdown import at_showdown, bet, show
from tests.support.phone import first_in, words

THREE = ["Ann", "Ben", "Cy"]
FIVE = [*THREE, "Dot", "Eve"]
SUITS = "SHDCRPXWL"


@pytest.fixture
def three(client: FlaskClient) -> Table:
    return Table(client, "nine-five-two", THREE)


def taken(table: Table, **numbers: int) -> None:
    """Have these players enter their tricks, in this order."""
    for player, number in numbers.items():
        table[player].enter(tricks(THREE.index(player), number))


def stand(table: Table, *players: str) -> None:
    for player in players:
        table[player].post("/seat/stands", {"seat_of": player})


def test_two_players_in_conflict_see_their_sum(three: Table) -> None:
    """Before the third figure is in; its player learns nothing of it."""
    three.host.post("/seat/take", {"player": "Ben", "sure": "yes"})
    taken(three, Ann=12, Cy=5)
    said = three["Cy"].says()
    assert "17 tricks? A deal has 16. 12 Ann says 5 you said = 17, one too many" in said
    assert "Ann is being asked, too" in said
    assert "If you still differ, Ben decides." in said
    assert "Still 5" in said
    assert "17" not in words(three.host.get("/seat?change=yes").text)


def test_none_of_three_players_in_conflict_learns_another_figure(tmp_path: Path) -> None:
    """Only the sum of the two others, in every byte."""
    pages = []
    for ann, ben in [(9, 6), (8, 7)]:
        with nothing_by_chance():
            app = create_app(Settings(instance=tmp_path / str(ann)))
            table = Table(app.test_client(), "nine-five-two", THREE)
            taken(table, Ann=ann, Ben=ben, Cy=3)
            assert "15 Ann and Ben together 3 you said = 18, 2 too many" in table["Cy"].says()
            pages.append(table["Cy"].get("/seat").text)
    assert pages[0] == pages[1]


def test_tricks_that_are_one_too_few_are_said(three: Table) -> None:
    taken(three, Ann=9, Ben=4, Cy=2)
    assert "= 15, one too few" in three["Ann"].says()


def test_a_phone_that_took_the_seat_over_sees_no_figure(three: Table) -> None:
    taken(three, Ann=12, Cy=5)
    stranger = three.host.other("play")
    stranger.post("/seat/take", {"player": "Cy", "sure": "yes"})
    said = words(stranger.get("/seat").text)
    assert "Count yours again" in said
    assert not {"12", "5", "17"} & {*said.split()}


def test_a_player_whose_figure_no_longer_conflicts_is_not_asked_again(three: Table) -> None:
    taken(three, Ann=12, Cy=5)
    taken(three, Ann=11)
    assert "Yours is in" in three["Cy"].says()


def test_a_scorekeeper_sees_both_figures_once_both_stand_by_theirs(three: Table) -> None:
    taken(three, Ann=12, Cy=5)
    stand(three, "Ann")
    assert "says 12" not in words(three.host.board())
    stand(three, "Cy")
    for phone in (three.host, three.host.other("score")):
        assert "Ann says 12" in words(phone.board())
        assert "Cy says 5" in words(phone.board())
    for phone in (three["Ben"], three.host.other("view"), three.host.other("play")):
        assert "says" not in words(phone.board())


def test_a_player_entered_by_a_scorekeeper_is_not_waited_for(three: Table) -> None:
    three.host.post("/seat/hand", {"seat_of": "Ann", "deal": 0, **tricks(0, 12)})
    taken(three, Cy=5)
    stand(three, "Cy")
    assert "Ann says 12" in words(three.host.board())


def test_both_claims_stay_in_the_log(three: Table) -> None:
    taken(three, Ann=12, Cy=5, Ben=1)
    stand(three, "Ann", "Cy")
    three.changes("Cy", tricks(2, 3))
    assert three.entries[0]["tricks"] == {"Ann": 12, "Ben": 1, "Cy": 3}
    told = words(three["Ben"].get("/deals/1").text)
    assert "Their figures didn’t add up at first: Ann 12, Cy 5" in told
    taken(three, Ben=9, Cy=5, Ann=2)
    mark = first_in(three.host.get("/record").text, r'name="after" value="([^"]+)"')
    assert mark.startswith("1")


def test_claims_are_in_the_log_of_a_deal_with_more_than_one_entry(client: FlaskClient) -> None:
    """The first of them says that Dot had both red aces."""
    table = Table(client, "red-nines-1881", [*THREE, "Dot"])
    table["Dot"].enter({"action": "aces", "player": "Dot"})
    table["Ann"].enter(ANN_OUT)
    for seat, name, nines in ((1, "Ben", "2"), (2, "Cy", "1"), (2, "Cy", "0")):
        table[name].enter(out(seat, "3") | {f"hands.{seat}.red_nines": nines})
    table["Dot"].enter(out(3, "1"))
    assert len(table.entries) == 2
    assert "Their figures didn’t add up at first: Ben 3" in words(table["Ben"].get("/deals/1"))


def test_hands_that_could_not_all_be_there_are_in_the_log(client: FlaskClient) -> None:
    table = at_showdown(client)
    show(table["Ann"], "9 9")
    show(table["Ben"], "9 9")
    show(table["Ben"], "K K")
    show(table["Cy"], "8 7")
    assert table.entries[-1]["action"] == "show"
    told = words(table["Ben"].get("/deals/1"))
    assert "Their figures didn’t add up at first: Ann 9 9, Ben 9 9" in told


def test_hands_shown_before_betting_went_on_are_no_claims(client: FlaskClient) -> None:
    """They were asked about the cards they showed; afterwards the last checks were undone."""
    table = at_showdown(client)
    show(table["Ann"], "9 9")
    show(table["Ben"], "9 9")
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    table.host.post("/undo", {"after": mark})
    bet(table["Ann"], "check")
    show(table["Ann"], "-")
    show(table["Ben"], "K K")
    show(table["Cy"], "8 7")
    assert table.entries[-1]["action"] == "show"
    told = words(table["Ben"].get("/deals/1"))
    assert "didn’t add up" not in told


def test_cards_that_cannot_all_be_there(client: FlaskClient) -> None:
    """Those asked see the game’s sentence, and a scorekeeper everybody's entry."""
    table = Table(client, "multiple-9", [*THREE, "Dot"], scoring="cards")
    table["Ann"].enter({"action": "out", "player": "Ann"})
    table["Cy"].enter({"action": "out", "left.2": "K K K"})
    table["Dot"].enter({"action": "out", "left.3": "K K 4"})
    said = table["Cy"].says()
    assert "5 kings? One pack has only 4. Dot is being asked, too" in said
    assert "K K 4" not in said
    stand(table, "Cy", "Dot")
    assert "K K K" in words(table.host.board())
    assert "K K 4" in words(table.host.board())


def test_cards_have_the_letters_of_the_deck_on_the_table(client: FlaskClient) -> None:
    """On a German one D and B are queen and jack: in a late figure, an objection, and a clash."""
    german = {"Accept-Language": "de"}
    table = Table(client, "multiple-9", [*THREE, "Dot"], scoring="cards")
    drawer = {"action": "out", "player": "Ann", "left.1": "3", "left.2": "4", "left.3": "5"}
    assert table.host.record(drawer, 0).status_code == 303
    late = {"seat_of": "Cy", "deal": 0, "action": "out", "left.2": "Q J"}
    assert "D B" in words(table["Cy"].post("/seat/hand", late, **german))
    table["Cy"].post("/seat/objects", late)
    assert "D B" in words(table.host.get("", **german))
    table["Ann"].enter({"action": "out", "player": "Ann"}, deal=1)
    table["Cy"].enter({"action": "out", "left.2": "Q Q Q"}, deal=1)
    table["Dot"].enter({"action": "out", "left.3": "Q Q J"}, deal=1)
    stand(table, "Cy", "Dot")
    assert "D D B" in words(table.host.get("", **german))
    table["Dot"].enter({"action": "out", "left.3": "Q J"}, deal=1)
    table["Ben"].enter({"action": "out", "left.1": "4"}, deal=1)
    assert "D D D" in words(table["Ben"].get("/deals/2", **german))


def kings_of_cy_and_dot(client: FlaskClient) -> Table:
    """Cy holds a king and two queens, and Dot has said four kings; Ben and Eve are not in yet."""
    table = Table(client, "multiple-9", [*THREE, "Dot", "Eve"], scoring="cards")
    table["Ann"].enter({"action": "out", "player": "Ann"})
    table["Cy"].enter({"action": "out", "left.2": "K Q Q"})
    table["Dot"].enter({"action": "out", "left.3": "K K K K"})
    return table


def said_for(player: Seat, cards: str) -> str:
    player.enter({"action": "out", "left.3": cards})
    return player.says().partition("Only this phone shows it.")[2]


def test_nobody_learns_a_hand_by_trying_figures(client: FlaskClient) -> None:
    """A reason is given once; whatever Dot says after that, her page is the same."""
    table = kings_of_cy_and_dot(client)
    assert "5 kings? One pack has only 4." in table["Dot"].says()
    stand(table, "Cy")
    tries = {said_for(table["Dot"], cards) for cards in ("Q Q Q Q", "J J J J", "K K K", "K K K K")}
    assert tries == {" Yours is in Still to come: Ben and Eve. Change mine"}
    table["Ben"].enter({"action": "out", "left.1": "A"})
    table["Eve"].enter({"action": "out", "left.4": "A"})
    tries = {said_for(table["Dot"], cards) for cards in ("Q Q Q", "K K K K", "Q Q Q Q")}
    decides = "Still not all can be right Whoever keeps score decides."
    assert tries == {f" ? {decides} Change mine"}
    assert decides in table["Eve"].says()
    assert "6 queens? One pack has only 4." in words(table.host.board())


def test_nobody_is_asked_who_has_no_phone_to_answer_on(client: FlaskClient) -> None:
    """Cy’s seat was freed, or he was entered by a scorekeeper: only Dot counts again."""
    table = kings_of_cy_and_dot(client)
    assert "Cy is being asked, too" in table["Dot"].says()
    table.host.post("/seat/leave", {"seat_of": "Cy"})
    assert "being asked" not in table["Dot"].says()
    assert "Dot checking again" in words(table.host.board())
    assert "Cy checking again" not in words(table.host.board())
    stand(table, "Dot")
    assert "Cy says K Q Q" in words(table.host.board())


def test_whoever_is_asked_has_two_answers(three: Table) -> None:
    """So does the first player who was in, who may otherwise say that it isn't over."""
    three["Ann"].enter(tricks(0, 12))
    assert "Change mine Not over yet" in three["Ann"].says()
    three["Cy"].enter(tricks(2, 5))
    assert "Change Still 12" in three["Ann"].says()


def test_a_second_clash_in_one_deal_is_asked_about_as_well(three: Table) -> None:
    """The deal went on after the first one."""
    for _ in range(2):
        taken(three, Ann=10, Ben=5, Cy=2)
        assert "Count yours again" in three["Ben"].says()
        three["Ann"].enter({}, do="goes-on")
    taken(three, Ann=9, Ben=5, Cy=2)
    assert three.entries[0]["tricks"] == {"Ann": 9, "Ben": 5, "Cy": 2}


def renamed(table: Table, after: int, *names: str) -> None:
    settings = {"was": THREE, "name": [*names], "dealer": "0", "after": after, "sure": "yes"}
    answer = table.host.post("/settings", {**settings, "key": f"names {after}"})
    assert answer.status_code == 303, words(answer)


def test_two_who_swap_names_between_two_clashes_are_both_asked(three: Table) -> None:
    """Ann and Cy are asked, and agree; then Ben, as Ann, is asked for the first time."""
    taken(three, Ann=12, Cy=5)
    stand(three, "Ann")
    taken(three, Cy=4)
    renamed(three, 0, "Ben", "Ann", "Cy")
    three["Ben"].enter(tricks(1, 1) | {"seat_of": "Ann"})
    asked = re.findall(r'data-player="(\w+)" data-is="asked"', three.host.get().text)
    assert asked == ["Ann"]


def test_what_stands_in_a_deal_stands_for_no_other(three: Table) -> None:
    """A tap on a phone that has not yet heard of the next deal, in which it is asked as well."""
    taken(three, Ann=12, Cy=5)
    late = first_in(three["Cy"].get("/seat").text, r"(?s)(<form[^>]*seat/stands.*?</form>)")
    three.host.record({"action": "tricks", "tricks.0": 12, "tricks.1": 0, "tricks.2": 4}, 0)
    for player, number in (("Ann", 12), ("Cy", 5)):
        three[player].enter(tricks(THREE.index(player), number), deal=1)
    three["Cy"].press(late)
    assert "Count yours again" in three["Cy"].says()


def test_a_player_is_told_only_of_clashes_of_their_own(client: FlaskClient) -> None:
    """Ann and Ben both have the three of clubs, Ben and Cy the five of hearts."""
    table = Table(client, "9-of-a-kind", [*THREE, "Dot", "Eve"])
    table["Dot"].enter({"action": "end", "callers": "Dot", "by": "nine", "call": "yes"})
    hands = {
        "Ann": "AC 2C 3C 4C 5C 6C 7C 8C 2D",
        "Ben": "3D 4D 5D 6D 7D 8D 9D 3C 5H",
        "Cy": "AH 2H 3H 4H 5H 6H 7H 8H 9L",
    }
    for seat, (player, cards) in enumerate(hands.items()):
        table[player].enter({"action": "end", "by": "nine", f"hands.{seat}.cards": cards})
    assert "can’t each hold the three of clubs" in table["Ann"].says()
    assert "can’t each hold the five of hearts" in table["Cy"].says()
    assert "three of clubs" not in table["Cy"].says()


def spread(seat: int, last: str = "") -> dict[str, object]:
    """A hand without a nine: an ace to an eight, each of another suit, and one more ace."""
    cards = [f"{rank}{SUITS[(place + seat) % 9]}" for place, rank in enumerate("A2345678")]
    cards.append(last or f"A{SUITS[(seat + 5) % 9]}")
    return {"action": "end", f"hands.{seat}.cards": " ".join(cards)}


def test_whoever_was_right_is_asked_no_longer(client: FlaskClient) -> None:
    """The others have corrected theirs; and a later clash of these is theirs alone."""
    table = Table(client, "9-of-a-kind", FIVE)
    table["Ann"].enter({"action": "end", "callers": "Ann", "by": "nine"})
    table["Ben"].enter(spread(1))
    table["Cy"].enter(spread(2, "AH"))
    assert "Count yours again" in table["Ben"].says()
    table["Cy"].enter(spread(2))
    assert "Ben in" in words(table["Dot"].get())
    assert "Still to come: Dot and Eve" in table["Ben"].says()
    table["Dot"].enter(spread(3, "AD"))
    assert "Count yours again" not in table["Ben"].says()
    assert "Count yours again" in table["Dot"].says()
    stand(table, "Dot")
    table["Eve"].enter(spread(4))
    assert "Dot says" in words(table.host.get())
    table["Dot"].enter(spread(3))
    assert len(table.entries) == 1


@pytest.mark.parametrize("stood", [False, True])
def test_a_deal_taken_back_is_no_clash(three: Table, stood: bool) -> None:
    """Its figures had clashed, but were right in the end."""
    taken(three, Ann=10, Ben=5, Cy=2)
    stand(three, *["Ann", "Ben"] if stood else [])
    taken(three, Cy=1)
    mark = first_in(three.host.get("/record").text, r'name="after" value="([^"]+)"')
    three["Ann"].post("/seat/undo", {"seat_of": "Ann", "after": mark})
    for player in THREE:
        assert "took it back." in three[player].says()
    assert "Record it as it is" in words(three.host.get())
    taken(three, Cy=1)
    assert len(three.entries) == 1


def test_whoever_decides_reads_that_they_do(three: Table) -> None:
    """Ben keeps score, and is among those who are asked."""
    three.host.post("/seat/take", {"player": "Ben", "sure": "yes"})
    three["Ann"].enter(tricks(0, 9))
    three["Cy"].enter(tricks(2, 5))
    three.host.post("/seat/hand", {"seat_of": "Ben", "deal": 0, **tricks(1, 5)})
    assert "If you still differ, you decide." in words(three.host.get("/seat"))
    assert "If you still differ, Ben decides." in three["Cy"].says()


def test_nobody_is_awaited_once_all_stand_by_theirs(three: Table) -> None:
    taken(three, Ann=9, Ben=5, Cy=5)
    for player in THREE:
        three[player].enter({}, do="stands")
    said = three["Cy"].says()
    assert "Face down until it’s recorded" in said
    assert "until everyone’s are in" not in said


def test_a_phone_that_took_over_reads_where_the_figure_is(three: Table) -> None:
    """Only the phone that sent it shows it again."""
    three["Cy"].enter(tricks(2, 5))
    other = three.host.client.application.test_client()
    other.post(f"/s/{three['Cy'].token}/seat/take", data={"player": "Cy", "sure": "yes"})
    said = words(other.get(f"/s/{three['Cy'].token}/seat"))
    assert "Yours is in" in said
    assert "Entered on another phone: only that one shows it." in said
    assert "another phone" not in three["Ann"].says()
