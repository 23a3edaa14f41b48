"""The program's name in the house: `referee.local`, whatever address the router gives out.

The name is told by multicast DNS, which phones and computers ask where there is no other server of
names. What a phone remembers belongs to the name it opened, so it outlasts a change of address. It
is a convenience: where it can't be had, everything else goes on.

Other machines are asked whether a name is free. Programs on one machine share its address, so that
neither hears of the other there: among these, whoever has locked the name's file has the name.
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
# Within which whoever has a name says so. An answer to one alone may get lost, and one to all may
# come a second and a half after the second question.
ASK_MILLISECONDS = 2000
WATCH_SECONDS = 15.0  # between two looks at the machine's address
_KIND = "_http._tcp.local."


def name_file(shared: Path) -> Path:
    """Where the name stands in the folder that the processes of a program share."""
    return shared / "house-name"


def name_in(file: Path | None) -> str:
    """The name that is announced just now, such as `referee.local`; "" where there is none."""
    try:
        return file.read_text(encoding="ascii") if file else ""
    except FileNotFoundError:
        return ""


def announced(wanted: str, address: str, port: int) -> tuple[ExitStack, str]:
    """A name that is announced in the network of this IPv4 address until the first is closed.

    It is `wanted`, or `wanted-2` and so on where another machine or program has that. Raises
    `OSError` where the network can't be asked, or all these names are taken.
    """
    from zeroconf import IPVersion, ServiceInfo, Zeroconf  # noqa: PLC0415 - where there is a network

    names = [wanted, *(f"{wanted}-{number}" for number in range(2, MOST_NAMES + 1))]
    with ExitStack() as held:
        locks = held.enter_context(ExitStack())  # the first in is the last out
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
        network.register_service(pages, cooperating_responders=True)  # they have been asked
        return held.pop_all(), name + DOMAIN


def _locked(name: str) -> FileLock | None:
    """The lock of this name, None where another program on this machine has it."""
    path = Path(tempfile.gettempdir(), f"{name}{DOMAIN}.lock")
    lock = FileLock(path, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except (Timeout, PermissionError):  # that of another user can't even be opened
        return None
    return lock


def _is_of_another(network: "Zeroconf", name: str, address: str) -> bool:
    """Whether another machine goes by this name; this one may have it already."""
    # Its documented name, which it does not mark as exported.
    from zeroconf import AddressResolver  # type: ignore[attr-defined]  # noqa: PLC0415

    found = AddressResolver(f"{name}{DOMAIN}.")
    return found.request(network, ASK_MILLISECONDS) and address not in found.parsed_addresses()


def address_to_announce(listens_on: str) -> str | None:
    """The IPv4 address by which phones reach a program that listens there, None if none does."""
    if listens_on in ("0.0.0.0", "::"):
        found = house_address()
        return None if found is None or ":" in found else found
    return None if ":" in listens_on or is_local(listens_on) else listens_on


class HouseName:
    """Sees to it that the name leads to this machine, wherever in the network it is."""

    def __init__(
        self, wanted: str, listens_on: str, port: int, file: Path, tell: Callable[[Text], None]
    ) -> None:
        """It is noted in `file`; what people should know of it is given to `tell`, line by line."""
        self._wanted, self._listens_on, self._port = wanted, listens_on, port
        self._file, self._tell = file, tell
        self._over = threading.Event()
        self._announced: ExitStack | None = None
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
        """Let the name lead to this address from now on."""
        if moved:
            place = f"http://{address}:{self._port}"
            self._tell(say("This machine has another address now: {address}", address=place))
        try:
            self._announced, host = announced(self._wanted, address, self._port)
            self._file.write_text(host, encoding="ascii")
        except Exception as error:  # whatever a network or the library comes up with: it is told
            why = str(error) or type(error).__name__
            self._tell(say("There’s no name for it in this network ({why}).", why=why))
            return
        place = f"http://{host}:{self._port}"
        self._tell(say("Its name, which stays when the address changes: {address}", address=place))

    def _withdraw(self) -> None:
        before, self._announced = self._announced, None
        with suppress(OSError):  # a folder that is gone holds no name
            self._file.write_text("")
        if before is not None:
            with suppress(Exception):  # a network that is gone need not be told
                before.close()
