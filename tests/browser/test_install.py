"""The weight of pages, the home screen, copies for use without a network, and wake locks."""

import json
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, TakePhone
from tests.support.browser_steps import begin_sheet, begun_sheet, entries, form, recorded, send, won
from tests.support.server import Server
from tests.support.wire import Wire, wire_to

FIVE = ["Ann", "Ben", "Cat", "Dan", "Eve"]
FIRST_VISIT, LATER_VISIT = 64_000, 10_000  # bytes that come down, headers and worker counted

CACHED = """async ([path, cached]) => {
  const pages = await caches.open("pages");
  return Boolean(await pages.match(path)) === cached;
}"""
COPY_HAS = """async ([path, words]) => {
  const copy = await (await caches.open("pages")).match(path);
  return Boolean(copy) && (await copy.text()).includes(words);
}"""


@pytest.fixture
def service_workers() -> str:
    return "allow"


@pytest.fixture
def wire(server: Server) -> Iterator[Wire]:
    """A proxy to the server that counts bytes, and can be cut."""
    with wire_to(server.address) as laid:
        yield laid


def path_of(page: Page) -> str:
    return urllib.parse.urlsplit(page.url).path


def await_cached(page: Page, path: str, cached: bool = True) -> None:
    """Wait until the phone has a copy of this page, or no longer has it."""
    wait_until(page, CACHED, path, cached)


def wait_until(page: Page, question: str, *asked: str | bool) -> None:
    """Wait until an async function of the page returns true, given a list of these values.

    Playwright's `wait_for_function` takes any promise for true.
    """
    page.evaluate(
        f"""async (asked) => {{
          const answer = {question};
          for (const end = Date.now() + {PATIENCE}; Date.now() < end;) {{
            if (await answer(asked)) return;
            await new Promise(requestAnimationFrame);
          }}
          throw new Error("This never came true: " + answer + " of " + asked);
        }}""",
        list(asked),
    )


def test_an_error_of_the_worker_is_logged(server: Server, page: Page) -> None:
    """And the worker goes on with its next task.

    The wait is for a function: evaluating an expression again is `eval`, which our policy refuses.
    """
    page.goto(server.address)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    (worker,) = page.context.service_workers
    assert worker.evaluate("""async () => {
      const logged = [];
      console.error = (error) => logged.push(error.message);
      inTurn(() => { throw new Error("ours"); });
      await inTurn(() => logged.push("next"));
      return logged;
    }""") == ["ours", "next"]


def sheet_of_twenty_deals(page: Page, address: str) -> str:
    """A sheet of five players and twenty deals; its path."""
    begin_sheet(page, address, "Multiple 9", FIVE, target="99")
    sheet = path_of(page)
    for deal in range(20):
        fields = {
            "action": "out",
            "player": FIVE[deal * 7 % 5],
            "after": deal,
            "key": f"deal-{deal}",
        }
        send(page, f"{address}{sheet}/entries", fields)
    return sheet


def test_the_weight_of_a_sheet(
    server: Server, page: Page, new_phone: TakePhone, wire: Wire
) -> None:
    """Five players, twenty deals: the bytes of a first and a later visit, with the worker."""
    sheet = sheet_of_twenty_deals(new_phone(), server.address)
    page.goto(wire.address + sheet, wait_until="networkidle")
    recorded(page, 20)
    await_cached(page, sheet)
    first = wire.weigh()
    page.goto("about:blank")
    wire.weigh()
    page.goto(wire.address + sheet, wait_until="networkidle")
    recorded(page, 20)
    later = wire.weigh()
    print(f"first visit {first}, later visit {later} bytes (down, up)")
    assert first[0] <= FIRST_VISIT, first
    assert later[0] <= LATER_VISIT, later


def test_scripts_load_after_what_is_drawn(server: Server, page: Page) -> None:
    """On a slow line they would share it with the style sheet, for which drawing waits."""
    devtools = page.context.new_cdp_session(page)
    urgency = dict[str, str]()

    def note(event: dict[str, Any]) -> None:
        path = urllib.parse.urlsplit(event["request"]["url"]).path
        urgency[path] = event["request"]["initialPriority"]

    devtools.on("Network.requestWillBeSent", note)
    devtools.send("Network.enable")
    page.goto(server.address)
    devtools.send("Network.disable")  # its answer comes after all that was noted
    drawn = [f"/static/css/{name}.css" for name in ("referee", "more")]
    scripts = [f"/static/js/{name}.js" for name in ("htmx", "referee")]
    assert {urgency[path] for path in drawn} == {"VeryHigh"}
    assert {urgency[path] for path in scripts} == {"Low"}


def test_the_program_can_be_installed_on_the_home_screen(server: Server, page: Page) -> None:
    """Chromium finds nothing wrong with the manifest."""
    page.goto(server.address)
    devtools = page.context.new_cdp_session(page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == "Referee"
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    faults = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [fault for fault in faults if fault["errorId"] != "in-incognito"] == []


def test_a_sheet_opens_without_a_network(page: Page, wire: Wire) -> None:
    """As last seen, with its time, view only; it becomes live again automatically."""
    begin_sheet(page, wire.address, "Multiple 9", ["Ann", "Ben"])
    sheet = path_of(page)
    await_cached(page, sheet)
    won(page, "Ben")
    recorded(page, 1)
    wait_until(page, COPY_HAS, sheet, "/deals/1")
    wait_until(page, "async () => (await (await caches.open('files')).keys()).length >= 2")
    whole = page.locator(".score-pad").inner_text()
    wire.cut()
    answer = page.reload()
    assert answer is not None
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    note = page.get_by_text("No connection. This is the sheet as of")
    expect(note).to_be_visible()
    assert re.search(r"the sheet as of \d\d?:\d\d\s[AP]M", note.inner_text())
    assert page.locator(".score-pad").inner_text() == whole
    expect(page.locator("main form")).to_have_count(0)
    expect(page.get_by_role("link", name="Correct")).to_have_count(0)
    assert page.evaluate("getComputedStyle(document.querySelector('#thumb')).position") == "fixed"
    page.get_by_role("link", name="Share").click()  # not cached, so the sheet stays
    expect(note).to_be_visible()
    wire.mend()
    expect(page.get_by_label("Link", exact=True)).to_be_visible()
    page.goto(wire.address + sheet)
    expect(form(page, "out")).to_have_count(1)
    expect(note).to_have_count(0)


def test_a_page_that_breaks_off_does_not_replace_its_copy(page: Page, wire: Wire) -> None:
    """The network fails while it arrives: the complete earlier one is shown."""
    begin_sheet(page, wire.address, "Multiple 9", ["Ann", "Ben"])
    sheet = path_of(page)
    await_cached(page, sheet)
    wire.cut_after(2_000)
    page.goto(wire.address + sheet, wait_until="commit")
    page.goto(wire.address + sheet)
    expect(page.get_by_text("No connection. This is the sheet as of")).to_be_visible()


def test_a_waiting_entry_is_sent_from_a_cached_page(page: Page, wire: Wire) -> None:
    """It is shown there while the network is away, and arrives once."""
    begin_sheet(page, wire.address, "Multiple 9", ["Ann", "Ben"])
    await_cached(page, path_of(page))
    wire.cut()
    won(page, "Ann")
    expect(page.locator("#waiting li")).to_have_count(1)
    page.reload()
    expect(page.get_by_text("No connection. This is")).to_be_visible()
    expect(page.locator("#waiting li")).to_have_count(1)
    wire.mend()
    recorded(page, 1)
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.get_by_text("No connection. This is")).to_have_count(0)
    assert [entry["player"] for entry in entries(page)] == ["Ann"]


def test_home_opens_without_a_network(page: Page, wire: Wire) -> None:
    """With links to this phone's sheets, which open if they were cached."""
    begin_sheet(page, wire.address, "Multiple 9", ["Ann", "Ben"])
    sheet = path_of(page)
    await_cached(page, sheet)
    page.goto(wire.address)
    await_cached(page, "/")
    wire.cut()
    page.goto(wire.address)
    expect(page.get_by_text("No connection. This is the page as of")).to_be_visible()
    page.get_by_role("link", name="Go on").click()
    expect(page.get_by_text("No connection. This is the sheet as of")).to_be_visible()


def test_with_a_network_nothing_is_stale(
    server: Server, page: Page, other: Page, wire: Wire
) -> None:
    """A page that is opened includes what others recorded meanwhile."""
    begin_sheet(page, wire.address, "Multiple 9", ["Ann", "Ben"])
    sheet = path_of(page)
    await_cached(page, sheet)
    page.goto("about:blank")
    other.goto(server.address + sheet)
    won(other, "Ben")
    recorded(other, 1)
    page.goto(wire.address + sheet)
    recorded(page, 1)
    expect(page.get_by_text("No connection")).to_have_count(0)


@pytest.mark.parametrize("looking", [True, False], ids=["while open", "opened again"])
def test_a_withdrawn_link_is_not_cached(page: Page, other: Page, wire: Wire, looking: bool) -> None:
    """Once the server answers 404 for a link, its copy is deleted from the phone."""
    begin_sheet(page, wire.address, "Multiple 9", ["Ann", "Ben"])
    page.get_by_role("link", name="Share").click()
    other.goto(page.locator("#link").input_value() + "?watch=yes")
    sheet = path_of(other)
    other.goto(wire.address + sheet)
    await_cached(other, sheet)
    if not looking:
        other.goto(wire.address + "/referee")
    page.get_by_role("link", name="Stop sharing this link").click()
    page.get_by_role("button", name="Stop sharing and make a new code").click()
    expect(page.get_by_text("This is the new code")).to_be_visible()
    if not looking:
        other.goto(wire.address + sheet)
        expect(other.get_by_text("it no longer works")).to_be_visible()
    await_cached(other, sheet, cached=False)


def test_twelve_sheets_are_cached(server: Server, page: Page) -> None:
    """The twelve seen last; of static files only those of the current version."""
    page.goto(server.address)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    sheets = []
    for number in range(14):
        names = ["Ann", f"Ben {number}"]
        page.goto(begun_sheet(page, server.address, "Multiple 9", names))
        sheets.append(path_of(page))
        await_cached(page, sheets[-1])
    cached = """(async () => {
      const pages = await (await caches.open("pages")).keys();
      return pages.map((one) => new URL(one.url).pathname).filter((path) => path !== "/");
    })()"""
    wait_until(page, f"() => {cached}.then((all) => all.length === 12)")
    assert page.evaluate(cached) == sheets[2:]
    page.goto(server.address + sheets[2])
    wait_until(page, f"([path]) => {cached}.then((all) => all.at(-1) === path)", sheets[2])

    style = page.locator("link[rel=stylesheet]").get_attribute("href") or ""
    old = style.partition("?")[0] + "?v=before"
    files = """async () => (await (await caches.open("files")).keys()).map((one) => one.url)"""
    page.evaluate(
        """async ([old, style]) => {
          const files = await caches.open("files");
          await files.delete(style);
          await files.put(old, new Response("old"));
          await fetch(style);
        }""",
        [old, style],
    )
    styles = [url for url in page.evaluate(files) if "/css/referee.css" in url]
    assert styles == [server.address + style]


# --- keeping the screen on

LOCKS = """
  window.locks = [];
  class Lock extends EventTarget {
    released = false;
    async release() {
      this.released = true;
      this.dispatchEvent(new Event("release"));
    }
  }
  Object.defineProperty(navigator, "wakeLock", { configurable: true, value: {
    request: async (kind) => {
      locks.push(new Lock());
      return locks.at(-1);
    },
  }});
"""
HELD = "() => locks.filter((lock) => !lock.released).length"


def test_the_screen_stays_on_at_a_sheet(server: Server, page: Page) -> None:
    """While a sheet is visible, and again when the phone returns to it; not on other pages."""
    page.add_init_script(LOCKS)
    begin_sheet(page, server.address, "Multiple 9", ["Ann", "Ben"])
    page.wait_for_function(f"{HELD} === 1")
    page.evaluate("locks[0].release()")  # as browsers do when the page is hidden
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function(f"{HELD} === 1")
    assert page.evaluate("locks.length") == 2
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("locks.length") == 2
    page.goto(server.address)
    assert page.evaluate("locks.length") == 0


def test_keeping_the_screen_on_can_be_turned_off(server: Server, page: Page) -> None:
    """The switch under More releases the lock at once, and this phone remembers it."""
    page.add_init_script(LOCKS)
    begin_sheet(page, server.address, "Multiple 9", ["Ann", "Ben"])
    sheet = page.url
    page.get_by_role("link", name="More").click()
    switch = page.get_by_label("Keep the screen on")
    expect(switch).to_be_checked()
    page.wait_for_function(f"{HELD} === 1")
    switch.uncheck()
    page.wait_for_function(f"{HELD} === 0")
    page.goto(sheet)
    expect(page.locator("#live")).to_be_visible()
    assert page.evaluate("locks.length") == 0
    page.goto(sheet + "/more")
    expect(switch).not_to_be_checked()
    switch.check()
    page.wait_for_function(f"{HELD} === 1")


# --- the theme


def test_the_theme_is_there_from_the_start(server: Server, new_phone: TakePhone) -> None:
    """Chosen without script, against the phone's own; the form shows the choice."""
    page = new_phone(java_script_enabled=False, color_scheme="light")
    page.goto(server.address)
    ground = "getComputedStyle(document.body).backgroundColor"
    looks = {}
    for name in ("Auto", "Dark", "Light"):
        page.get_by_role("button", name=name).click()
        pressed = page.locator(".choose [aria-pressed=true]")
        expect(pressed).to_have_text(name)
        looks[name] = page.evaluate(ground)
    assert looks["Auto"] == looks["Light"] == "rgb(246, 240, 225)"
    assert looks["Dark"] == "rgb(12, 21, 18)"
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(ground) == looks["Light"]
    page.get_by_role("button", name="Auto").click()
    expect(page.locator(".choose [aria-pressed=true]")).to_have_text("Auto")
    assert page.evaluate(ground) == looks["Dark"]
