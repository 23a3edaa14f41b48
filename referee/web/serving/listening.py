"""The address to listen on: claimed before anything is started, and held."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

try:
    import resource
except ImportError:  # Windows has no such limits to ask
    resource = None  # type: ignore[assignment]

from referee.rules.text import say

# A connection costs no thread before its request is whole, so that slow and half-open clients only
# take up places. There are many of those: a phone with a live board keeps one open all evening, a
# second or third now and then; and six thousand that never finish a request must leave room.
MAX_CONNECTIONS = 10_000
FEW_CONNECTIONS = 400  # where the system cannot be asked for more
RESERVED_FILES = 200  # open files for the database (a few for each thread) and for whatever else


@contextmanager
def claimed(host: str, port: int) -> Iterator[tuple[str, int]]:
    """An address in numbers and a port, any free one for 0, that no other program listens on.

    Every worker listens by itself, and Linux lets any program of the same user join in. So the
    address is bound here first, as only one can, and held until the end. Elsewhere all workers
    share one socket, which is itself refused where the address is taken. Raises `OSError` with one
    sentence where it cannot be had.
    """
    try:
        held = _bound(host, port)
    except (OSError, TypeError, UnicodeError) as error:  # the last two for what is no name at all
        says = say(
            "Can’t listen on {host}:{port}: {why}. Choose another with --port or --host.",
            host=host,
            port=str(port),
            why=getattr(error, "strerror", None) or say("there’s no such address"),
        )
        raise OSError(str(says)) from error
    with held:
        address, number = held.getsockname()[:2]
        if sys.platform == "linux":
            # In this order: now workers may join, and another claim, which does not, may not.
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        else:
            held.close()
        yield address, number


def _bound(host: str, port: int) -> socket.socket:
    """A socket bound to this address, an IPv4 one unless it is written as IPv6."""
    if not host:
        raise OSError  # it would be every address
    one = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if sys.platform != "win32":  # where this would mean to share the port with anybody
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind((host, port))
    except BaseException:
        one.close()
        raise
    return one


def most_connections() -> int:
    """How many connections there may be at once: as many as the system gives us open files for.

    It is asked for more where it gives few: the usual 1,024 are a default, not the limit.
    """
    if resource is None:
        return FEW_CONNECTIONS
    files = MAX_CONNECTIONS + RESERVED_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        files = min(files, hard)
    if soft != resource.RLIM_INFINITY and soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return max(files - RESERVED_FILES, files // 2)
