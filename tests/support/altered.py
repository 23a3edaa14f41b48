"""Hypothesis strategies that alter a sheet or other JSON in a few places."""

import copy
from typing import Any

from hypothesis import strategies as st

from tests.support.cases import EXAMPLES

WORDS = [
    *(word for sheet in EXAMPLES.values() for word in [sheet["game"], *sheet["players"]]),
    *("", " ", "Ann ", "9R", "9H=8S", "A K Q", "J J * | 5 5 7", "S", "♠", "*", "\0", "\u202e"),
    *("=1+1", "\x1b[31m", "9" * 5000),
    *("action", "player", "cards", "hands", "entries", "history", "to", "points", "seq"),
]
#: Plain values that are plausible more often than random ones.
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 60),
    st.sampled_from([10**6, 10**6 + 1, 2**63, 2**64, 10**30, -(10**30), 1.5, -0.0, 1e300]),
    st.sampled_from(WORDS),
    st.text(max_size=30),
)
ANYTHING = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    ),
    max_leaves=8,
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Each (container, key or index) pair of a JSON value, at any depth."""
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    return [(value, key) for key in keys] + [deep for key in keys for deep in places(value[key])]


@st.composite
def altered(draw: st.DrawFn, value: Any) -> Any:
    """A JSON object or list with one to three values changed, removed, added or doubled.

    Half of the changes put in a value of the same type, so that the result is sometimes valid.
    """
    value = copy.deepcopy(value)
    for _ in range(draw(st.sampled_from([1, 1, 2, 3]))):
        container, key = draw(st.sampled_from(places(value)))
        how = draw(st.sampled_from(["alike", "alike", "alike", "change", "remove", "twice", "add"]))
        if how == "alike" and type(container[key]) is int:
            container[key] += draw(st.sampled_from([-1, 1, 10]))
        elif how == "alike":
            found = [there[at] for there, at in places(value)]
            same = [one for one in found if type(one) is type(container[key])]
            container[key] = copy.deepcopy(draw(st.sampled_from(same)))
        elif how == "change":
            container[key] = draw(ANYTHING)
        elif how == "remove":
            del container[key]
        elif how == "twice" and isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        elif isinstance(container, dict):
            container[draw(st.sampled_from(WORDS))] = draw(ANYTHING)
        else:
            container.insert(key, draw(ANYTHING))
        if not value:
            break
    return value
