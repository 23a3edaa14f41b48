"""What an extra may add to the pages: routes, pieces of pages, keys with a page of their own."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Literal

from flask import Flask, abort
from msgspec import Struct

from referee.extras import parts
from referee.rules.core.asking import CardKeys
from referee.rules.text import Text, say
from referee.settings import Settings
from referee.web.forms.taps import Form, field_and_key

Page = str | tuple[str, int]


class CardsField(Struct, frozen=True):
    """A field for cards: `name` in a form that is sent to `form_at`.

    `sent` is the form as filled in, `pad` the field's card pad, `title` the form's page title. Its
    cards are of at most `packs` packs; those `lying` on the table were entered before.
    """

    form_at: str
    name: str
    pad: CardKeys
    title: Text
    packs: int
    sent: Form
    method: Literal["post", "get"] = "post"
    lying: Sequence[str] = ()


class WebPart(Struct, frozen=True):
    """What an extra adds to the pages.

    `install` registers its blueprints, with their templates. `places` are the templates that belong
    in named places of other pages. `taps` answers card keys of its own, by the key's value. Its
    pages show `pictures` from there as well as from our own host: "blob:", say.
    """

    install: Callable[[Flask, Settings], None]
    places: Mapping[str, str] = {}
    taps: Mapping[str, Callable[[CardsField], Page]] = {}
    pictures: str = ""


def install(app: Flask, settings: Settings) -> None:
    """Add all extras to `app`; templates have their pieces: `places("beside-cards")`."""
    filled: dict[str, tuple[str, ...]] = {}
    for part in parts("web", WebPart):
        part.install(app, settings)
        for place, template in part.places.items():
            filled[place] = *filled.get(place, ()), template
    app.jinja_env.globals["places"] = lambda place: filled.get(place, ())


def pictures() -> str:
    """Where pages show pictures from, besides our own host."""
    return " ".join(filter(None, (part.pictures for part in parts("web", WebPart))))


@cache
def _taps() -> dict[str, Callable[[CardsField], Page]]:
    return {key: page for part in parts("web", WebPart) for key, page in part.taps.items()}


def page_of_key(sent: Form, field_of: Callable[[str], CardsField]) -> Page | None:
    """The page of the key that was tapped, if it has one; `field_of` finds its field by name."""
    field, key = field_and_key(sent)
    page = _taps().get(key)
    return None if page is None else page(field_of(field))


def pad_or_400(pad: CardKeys | None) -> CardKeys:
    """Return `pad`; answers 400 if a form has no such field."""
    if pad is None:
        abort(400, str(say("This form doesn’t belong to this game. Load the sheet again.")))
    return pad
