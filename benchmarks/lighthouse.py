"""Four scores and the first paint of four pages, by Lighthouse: `python -m benchmarks.lighthouse`.

Needs Node and Lighthouse (`npx lighthouse`, or the command named in LIGHTHOUSE) and a Chromium. It
plays the slow phone that Lighthouse takes by default. The pages are served from an empty book
with one sheet of five players and twenty deals.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from benchmarks.house import PLAYERS, referee, serving
from tests.support.chromium import CHROMIUM, QUIET

LIGHTHOUSE = shlex.split(os.environ.get("LIGHTHOUSE", "npx --yes lighthouse"))
CHROME_FLAGS = " ".join(("--headless=new", *QUIET))
RULING = "/referee/multiple-9/discard?cards=8+4+4+A+A"


def posted_sheet(address: str) -> str:
    """The path of a new sheet with twenty deals."""

    def sent(path: str, fields: dict[str, object]) -> str:
        connection = HTTPConnection(urlsplit(address).netloc)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", path, urlencode(fields, doseq=True), form)
        answer = connection.getresponse()
        assert answer.status == 303, answer.read().decode()
        return answer.headers["Location"]

    sheet = sent("/new/multiple-9", {"name": PLAYERS, "dealer": "0", "target": "99"})
    for deal in range(20):
        entry = {"action": "out", "player": PLAYERS[deal * 7 % 5], "after": deal, "key": deal}
        sent(f"{sheet}/entries", entry)
    return sheet


def measured(address: str) -> dict[str, Any]:
    """Lighthouse's report on a page."""
    command = [*LIGHTHOUSE, address, "--output=json", "--quiet", f"--chrome-flags={CHROME_FLAGS}"]
    run = subprocess.run(
        command,
        env={**os.environ, "CHROME_PATH": str(CHROMIUM)},
        stdout=subprocess.PIPE,
        check=True,
    )
    report: dict[str, Any] = json.loads(run.stdout)
    return report


def main() -> None:
    """Print a line per page, and below it what lost points."""
    if CHROMIUM is None or shutil.which(LIGHTHOUSE[0]) is None:
        sys.exit(f"Lighthouse needs {LIGHTHOUSE[0]} and a Chromium.")
    with tempfile.TemporaryDirectory() as folder, serving(*referee(Path(folder))) as server:
        pages = ("/", "/rules/multiple-9", RULING, posted_sheet(server.address))
        for page, name in zip(pages, ("home", "rules", "a ruling", "a sheet"), strict=True):
            report = measured(server.address + page)
            scores = {key: round(one["score"] * 100) for key, one in report["categories"].items()}
            audits = report["audits"]
            print(
                f"{name}: {scores}, first paint {audits['first-contentful-paint']['displayValue']}"
            )
            for audit in audits.values():
                if audit["score"] is not None and audit["score"] < 1:
                    print(f"    {audit['id']}: {audit['score']} {audit.get('displayValue', '')}")


if __name__ == "__main__":
    main()
