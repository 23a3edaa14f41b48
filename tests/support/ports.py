"""Free ports for servers, which they can use again after a restart."""

import os
import socket
from contextlib import closing, suppress
from itertools import cycle

# Below the ports that systems choose themselves, for servers and for each connection: one of those
# could take the port of a server that is just starting, or being restarted.
LOWEST, MOST, EACH = 10_000, 20_000, 50
_FIRST = LOWEST + os.getpid() * EACH % MOST
_PORTS = cycle(range(_FIRST, _FIRST + EACH))


def free_port() -> int:
    """A port on which nobody listens, and which no other test process chooses."""
    for port in _PORTS:
        with suppress(OSError), closing(socket.create_server(("127.0.0.1", port))):
            return port
    raise AssertionError  # an endless supply of ports
