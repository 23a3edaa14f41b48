"""Every route and method with the links of a club."""

from pathlib import Path

from flask import Flask

from tests.extras.clubs.web.conftest import ClubPhone, Won
from tests.support.books import contents
from tests.support.walking import SAFE, steps, walk
from tests.web.test_walking import secrets_in

#: Forms that have an effect on a club if the link permits it.
CLUB_FORMS: tuple[dict[str, str], ...] = (
    {},
    {"name": "Ann", "other": "Ben", "status": "guest", "key": "p"},
    {"payer": "Ann", "payee": "Ben", "amount": "1", "unit": "counter", "key": "q"},
    {"role": "view"},
)


def test_a_view_link_changes_nothing(app: Flask, club: ClubPhone, won: Won, tmp_path: Path) -> None:
    """By no route, nor does it learn a link that could."""
    sheet, viewer = won("Ann", "Ben"), club.other("view")
    secrets = (club.token, club.other("score").token, sheet.token, sheet.link("score"))
    before = contents(tmp_path / "referee.sqlite")
    for step, answer in walk(viewer.client, steps(app, viewer.token, only="token"), CLUB_FORMS):
        assert answer.status_code < 500, (step, answer.status_code)
        assert not secrets_in(answer, secrets), step
        if step.method not in SAFE:
            assert answer.status_code in (400, 403, 404, 405, 422), (step, answer.status_code)
    assert contents(tmp_path / "referee.sqlite") == before


def test_a_score_link_notes_payments(app: Flask, club: ClubPhone, won: Won, tmp_path: Path) -> None:
    """And voids them; it learns no host’s link."""
    sheet, scorer = won("Ann", "Ben"), club.other("score")
    before = contents(tmp_path / "referee.sqlite")
    for step, answer in walk(scorer.client, steps(app, scorer.token, only="token"), CLUB_FORMS):
        assert answer.status_code < 500, (step, answer.status_code)
        assert not secrets_in(answer, (club.token, sheet.token)), step
    after = contents(tmp_path / "referee.sqlite")
    known = before.pop("entries")
    noted = [row for row in after.pop("entries") if row not in known]
    assert [row[2] for row in noted] == [b"note", b"void"]
    assert b'"action":"paid"' in noted[0][4]
    assert after == before
