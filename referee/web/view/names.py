"""Names in narrow columns: where they may be broken, and how wide they are then.

How long a name can be is `NAME_LENGTH` in `rules/core/seating.py`.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

SOFT_HYPHEN = "\u00ad"
_LONG_WORD = re.compile(r"[^\W\d_]{8,}")
_VOWEL = "aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýœąęėıőűůаеёиоуыэюяіїєαεηιουωάέήίόύώ"
#: Before a consonant that begins a syllable, after another one, with three letters on either side.
_SYLLABLE = re.compile(
    rf"(?<=[^\W\d_]{{3}})(?:(?<=[{_VOWEL}])|(?<=[{_VOWEL}].)|(?<=[{_VOWEL}]..))"
    rf"(?=[^\W\d_{_VOWEL}h]h?[{_VOWEL}][^\W\d_])",
    re.IGNORECASE,
)
_WIDE, _NARROW = frozenset("mwGMOQW"), frozenset("fijlrtIJ.'’-")


@lru_cache(4096)  # a page shows the same few names many times
def hyphenated(name: str) -> str:
    """A name that a browser may break between syllables: "Maximilian" as "Maxi-" and "milian"."""
    return _LONG_WORD.sub(lambda word: _SYLLABLE.sub(SOFT_HYPHEN, word[0]), name)


def narrowest(names: Iterable[str]) -> int:
    """The width a column of these names needs, in tenths of their size: by fives, 35 to 70."""
    widest = max(map(_widest_part, names), default=0)
    return min(max(35, 5 * round(2 * widest + 0.49)), 70)


@lru_cache(4096)
def _widest_part(name: str) -> float:
    """The width of the widest part of a name, between its blanks and hyphens."""
    parts = re.findall(r"[^\s-]+-?", hyphenated(name))
    return max(map(_narrowest, parts), default=0)


def _narrowest(part: str) -> float:
    """The width of a part of a name, broken in two as evenly as it can be."""
    syllables = part.split(SOFT_HYPHEN)
    breaks = range(1, len(syllables))
    halves = (
        max(_width("".join(syllables[:at]) + "-"), _width("".join(syllables[at:]))) for at in breaks
    )
    return min(halves, default=_width(part))


def _width(text: str) -> float:
    return sum(0.92 if c in _WIDE else 0.4 if c in _NARROW else 0.63 for c in text)
