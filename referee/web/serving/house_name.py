"""The program's name in the local network: `referee.local`, whatever its address.

The name is announced by multicast DNS, which phones and computers use where there is no DNS server.
A phone's cookies belong to the name it opened, so they survive a change of address. The name is a
convenience: without it, everything else still works.

Other machines are asked whether a name is free. Two programs on one machine share its name, as they
share its address.
"""

import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

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
_SERVICE_TYPE = "_http._tcp.local."


def name_in(file: Path | None) -> str:
    """The name announced at present, such as `referee.local`, or ""."""
    try:
        return file.read_text(encoding="ascii") if file else ""
    except FileNotFoundError:
        return ""


def announced(wanted: str, address: str, port: int) -> tuple[ExitStack, str]:
    """Announce a name for this IPv4 address, until the stack returned with it is closed.

    The name is `wanted`, or `wanted-2` and so on if another machine has that. Raises
    `OSError` if the network cannot be asked, or if all these names are taken.
    """
    from zeroconf import IPVersion, ServiceInfo, Zeroconf  # noqa: PLC0415 - where there is a network

    names = [wanted, *(f"{wanted}-{number}" for number in range(2, MOST_NAMES + 1))]
    with ExitStack() as held:
        network = Zeroconf(interfaces=[address], ip_version=IPVersion.V4Only)
        held.callback(network.close)
        name = next((one for one in names if not _is_of_another(network, one, address)), None)
        if name is None:
            raise OSError(str(say("the names up to {name} are taken", name=names[-1] + DOMAIN)))
        service = ServiceInfo(
            _SERVICE_TYPE,
            f"{name}.{_SERVICE_TYPE}",
            addresses=[socket.inet_aton(address)],
            port=port,
            server=f"{name}{DOMAIN}.",
        )
        network.register_service(
            service, cooperating_responders=True
        )  # conflicts are checked above
        return held.pop_all(), name + DOMAIN


def _is_of_another(network: "Zeroconf", name: str, address: str) -> bool:
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


def keep_announced(
    wanted: str, place: tuple[str, int], file: Path, tell: Callable[[Text], None], over: Event
) -> None:
    """Keep a name announced until `over`, while this machine's address changes.

    `place` is the address and port listened on. The announced name is written to `file`, messages
    for people go to `tell`.
    """
    listens_on, port = place
    before: str | None = None
    held = ExitStack()
    try:
        while not over.is_set():
            address = address_to_announce(listens_on)
            if address != before:
                _withdraw(held, file)
                if address and before:
                    at = f"http://{address}:{port}"
                    tell(say("This machine has another address now: {address}", address=at))
                if address:
                    _announce(wanted, (address, port), file, tell, held)
            before = address
            over.wait(WATCH_SECONDS)
    finally:
        _withdraw(held, file)


def _announce(
    wanted: str, at: tuple[str, int], file: Path, tell: Callable[[Text], None], held: ExitStack
) -> None:
    """Announce the name for this address, until `held` is closed; failures are only reported."""
    try:
        announcement, host = announced(wanted, *at)
        held.enter_context(announcement)
        file.write_text(host, encoding="ascii")
    except Exception as error:  # whatever the network or the library raises is reported
        why = str(error) or type(error).__name__
        tell(say("There’s no name for it in this network ({why}).", why=why))
        return
    place = f"http://{host}:{at[1]}"
    tell(say("Its name, which stays when the address changes: {address}", address=place))


def _withdraw(held: ExitStack, file: Path) -> None:
    with suppress(OSError):  # the folder may have been removed
        file.write_text("")
    with suppress(Exception):  # the network may be down
        held.close()
