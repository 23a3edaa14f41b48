"""A form that comes after another phone's entry shows that entry; unrelated changes go through."""

import pytest

from tests.support.phone import PARTIAL, Phone, first_in, words

WON = {"action": "out", "player": "Ben"}
SAID = "Not recorded: Ben’s win was entered first, as deal 1."
AFTER = r'name="after" value="([^"]+)"'
SHARED: dict[str, dict[str, str]] = {
    "adjust": {"player": "Ann", "points": "5", "reason": "late"},
    "dealer": {"player": "Ben"},
    "join": {"player": "Zoe", "left_of": "Ann"},
    "leave": {"player": "Ann"},
    "replace": {"player": "Ann", "by": "Zoe"},
    "abandon": {"reason": "misdeal"},
    "stop": {"reason": "late"},
}


@pytest.fixture
def kitchen(host: Phone) -> Phone:
    """Another phone that keeps score, with a name of its own."""
    other = host.other("score")
    other.post("/phone", {"phone": "Kitchen"})
    return other


def rows(phone: Phone) -> int:
    return len(phone.file()["history"])


@pytest.mark.parametrize("headers", [{}, PARTIAL], ids=["a page", "a part"])
@pytest.mark.parametrize("action", SHARED)
def test_a_late_entry_behind_more_is_refused(
    host: Phone, kitchen: Phone, action: str, headers: dict[str, str]
) -> None:
    """It says what came first, and by whom; the form stays, and the next tap records it."""
    kitchen.record(WON, 0)
    sent = {"action": action, **SHARED[action], "key": "the-late-one"}
    late = host.post("/entries", {**sent, "after": "0"}, **headers)
    assert late.status_code == 409
    assert SAID in words(late)
    assert "recorded by Kitchen" in words(late)
    for value in SHARED[action].values():
        assert f'value="{value}"' in late.text
    assert rows(host) == 1
    seen = first_in(late.text, r'name="after" value="(1-\w+)"')
    assert host.post("/entries", {**sent, "after": seen}, **headers).status_code == 303


def test_a_late_tap_on_a_key_says_what_came_first(host: Phone, kitchen: Phone) -> None:
    """Without script; the form that comes back is for deal 2."""
    kitchen.record(WON, 0)
    tap = {"action": "turn", "player": "Ann", "tap": "cards:5", "after": "0"}
    page = host.post("/entries", tap)
    assert page.status_code == 200
    assert "Recorded in the meantime Ben won the deal (recorded by Kitchen)" in words(page)
    assert "Deal 2" in words(page)
    assert 'value="5"' in page.text


def test_a_late_tap_on_a_key_says_what_was_undone(host: Phone, kitchen: Phone) -> None:
    """In one line: nothing was recorded."""
    host.record(WON, 0)
    seen = {"action": "turn", "player": "Ann", "tap": "cards:5", "after": "1"}
    assert kitchen.post("/undo", {"after": first_in(kitchen.get().text, AFTER)}).status_code == 303
    said = words(host.post("/entries", seen))
    assert "Deal 1 removed (by Kitchen)" in said
    assert "in the meantime" not in said


def test_a_late_undo_undoes_nothing(host: Phone, kitchen: Phone) -> None:
    """It was meant for a deal that is no longer the last."""
    host.record(WON, 0)
    kitchen.record({**WON, "player": "Ann"}, 1)
    late = host.post("/undo", {"after": "1"}, **PARTIAL)
    assert late.status_code == 409
    assert "Not undone: Ann’s win was entered first, as deal 2." in words(late)
    assert rows(host) == 2


def test_a_note_and_a_deal_do_not_conflict(host: Phone, kitchen: Phone) -> None:
    """Each is recorded although its writer had not seen the other."""
    kitchen.post("/note", {"text": "at the lake", "after": "0", "key": "note-at-the-lake"})
    sent = {**WON, "after": "0", "key": "the-first-deal"}
    assert [host.post("/entries", sent).status_code for _ in range(2)] == [303, 303]
    note = {"text": "at home", "after": "1", "key": "note-at-home"}
    assert [kitchen.post("/note", note).status_code for _ in range(2)] == [303, 303]
    assert rows(host) == 3


def test_two_notes_about_the_same_thing_conflict(host: Phone, kitchen: Phone) -> None:
    """The second would replace the first unseen, so it is refused."""
    kitchen.post("/note", {"text": "at the lake", "after": "0", "key": "note-at-the-lake"})
    late = host.post("/note", {"text": "at home", "after": "0", "key": "note-at-home"})
    assert late.status_code == 409
    assert "Not saved" in words(late)
    assert "at the lake" in host.get("/note").text
