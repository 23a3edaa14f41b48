"""Real servers: the program in a process of its own, and any app behind a socket."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import waitress

from referee.settings import Settings
from referee.web.http.connections import Connections
from referee.web.http.serving import attend, server_options


class Server:
    """A real server in a process of its own."""

    def __init__(self, instance: Path) -> None:
        """Start it on a free port and wait until it says where it is."""
        self.instance = instance
        self.start("0")

    def start(self, port: str | None = None) -> None:
        """Start it, where it was before unless a port is given, and wait until it is there."""
        port = port or self.address.rsplit(":", 1)[1]
        command = [sys.executable, "-u", "-m", "referee", "serve", "--port", port]
        self.process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--instance", str(self.instance)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            found = re.search(r"http://[\w.:]+", line)
            if found:
                self.address = found[0]
                return
        raise AssertionError(f"the server did not start: {self.said}")

    def stop(self) -> None:
        """End the process and wait for it."""
        self.process.terminate()
        self.process.wait(timeout=10)


@contextmanager
def serving(app: Any, folder: Path, opened: Connections, **options: Any) -> Iterator[int]:
    """The app behind a real socket, in a thread; gives its port. `options` are Waitress's."""
    settings = Settings(folder, host="127.0.0.1", port=0)
    server = waitress.create_server(app, map=opened, **{**server_options(settings), **options})
    thread = threading.Thread(target=attend, args=(server,), daemon=True)
    thread.start()
    try:
        yield int(server.effective_port)
    finally:
        with suppress(OSError):  # closed by the time the bell is rung
            server.trigger.pull_trigger(lambda: [one.close() for one in list(opened.values())])
        thread.join(timeout=20)
        server.task_dispatcher.shutdown()
    assert not thread.is_alive()
