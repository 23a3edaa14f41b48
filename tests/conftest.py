"""Fixtures for all tests: an app on an empty book, a client, a real server."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import Phase, settings

from referee.settings import Settings
from referee.web.answers import assets
from referee.web.app import create_app
from tests.support.chromium import CHROMIUM
from tests.support.server import Server

# The same examples at every run; `python -m tests.nightly` looks for others.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("nightly", deadline=None, print_blob=True)
settings.register_profile(
    "mutation", derandomize=True, deadline=None, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("fixed")

# Else every app would minify and zip the static files again.
assets.files_in = cache(assets.files_in)

BROWSER_REQUIRED = os.environ.get("REFEREE_BROWSER_TESTS") == "required"


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """The app on an empty book of sheets."""
    return create_app(Settings(instance=tmp_path))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client without cookies."""
    return app.test_client()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A running server with an empty book, ended after the test."""
    running = Server(tmp_path)
    yield running
    running.stop()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the browser tests; skip them without Chromium, unless they are required."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).with_name("browser")):
            item.add_marker("browser")
            if CHROMIUM is None and not BROWSER_REQUIRED:
                item.add_marker(pytest.mark.skip(reason="no Chromium is installed"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a warning if browser tests were skipped."""
    skipped = [
        report
        for report in terminalreporter.stats.get("skipped", [])
        if "no Chromium is installed" in str(report.longrepr)
    ]
    if skipped:
        terminalreporter.write_line(
            f"!!! {len(skipped)} BROWSER TESTS SKIPPED: install Chromium to run them !!!",
            yellow=True,
            bold=True,
        )
