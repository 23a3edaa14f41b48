"""Who entered what: the name a phone gave itself stands beside what it entered."""

import re

import pytest

from referee.rules.core.ruling import MalformedEntry
from referee.sheets.files import sheet_from
from tests.support.phone import PARTIAL, Phone

OUT = {"action": "out", "player": "Ann"}


def recorded(phone: Phone, seq: int) -> str:
    """When and by whom the deal of this row was recorded, as its page says."""
    said = re.search(r"<li>(Recorded [^<]+)</li>", phone.get(f"/deals/{seq}").text)
    assert said is not None
    return said[1]


def test_entries_say_which_phone_made_them(host: Phone) -> None:
    """The name a phone has at the time is kept with the row: entries, corrections and undos."""
    other = host.other("score")
    host.record(OUT, 0)
    assert " by " not in recorded(host, 1)
    named = other.post("/phone", {"phone": " Küche, Zoë’s „alte“ 📱 "})
    assert named.status_code == 303
    assert "This phone is called Küche, Zoë’s „alte“ 📱" in other.get("/more").text
    other.record(OUT, 1)
    assert recorded(host, 2).endswith(" by Küche, Zoë’s „alte“ 📱")
    other.post("/entries/1/void", {"sure": "yes", "after": 2, "key": "v", "why": "twice"})
    assert "by Küche, Zoë’s „alte“ 📱: twice" in host.get().text
    other.post("/phone", {"phone": ""})
    other.post("/undo", {"after": 3, "key": "u"})
    history = host.file()["history"]
    assert [row.get("by") for row in history] == [None, *["Küche, Zoë’s „alte“ 📱"] * 2, None]
    assert "Name this phone" in other.get("/more").text


def test_a_conflict_names_the_other_phone(host: Phone) -> None:
    """A writer who is told that the sheet has moved on is told by which phone."""
    other = host.other("score")
    other.post("/phone", {"phone": "Kitchen phone"})
    other.record(OUT, 0)
    answer = host.record(OUT, 0)
    assert answer.status_code == 409
    assert "(recorded by Kitchen phone)" in answer.text


@pytest.mark.parametrize(
    ("name", "said"),
    [("x" * 25, "1 to 24 characters"), ("a\nb", "invisible"), ("a\u202eb", "invisible")],
    ids=["long", "line break", "direction"],
)
def test_a_name_that_cannot_stand_is_refused(host: Phone, name: str, said: str) -> None:
    """The page says what is wrong, keeps what was typed, and the phone stays without a name."""
    for headers in ({}, PARTIAL):
        answer = host.post("/phone", {"phone": name}, **headers)
        assert answer.status_code == 422
        assert said in answer.text
    assert "Name this phone" in host.get("/more").text


def test_a_cookie_made_by_hand_names_nobody(host: Phone) -> None:
    """What could not be given as a name does not get onto the sheet by another way either."""
    host.client.set_cookie("phone", "x" * 4000)
    assert host.record(OUT, 0).status_code == 303
    assert "by" not in host.file()["history"][0]


@pytest.mark.parametrize("by", ["x" * 25, "a\nb", " ", 7, ["a"]])
def test_a_history_with_an_impossible_name_is_refused(host: Phone, by: object) -> None:
    """A file cannot bring in a name that no phone could have."""
    host.record(OUT, 0)
    file = host.file()
    file["history"][0]["by"] = by
    with pytest.raises(MalformedEntry):
        sheet_from(file)


def test_only_who_may_write_has_a_name(host: Phone) -> None:
    """A phone that only looks is not asked for one."""
    viewer = host.other("view")
    assert "Name this phone" not in viewer.get("/more").text
    assert viewer.post("/phone", {"phone": "Spy"}).status_code == 403
    assert 'id="waiting"' not in viewer.get().text
