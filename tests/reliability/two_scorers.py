"""Two people keep score of one sheet on two phones: each deal must be on it once, and right.

Both enter every deal as soon as it is over, unless their pad has it. They aim at a button, and tap
up to a second later whatever is there then, sometimes twice. Requests and responses are late or
lost. A third phone views the sheet. The expected figures are those of a paper model, which has the
rules written independently of the program: what each deal brings, and what each player has at its
end.

`python -m tests.reliability.two_scorers 300` plays that many sheets, game after game, and ends with
1 if a deal is there twice, is missing, or has another figure, or if recording took many taps.
"""

import asyncio
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from playwright.async_api import Browser, Page, Route, async_playwright
from playwright.async_api import Error as PlaywrightError

from referee.settings import SETTINGS_FILE
from tests.support.campaign import SEED
from tests.support.chromium import CHROMIUM, PHONE, QUIET
from tests.support.server import FORM, Server, ask

DEALS = 3  # a sheet
MOST_TAPS = 4  # to record a deal, on both phones, on average: 2.3 in a run of 27 deals
PATIENCE = 60.0  # seconds for a deal, with everything that is late
LATEST = 1.0  # seconds until a finger that has aimed comes down
POLL_SECONDS = 0.05  # between two looks at the phone

Points = dict[str, int]


class OnPaper(NamedTuple):
    """A deal: its winner, the fields of its form, and the points of each player."""

    winner: str
    fields: Mapping[str, str]
    brings: Points


class Rules(NamedTuple):
    """A game: its players, its house rules, and a random deal.

    `deal` gets the random generator, the players, and the number of deals before. Everybody has
    `start` points at first; `stakes` is what each pays for the next deal, by the number of deals
    before it.
    """

    players: tuple[str, ...]
    options: Mapping[str, str]
    action: str
    deal: Callable[[random.Random, Sequence[str], int], OnPaper]
    start: int = 0
    stakes: Callable[[Sequence[str], int], Points] = lambda names, _: dict.fromkeys(names, 0)


def _won(chance: random.Random, names: Sequence[str], _: int) -> OnPaper:
    winner = chance.choice(names)
    return OnPaper(winner, {"player": winner}, {name: int(name == winner) for name in names})


def _pool(chance: random.Random, names: Sequence[str], _: int) -> OnPaper:
    winner = chance.choice(names)  # one counter each is in the pool
    brings = {name: len(names) - 1 if name == winner else -1 for name in names}
    return OnPaper(winner, {"player": winner}, brings)


def _one_each(names: Sequence[str], _: int) -> Points:
    return dict.fromkeys(names, 1)


def _chips(chance: random.Random, names: Sequence[str], _: int) -> OnPaper:
    winner, lost = chance.choice(names), chance.randint(2, 9)
    brings = {name: lost * (len(names) - 1) if name == winner else -lost for name in names}
    sent = {f"{'won' if n > 0 else 'lost'}.{names.index(name)}": n for name, n in brings.items()}
    return OnPaper(winner, {"winners": winner, **_written(sent)}, brings)


def _blinds(names: Sequence[str], before: int) -> Points:
    """The small blind is at the dealer's left, the big one next to it."""
    return {names[(before + place) % len(names)]: blind for place, blind in ((1, 1), (2, 2))}


def _deadwood(chance: random.Random, names: Sequence[str], _: int) -> OnPaper:
    caller = chance.choice(names)
    left = {name: chance.randint(10, 40) for name in names if name != caller}
    sent = {f"hands.{names.index(name)}.deadwood": points for name, points in left.items()}
    brings = {name: sum(left.values()) if name == caller else 0 for name in names}
    return OnPaper(caller, {"callers": caller, "how": "count", **_written(sent)}, brings)


def _counted(chance: random.Random, names: Sequence[str], before: int) -> OnPaper:
    winner = chance.choice(names)
    left = {name: chance.randint(1, 7) for name in names if name != winner}
    sent = {f"hands.{names.index(name)}.plain": cards for name, cards in left.items()}
    brings = {name: sum(left.values()) if name == winner else -left[name] for name in names}
    for name, counters in _dealer_stakes(names, before).items():
        brings[name] -= counters
    return OnPaper(winner, {"player": winner, "how": "count", **_written(sent)}, brings)


def _dealer_stakes(names: Sequence[str], before: int) -> Points:
    """The dealer puts nine counters into the pools."""
    return {name: 9 * (place == before % len(names)) for place, name in enumerate(names)}


def _penalties(chance: random.Random, names: Sequence[str], _: int) -> OnPaper:
    winner = chance.choice(names)
    left = {name: chance.randint(2, 60) for name in names if name != winner}
    sent = {f"hands.{names.index(name)}.points": points for name, points in left.items()}
    return OnPaper(
        winner, {"player": winner, "how": "count", **_written(sent)}, {**left, winner: 0}
    )


def _tricks(chance: random.Random, names: Sequence[str], before: int) -> OnPaper:
    first = chance.randint(0, 16)
    second = chance.randint(0, 16 - first)
    won = dict(zip(names, (first, second, 16 - first - second), strict=True))
    due = {names[(before + place) % 3]: tricks for place, tricks in enumerate((9, 5, 2))}
    sent = {f"tricks.{names.index(name)}": tricks for name, tricks in won.items()}
    return OnPaper("", _written(sent), {name: won[name] - due[name] for name in names})


def _points(field: str) -> Callable[[random.Random, Sequence[str], int], OnPaper]:
    def deal(chance: random.Random, names: Sequence[str], _: int) -> OnPaper:
        # Even numbers that nine cards can make, so that grids of Colorado Nines can have them, too.
        brings = {name: 2 * chance.randint(6, 13) for name in names}
        sent = {f"{field}.{names.index(name)}": points for name, points in brings.items()}
        how = {"how": "count"} if field == "grids" else {}
        return OnPaper("", {**how, **_written(sent)}, brings)

    return deal


def _written(numbers: Mapping[str, int]) -> dict[str, str]:
    return {name: str(abs(number)) for name, number in numbers.items()}


FOUR = ("Ann", "Ben", "Cy", "Dot")
GAMES: Mapping[str, Rules] = {
    "multiple-9": Rules(FOUR, {}, "out", _won),
    "multiple-9-holdem": Rules(FOUR[:3], {}, "hand", _chips, 200, _blinds),
    "9-of-a-kind": Rules((*FOUR, "Eve"), {"target": "9000"}, "end", _deadwood),
    "red-nines-1881": Rules(
        FOUR, {"deals": "90", "counters": "500"}, "out", _counted, 500, _dealer_stakes
    ),
    "red-nines": Rules(FOUR, {"rounds": "90"}, "out", _penalties),
    "pink-nines": Rules(FOUR, {}, "out", _pool, 36, _one_each),
    "nine-five-two": Rules(FOUR[:3], {"target": "900"}, "tricks", _tricks),
    "colorado-nines": Rules(FOUR, {}, "grids", _points("grids")),
    "plain-score": Rules(FOUR, {}, "deal", _points("points")),
}

_LINK = re.compile(r'<input id="link" dir="ltr" readonly value="http://[^/]+([^"]+)"')

#: Fill in the form of an action in the open drawer, as keys would; returns the place of its button:
#: the winner's name if one tap records, else Record; null if none is visible.
FILL = """([action, winner, fields]) => {
  const named = `dialog.drawer[open] .ways:not([inert]) input[name=action][value="${action}"]`;
  const form = document.querySelector(named)?.closest("form");
  if (!form) return null;
  form.closest("details.way").open = true;
  for (const [name, value] of Object.entries(fields)) {
    for (const control of form.querySelectorAll(`input[name="${name}"]`)) {
      const chosen = ["radio", "checkbox"].includes(control.type);
      if (chosen) control.checked = control.value === value;
      else control.value = value;
      control.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  const names = [...form.querySelectorAll(".taps-record button")];
  const record = form.querySelector("[data-record]:not([hidden])");
  const button = names.find((one) => one.value === winner) || record;
  const { left, top, width, height } = button?.getBoundingClientRect() || { width: 0 };
  return width ? [left + width / 2, top + height / 2] : null;
}"""
#: What a person sees of the sheet: the number of deals, whether a drawer is open or closed by the
#: other phone, and whether an entry is on its way, waits to be sent, or was refused.
SEES = """() => {
  const drawer = Boolean(document.querySelector("dialog.drawer[open]"));
  return {
    deals: document.querySelectorAll(".score-pad .opens").length,
    drawer,
    closed: Boolean(document.querySelector("dialog.drawer[open] .came")),
    busy: Boolean(document.querySelector("form.htmx-request")) || (!drawer && location.hash !== ""),
    queue: document.querySelectorAll("#waiting .queue li").length,
    needs: document.querySelectorAll("#waiting .needs li").length,
  };
}"""
#: The figures on the pad: the totals in the heads, then those of each deal.
PAD = """() => {
  const rows = [...document.querySelectorAll(".score-pad tbody tr:has(.opens)")];
  const heads = [...document.querySelectorAll(".score-pad thead .total")];
  return [heads.map((total) => total.textContent), ...rows.map((row) =>
    [...row.querySelectorAll("td")].map(
      (cell) => cell.firstElementChild?.firstChild?.textContent ?? cell.textContent))];
}"""


class Scorer:
    """A person with a phone."""

    def __init__(self, page: Page, chance: random.Random, tally: Counter[str]) -> None:
        self.page, self.chance, self.tally = page, chance, tally

    async def spoil_network(self) -> None:
        """From now on, delay or lose requests and responses of this phone."""
        await self.page.route("**/entries", self._entry)
        await self.page.route("**/board", self._board)

    async def _entry(self, route: Route) -> None:
        fate = self.chance.random()
        if fate < 0.3:
            await asyncio.sleep(self.chance.random())
        if fate < 0.08:
            self.tally["requests lost"] += 1
            await route.abort()
        elif fate < 0.2:
            self.tally["answers lost"] += 1
            await route.fetch(max_redirects=0)
            await route.abort()
        else:
            await route.continue_()

    async def _board(self, route: Route) -> None:
        if self.chance.random() < 0.3:
            await asyncio.sleep(2 * self.chance.random())
        await route.continue_()

    async def enter(self, action: str, number: int, deal: OnPaper) -> None:
        """Record deal `number`, unless the sheet has it."""
        while True:
            seen = await self.page.evaluate(SEES)
            if seen["needs"]:  # it was refused, as the other phone was faster
                await self._discard_refused()
            elif seen["queue"] or seen["busy"]:
                await asyncio.sleep(POLL_SECONDS)
            elif seen["deals"] >= number:
                if not seen["drawer"]:
                    return
                self.tally["told in time"] += seen["closed"]
                await self.page.keyboard.press("Escape")
            elif not seen["drawer"]:
                await self._open_drawer()
            elif seen["closed"]:
                self.tally["went on"] += 1
                await self._tap("#record [data-goes-on]")
            else:
                await self._aim_and_tap(action, deal)

    async def _open_drawer(self) -> None:
        # The account of the last hand may have to be closed first.
        await self._tap("#dock :is([data-next-deal], a.record):not([hidden])")

    async def _tap(self, key: str) -> None:
        found = self.page.locator(key).first
        try:
            box = await found.bounding_box(timeout=1000)
        except PlaywrightError:
            box = None
        if box:
            await self.page.mouse.click(box["x"] + 20, box["y"] + 20)
        self.tally["other taps" if box else "gone before a tap"] += 1
        await asyncio.sleep(4 * POLL_SECONDS)

    async def _aim_and_tap(self, action: str, deal: OnPaper) -> None:
        aim = await self.page.evaluate(FILL, [action, deal.winner, dict(deal.fields)])
        if aim is None:
            await asyncio.sleep(POLL_SECONDS)
            return
        await asyncio.sleep(LATEST * self.chance.random() ** 2)
        for _ in range(1 + (self.chance.random() < 0.25)):
            await self.page.mouse.click(*aim)
            self.tally["taps to record"] += 1
            await asyncio.sleep(0.1)

    async def _discard_refused(self) -> None:
        self.tally["discarded"] += 1
        for _ in range(2):  # the second tap confirms
            with suppress(PlaywrightError):
                await self.page.locator("#waiting .needs .danger").first.dispatch_event("click")


async def play_sheet(
    server: Server, scorers: Sequence[Scorer], viewer: Page, slug: str, chance: random.Random
) -> list[str]:
    """Play a sheet of this game, viewed by `viewer`; returns the faults."""
    rules = GAMES[slug]
    fields = [*(("name", name) for name in rules.players), ("dealer", "0"), *rules.options.items()]
    begun = ask(server.address, f"/new/{slug}", urlencode(fields).encode(), {"Content-Type": FORM})
    for scorer in scorers:
        await scorer.page.goto("about:blank")  # cancels pending requests
        await scorer.page.goto(server.address + begun.leads_to)
    shared = ask(server.address, f"{begun.leads_to}/share?code=view").text
    await viewer.goto(server.address + _LINK.findall(shared)[0])
    paper: list[OnPaper] = []
    for number in range(1, DEALS + 1):
        paper.append(rules.deal(chance, rules.players, number - 1))
        both = (one.enter(rules.action, number, paper[-1]) for one in scorers)
        try:
            await asyncio.wait_for(asyncio.gather(*both), PATIENCE)
        except TimeoutError:
            seen = [await one.page.evaluate(SEES) for one in scorers]
            return [f"{slug}, deal {number}: nobody got it written: {seen}"]
    file = await scorers[0].page.request.get(f"{server.address}{begun.leads_to}/sheet.json")
    entries: list[object] = (await file.json())["entries"]
    faults = []
    if len(entries) != len(paper):
        faults.append(f"{slug}: {len(entries)} entries for {len(paper)} deals")
    wanted = _paper_pad(rules, paper)
    with suppress(TimeoutError):  # the comparison below says what is missing
        await asyncio.wait_for(_sees_all(viewer), PATIENCE)
    for page in (viewer, *(one.page for one in scorers)):
        shown = [[_number(cell) for cell in row] for row in await page.evaluate(PAD)]
        if shown != wanted:
            whose = "viewer's" if page is viewer else "scorer's"
            faults.append(f"{slug}: the {whose} pad has {shown}, the paper {wanted}")
    return faults


async def _sees_all(viewer: Page) -> None:
    while (await viewer.evaluate(SEES))["deals"] < DEALS:
        await asyncio.sleep(POLL_SECONDS)


def _paper_pad(rules: Rules, paper: Sequence[OnPaper]) -> list[list[int]]:
    """The totals after these deals, then the figures of each deal."""
    rows = [[deal.brings[name] for name in rules.players] for deal in paper]
    stakes = rules.stakes(rules.players, len(paper))
    won = map(sum, zip(*rows, strict=True))
    paid = (stakes.get(name, 0) for name in rules.players)
    return [[rules.start + all_won - due for all_won, due in zip(won, paid, strict=True)], *rows]


def _number(text: str) -> int:
    plain = text.strip().replace("−", "-").replace("+", "").replace(",", "")
    return int(plain) if plain.lstrip("-").isdecimal() else 0


async def _phone(browser: Browser, server: Server, name: str) -> Page:
    context = await browser.new_context(viewport=PHONE, service_workers="block")
    await context.add_cookies([{"name": "phone", "value": name, "url": server.address}])
    return await context.new_page()


async def play(sheets: int, seed: int, instance: Path, slugs: Sequence[str]) -> list[str]:
    """Play `sheets` sheets of these games in turn; prints a summary, returns all faults."""
    settings = "sheets_an_hour = 1000000\n"
    (instance / SETTINGS_FILE).write_text(settings, encoding="utf-8")
    server, tally, faults = Server(instance), Counter[str](), list[str]()
    try:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET])
            chance = random.Random(seed)
            scorers = [
                Scorer(await _phone(browser, server, name), random.Random(f"{seed} {name}"), tally)
                for name in ("Ann", "Ben")
            ]
            for scorer in scorers:
                await scorer.spoil_network()
            viewer = await _phone(browser, server, "Cy")
            for number in range(sheets):
                slug = slugs[number % len(slugs)]
                found = await play_sheet(server, scorers, viewer, slug, chance)
                faults += found
                tally["sheets"] += 1
                print(*found, sep="\n", end="\n" if found else "", flush=True)
                if tally["sheets"] % 10 == 0:
                    print(dict(tally), flush=True)
            await browser.close()
    finally:
        server.stop()
    if tally["taps to record"] > MOST_TAPS * DEALS * tally["sheets"]:
        faults.append("taps were lost")
        print(faults[-1])
    print(f"seed {seed}: {dict(tally)}, {len(faults)} faults", flush=True)
    return faults


def main() -> int:
    """Play the number of sheets in the first argument, 9 by default."""
    sheets = int(sys.argv[1]) if len(sys.argv) > 1 else len(GAMES)
    slugs = sys.argv[2:] or list(GAMES)
    with tempfile.TemporaryDirectory() as folder:
        return int(bool(asyncio.run(play(sheets, SEED, Path(folder), slugs))))


if __name__ == "__main__":
    sys.exit(main())
