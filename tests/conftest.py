"""What the tests share: an app on an empty book, and a real server with a real browser."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.settings import Settings
from referee.web import create_app

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
# Without these a Chromium in a closed network keeps asking for addresses outside.
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
BROWSER_REQUIRED = os.environ.get("REFEREE_BROWSER_TESTS") == "required"


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """The app on an empty book of sheets."""
    return create_app(Settings(instance=tmp_path))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A phone that has not been here before."""
    return app.test_client()


class Server:
    """A real server in a process of its own."""

    def __init__(self, instance: Path) -> None:
        """Start it on a free port and wait until it says where it is."""
        self.instance = instance
        self.start("0")

    def start(self, port: str | None = None) -> None:
        """Start it, where it was before unless a port is given, and wait until it is there."""
        port = port or self.address.rsplit(":", 1)[1]
        command = [sys.executable, "-u", "-m", "referee", "serve", "--port", port]
        self.process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--instance", str(self.instance)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            found = re.search(r"http://[\w.:]+", line)
            if found:
                self.address = found[0]
                return
        raise AssertionError(f"the server did not start: {self.said}")

    def stop(self) -> None:
        """End the process and wait for it."""
        self.process.terminate()
        self.process.wait(timeout=10)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A running server with an empty book, ended after the test."""
    running = Server(tmp_path)
    yield running
    running.stop()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a Chromium the browser tests are skipped, or fail where they are required."""
    if CHROMIUM is None and not BROWSER_REQUIRED:
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(pytest.mark.skip(reason="no Chromium is installed"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One loud line where the browser tests did not run."""
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
