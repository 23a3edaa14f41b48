"""Servers behind nginx, with the configuration in `docs/deploy`."""

import resource
import shutil
import socket
import ssl
import subprocess
import time
from http.client import HTTPSConnection
from pathlib import Path

from tests.support.ports import free_port
from tests.support.server import PATIENCE, Server, ask

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
OPENSSL = shutil.which("openssl")
SHIPPED = Path(__file__).parents[2] / "docs" / "deploy" / "nginx-processes.conf"
NAME = "cards.example.org"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def _open_many_files() -> None:
    """Raise the limit of open files, as nginx's main process would for its workers."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Proxy:
    """nginx in front of servers on one book: over http, and over https with a certificate.

    `http` is the address that stands for port 80 of the configuration.
    """

    def __init__(self, folder: Path, *servers: Server, seconds: int = 10) -> None:
        """Start nginx; it waits `seconds` for the rest of a request, as shipped for ten."""
        self.servers = servers
        self.folder = folder / "nginx"
        self.folder.mkdir()
        self.http, self.https, self.place = (("127.0.0.1", free_port()) for _ in range(3))
        certificate, key = self._certified()
        text = SHIPPED.read_text(encoding="utf-8").replace("10s", f"{seconds}s")
        first, *others = (f"server {one.address[7:]} max_fails=0;" for one in servers)
        listens = (
            f"listen 127.0.0.1:{self.place[1]} backlog=4096; listen 127.0.0.1:{self.https[1]} ssl;"
        )
        temporary = " ".join(f"{one}_temp_path {self.folder}/{one};" for one in TEMPORARY)
        for old, new in (
            ("user www-data;", "daemon off; master_process off;"),
            ("pid /run/nginx.pid;", f"pid {self.folder}/nginx.pid;"),
            ("http {\n", f"http {{\n{temporary}\n"),
            ("server 127.0.0.1:9991 max_fails=0;", first),
            ("server 127.0.0.1:9992 max_fails=0;", " ".join(others)),
            ("listen 80;", f"listen 127.0.0.1:{self.http[1]};"),
            ("listen 443 ssl backlog=4096;", listens),
            (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(certificate)),
            (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(key)),
        ):
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        configuration, log = self.folder / "nginx.conf", self.folder / "error.log"
        configuration.write_text(text, encoding="utf-8")
        assert NGINX is not None
        self.process = subprocess.Popen(
            [NGINX, "-p", str(self.folder), "-c", str(configuration), "-e", str(log)],
            preexec_fn=_open_many_files,  # noqa: PLW1509 - no threads
        )
        self.address = f"http://127.0.0.1:{self.place[1]}"
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                ask(self.address, "/")
            except OSError as error:
                if self.process.poll() is None and time.monotonic() < give_up:
                    continue
                self.stop()
                raise AssertionError(log.read_text()) from error
            else:
                return

    def _certified(self) -> tuple[Path, Path]:
        """A certificate for the name, and its key."""
        certificate, key = self.folder / "certificate.pem", self.folder / "key.pem"
        assert OPENSSL is not None
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")
        made = ["req", "-x509", *curve, "-nodes", "-days", "2"]
        named = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
        files = ["-keyout", str(key), "-out", str(certificate)]
        subprocess.run([OPENSSL, *made, *named, *files], check=True, capture_output=True)
        return certificate, key

    def wire(self) -> socket.socket:
        """A connection to nginx."""
        return socket.create_connection(self.place, PATIENCE)

    def securely(self) -> HTTPSConnection:
        """A connection over https, as browsers make it: the certificate is checked."""
        trusted = ssl.create_default_context(cafile=self.folder / "certificate.pem")
        connection = HTTPSConnection(NAME, timeout=PATIENCE, context=trusted)
        wire = socket.create_connection(self.https, PATIENCE)
        connection.sock = trusted.wrap_socket(wire, server_hostname=NAME)
        return connection

    def stop(self) -> None:
        """Stop nginx and the servers, and wait."""
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        for server in self.servers:
            server.stop()
