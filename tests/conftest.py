"""Fixtures for all tests: a ledger, an app on an empty book, a client, a phone, a real server."""

import gc
import os
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from types import CodeType
from typing import ClassVar

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import Phase, settings
from jinja2.bccache import Bucket, FileSystemBytecodeCache
from werkzeug.routing import Rule

from referee.ledger.store import Ledger
from referee.rules.language import language, speaking
from referee.settings import DATABASE, Settings
from referee.web.answers import assets
from referee.web.app import create_app
from referee.web.serving.server import NEW_OBJECTS
from tests.support.chromium import CHROMIUM
from tests.support.optional import ENGINES, NO_CHROMIUM, PROGRAMS
from tests.support.phone import Phone, begin
from tests.support.server import Server

pytest_plugins = (
    "tests.support.browser_fixtures",
    *(
        f"tests.extras.{plugin.parent.name}.plugin"
        for plugin in Path(__file__).parent.glob("extras/*/plugin.py")
    ),
)

# The same examples at every run; `python -m tests.nightly` looks for others.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("nightly", deadline=None, print_blob=True)
settings.register_profile(
    "mutation", derandomize=True, deadline=None, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("fixed")

# As in a server: else each garbage collection would look at all of thousands of tests.
gc.set_threshold(NEW_OBJECTS)

# Done once for all apps: compressing the static files, compiling routes, and loading the code of
# templates take most of the time in which an app starts.
assets.files_in = cache(assets.files_in)


class CompiledOnce(Rule):
    """A route whose patterns are compiled for the first app, and copied for all others."""

    compiled: ClassVar[dict[tuple[object, ...], Rule]] = {}

    def compile(self) -> None:
        """Compile what matches and makes addresses of this route."""
        key = self.rule, self.endpoint, str(self.methods), str(self.defaults)
        if key in self.compiled:
            vars(self).update(vars(self.compiled[key]) | {"map": self.map})
        else:
            super().compile()
            self.compiled[key] = self


Flask.url_rule_class = CompiledOnce

load_bytecode = FileSystemBytecodeCache.load_bytecode
code_of_templates: dict[tuple[str, str, str], CodeType] = {}


def _load_code(cache: FileSystemBytecodeCache, bucket: Bucket) -> None:
    key = cache.directory, bucket.key, bucket.checksum
    if key not in code_of_templates:
        load_bytecode(cache, bucket)
        if bucket.code is None:  # it is compiled now, and read the next time
            return
        code_of_templates[key] = bucket.code
    bucket.code = code_of_templates[key]


FileSystemBytecodeCache.load_bytecode = _load_code  # type: ignore[method-assign, assignment]

BROWSER_REQUIRED = os.environ.get("REFEREE_BROWSER_TESTS") == "required"


@pytest.fixture(autouse=True)
def english_first() -> Iterator[None]:
    """Start each test in English, whatever language the test before it spoke."""
    with speaking(language()):
        yield


@pytest.fixture
def book_address(request: pytest.FixtureRequest) -> str:
    """The setting for an empty book: the address of a database, or "" for a file."""
    fixture = ENGINES[getattr(request, "param", "SQLite")]
    return str(request.getfixturevalue(fixture)) if fixture else ""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests of modules with `ON_EITHER_ENGINE` on every kind of database."""
    on_either = getattr(metafunc.module, "ON_EITHER_ENGINE", False)
    if on_either and "book_address" in metafunc.fixturenames:
        metafunc.parametrize("book_address", list(ENGINES), indirect=True)


@pytest.fixture
def ledger(tmp_path: Path, book_address: str) -> Iterator[Ledger]:
    """An empty ledger, which stays open."""
    with closing(Ledger(book_address or tmp_path / DATABASE)) as opened:
        yield opened


@pytest.fixture
def app(tmp_path: Path, book_address: str) -> Flask:
    """The app on an empty book of sheets."""
    return create_app(Settings(instance=tmp_path, database=book_address))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client without cookies."""
    return app.test_client()


@pytest.fixture
def host(client: FlaskClient) -> Phone:
    """The host's phone of a sheet of Multiple 9: Ann deals, so Ben begins."""
    return begin(client, "multiple-9", ["Ann", "Ben", "Cat"])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A running server with an empty book, ended after the test."""
    running = Server(tmp_path)
    yield running
    running.stop()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the browser tests; skip them without Chromium, unless they are required.

    Those that mostly wait, for disks and clocks, come first: others run meanwhile, and none of
    them is left for the end.
    """
    items.sort(key=lambda item: "reliability" not in item.path.parts)
    for item in items:
        if "browser" in item.path.relative_to(Path(__file__).parent).parts:
            item.add_marker("browser")
            if CHROMIUM is None and not BROWSER_REQUIRED:
                item.add_marker(pytest.mark.skip(reason=NO_CHROMIUM))


def pytest_collection_finish() -> None:
    """Leave everything loaded so far out of garbage collection."""
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a warning if tests were skipped because a program is missing."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    for reason, (tests, program) in PROGRAMS.items():
        if number := sum(reason in one for one in skipped):
            terminalreporter.write_line(
                f"!!! {number} {tests} SKIPPED: install {program} to run them !!!",
                yellow=True,
                bold=True,
            )
