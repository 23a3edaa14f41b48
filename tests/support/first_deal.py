"""Serve, play one deal, and print the pages of it: `python -m tests.support.first_deal`."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.server import Server, ask

PLACES = ("/", "/new", "/new/multiple-9", "/referee", "/referee/multiple-9/discard", "/nowhere")
OF_A_SHEET = ("", "/record", "/entries/1", "/more", "/share", "/settings", "/log", "/referee")
PLAYED = {"action": "out", "player": "Ben", "after": "0", "key": "first"}
COMMANDS = ((), ("serve",), ("check", "multiple-9"))


def main() -> None:
    """Print a JSON object with the text of each page and of the help of commands."""
    said = {}
    with tempfile.TemporaryDirectory() as instance:
        server = Server(Path(instance))
        try:
            begun = ask(server.address, "/new/multiple-9", {"name": ["Ann", "Ben"], "dealer": "0"})
            assert begun.status == 303, begun.text
            played = ask(server.address, f"{begun.leads_to}/entries", PLAYED)
            assert played.status == 303, played.text
            for place in (*PLACES, *(begun.leads_to + one for one in OF_A_SHEET)):
                said[place] = ask(server.address, place).text
            assert "Deal 2" in said[begun.leads_to]
            said["what the server printed"] = server.said
        finally:
            server.stop()
    for command in COMMANDS:
        arguments = [sys.executable, "-m", "referee", *command, "--help"]
        told = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
        said[" ".join(("referee", *command, "--help"))] = told
    print(json.dumps(said))


if __name__ == "__main__":
    main()
