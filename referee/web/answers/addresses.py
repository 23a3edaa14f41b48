"""Which address other phones in the house reach this program by, and that address as a QR code."""

import ipaddress
import socket
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from qrcode import QRCode

# A documentation address (RFC 5737). Connecting a datagram socket sends nothing; it only makes
# the system choose the interface it would use.
_SOMEWHERE = ("192.0.2.1", 9)
EVERYWHERE = ("0.0.0.0", "::")  # to listen there is to listen at every address of the machine
USUAL_PORT = {"http": 80, "https": 443}


def house_address() -> str | None:
    """This machine's address in the house's network, or None where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE)
            found = str(probe.getsockname()[0])
        except OSError:
            found = ""
    if found and not is_local(found):
        return found
    try:
        own = socket.gethostbyname_ex(socket.gethostname())[2]
    except OSError:
        return None
    return next((address for address in own if not is_local(address)), None)


def is_local(host: str) -> bool:
    """Whether `host` means the machine itself, so that no other phone reaches it by that name."""
    number = _number(host)
    if number is None:
        return host == "localhost" or host.endswith(".localhost")
    return number.is_loopback or number.is_unspecified


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address in a host that is one, None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def reachable(public_url: str, listens_on: str, opened_as: str) -> str:
    """The address to hand to other phones: scheme, host and port, no path.

    `opened_as` is the address this page was opened by. A host that only works on this machine is
    replaced by the machine's address in the house, if the program listens there.
    """
    if public_url:
        return public_url
    parts = urlsplit(opened_as)
    host = parts.hostname or "localhost"
    if is_local(host) and (listens_on in EVERYWHERE or not is_local(listens_on)):
        host = house_address() or host
    shown = f"[{host}]" if ":" in host else host
    port = f":{parts.port}" if parts.port not in (None, USUAL_PORT.get(parts.scheme)) else ""
    return f"{parts.scheme}://{shown}{port}"


def other_than(address: str, name: str, listens_on: str) -> str:
    """The same place by `name`; where `address` has a name already, by this machine's number.

    "" where it has none in the house's network.
    """
    parts = urlsplit(address)
    if _number(parts.hostname or ""):
        host: str | None = name
    else:
        host = house_address() if listens_on in EVERYWHERE else listens_on
    return f"{parts.scheme}://{host}:{parts.port or USUAL_PORT[parts.scheme]}" if host else ""


def reaches_others(address: str) -> bool:
    """Whether `address` can work on another machine than this one."""
    return not is_local(urlsplit(address).hostname or "localhost")


def _code(text: str) -> "QRCode":
    # Brings in Pillow where that is installed, so it waits until a code is asked for.
    from qrcode import QRCode  # noqa: PLC0415
    from qrcode.constants import ERROR_CORRECT_M  # noqa: PLC0415

    code = QRCode(error_correction=ERROR_CORRECT_M)
    code.add_data(text)
    return code


def qr_svg(text: str) -> bytes:
    """`text` as a QR code: an SVG image of one path, with the quiet zone it needs."""
    rows = _code(text).get_matrix()
    path = "".join(
        f"M{x} {y}h{len(run)}v1h-{len(run)}z"
        for y, row in enumerate(rows)
        for x, run in _dark_runs(row)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {len(rows)} {len(rows)}">'
        f'<path d="{path}"/></svg>'
    ).encode()


def _dark_runs(row: Sequence[bool]) -> Iterator[tuple[int, Sequence[bool]]]:
    """The dark modules of a row that lie side by side, with the place of the first."""
    place = 0
    for dark, modules in groupby(row):
        run = list(modules)
        if dark:
            yield place, run
        place += len(run)


def qr_terminal(text: str) -> str:
    """`text` as a QR code drawn with block characters, for a dark terminal."""
    drawn = StringIO()
    _code(text).print_ascii(drawn, invert=True)
    return drawn.getvalue().replace("\xa0", " ")
