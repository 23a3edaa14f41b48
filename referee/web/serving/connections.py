"""Leave room for newcomers among the connections of this process.

Granian accepts connections up to a limit and reports nothing about them, so they are found among
the open files. The address with most of them loses those that have been silent longest. Linux only:
other systems do not report for how long.
"""

import os
import socket
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LOOK_SECONDS = 1.0
FULL, LEFT = 0.75, 0.5  # of the limit: from where connections are ended, and how many stay
_SILENT = slice(52, 56)  # `tcpi_last_data_recv` in Linux's `tcp_info`

Peer = tuple[str, int]


def keep_room(port: int, limit: int) -> None:
    """End connections to `port` for ever, whenever nearly `limit` are open."""
    while sys.platform == "linux":
        time.sleep(LOOK_SECONDS)
        if len(_open_files()) > FULL * limit:
            make_room(port, int(LEFT * limit))


def make_room(port: int, left: int) -> None:
    """Leave no more than `left` connections to `port`, those of the smallest holders first."""
    held = dict[str, list[tuple[int, int, Peer]]]()
    for number in _open_files():
        with suppress(OSError), _connection(number, port) as (one, peer):
            held.setdefault(peer[0], []).append((silent_for(one), number, peer))
    for before, connections in enumerate(sorted(held.values(), key=len)):
        stay = min(len(connections), left // (len(held) - before))
        left -= stay
        for _, number, known in sorted(connections)[stay:]:
            with suppress(OSError), _connection(number, port) as (one, peer):
                if peer == known:  # the number may be another one's by now
                    one.shutdown(socket.SHUT_RDWR)


def silent_for(connection: socket.socket) -> int:
    """The milliseconds since data was received, or since it began."""
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _SILENT.stop)
    return int.from_bytes(info[_SILENT], sys.byteorder)


def _open_files() -> list[int]:
    return [int(name) for name in os.listdir("/proc/self/fd")]


@contextmanager
def _connection(number: int, port: int) -> Iterator[tuple[socket.socket, Peer]]:
    """The connection to `port` that this open file is, and the address at its other end.

    Raises `OSError` for any other file.
    """
    if not stat.S_ISSOCK(os.fstat(number).st_mode):
        raise OSError
    with socket.socket(fileno=os.dup(number)) as one:
        if one.family not in (socket.AF_INET, socket.AF_INET6) or one.getsockname()[1] != port:
            raise OSError
        yield one, one.getpeername()[:2]
