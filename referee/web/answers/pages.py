"""What a page shows, by type: every name that its template has is a field of a struct."""

import re
from typing import ClassVar

from flask import render_template
from msgspec import Struct
from msgspec.structs import asdict, replace

from referee.rules.language import ENGLISH_FROM, ENGLISH_TO, speaking, spoken

#: The parts of a page that can hold no element: tags with their attributes, and plain text.
_PLAIN = re.compile(
    r"""<(title|option|textarea|text)\b.*?</\1>|<(?:[^>"']|"[^"]*"|'[^']*')*>""", re.DOTALL
)
_WITHOUT_MARKS = str.maketrans("", "", ENGLISH_FROM + ENGLISH_TO)


class Shown(Struct, frozen=True):
    """The names in `templates`: its fields, and the fields of any field that is `Shown` itself.

    Most pages have one template. If there are several, such as a page and its fragment, `render`
    takes its name.
    """

    templates: ClassVar[tuple[str, ...]] = ()


def render(shown: Shown, template: str = "") -> str:
    """The page, by its only template or by another of them."""
    names = asdict(shown)
    parts = [name for name, part in names.items() if isinstance(part, Shown)]
    for name in parts:
        names |= asdict(names.pop(name))
    with speaking(replace(spoken(), marks=True)):
        page = render_template(template or shown.templates[0], **names)
    return _english_marked(page) if ENGLISH_FROM in page else page


def _english_marked(page: str) -> str:
    """A page on which each sentence without a translation is an element that says so.

    An attribute can’t say so; its words are shown as they are.
    """
    plain = _PLAIN.sub(lambda part: part[0].translate(_WITHOUT_MARKS), page)
    begun = plain.replace(ENGLISH_FROM, '<bdi lang="en" dir="ltr">')
    return begun.replace(ENGLISH_TO, "</bdi>")
