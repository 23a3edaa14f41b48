"""A viewer's phone: it can highlight the column of its owner."""

from playwright.sync_api import FloatRect, Page, expect

from tests.browser.conftest import TakePhone
from tests.support.chromium import SMALL
from tests.support.served_book import ServedBook


def watched(served: ServedBook, page: Page, players: int = 4, deals: int = 3) -> str:
    """Open a sheet by its view link; returns the address."""
    link = served.sheet("multiple-9", players, deals)
    page.goto(f"{served.server.address}/s/{served.book.hosting.links(link)['view']}")
    return page.url


def test_a_viewer_can_highlight_their_own_column(served: ServedBook, page: Page) -> None:
    """The phone remembers it, through new deals and when it is opened again."""
    address = watched(served, page)
    link = served.book.ledger.link(address.rpartition("/")[2])
    assert link is not None
    lit = page.locator(".score-pad .own")
    expect(lit).to_have_count(0)
    page.get_by_role("button", name="Cy", exact=True).first.click()
    expect(lit).to_have_count(1 + 3)
    expect(lit.first).to_contain_text("Cy")
    expect(page.get_by_text("You’re Cy")).to_be_visible()
    host = served.book.ledger.link(served.book.ledger.links(link.document)["score"])
    assert host is not None
    mark = served.book.open(host).mark
    served.book.record(host, {"action": "out", "player": "Cy"}, mark, "one-more")
    expect(lit).to_have_count(1 + 4)
    page.reload()
    expect(lit).to_have_count(1 + 4)
    page.get_by_text("You’re Cy").click()
    page.get_by_role("button", name="Just watching").click()
    expect(lit).to_have_count(0)
    expect(page.get_by_text("Which one are you?")).to_be_visible()


def test_the_question_leaves_room_for_the_pad(served: ServedBook, new_phone: TakePhone) -> None:
    """The totals and three deals, on a small phone whose words are long, with six players."""
    phone = new_phone(viewport=SMALL, locale="de")
    watched(served, phone, players=6, deals=6)
    expect(phone.locator("details.own-column[open]")).to_be_visible()
    pad, head = box(phone, ".scores"), box(phone, ".score-pad thead")
    deal = box(phone, ".score-pad tbody tr:last-child")
    assert pad["height"] >= head["height"] + 3 * deal["height"]
    assert box(phone, "#chart")["y"] >= pad["y"] + pad["height"]


def box(phone: Page, part: str) -> FloatRect:
    """Where this part of the page is shown."""
    found = phone.locator(part).bounding_box()
    assert found
    return found


def test_the_choice_stays_on_the_phone(
    served: ServedBook, page: Page, new_phone: TakePhone
) -> None:
    """No request, cookie or row has it; another phone asks for its own."""
    address = watched(served, page)
    link = served.book.ledger.link(address.rpartition("/")[2])
    assert link is not None
    rows, cookies = served.book.open(link).mark, page.context.cookies()
    sent = list[str]()
    page.on("request", lambda request: sent.append(f"{request.method} {request.url}"))
    page.get_by_role("button", name="Dot", exact=True).first.click()
    with page.expect_response(lambda answer: answer.url.endswith("/board")):
        pass
    assert sent
    assert all(one.startswith("GET ") and "Dot" not in one for one in sent), sent
    assert page.context.cookies() == cookies
    assert served.book.open(link).mark == rows
    other = new_phone()
    other.goto(address)
    expect(other.get_by_text("Which one are you?")).to_be_visible()
    expect(other.locator(".own")).to_have_count(0)


def test_the_choice_applies_to_other_sheets_by_name(served: ServedBook, page: Page) -> None:
    """On a turned pad of ten players it is the row that is highlighted."""
    watched(served, page)
    page.get_by_role("button", name="Cy", exact=True).first.click()
    watched(served, page, 8, 2)
    expect(page.locator("tr.own")).to_have_count(1)
    expect(page.locator("tr.own th")).to_contain_text("Cy")


def test_without_script_the_choice_is_not_offered(served: ServedBook, new_phone: TakePhone) -> None:
    """It needs a script."""
    plain = new_phone(java_script_enabled=False)
    watched(served, plain)
    expect(plain.get_by_text("You’re watching")).to_be_visible()
    expect(plain.get_by_text("Which one are you?")).to_be_hidden()
