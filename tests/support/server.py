"""The real program as a server process."""

import http.client
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from tests.support.ports import free_port

FORM, PARTS = "application/x-www-form-urlencoded", "multipart/form-data; boundary=border"
PATIENCE = 60  # seconds


class Answer(NamedTuple):
    """The status of an answer, its text, and the target of a redirect."""

    status: int
    text: str
    leads_to: str


def ask(
    address: str,
    path: str,
    form: Mapping[str, object] | bytes | None = None,
    headers: Mapping[str, str] = {},
    caller: str = "",
) -> Answer:
    """Open a page, or send a form, on a connection of its own, from the address `caller`."""
    body = urlencode(form, doseq=True) if isinstance(form, Mapping) else form
    source = (caller, 0) if caller else None
    place = address.removeprefix("http://")
    with closing(http.client.HTTPConnection(place, None, PATIENCE, source)) as phone:
        sent = {"Content-Type": FORM, **headers}
        phone.request("GET" if form is None else "POST", path, body, sent)
        answer = phone.getresponse()
        return Answer(answer.status, answer.read().decode(), answer.headers.get("Location", ""))


def form_with(file: bytes, name: str = "sheet", **fields: str) -> bytes:
    """A multipart form with these fields, and this file after them."""
    head = "--border\r\nContent-Disposition: form-data; name="
    before = "".join(f'{head}"{field}"\r\n\r\n{value}\r\n' for field, value in fields.items())
    before += f'{head}"{name}"; filename="a"\r\n\r\n'
    return before.encode() + file + b"\r\n--border--\r\n"


def _reset_signals() -> None:
    """Reset SIGINT and SIGHUP: background test runs ignore them, and a child inherits that."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Server:
    """A real server in a process of its own."""

    address: str

    def __init__(self, instance: Path, *options: str, program: str = "referee") -> None:
        """Start it on a free port with these options, and wait until it prints its address."""
        self.instance = instance
        self.options = options
        self._program = program
        self._public = "--public-url" in options  # then it doesn't print its own
        self.start(str(free_port()))

    def start(self, port: str | None = None) -> None:
        """Start it on `port`, by default its previous one, and wait until it prints its address."""
        port = port or self.address.rsplit(":", 1)[1]
        command = [sys.executable, "-u", "-m", self._program, "serve", "--port", port]
        self.process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--instance", str(self.instance), *self.options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            process_group=0,  # so that `kill` reaches its workers too
            preexec_fn=_reset_signals if os.name == "posix" else None,  # noqa: PLW1509 - no threads
        )
        assert self.process.stdout is not None
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            found = re.search(r"https?://[\w.:\[\]]+", line)
            if found:
                self.address = f"http://127.0.0.1:{port}" if self._public else found[0]
                return
        raise AssertionError(f"the server did not start: {self.said}")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=60)

    def kill(self) -> None:
        """Kill all its processes (SIGKILL), and wait for the main one."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def workers(self) -> list[int]:
        """The ids of the worker processes, read from Linux's /proc."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(number) for number in children.read_text(encoding="ascii").split()]
