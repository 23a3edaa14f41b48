"""Five hands by photo and on the card pad: how often a thumb touches the phone.

`python -m benchmarks camera-taps` plays evenings in a real browser, over plain http. Everybody
except the winner of a round of 20th-century Red Nines is left with nine cards from one shuffled
pack, laid out or fanned, in photos that are drawn: a little aslant, dim, blurred. `--photos DIR`
adds evenings with the hands in real photos, of four cards and more, as `labels.csv` tells them
(`camera`).

The person knows the cards. They confirm each card in doubt, correct the wrong ones, and add the
missing ones; if the form then differs from the hand, the benchmark stops.
"""

import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median

import click
import numpy as np
from PIL import Image, ImageFilter
from playwright.sync_api import FilePayload, Locator, Page, expect, sync_playwright

from benchmarks.house import book_in, referee, serving
from referee.extras.camera.cards import in_notation
from referee.rules.cards.card_keys import RED_NINE_KEYS
from referee.rules.cards.cards import FRENCH_SUITS, RANKS
from referee.settings import SETTINGS_FILE
from tests.extras.camera import drawn
from tests.extras.camera.benchmarks.scoring import labeled_photos, markdown, photos_option
from tests.support.browser_steps import Thumb
from tests.support.chromium import CHROMIUM, PHONE, QUIET

PLAYERS = ["Ann", "Ben", "Cat", "Dan", "Eve", "Flo"]  # Ann goes out, five are left with cards
HANDS = len(PLAYERS) - 1
NINE = 9
PATIENCE = 60_000  # milliseconds for a photo, on a machine that does other work as well
COLUMNS = {  # what a line of the table says, by what an evening calls it
    "cards": "cards",
    "taps with photos": "by_photo",
    "taps on the card pad": "on_pad",
    "in doubt": "in_doubt",
    "wrong, missing, or too many": "wrong",
}
AT_HOME = "referee.test"  # no secure context, as in a house without certificates


@dataclass(frozen=True)
class Hand:
    """The cards of a hand ("9H", "10S"), and a photo of them."""

    cards: Sequence[str]
    photo: bytes

    @property
    def texts(self) -> list[str]:
        """The cards as this game's pad has them."""
        return [in_notation(card, RED_NINE_KEYS) or "" for card in self.cards]


@dataclass
class Evening:
    """The taps for five hands by photo and on the pad, and the corrections after photos."""

    cards: int = 0
    by_photo: int = 0
    on_pad: int = 0
    in_doubt: int = 0
    wrong: int = 0


# --- the hands


def drawn_hands(seed: int) -> list[Hand]:
    """Five hands of nine from one pack, the same for the same seed."""
    chance = random.Random(seed)
    pack = [rank + suit for rank, suit in product(RANKS, FRENCH_SUITS)]
    cards = chance.sample(pack, NINE * HANDS)
    hands = [cards[start : start + NINE] for start in range(0, len(cards), NINE)]
    return [Hand(hand, _snapshot(hand, chance)) for hand in hands]


def _snapshot(cards: Sequence[str], chance: random.Random) -> bytes:
    """A drawn photo of these cards: aslant, dim, blurred."""
    lay = chance.choice((drawn.row, drawn.fan))
    aslant, light, blur, noise = (
        chance.uniform(*between) for between in ((-6, 6), (0.5, 1), (0, 1.5), (1, 4))
    )
    turned = lay(cards).rotate(aslant, Image.Resampling.BICUBIC, fillcolor=drawn.CLOTH)
    seen = np.asarray(turned.filter(ImageFilter.GaussianBlur(blur))) * light
    seen += np.random.default_rng(chance.getrandbits(32)).normal(0, noise, seen.shape)
    photo = Image.fromarray(seen.clip(0, 255).astype(np.uint8))
    return drawn.saved(photo, quality=chance.randint(60, 90))


def real_hands(folder: Path, seed: int) -> list[Hand]:
    """Five hands of four cards or more from real photos, the same for the same seed."""
    known = labeled_photos(folder)
    fitting = [one for one in known if len(one.cards) >= 4 and "?" not in str(one.cards)]
    if len(fitting) < HANDS:
        raise click.UsageError(f"{folder} has fewer than {HANDS} hands whose cards are all known.")
    chosen = random.Random(seed).sample(fitting, HANDS)
    return [Hand(one.cards, one.file.read_bytes()) for one in chosen]


# --- the evening


def play(page: Page, sheet: str, hands: Sequence[Hand]) -> Evening:
    """All hands by photo, and once more on the pad; raises `AssertionError` on any other hand."""
    played = Evening(cards=sum(len(hand.cards) for hand in hands))
    thumb = _who_went_out(page, sheet)
    for seat, hand in enumerate(hands, start=1):
        _take(thumb, hand, played)
        _holds(page, seat, hand)
    played.by_photo = thumb.taps
    thumb = _who_went_out(page, sheet)
    thumb.tap(_drawer(page).locator(".how label").last)
    for seat, hand in enumerate(hands, start=1):
        if seat > 1:
            thumb.tap(_drawer(page).locator("[data-next]"))
        for text in hand.texts:
            thumb.tap(_drawer(page).locator(f".key[value='@:{text}']"))
        _holds(page, seat, hand)
    played.on_pad = thumb.taps
    return played


def _drawer(page: Page) -> Locator:
    return page.locator("dialog.drawer[open]")


def _who_went_out(page: Page, sheet: str) -> Thumb:
    """Open the drawer and tap who went out; counting begins here."""
    page.goto("about:blank")  # else the same address would not open the drawer again
    page.goto(sheet)
    page.evaluate("sessionStorage.clear(); localStorage.clear()")
    page.reload()
    _drawer(page).locator(".by-name label").first.tap()
    return Thumb(page)


def _holds(page: Page, seat: int, hand: Hand) -> None:
    """Check that the form has this hand for the seat, in any order."""
    line = _drawer(page).locator(f"input[name='hands.{seat}']")
    expect(page.locator(".camera-dialog")).to_have_count(0)
    held = line.input_value().split()
    assert Counter(held) == Counter(hand.texts), f"{hand.texts} stands there as {held}"


def _take(thumb: Thumb, hand: Hand, played: Evening) -> None:
    """Enter the current hand by photo: read, correct, use."""
    page = thumb.page
    with page.expect_file_chooser() as taken:
        thumb.tap(_drawer(page).locator("button.camera").filter(visible=True))
    photo: FilePayload = {"name": "hand.jpg", "mimeType": "image/jpeg", "buffer": hand.photo}
    taken.value.set_files(photo)
    mend = page.locator(".camera-dialog .mend")
    expect(mend).to_be_visible(timeout=PATIENCE)
    _put_right(thumb, mend, Counter(hand.texts), played)
    thumb.tap(mend.get_by_role("button", name="Use these cards"))


def _put_right(thumb: Thumb, mend: Locator, wanted: Counter[str], played: Evening) -> None:
    """Correct the cards in doubt, then wrong ones read as sure, then add the missing ones."""
    line = mend.locator("[name='photo.cards']")
    cards = mend.locator("[data-hand] > .k:not(.ghost)")
    doubts = mend.locator(".doubt")
    doubtful = {int(place or 0) for place in _each(doubts, "dataset.place")}
    shown = line.input_value().split()
    missing = wanted - Counter(one for at, one in enumerate(shown) if at not in doubtful)
    played.in_doubt += len(doubtful)
    for _ in doubtful:
        doubt = doubts.filter(visible=True)
        guesses = _each(doubt.locator("[name='photo.is']"), "value")
        right = next((one for one in guesses if missing[one.partition(":")[2]] > 0), None)
        if right is not None:
            missing[right.partition(":")[2]] -= 1
            thumb.tap(doubt.locator(f"[name='photo.is'][value='{right}']"))
        elif missing.total():
            played.wrong += 1
            thumb.tap(doubt.locator("[data-other]"))
            thumb.tap(_key(mend, _next(missing)))
        else:
            played.wrong += 1
            thumb.tap(doubt.get_by_role("button", name="Remove"))
    for text in Counter(line.input_value().split()) - wanted:
        played.wrong += 1
        thumb.tap(cards.nth(line.input_value().split().index(text)))
        thumb.tap(_key(mend, _next(missing) if missing.total() else "back"))
    while missing.total():
        played.wrong += 1
        thumb.tap(mend.locator(".more"))
        thumb.tap(_key(mend, _next(missing)))


def _each(parts: Locator, of: str) -> list[str]:
    """The values of this property of all evenings."""
    told: list[str] = parts.evaluate_all(f"parts => parts.map((part) => part.{of})")
    return told


def _next(missing: Counter[str]) -> str:
    """Remove and return one of the missing cards."""
    text = next(iter(+missing))
    missing[text] -= 1
    return text


def _key(mend: Locator, text: str) -> Locator:
    return mend.locator(f".key[value='photo.cards:{text}']")


# --- the table


def evenings(folder: Path | None, count: int) -> Iterator[Evening]:
    """Play this many evenings with drawn photos, or with real ones from this folder."""
    rules = f"MAP {AT_HOME} 127.0.0.1"
    args = [*QUIET, f"--host-resolver-rules={rules}"]
    with tempfile.TemporaryDirectory() as instance, sync_playwright() as playwright:
        (Path(instance) / SETTINGS_FILE).write_text("photos_an_hour = 1000000\n", encoding="utf-8")
        link = book_in(Path(instance)).begin("red-nines", PLAYERS, PLAYERS[0], {})
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=args)
        with serving(*referee(Path(instance))) as server:
            sheet = f"http://{AT_HOME}:{server.port}/s/{link.token}#record"
            page = browser.new_page(viewport=PHONE, has_touch=True, is_mobile=True)
            for seed in range(1, count + 1):
                yield play(page, sheet, real_hands(folder, seed) if folder else drawn_hands(seed))
        browser.close()


def line(what: str, played: Sequence[Evening]) -> list[str]:
    """These evenings as a line of the table: median, minimum and maximum."""
    counted = [[getattr(one, name) for one in played] for name in COLUMNS.values()]
    return [what, *map(_spread, counted)]


def _spread(counts: Sequence[int]) -> str:
    least, most = min(counts), max(counts)
    return f"{least}" if least == most else f"{median(counts):g} ({least}–{most})"


@click.command()
@photos_option("Real photos with their labels.csv, besides the drawn ones.")
@click.option("--evenings", "count", type=click.IntRange(1), default=8, show_default=True)
def main(folder: Path | None, count: int) -> None:
    """Count the taps for five hands, with photos and on the card pad, from the first hand on."""
    lines = [line("drawn photos", list(evenings(None, count)))]
    if folder:
        lines.append(line("real photos", list(evenings(folder, count))))
    click.echo(markdown((f"five hands, {count} evenings", *COLUMNS), lines))
