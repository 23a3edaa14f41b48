"""Sixteen concurrent clients on a real server; their recorded history is checked by a model.

`python -m tests.reliability.histories` makes a run of half a minute, with `--minutes 10` one after
another, each with the next seed; it prints the results, and stops at the first fault. `--seed` is
the first seed; `--clients`, `--seconds` and `--workers` change a run. With `--kills 200` a run
lasts until the server has been killed 200 times.
"""

import argparse
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from referee.ledger import backup
from referee.ledger.store import Ledger
from referee.sheets.book import Book
from referee.sheets.sheet import as_file
from tests.reliability.clients import IN_PLAY, Client, Shared, TableSheet
from tests.reliability.exchange import Exchange
from tests.reliability.log import Log, Token
from tests.reliability.model import check
from tests.support.server import Server

CLIENTS, SECONDS = 16, 30.0
BETWEEN_KILLS = 60  # forms at most; some of them are still being sent or answered
PLAYERS = ("Ann", "Ben", "Cat")
COMPARED_PAGES = ("", "/board", "/form", "/log", "/more", "/share", "/settings", "/sheet.json")

_KEY = re.compile(r'name="key" value="[^"]*"')  # a form's key, new on every page


@dataclass(frozen=True)
class Outcome:
    """The result of a run: counts of requests by answer, and the faults found."""

    answers: Counter[str]
    rows: int
    pages: int
    faults: tuple[str, ...]
    seconds: float


def play(instance: Path, seed: int, seconds: float, clients: int = CLIENTS, **run: int) -> Outcome:
    """Make a run on a new book in the folder `instance`, and check it.

    It ends after `seconds`, or after a number of `forms`, if `run` has one. If it has a number of
    `kills`, the server is killed at random moments and restarted, every other time with two
    workers, and the run ends after the last. It may have a number of `workers`, too.
    """
    began = time.monotonic()
    plenty = {"REFEREE_SHEETS_AN_HOUR": "100000"}
    with mock.patch.dict(os.environ, plenty):
        server = Server(instance, "--workers", str(run.get("workers", 1)))
        try:
            forms, kills = run.get("forms", sys.maxsize), run.get("kills", 0)
            shared = Shared(server.address, _begin(instance), forms, kills)
            _run_clients(shared, server, seed, seconds, clients)
            tokens = [
                token.text for sheet in shared.sheets[-IN_PLAY:] for token in sheet.tokens.values()
            ]
            stale, pages = _stale_pages(instance, server, tokens)
        finally:
            server.stop()
    files = _files(instance, shared)
    faults = [
        *check(shared.log, files),
        *stale,
        *_evenings(instance, shared.log),
        *_commands(instance),
    ]
    faults += [f"seed {seed}: {len(faults)} faults"] if faults else []
    rows = sum(len(file["history"]) for file in files.values())
    seconds = round(time.monotonic() - began, 1)
    return Outcome(_answers(shared.log), rows, pages, tuple(faults), seconds)


def _begin(instance: Path) -> list[TableSheet]:
    with closing(Ledger(instance / "referee.sqlite")) as ledger:
        book = Book(ledger)
        sheets = []
        for number in range(IN_PLAY):
            links = book.hosting.links(book.begin("plain-score", PLAYERS, None, {}))
            tokens = {str(role): Token(token, role, 0, 0) for role, token in links.items()}
            sheets.append(TableSheet(number, tokens))
        return sheets


def _run_clients(shared: Shared, server: Server, seed: int, seconds: float, clients: int) -> None:
    stop = threading.Event()
    shared.up.set()
    with ThreadPoolExecutor(clients) as pool:
        running = [
            pool.submit(Client(shared, seed * 1000 + number).run, stop) for number in range(clients)
        ]
        try:
            if shared.kills:
                _kill(shared, server, random.Random(seed), running)
            else:
                wait(running, seconds, FIRST_EXCEPTION)
        finally:
            stop.set()
            shared.up.set()
        for client in running:
            client.result()


def _kill(
    shared: Shared, server: Server, chance: random.Random, running: list[Future[None]]
) -> None:
    """Kill the server at random moments, and restart it on the same port, while clients run."""
    for number in range(shared.kills):
        enough = len(shared.log.attempts) + chance.randint(1, BETWEEN_KILLS)
        while len(shared.log.attempts) < enough:
            if wait(running, 0.001, FIRST_EXCEPTION).done:
                return  # a client has failed
        print(f"kill {number + 1} of {shared.kills}, after {enough} forms", flush=True)
        shared.up.clear()
        server.kill()
        server.options = ("--workers", str(number % 2 + 1))
        server.start()
        shared.up.set()


def _answers(log: Log) -> Counter[str]:
    said = {0: "lost", 303: "done"}
    answers = Counter(
        f"{one.wish.kind}: {said.get(one.status, one.status)}" for one in log.attempts
    )
    return answers + Counter(f"reading: {one.status}" for one in log.readings)


# --- at the end


def _files(instance: Path, shared: Shared) -> dict[int, dict[str, Any]]:
    """The sheet files of the run, by the sheet's number in it."""
    with closing(Ledger(instance / "referee.sqlite")) as ledger:
        book = Book(ledger)
        files = {}
        for sheet in shared.sheets:
            link = book.ledger.link(sheet.tokens["host"].text)
            assert link is not None, "the newest host link leads to the sheet"
            files[sheet.number] = json.loads(json.dumps(as_file(book.open(link))))
        return files


def _evenings(instance: Path, log: Log) -> list[str]:
    """Faults of new games: each acknowledged key begins one sheet, a lost one at most one."""
    again = [one for one in log.attempts if one.wish.kind == "again"]
    begun = [one for one in again if one.acknowledged and not one.led_to.endswith("/next")]
    certain = {one.key for one in begun}
    lost = {one.key for one in again if one.status == 0} - certain
    with closing(Ledger(instance / "referee.sqlite")) as ledger:
        sheets = len(ledger.sheets()) - IN_PLAY
    faults = []
    if not len(certain) <= sheets <= len(certain) + len(lost):
        faults.append(f"{sheets} sheets for {len(certain)} answers and {len(lost)} lost ones")
    if len({one.led_to for one in begun}) != len(certain):
        faults.append("a key began two sheets, or a sheet was begun by two keys")
    return faults


def _stale_pages(instance: Path, server: Server, tokens: list[str]) -> tuple[list[str], int]:
    """Faults of pages that differ from a fresh server's, and the number of pages compared."""
    with tempfile.TemporaryDirectory() as folder:
        fresh_book = Path(folder) / "referee.sqlite"
        backup.backup(instance / "referee.sqlite", fresh_book)
        fresh = Server(Path(folder))
        try:
            paths = [f"/s/{token}{page}" for token in tokens for page in COMPARED_PAGES]
            stale = [
                f"the page {path} is not what it would be if made afresh"
                for path in paths
                if _page(server, path) != _page(fresh, path)
            ]
        finally:
            fresh.stop()
    return stale, len(paths)


def _page(server: Server, path: str) -> tuple[int, str]:
    answer = Exchange(server.address, path).answer()
    return answer.status, _KEY.sub("", answer.body.decode().replace(server.address, ""))


def _commands(instance: Path) -> list[str]:
    """Faults found by `verify`, or by exporting and importing all sheets."""
    verified = _referee("verify", instance)
    if verified.returncode:
        return [f"verify: {verified.stdout.decode()}"]
    exported = _referee("export", instance, "--all")
    with tempfile.TemporaryDirectory() as folder:
        imported = _referee("import", Path(folder), "-", given=exported.stdout)
        again = _referee("export", Path(folder), "--all")
    if imported.returncode:
        return [f"import: {imported.stderr.decode()}"]
    return [] if again.stdout == exported.stdout else ["the import isn’t what was exported"]


def _referee(
    command: str, instance: Path, *args: str, given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, "-m", "referee", command, *args, "--instance", str(instance)]
    return subprocess.run(line, input=given, capture_output=True, check=False)


# --- the command


def main() -> int:
    """Make runs until the time is over or one has faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=0, help="for which further runs begin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument(
        "--kills", type=int, default=0, help="in each run, which ends with the last"
    )
    arguments = parser.parse_args()
    until = time.monotonic() + 60 * arguments.minutes
    total: Counter[str] = Counter()
    for seed in itertools.count(arguments.seed):
        with tempfile.TemporaryDirectory() as folder:
            run_of = {"workers": arguments.workers, "kills": arguments.kills}
            outcome = play(Path(folder), seed, arguments.seconds, arguments.clients, **run_of)
        total += outcome.answers
        total["rows"] += outcome.rows
        total["pages compared"] += outcome.pages
        total["runs"] += 1
        print(f"seed {seed}: {outcome.rows} rows in {outcome.seconds} s", flush=True)
        if outcome.faults:
            print(*outcome.faults[:20], sep="\n")
            print(f"{len(outcome.faults)} faults, seed {seed}")
            return 1
        if time.monotonic() > until:
            break
    for what, count in sorted(total.items()):
        print(f"{count:>8}  {what}")
    print("Nothing that was acknowledged is lost, and the model found no other fault.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
