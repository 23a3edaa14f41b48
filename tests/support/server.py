"""The real program as a server process."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path


def _hear_all_signals() -> None:
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
        self.start("0")

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
            preexec_fn=_hear_all_signals if os.name == "posix" else None,  # noqa: PLW1509 - no threads
        )
        assert self.process.stdout is not None
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            found = re.search(r"http://[\w.:\[\]]+", line)
            if found:
                self.address = found[0]
                return
        raise AssertionError(f"the server did not start: {self.said}")

    def stop(self) -> None:
        """End the process and wait for it."""
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
