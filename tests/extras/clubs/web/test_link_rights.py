"""What each link of a club may do, by every route and method."""

from pathlib import Path

from flask import Flask

from tests.extras.clubs.web.conftest import ClubPhone, Won
from tests.support.books import contents
from tests.support.every_route import SAFE, probes, send_probes
from tests.web.test_link_rights import secrets_in

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
    for probe, answer in send_probes(
        viewer.client, probes(app, viewer.token, only="token"), CLUB_FORMS
    ):
        assert answer.status_code < 500, (probe, answer.status_code)
        assert not secrets_in(answer, secrets), probe
        if probe.method not in SAFE:
            assert answer.status_code in (400, 403, 404, 405, 422), (probe, answer.status_code)
    assert contents(tmp_path / "referee.sqlite") == before


def test_a_score_link_notes_payments(app: Flask, club: ClubPhone, won: Won, tmp_path: Path) -> None:
    """And voids them; it learns no host’s link."""
    sheet, scorer = won("Ann", "Ben"), club.other("score")
    before = contents(tmp_path / "referee.sqlite")
    for probe, answer in send_probes(
        scorer.client, probes(app, scorer.token, only="token"), CLUB_FORMS
    ):
        assert answer.status_code < 500, (probe, answer.status_code)
        assert not secrets_in(answer, (club.token, sheet.token)), probe
    after = contents(tmp_path / "referee.sqlite")
    known = before.pop("entries")
    noted = [row for row in after.pop("entries") if row not in known]
    assert [row[2] for row in noted] == [b"note", b"void"]
    assert b'"action":"paid"' in noted[0][4]
    assert after == before
