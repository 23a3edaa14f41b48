"""The program's name in the house: `referee.local`, whatever address the router gives out.

The name is told by multicast DNS, which phones and computers ask where there is no other server of
names. What a phone remembers belongs to the name it opened, so it outlasts a change of address. It
is a convenience: where it can't be had, everything else goes on.

Only other machines are asked whether a name is free. Programs on one machine share a port there,
and the kernel gives an answer to whichever of them it likes; so among these, the kernel itself
keeps the list (`HeldNames`).
"""

import contextvars
import errno
import os
import socket
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from referee.rules.text import Text, say
from referee.web.http.addresses import house_address, is_local

if TYPE_CHECKING:
    from zeroconf import Zeroconf

DOMAIN = ".local"
MOST_NAMES = 20  # referee, referee-2, and so on
# Within which whoever has a name says so. An answer to one alone may get lost, and one to all may
# come a second and a half after the second question.
ASK_MILLISECONDS = 2000
WATCH_SECONDS = 15.0  # between two looks at the machine's address
_KIND = "_http._tcp.local."


def name_file(folder: Path) -> Path:
    """Where the name stands in the folder that the processes of a program share."""
    return folder / "house-name"


class NameFile:
    """Where the process that announces the name tells it to those that answer requests."""

    def __init__(self, path: Path | None) -> None:
        """Without a `path` there is no name."""
        self._path = path

    def write(self, host: str) -> None:
        """Note the name, "" where there is none; raises `OSError`."""
        if self._path is not None:
            new = self._path.with_suffix(".new")
            new.write_text(host, encoding="ascii")
            new.replace(self._path)

    def read(self) -> str:
        """The name as it was last noted, such as `referee.local`; "" where there is none."""
        if self._path is None:
            return ""
        try:
            return self._path.read_text(encoding="ascii")
        except FileNotFoundError:
            return ""


class HeldNames:
    """The names that this program has among all programs of this machine, until it ends."""

    def __init__(self) -> None:
        """None yet."""
        self._held: dict[str, socket.socket | sqlite3.Connection] = {}

    def take(self, name: str) -> bool:
        """Whether the name is this program's, as of now or before; raises `OSError`."""
        if name not in self._held:
            held = _hold_socket(name) if sys.platform == "linux" else _hold_file(name)
            if held is None:
                return False
            self._held[name] = held
        return True

    def close(self) -> None:
        """Leave them to others."""
        while self._held:
            self._held.popitem()[1].close()


def _hold_socket(name: str) -> socket.socket | None:
    """A socket with this name, None while another program has one.

    The name is no file's. It is seen by whoever shares this machine's network, the port of
    multicast DNS with it, and the kernel takes it back from a process that ends, however it does.
    """
    held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    os.register_at_fork(after_in_child=held.close)  # a worker that outlives this holds no name
    try:
        held.bind(f"\0{name}{DOMAIN} of Referee")
    except OSError as error:
        held.close()
        if error.errno != errno.EADDRINUSE:
            raise
        return None
    return held


def _hold_file(name: str) -> sqlite3.Connection | None:
    """A locked file with this name among the temporary ones, None while another has it locked.

    SQLite knows how a file is locked on every system, so that a process that ends lets go of it.
    """
    path = Path(tempfile.gettempdir(), f"{name}{DOMAIN}-of-referee")
    try:
        held = sqlite3.connect(path, timeout=0, check_same_thread=False)
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise OSError(f"{path}: {error}") from error
        return None
    return held


class Announcement:
    """A name that is announced in the network of one address, until it is closed."""

    def __init__(self, wanted: str, address: str, port: int, held: HeldNames) -> None:
        """`wanted`, or `wanted-2` and so on where others have that; `address` is an IPv4 one.

        It stays in `held` afterwards. Raises `OSError` where the network can't be asked, or all
        these names are taken.
        """
        from zeroconf import IPVersion, Zeroconf  # noqa: PLC0415 - only where there is a network

        self._zeroconf = Zeroconf(interfaces=[address], ip_version=IPVersion.V4Only)
        try:
            name = self._register(wanted, address, port, held)
        except BaseException:
            self._zeroconf.close()
            raise
        self.host = name + DOMAIN

    def _register(self, wanted: str, address: str, port: int, held: HeldNames) -> str:
        from zeroconf import NonUniqueNameException, ServiceInfo  # noqa: PLC0415

        for number in range(1, MOST_NAMES + 1):
            name = wanted if number == 1 else f"{wanted}-{number}"
            if not held.take(name) or _is_of_another(self._zeroconf, name, address):
                continue
            with suppress(NonUniqueNameException):
                self._zeroconf.register_service(
                    ServiceInfo(
                        _KIND,
                        f"{name}.{_KIND}",
                        addresses=[socket.inet_aton(address)],
                        port=port,
                        server=f"{name}{DOMAIN}.",
                    )
                )
                return name
        raise OSError(str(say("the names up to {name} are taken", name=name + DOMAIN)))

    def close(self) -> None:
        """Withdraw the name: whoever has noted it is told so."""
        self._zeroconf.unregister_all_services()
        self._zeroconf.close()


def _is_of_another(asked: "Zeroconf", name: str, address: str) -> bool:
    """Whether another machine goes by this name; this one may have it already."""
    # Its documented name, which it does not mark as exported.
    from zeroconf import AddressResolver  # type: ignore[attr-defined]  # noqa: PLC0415

    found = AddressResolver(f"{name}{DOMAIN}.")
    return found.request(asked, ASK_MILLISECONDS) and address not in found.parsed_addresses()


def address_to_announce(listens_on: str) -> str | None:
    """The IPv4 address by which phones reach a program that listens there, None if none does."""
    if listens_on in ("0.0.0.0", "::"):
        found = house_address()
        return None if found is None or ":" in found else found
    return None if ":" in listens_on or is_local(listens_on) else listens_on


class HouseName:
    """Sees to it that the name leads to this machine, wherever in the network it is."""

    def __init__(
        self, wanted: str, listens_on: str, port: int, file: NameFile, tell: Callable[[Text], None]
    ) -> None:
        """What people should know of it is given to `tell`, one line at a time."""
        self._wanted, self._listens_on, self._port = wanted, listens_on, port
        self._file, self._tell = file, tell
        self._over = threading.Event()
        self._address: str | None = None
        self._announced: Announcement | None = None
        self._held = HeldNames()  # from one address to the next: no other program slips between
        in_our_language = contextvars.copy_context().run
        self._thread = threading.Thread(target=in_our_language, args=(self._watch,), daemon=True)

    def start(self) -> None:
        """Begin, if a name is wanted, in a thread: to ask whether it is taken takes seconds."""
        if self._wanted:
            self._thread.start()

    def stop(self) -> None:
        """Withdraw the name, if it was begun."""
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _watch(self) -> None:
        try:
            while True:
                address = address_to_announce(self._listens_on)
                if address != self._address:
                    self._move(address)
                if self._over.wait(WATCH_SECONDS):
                    return
        finally:
            self._withdraw()
            self._held.close()

    def _move(self, address: str | None) -> None:
        """Let the name lead to this address from now on."""
        moved = self._address is not None and address is not None
        self._withdraw()
        self._address = address
        if address is None:
            return
        if moved:
            place = f"http://{address}:{self._port}"
            self._tell(say("This machine has another address now: {address}", address=place))
        try:
            self._announced = Announcement(self._wanted, address, self._port, self._held)
            self._file.write(self._announced.host)
        except Exception as error:  # whatever a network or the library comes up with: it is told
            why = str(error) or type(error).__name__
            self._tell(say("There’s no name for it in this network ({why}).", why=why))
            return
        place = f"http://{self._announced.host}:{self._port}"
        self._tell(say("Its name, which stays when the address changes: {address}", address=place))

    def _withdraw(self) -> None:
        announced, self._announced = self._announced, None
        with suppress(OSError):  # a folder that is gone holds no name
            self._file.write("")
        if announced is not None:
            with suppress(Exception):  # a network that is gone need not be told
                announced.close()
