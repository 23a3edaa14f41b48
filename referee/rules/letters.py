"""Invisible characters: those that shape a script or an emoji, and those that can only deceive.

An escape sequence moves a terminal's cursor, an override reverses a line. Such characters are
refused on input and escaped on output. Joiners and variation selectors shape the letters beside
them, in emoji and in names in Persian, Sinhala, and Kannada. They are kept unless they come first
or follow a blank or an English letter; `folded` ignores them all.
"""

import json
import unicodedata

_JOINERS = "\u200c\u200d"
_UNSEEN_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")
#: Letters and marks by their categories, but shown as nothing or as a blank.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")

_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_TAGS = frozenset(map(chr, range(0xE0020, 0xE0080)))  # in the flags of Scotland and Wales


def unseen(text: str) -> str:
    """The invisible characters of `text` that shape nothing beside them; "" if none."""
    if text.isascii() and text.isprintable():
        return ""
    return "".join(letter for place, letter in enumerate(text) if _deceives(text, place))


def written_out(text: str) -> str:
    r"""`text` with deceptive invisible characters escaped as in JSON (`\u001b`).

    A byte of a file name that cannot be decoded becomes a replacement character.
    """
    if text.isprintable():
        return text
    return "".join(
        _escape(letter) if _deceives(text, place) else letter for place, letter in enumerate(text)
    )


def folded(name: str) -> str:
    """A form of `name` that is equal for names that nobody could tell apart.

    Ignores case, extra blanks, the way an accent is composed, and invisible characters. Characters
    that merely look alike stay different: wide ones, or those of another script.
    """
    plain = unicodedata.normalize("NFD", name).casefold()
    seen = "".join(letter for letter in plain if not _is_unseen(letter))
    return unicodedata.normalize("NFC", " ".join(seen.split()))


def initial(name: str) -> str:
    """The first letter of a name as it is seen: with its accents, or a whole emoji."""
    for end in range(1, len(name)):
        before, letter = name[end - 1], name[end]
        flag = end == 1 and _is_half_flag(before) and _is_half_flag(letter)
        joined = before == "\u200d" or letter in _JOINERS or _is_variant(letter)
        tinted = letter in _SKIN_TONES or letter in _TAGS
        if not (flag or joined or tinted or unicodedata.category(letter).startswith("M")):
            return name[:end]
    return name


def _is_half_flag(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def _escape(letter: str) -> str:
    if unicodedata.category(letter) == "Cs":
        return "\ufffd"
    return "\\u007f" if letter == "\x7f" else json.dumps(letter)[1:-1]


def _is_unseen(letter: str) -> bool:
    return (
        letter in _BLANK
        or _is_variant(letter)
        or (unicodedata.category(letter) in _UNSEEN_CATEGORIES and not letter.isspace())
    )


def _deceives(text: str, place: int) -> bool:
    """Whether this character is invisible and does not shape the one before it."""
    letter = text[place]
    if letter.isascii():
        return not letter.isprintable()
    if letter in _JOINERS or _is_variant(letter):
        before = text[place - 1 : place]
        return not before or before.isspace() or (before.isascii() and before.isalpha())
    return letter in _BLANK or unicodedata.category(letter) in _UNSEEN_CATEGORIES


def _is_variant(letter: str) -> bool:
    """Whether it selects a variant of the character before it: a colored heart, a kanji."""
    return "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
