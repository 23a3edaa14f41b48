"""The program's name in the local network: `referee.local`, whatever its address.

The name is announced by multicast DNS, which phones and computers use where there is no DNS server.
A phone's cookies belong to the name it opened, so they survive a change of address. The name is a
convenience: without it, everything else still works.

Other machines are asked whether a name is free. Programs on the same machine share its address and
do not notice each other that way: among these, the one that locks the name's file has the name.
"""

import contextvars
import socket
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from referee.rules.text import Text, say
from referee.web.answers.addresses import house_address, is_local

if TYPE_CHECKING:
    from zeroconf import Zeroconf

DOMAIN = ".local"
MOST_NAMES = 20  # referee, referee-2, and so on
# How long to wait for a machine that has the name to reply. A unicast reply may get lost, and a
# multicast one may come a second and a half after the second query.
ASK_MILLISECONDS = 2000
WATCH_SECONDS = 15.0  # between checks of the machine's address
_KIND = "_http._tcp.local."


def name_in(file: Path | None) -> str:
    """The name announced at present, such as `referee.local`, or ""."""
    try:
        return file.read_text(encoding="ascii") if file else ""
    except FileNotFoundError:
        return ""


def announced(wanted: str, address: str, port: int) -> tuple[ExitStack, str]:
    """Announce a name for this IPv4 address, until the stack returned with it is closed.

    The name is `wanted`, or `wanted-2` and so on if another machine or program has that. Raises
    `OSError` if the network cannot be asked, or if all these names are taken.
    """
    from zeroconf import IPVersion, ServiceInfo, Zeroconf  # noqa: PLC0415 - where there is a network

    names = [wanted, *(f"{wanted}-{number}" for number in range(2, MOST_NAMES + 1))]
    with ExitStack() as held:
        locks = held.enter_context(ExitStack())  # entered first, so released last
        network = Zeroconf(interfaces=[address], ip_version=IPVersion.V4Only)
        held.callback(network.close)
        for name in names:
            lock = _locked(name)
            if lock is not None:
                locks.callback(lock.release)
                if not _is_of_another(network, name, address):
                    break
        else:
            raise OSError(str(say("the names up to {name} are taken", name=names[-1] + DOMAIN)))
        pages = ServiceInfo(
            _KIND,
            f"{name}.{_KIND}",
            addresses=[socket.inet_aton(address)],
            port=port,
            server=f"{name}{DOMAIN}.",
        )
        network.register_service(pages, cooperating_responders=True)  # conflicts are checked above
        return held.pop_all(), name + DOMAIN


def _locked(name: str) -> FileLock | None:
    """The lock for this name, None if another program on this machine has it."""
    path = Path(tempfile.gettempdir(), f"{name}{DOMAIN}.lock")
    lock = FileLock(path, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except (Timeout, PermissionError):  # another user's file cannot even be opened
        return None
    return lock


def _is_of_another(network: "Zeroconf", name: str, address: str) -> bool:
    """Whether a machine other than this one has the name."""
    # A documented name that the package does not mark as exported.
    from zeroconf import AddressResolver  # type: ignore[attr-defined]  # noqa: PLC0415

    found = AddressResolver(f"{name}{DOMAIN}.")
    return found.request(network, ASK_MILLISECONDS) and address not in found.parsed_addresses()


def address_to_announce(listens_on: str) -> str | None:
    """The IPv4 address at which phones reach a program listening there, or None."""
    if listens_on in ("0.0.0.0", "::"):
        found = house_address()
        return None if found is None or ":" in found else found
    return None if ":" in listens_on or is_local(listens_on) else listens_on


class HouseName:
    """Keeps the name announced while this machine's address changes."""

    def __init__(
        self, wanted: str, listens_on: str, port: int, file: Path, tell: Callable[[Text], None]
    ) -> None:
        """Write the announced name to `file`, and messages for people to `tell`."""
        self._wanted, self._listens_on, self._port = wanted, listens_on, port
        self._file, self._tell = file, tell
        self._over = threading.Event()
        self._announced: ExitStack | None = None
        in_our_language = contextvars.copy_context().run
        self._thread = threading.Thread(target=in_our_language, args=(self._watch,), daemon=True)

    def start(self) -> None:
        """Start announcing if a name is wanted; in a thread, since asking for it takes seconds."""
        if self._wanted:
            self._thread.start()

    def stop(self) -> None:
        """Withdraw the name, if it was announced."""
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _watch(self) -> None:
        before: str | None = None
        try:
            while True:
                address = address_to_announce(self._listens_on)
                if address != before:
                    self._withdraw()
                    if address is not None:
                        self._announce(address, moved=before is not None)
                before = address
                if self._over.wait(WATCH_SECONDS):
                    return
        finally:
            self._withdraw()

    def _announce(self, address: str, moved: bool) -> None:
        """Announce the name for this address; failures are only reported."""
        if moved:
            place = f"http://{address}:{self._port}"
            self._tell(say("This machine has another address now: {address}", address=place))
        try:
            self._announced, host = announced(self._wanted, address, self._port)
            self._file.write_text(host, encoding="ascii")
        except Exception as error:  # whatever the network or the library raises is reported
            why = str(error) or type(error).__name__
            self._tell(say("There’s no name for it in this network ({why}).", why=why))
            return
        place = f"http://{host}:{self._port}"
        self._tell(say("Its name, which stays when the address changes: {address}", address=place))

    def _withdraw(self) -> None:
        before, self._announced = self._announced, None
        with suppress(OSError):  # the folder may be gone
            self._file.write_text("")
        if before is not None:
            with suppress(Exception):  # the network may be gone
                before.close()
