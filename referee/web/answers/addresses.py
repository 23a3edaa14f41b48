"""The address at which other phones reach this program, and its QR code."""

import ipaddress
import re
import socket
from io import StringIO
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from qrcode import QRCode

# A documentation address (RFC 5737). Connecting a datagram socket sends nothing; it only makes
# the system choose an interface.
_SOMEWHERE = ("192.0.2.1", 9)
EVERYWHERE = ("0.0.0.0", "::")  # listening there means every address of the machine
USUAL_PORT = {"http": 80, "https": 443}


def house_address() -> str | None:
    """This machine's address in the local network, or None."""
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
    """Whether `host` means this machine only, so that no other phone can reach it."""
    number = _number(host)
    if number is None:
        return host == "localhost" or host.endswith(".localhost")
    return number.is_loopback or number.is_unspecified


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address that `host` is, None if it is a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def reachable(public_url: str, listens_on: str, opened_as: str) -> str:
    """The address to share with other phones: scheme, host and port, no path.

    `opened_as` is the address at which this page was opened. A host that works on this machine
    only is replaced by its address in the local network, if the program listens there.
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
    """`address` with the host `name`, or with this machine's IP address if it has a name already.

    "" if the machine has no address in the local network.
    """
    parts = urlsplit(address)
    if _number(parts.hostname or ""):
        host: str | None = name
    else:
        host = house_address() if listens_on in EVERYWHERE else listens_on
    return f"{parts.scheme}://{host}:{parts.port or USUAL_PORT[parts.scheme]}" if host else ""


def reaches_others(address: str) -> bool:
    """Whether `address` can work on other machines than this one."""
    return not is_local(urlsplit(address).hostname or "localhost")


def _code(text: str) -> "QRCode":
    # Imports Pillow if that is installed, so wait until a code is needed.
    from qrcode import QRCode  # noqa: PLC0415
    from qrcode.constants import ERROR_CORRECT_M  # noqa: PLC0415

    code = QRCode(error_correction=ERROR_CORRECT_M)
    code.add_data(text)
    return code


def qr_svg(text: str) -> bytes:
    """`text` as a QR code: an SVG image of one path, including the quiet zone."""
    rows = ["".join(" █"[dark] for dark in row) for row in _code(text).get_matrix()]
    path = "".join(
        f"M{run.start()} {y}h{len(run[0])}v1h-{len(run[0])}z"
        for y, row in enumerate(rows)
        for run in re.finditer("█+", row)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {len(rows)} {len(rows)}">'
        f'<path d="{path}"/></svg>'
    ).encode()


def qr_terminal(text: str) -> str:
    """`text` as a QR code drawn with block characters, for a dark terminal."""
    drawn = StringIO()
    _code(text).print_ascii(drawn, invert=True)
    return drawn.getvalue().replace("\xa0", " ")
