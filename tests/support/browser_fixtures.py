"""Fixtures for tests in a browser: phone-sized Chromiums, and servers for them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Response, expect, sync_playwright

from tests.browser.screens import House
from tests.support.browser_steps import Thumb
from tests.support.chromium import CHROMIUM, PHONE, QUIET
from tests.support.server import Server

#: Host names that phones in the house resolve, over plain http.
NAMES = "--host-resolver-rules=MAP referee.test 127.0.0.1, MAP *.local 127.0.0.1"
TakePhone = Callable[..., Page]

PATIENCE = 20_000  # milliseconds, on a machine with other work
expect.set_options(timeout=PATIENCE)

#: On phones with scripts the toast stays, as seconds pass quickly on a machine with other work;
#: tests of its eight seconds set its clock.
TOAST_STAYS = """
  const still = new CSSStyleSheet();
  still.replaceSync(".toast { animation-play-state: paused !important; }");
  document.adoptedStyleSheets.push(still);
"""

#: What a browser logs about a refused request, or one that a test blocks.
NOT_LET_THROUGH = (
    "Failed to load resource",
    "Failed to fetch",
    "An unknown error occurred when fetching the script",  # a service worker's, without a network
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all browser tests."""
    assert CHROMIUM is not None, "browser tests are required, but no Chromium is installed"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, NAMES])
        yield browser
        browser.close()


@pytest.fixture
def service_workers() -> str:
    """Whether phones may have a service worker: “allow”, or “block” as over plain http."""
    return "block"


@pytest.fixture
def new_phone(chromium: Browser, service_workers: str) -> Iterator[TakePhone]:
    """A function that opens another phone: a page without cookies.

    Its console must stay free of errors, except for requests that are refused or that a test
    blocks. The server must not fail at one, nor lack a file that a page asks for.
    """
    with phones_of(chromium, service_workers=service_workers) as take:
        yield take


@contextmanager
def phones_of(chromium: Browser, **traits: object) -> Iterator[TakePhone]:
    """As `new_phone`, within a `with` block; all its phones have these `traits`."""
    contexts, errors = [], []

    def note_error(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(words in message.text for words in NOT_LET_THROUGH):
            errors.append(message.text)

    def note_failure(response: Response) -> None:  # a test's own answer doesn't name a server
        path, is_ours = urlsplit(response.url).path, "server" in response.headers
        lacks_a_file = response.status == 404 and path.startswith("/static/")
        if is_ours and (response.status >= 500 or lacks_a_file):
            errors.append(f"{response.status} for {response.request.method} {response.url}")

    def take(**settings: object) -> Page:
        context = chromium.new_context(**{"viewport": PHONE, **traits, **settings})  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        context.add_init_script(TOAST_STAYS)
        contexts.append(context)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        context.on("console", note_error)
        context.on("response", note_failure)
        return context.new_page()

    yield take
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def page(new_phone: TakePhone) -> Page:
    """A phone."""
    return new_phone()


@pytest.fixture
def other(new_phone: TakePhone) -> Page:
    return new_phone()


@pytest.fixture
def plain(new_phone: TakePhone) -> Page:
    """A phone that runs no scripts."""
    return new_phone(java_script_enabled=False)


@pytest.fixture
def touch(new_phone: TakePhone) -> Page:
    """A phone with a touch screen and no mouse."""
    return new_phone(has_touch=True, is_mobile=True)


@pytest.fixture
def thumb(touch: Page) -> Thumb:
    return Thumb(touch)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, House]]:
    """A server with sheets of every game in every state, and their links. Read only."""
    instance = tmp_path_factory.mktemp("house")
    server = Server(instance)
    yield server.address, House(instance / "referee.sqlite")
    server.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test."""
    running = Server(tmp_path)
    yield running
    running.stop()
