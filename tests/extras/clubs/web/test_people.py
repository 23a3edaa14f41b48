"""The people of a club: who is one person, who is a guest or has left, and who is new."""

import re
from html import unescape

import pytest

from referee.extras.clubs import figures
from tests.extras.clubs.web.conftest import ClubPhone, Won, send
from tests.support.phone import Phone, words

ON_EITHER_ENGINE = True


def test_two_as_one_is_shown_as_a_sum(
    club: ClubPhone, won: Won, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its place in the table; nothing is counted again, and viewers don't see it."""
    won("Ann", "Ben", "Cat")
    won("Ann", "Cat")
    won("Ben", "Ann")
    for _ in range(2):
        won("Benny", "Ann")
    club.get()

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(figures.Figures, "followed_by", never)
    page = words(club.get("/people?name=Ben&other=Benny"))
    assert "Are Ben and Benny one person?" in page
    assert "Ben 2 games 1 win + Benny 2 games 2 wins = Ben 4 games 3 wins" in page
    assert "Ben moves from place 3 to place 1." in page
    assert "Cat stays in place" in words(club.get("/people?name=Cat&other=Zoe"))
    for role in ("view", "score"):
        assert club.other(role).get("/people?name=Ben&other=Benny").status_code == 403
        assert club.other(role).get("/people?who=ben").status_code == 200
    monkeypatch.undo()
    merged = send(club.client, club.get("/people?name=Ben&other=Benny"), "Yes, one person")
    after = club.client.get(merged.headers["Location"])
    assert "Ben and Benny are one person now." in words(after)
    assert "4 games · also called Benny" in words(after)
    assert send(club.client, after, "Undo").status_code == 303
    assert "also called" not in words(club.get("/people"))


def _rename(host: Phone, was: str, name: str, after: int = 1) -> None:
    """Change the name of the first of two players, the other is Ben."""
    names = {"was": [was, "Ben"], "name": [name, "Ben"], "dealer": "0", "target": "1"}
    sent = {**names, "sure": "yes", "after": after, "key": f"rename-{after}"}
    assert host.post("/settings", sent).status_code == 303


def test_a_name_changed_on_a_sheet_is_shown_with_the_person(club: ClubPhone, won: Won) -> None:
    """To a host, with either of the two, every pair, and until both are one person."""
    says = "On a sheet, the name {} was changed to {}"
    for first, name in (("Dan", "Eve"), ("Dot", "Dorothea"), ("Dot", "Eve")):
        won(first, "Ann")
        won(name, "Ann")
        _rename(won(first, "Ben"), first, name)
    assert "Eve" in words(club.get())
    assert "one person?" not in words(club.get())
    for who in ("dot", "dorothea"):
        assert says.format("Dot", "Dorothea") in words(club.get(f"/people?who={who}"))
        assert says.format("Dan", "Eve") not in words(club.get(f"/people?who={who}"))
    eve = words(club.get("/people?who=eve"))
    assert says.format("Dan", "Eve") in eve
    assert says.format("Dot", "Eve") in eve
    assert "On a sheet" not in words(club.other("view").get("/people?who=dot"))
    page = club.get("/people?who=dot").text
    asked = re.findall(r'href="([^"]*)">On a sheet, the name Dot was changed to Dor', page)
    merging = club.client.get(unescape(asked[0]))
    assert "Are Dorothea and Dot one person?" in words(merging)
    send(club.client, merging, "Yes, one person")
    merged = words(club.get("/people?who=dorothea"))
    assert "also called Dot" in merged
    assert says.format("Dot", "Dorothea") not in merged


def test_a_name_that_was_set_back_is_not_shown(club: ClubPhone, won: Won) -> None:
    """Dan's name, changed to Eve's by mistake, says nothing of who they are."""
    won("Dan", "Ann")
    won("Eve", "Ann")
    host = won("Dan", "Ben")
    _rename(host, "Dan", "Eve")
    assert "On a sheet" in words(club.get("/people?who=eve"))
    _rename(host, "Eve", "Dan", after=2)
    for who in ("dan", "eve"):
        assert "On a sheet" not in words(club.get(f"/people?who={who}"))


def test_two_at_one_table_are_not_shown_as_renamed(club: ClubPhone, won: Won) -> None:
    """Whatever their names were on another sheet."""
    won("Dot", "Ann")
    _rename(won("Dot", "Ben"), "Dot", "Dorothea")
    assert "On a sheet" in words(club.get("/people?who=dot"))
    won("Dot", "Dorothea")
    assert "On a sheet" not in words(club.get("/people?who=dot"))


def test_a_person_can_be_merged_and_separated_without_script(club: ClubPhone, won: Won) -> None:
    """By buttons and links; a merge that doesn't hold says so."""
    won("Ben", "Ann")
    won("Benny", "Ann")
    club.post("/merge", name="Ben", other="Benny", key="m")
    page = club.get("/people?who=ben")
    assert "Also called Benny 1 game" in words(page)
    assert "<select" not in page.text
    assert send(club.client, page, "Member", status="guest").status_code == 303
    assert "Guest" in words(club.get("/people"))
    won("Ben", "Benny")
    assert "two people, as they sat at one table" in words(club.get("/people?who=ben"))
    assert "also called" not in words(club.get("/people"))
    assert send(club.client, club.get("/people?who=ben"), "Separate").status_code == 303
    assert "Also called Benny" not in words(club.get("/people?who=ben"))
    assert "Which other name is Ben?" in words(club.get("/people?who=ben&also=yes"))


def test_a_new_member_is_offered_before_their_first_game(club: ClubPhone, won: Won) -> None:
    """And listed among the people."""
    won("Ann", "Ben")
    page = club.get("/people")
    assert send(club.client, page, "Add them", name=" Grandma Jo ").status_code == 303
    assert "Grandma Jo 0 games" in words(club.get("/people"))
    offered = club.client.get(f"/new/multiple-9?club={club.token}").text
    assert 'value="add:Grandma Jo"' in offered
    assert send(club.client, page, "Add them", name=" ", key="x").status_code == 422
    assert club.other("view").get("/people").text.count('method="post"') == 0
