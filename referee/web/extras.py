"""What an extra may add to the web pages: routes, parts of other pages, keys, documents."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import cache
from typing import Literal, Protocol

from flask import Flask, abort
from msgspec import Struct

from referee.extras import parts
from referee.ledger.store import Glance, Link
from referee.rules.core.asking import CardKeys
from referee.rules.text import Text, say
from referee.settings import Settings
from referee.sheets.sheet import OpenSheet
from referee.web.forms.taps import Form, field_and_key

Page = str | tuple[str, int]


class CardsField(Struct, frozen=True):
    """A field for cards: `name` in a form that is sent to `form_at`.

    `sent` is the form as filled in, `pad` the field's card pad, `title` the form's page title, and
    `packs` the most packs of its cards; the cards `lying` on the table were entered before.

    `hands.*` means the hands of several players: `seats` has those whose hands the form asks for,
    and `players` everybody around the table, in order, each with a color.
    """

    form_at: str
    name: str
    pad: CardKeys
    title: Text
    packs: int
    sent: Form
    method: Literal["post", "get"] = "post"
    lying: Sequence[str] = ()
    seats: Mapping[int, str] = {}
    players: Mapping[str, int] = {}


class Star(Protocol):
    """A highlight in the last deal of a sheet: the deal's `row`, and the `player`."""

    @property
    def row(self) -> int:  # noqa: D102
        ...

    @property
    def player(self) -> str:  # noqa: D102
        ...


class Around(Struct, frozen=True):
    """What an extra adds to a sheet: the `colors` of its players, and a `star` if one is due."""

    colors: Mapping[str, int]
    star: Star | None = None


class BegunIn(Struct, frozen=True):
    """Where a new game is begun: its `name`, the page `back` to it, and the names that it offers.

    `carries` are the parameters that identify it in forms and addresses.
    """

    name: str = ""
    back: str = ""
    people: Sequence[str] = ()
    carries: Mapping[str, str] = {}


class About(Struct, frozen=True):
    """A document in words: its `title`, when it was begun (ISO 8601), and its `players`.

    `back` is the page with the link to put it in the trash.
    """

    title: Text | str
    begun: str
    back: str
    players: Sequence[str] = ()


class Document(Struct, frozen=True):
    """A kind of document; the base has the pages for sharing its links and for the trash.

    Its pages are `/<at>/<token>/…`; the endpoint `show` is the first, and `after` the page to go to
    when one was trashed. The template `words` has macros for what those pages say about this kind.
    """

    kind: str
    at: str
    show: str
    after: str
    words: str
    about: Callable[[Link], About]


class WebPart(Struct, frozen=True):
    """What an extra adds to the pages; an extra's own class overrides the methods.

    `places` are templates for named places of other pages. `taps` has the views of its own card
    keys, by the key's value. `pictures` is a source of pictures besides our own host, such as
    "blob:". `documents` are its own kinds.
    """

    places: Mapping[str, str] = {}
    taps: Mapping[str, Callable[[CardsField], Page]] = {}
    pictures: str = ""
    documents: Sequence[Document] = ()

    def install(self, app: Flask, settings: Settings) -> None:
        """Register its blueprints, with their templates."""

    def around(self, sheet: OpenSheet) -> Around | None:
        """What this adds to the pages of a sheet; None if nothing."""

    def stage(self, glance: Glance) -> Hashable:
        """Part of the page cache's key: changes whenever `around` may change without a new row."""

    def begun_in(self, form: Form) -> BegunIn | None:
        """Where a form or an address begins a game, if this extra has that place."""

    def begun(self, form: Form, sheet: Link) -> None:
        """Called after a form has begun a sheet; must be repeatable, like `followed`."""

    def hidden(self, own: Collection[int], sheets: Sequence[int]) -> Collection[int]:
        """The `sheets` of an evening to hide from a visitor with links to the sheets `own`."""
        return ()

    def entrance(self, glance: Glance) -> str:
        """Endpoint to redirect a phone’s first visit of a sheet to; "" for the sheet itself."""
        return ""

    def followed(self, sheet: Link, following: Link) -> None:
        """Called once the evening’s next sheet, after `sheet`, has been begun.

        Called again if the form is resent, as after an error here, so it must be repeatable.
        """

    def renewed(self, sheet: Link) -> None:
        """Called after a link of a sheet was renewed or withdrawn, with one that is in force."""

    def own_pages(self, token: str, sheet: OpenSheet) -> Mapping[str, str]:
        """The addresses of pages on which players take their own turns, by player."""
        return {}

    def open_hands(self, sheet: OpenSheet) -> Mapping[str, str]:
        """The hands that players have shown on phones of their own, or mucked ("-"), by player."""
        return {}

    def put_away(self, document: Link) -> None:
        """Called before a document of any kind goes to the trash."""

    def restored(self, document: Link) -> None:
        """Called after a document of any kind was restored from the trash."""


@cache
def web_parts() -> tuple[WebPart, ...]:
    """What all installed extras add."""
    return tuple(parts("web", WebPart))


def install_extras(app: Flask, settings: Settings) -> None:
    """Add all extras to `app`, and what they know to its templates, as in `places("dock")`."""
    filled = defaultdict[str, tuple[str, ...]](tuple)
    for part in web_parts():
        part.install(app, settings)
        for place, template in part.places.items():
            filled[place] += (template,)
    known = {"own_pages": own_pages, "open_hands": open_hands}
    app.jinja_env.globals |= {"places": filled.__getitem__, **known}


def around_sheet(sheet: OpenSheet) -> Around:
    """What the first extra adds that has anything to add; else the colors by seat."""
    for part in web_parts():
        if found := part.around(sheet):
            return found
    return Around(sheet.colors)


def own_pages(token: str, sheet: OpenSheet) -> dict[str, str]:
    """The addresses of pages on which players take their own turns, by player.

    A scorekeeper is not asked for the moves of these players together with those of others.
    """
    found = (part.own_pages(token, sheet) for part in web_parts())
    return {player: page for pages in found for player, page in pages.items()}


def open_hands(sheet: OpenSheet) -> dict[str, str]:
    """The hands that players have shown on phones of their own, or mucked ("-"), by player.

    They are for everybody to see, before the scorekeeper has entered any.
    """
    found = (part.open_hands(sheet) for part in web_parts())
    return {player: cards for hands in found for player, cards in hands.items()}


def where_begun(form: Form) -> BegunIn:
    """Where a form or an address begins a game; empty if it names no place."""
    found = (part.begun_in(form) for part in web_parts())
    return next(filter(None, found), BegunIn())


def hidden_sheets(own: Collection[int], sheets: Sequence[int]) -> set[int]:
    """The `sheets` of an evening to hide from a visitor with links to the sheets `own`."""
    return {sheet for part in web_parts() for sheet in part.hidden(own, sheets)}


def page_of_key(sent: Form, field_of: Callable[[str], CardsField]) -> Page | None:
    """The page of the tapped key, if it has one; `field_of` finds the key's field by name."""
    field, key = field_and_key(sent)
    pages = (part.taps[key] for part in web_parts() if key in part.taps)
    return next((page(field_of(field)) for page in pages), None)


def pad_or_400(pad: CardKeys | None) -> CardKeys:
    """Return `pad`; answers 400 if a form has no such field."""
    if pad is None:
        abort(400, str(say("This form doesn’t belong to this game. Load the sheet again.")))
    return pad
