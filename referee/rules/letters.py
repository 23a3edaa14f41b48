"""Letters that nobody can see: which of them mean something, and which could only deceive.

An escape moves the cursor of a terminal, an override turns a line round, a joiner makes two names
of one. Such letters are refused where a text comes in, and written out where it is shown. Emoji,
though, are made with joiners, and so are names in Persian, Sinhala, and Kannada: there they stay.
"""

import json
import unicodedata

_ZWNJ, _ZWJ = "\u200c", "\u200d"
_EMOJI_STYLES = "\ufe0e\ufe0f"
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_PICTURES = ("So", "Sm")
#: Shown as nothing, or as a blank, although their categories are those of letters and marks.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")


def unseen(text: str) -> str:
    """The letters of `text` that cannot be seen, and mean nothing where they stand; "" if none."""
    if text.isascii() and text.isprintable():
        return ""
    return "".join(letter for place, letter in enumerate(text) if _deceives(text, place))


def written_out(text: str) -> str:
    r"""`text` with what cannot be seen as JSON writes it (`\u001b`), so that it does nothing.

    A byte of a file name that is no text becomes a replacement character.
    """
    if text.isprintable():
        return text
    return "".join(
        _escape(letter) if _deceives(text, place) else letter for place, letter in enumerate(text)
    )


def folded(name: str) -> str:
    """What two names have in common that nobody could tell apart, however they are written.

    Capitals, blanks, the way an accent is composed, and letters that cannot be seen make no other
    name. Letters that merely look alike do: wide ones, or those of another script.
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
    """Whether this letter cannot be seen and does not shape those beside it."""
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
    """Whether it chooses a form of the letter before: the colored heart, a form of a kanji."""
    return "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"


def _has_variants(before: str, variant: str) -> bool:
    if not before:
        return False
    category = unicodedata.category(before)
    if variant in _EMOJI_STYLES:  # of pictures, and of the digits that keys are made of
        return category in _PICTURES or before in "#*0123456789" or before in "‼⁉〰〽"
    return category == "Lo"


def _joins_pictures(before: str, after: str) -> bool:
    """Whether a joiner makes one picture of two: a person and a rocket, a family."""
    if not before or not after:
        return False
    picture = unicodedata.category(before) in (*_PICTURES, "Sk") or before in _EMOJI_STYLES
    return picture and unicodedata.category(after) in _PICTURES


def _is_virama(letter: str) -> bool:
    return bool(letter) and unicodedata.combining(letter) == 9


def _is_arabic(letter: str) -> bool:
    return bool(letter) and unicodedata.bidirectional(letter) == "AL"
