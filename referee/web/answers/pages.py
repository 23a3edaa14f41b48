"""What a page shows, by type: every name that its template has is a field of a struct."""

from typing import ClassVar

from flask import render_template
from msgspec import Struct
from msgspec.structs import asdict


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
    return render_template(template or shown.templates[0], **names)
