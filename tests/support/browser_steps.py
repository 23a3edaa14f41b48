"""What a person does with a phone, in words that several evenings share."""

from playwright.sync_api import Locator, Page, expect


def begin_sheet(page: Page, address: str, game: str, names: list[str], **rules: str) -> None:
    """From the first page to a new sheet; the first named deals."""
    page.goto(address)
    page.get_by_role("link", name="New score sheet").click()
    page.locator(".games a").filter(has=page.get_by_text(game, exact=True)).click()
    rows = page.locator("input[name=name]")
    expect(rows.first).to_be_visible()  # the page is there: a count does not wait for it
    for place, name in enumerate(names):
        if rows.count() <= place:
            page.get_by_role("button", name="Add a player").click()
            expect(rows).to_have_count(place + 1)
        rows.nth(place).fill(name)
    page.get_by_role("radio", name="Player 1 deals first").check()
    if rules:
        page.get_by_text("House rules").click()
    for name, value in rules.items():
        page.locator(f"input[name={name}]").fill(value)
    page.get_by_role("button", name="Start the sheet").click()
    expect(page.locator("#live")).to_be_visible()


def form(page: Page, action: str) -> Locator:
    """The forms that record entries of this kind."""
    return page.locator("form.entry").filter(
        has=page.locator(f"input[name=action][value={action}]")
    )


def recorded(page: Page, rows: int) -> None:
    """What was recorded last is on the score pad, which has this many rows now."""
    expect(page.locator(".score-pad .opens")).to_have_count(rows)


def score(page: Page, player: str, points: int) -> None:
    """The score pad shows this total for the player."""
    heads = page.locator(".score-pad").locator("thead th, tbody tr")
    head = heads.filter(has=page.locator(".name").get_by_text(player, exact=True))
    expect(head.locator(".total")).to_have_text(str(points).replace("-", "−"))
