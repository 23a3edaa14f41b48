"""How an input is changed: bytes anywhere, or a value somewhere in a JSON document."""

import copy
import json
import random
from collections.abc import Sequence
from typing import Any

#: Values that are nearly right more often than random ones.
VALUES: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 7, 60, 10**6, 10**6 + 1, 2**63, 2**64, 10**30, -(10**30)),
    *(1.5, -0.0, 1e300, "", " ", "Ann", "Ann ", "ANN", "9R", "9H=8S", "A K Q", "J J * | 5 5 7"),
    *("S", "♠", "*", "\0", "\u202e", "\u200d", "\ud800", "a" * 30, "9" * 5000, "=1+1", "\x1b[31m"),
    *([], {}, ["Ann"], {"Ann": 1}, {"Ann": {"Ann": []}}, [[[[[]]]]]),
)
#: Pieces of text that mean something somewhere.
PIECES = (
    *(
        b"\0",
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\r\n",
        b"%00",
        b"%",
        b"../",
        b"'",
        b'"',
        b"{",
        b"[",
    ),
    *(
        b"[" * 2000,
        b"9" * 400,
        b"-",
        b"1e9",
        b"null",
        b"true",
        b"\xe2\x80\xae",
        b"&amp;",
        b"<script>",
    ),
)


def changed_bytes(given: bytes, other: bytes, chance: random.Random) -> bytes:
    """The same with a piece flipped, taken out, said twice, or put in from somewhere else."""
    place = chance.randint(0, len(given))
    length = min(chance.choice([1, 1, 2, 4, 16, 64]), len(given) - place)
    piece = given[place : place + length]
    start = chance.randint(0, len(other))
    put_in = chance.choice(
        [
            b"",
            piece * 2,
            chance.choice(PIECES),
            chance.randbytes(max(length, 1)),
            bytes(byte ^ (1 << chance.randrange(8)) for byte in piece),
            other[start : start + chance.choice([4, 16, 64])],
        ]
    )
    return given[:place] + put_in + given[place + length :]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in a JSON value with a key or an index that is in it, all the way down."""
    keys: Sequence[Any] = ()
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = range(len(value))
    return [(value, key) for key in keys] + [deep for key in keys for deep in places(value[key])]


def changed_value(value: Any, other: Any, chance: random.Random) -> Any:
    """A JSON value with something in it changed, swapped, taken out, said twice, or added."""
    value = copy.deepcopy(value)
    found = places(value)
    if not found:
        return copy.deepcopy(other)
    container, key = chance.choice(found)
    elsewhere = chance.choice([*found, *places(other)])
    match chance.choice(["put", "put", "move", "move", "remove", "twice", "nudge", "rename"]):
        case "put":
            container[key] = copy.deepcopy(chance.choice(VALUES))
        case "move":
            container[key] = copy.deepcopy(elsewhere[0][elsewhere[1]])
        case "remove":
            del container[key]
        case "twice" if isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        case "rename" if isinstance(container, dict):
            container[str(elsewhere[1])] = container.pop(key)
        case _ if isinstance(container[key], int):
            container[key] += chance.choice([-1, 1, 10])
        case _ if isinstance(container[key], str):
            text = container[key].encode("utf-8", "surrogatepass")
            container[key] = changed_bytes(text, text, chance).decode("utf-8", "replace")
    return value


def changed_json(given: bytes, other: bytes, chance: random.Random) -> bytes:
    """A JSON document with a value changed, now and then a byte of it; other text as bytes."""
    try:
        value, more = json.loads(given), json.loads(other)
    except (ValueError, RecursionError):
        return changed_bytes(given, other, chance)
    if chance.random() < 0.1:
        return changed_bytes(given, other, chance)
    return json.dumps(changed_value(value, more, chance)).encode("utf-8", "surrogatepass")
