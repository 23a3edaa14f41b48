"""Settings for fuzz tests, and the check that a sheet is sound."""

from datetime import timedelta

from flask import Flask
from hypothesis import HealthCheck, settings

from referee.sheets.audit import course_faults
from referee.sheets.history import row_faults
from referee.sheets.sheet import OpenSheet
from referee.web.context import state
from tests.support.campaign import usual_or_nightly

PAGES = ("", "/board", "/log", "/more", "/settings", "/share", "/entries/1", "/sheet.json")


def fuzzed(examples: int) -> settings:
    """Settings for this many examples, forty times as many at night; each must end in 20 s."""
    return settings(
        max_examples=usual_or_nightly(examples, 40 * examples),
        deadline=timedelta(seconds=20),
        suppress_health_check=list(HealthCheck),
    )


def assert_sound(app: Flask, sheet: int) -> OpenSheet:
    """Check that a sheet's rows have no faults and its pages open; returns the opened sheet."""
    ledger, book = state(app).ledger, state(app).book
    host = ledger.links(sheet)["host"]
    opened = book.replay(sheet)
    assert not [*row_faults(opened.history), *course_faults(opened.course)]
    client = app.test_client()
    for page in PAGES:
        status = client.get(f"/s/{host}{page}").status_code
        assert status in (200, 303, 404), page
    return opened
