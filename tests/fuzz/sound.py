"""What a test of this folder allows for, and what must be so of every sheet afterwards."""

from datetime import timedelta

from flask import Flask
from hypothesis import HealthCheck, settings

from referee.sheets.audit import course_faults
from referee.sheets.history import row_faults
from referee.sheets.sheet import OpenSheet
from referee.web.context import state
from tests.support.campaign import often

PAGES = ("", "/board", "/log", "/more", "/settings", "/share", "/entries/1", "/sheet.json")


def fuzzed(examples: int) -> settings:
    """So many examples in ordinary runs, and twenty times as many at night; none may hang."""
    return settings(
        max_examples=often(examples, 20 * examples),
        deadline=timedelta(seconds=20),
        suppress_health_check=list(HealthCheck),
    )


def assert_sound(app: Flask, sheet: int) -> OpenSheet:
    """The sheet, none of whose rows is faulty, and all of whose pages can be opened."""
    ledger, book = state(app).ledger, state(app).book
    host = ledger.links(sheet)["host"]
    opened = book.ruled_on(sheet)
    assert not [*row_faults(opened.history), *course_faults(opened.course)]
    client = app.test_client()
    for page in PAGES:
        status = client.get(f"/s/{host}{page}").status_code
        assert status in (200, 303, 404), page
    return opened
