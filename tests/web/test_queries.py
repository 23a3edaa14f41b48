"""The statements that pages run find their rows by an index, however many sheets a book has."""

from collections.abc import Iterator

import pytest
from flask import Flask

from referee.web import context
from tests.support.books import sqlite_of
from tests.support.every_route import probes, send_probes
from tests.support.phone import Phone

QUERIES = ("SELECT", "UPDATE", "DELETE")


@pytest.fixture
def statements(app: Flask) -> Iterator[set[str]]:
    """The statements that were run meanwhile."""
    found = set[str]()
    connection = sqlite_of(context.state(app).book.ledger).connection
    connection.set_trace_callback(lambda statement: found.add(statement.strip()))
    yield found
    connection.set_trace_callback(None)


def test_no_page_looks_through_a_whole_table(app: Flask, host: Phone, statements: set[str]) -> None:
    """Whatever a host can ask for or do, in an evening and alone, and a guest of the evening."""
    for after, player in enumerate(("Ben", "Cat")):
        host.record({"action": "out", "player": player}, after)
    host.again()
    assert app.test_client().get(host.evening()).status_code == 200
    for _ in send_probes(host.client, probes(app, host.token)):
        pass
    book = sqlite_of(context.state(app).book.ledger)
    assert {
        (plan, one)
        for one in [*statements]
        if one.startswith(QUERIES) and not one.endswith("LIMIT 1")
        for *_, plan in book.read(f"EXPLAIN QUERY PLAN {one}")
        if plan.startswith("SCAN") and plan != "SCAN handovers"  # these are few
    } == set()
