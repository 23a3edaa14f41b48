"""The address that is listened on: found to be free before anything is started, and held."""

import socket
import sys
from types import TracebackType
from typing import Self

try:
    import resource
except ImportError:  # Windows has no such limits to ask
    resource = None  # type: ignore[assignment]

from contextlib import suppress

from referee.rules.text import say

# A connection costs no thread before its request is whole, so that slow and half-open clients only
# take up places. There are many of those: a phone with a live board keeps one open all evening, a
# second or third now and then; and six thousand that never finish what they say must leave room.
MAX_CONNECTIONS = 10_000
FEW_CONNECTIONS = 400  # where the system cannot be asked for more
RESERVED_FILES = 200  # open files for the database (a few for each thread) and for whatever else

_LINUX = sys.platform == "linux"


class Claim:
    """An address and port that nobody else listens on.

    Every worker listens by itself, and Linux lets any program of the same user join in. So the
    address is bound here first, as only one can, and held until the end. Elsewhere all workers
    share one socket, which is itself refused where the address is taken.
    """

    def __init__(self, host: str, port: int) -> None:
        """Port 0 is any that is free. Raises `OSError` with one sentence where it cannot be had."""
        try:
            self._socket, self.address = _bound(host, port)
        except (OSError, UnicodeError) as error:
            says = say(
                "Can’t listen on {host}:{port}: {why}. Choose another with --port or --host.",
                host=host,
                port=str(port),
                why=getattr(error, "strerror", None) or say("there’s no such address"),
            )
            raise OSError(str(says)) from error
        self.port = int(self._socket.getsockname()[1])

    def __enter__(self) -> Self:
        if _LINUX:
            # In this order: now workers may join, and another claim, which does not, may not.
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        else:
            self._socket.close()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._socket.close()


def _bound(host: str, port: int) -> tuple[socket.socket, str]:
    """A socket bound to this address, and the address in numbers; of several an IPv4 one."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, place = min(found, key=lambda one: one[0] != socket.AF_INET)
    one = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # where this would mean to share the port with anybody
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind(place)
    except BaseException:
        one.close()
        raise
    return one, str(place[0])


def most_connections() -> int:
    """How many connections there may be at once: as many as the system gives us open files for.

    It is asked for more where it gives few: the usual 1,024 are a default, not the limit.
    """
    if resource is None:
        return FEW_CONNECTIONS
    wanted = MAX_CONNECTIONS + RESERVED_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return min(MAX_CONNECTIONS, max(soft - RESERVED_FILES, soft // 2))
