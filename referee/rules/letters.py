"""Invisible characters: those that shape a script or an emoji, and those that can only deceive.

An escape sequence moves a terminal's cursor, an override reverses a line, a joiner makes two
different names look the same. Such characters are refused on input and escaped on output. Emoji and
names in Persian, Sinhala, and Kannada need joiners: there they stay.
"""

import json
import unicodedata

_ZWNJ, _ZWJ = "\u200c", "\u200d"
_EMOJI_STYLES = "\ufe0e\ufe0f"
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_PICTURES = ("So", "Sm")
#: Letters and marks by their categories, but shown as nothing or as a blank.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")


def unseen(text: str) -> str:
    """The invisible characters of `text` that mean nothing where they stand; "" if none."""
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


def _escape(letter: str) -> str:
    if unicodedata.category(letter) == "Cs":
        return "\ufffd"
    return "\\u007f" if letter == "\x7f" else json.dumps(letter)[1:-1]


def _is_unseen(letter: str) -> bool:
    return (
        letter in _BLANK
        or _is_variant(letter)
        or (unicodedata.category(letter) in _UNSEEN and not letter.isspace())
    )


def _deceives(text: str, place: int) -> bool:
    """Whether this character is invisible and does not shape those beside it."""
    letter = text[place]
    if letter.isascii():
        return not letter.isprintable()
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if _is_variant(letter):
        return not _has_variants(before, letter)
    if letter == _ZWJ:
        return not (_joins_pictures(before, after) or _is_virama(before))
    if letter == _ZWNJ:
        return not (_is_virama(before) or (_is_arabic(before) and _is_arabic(after)))
    return letter in _BLANK or unicodedata.category(letter) in _UNSEEN


def _is_variant(letter: str) -> bool:
    """Whether it selects a variant of the character before: a colored heart, a kanji."""
    return "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"


def _has_variants(before: str, variant: str) -> bool:
    if not before:
        return False
    category = unicodedata.category(before)
    if variant in _EMOJI_STYLES:  # of pictures, and of the characters in keycap emoji
        return category in _PICTURES or before in "#*0123456789" or before in "‼⁉〰〽"
    return category == "Lo"


def _joins_pictures(before: str, after: str) -> bool:
    """Whether a joiner between these makes one picture: an astronaut, a family."""
    if not before or not after:
        return False
    picture = unicodedata.category(before) in (*_PICTURES, "Sk") or before in _EMOJI_STYLES
    return picture and unicodedata.category(after) in _PICTURES


def _is_virama(letter: str) -> bool:
    return bool(letter) and unicodedata.combining(letter) == 9


def _is_arabic(letter: str) -> bool:
    return bool(letter) and unicodedata.bidirectional(letter) == "AL"
