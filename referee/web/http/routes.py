"""What a route says of itself to those who receive what is asked and have it answered.

A view says it by a mark beside its address: that phones ask it again and again whether anything is
new (`polled`), that it may take long (`takes_long`), that what is sent to it is more than a form
(`takes_file`, `takes_photo`). All others are pages, or forms, and done in no time.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar

from flask import Flask
from msgspec import Struct
from msgspec.structs import replace
from werkzeug.exceptions import HTTPException

View = TypeVar("View", bound=Callable[..., Any])

Crew = Literal["pages", "entries", "long", "photos"]

_MARK = "_way"


class Way(Struct, frozen=True):
    """How requests for a route are received, and who answers them."""

    polled: bool = False
    crew: Crew | None = None
    takes: Literal["form", "file", "photo"] = "form"


PLAIN = Way()


def polled(view: View) -> View:
    """Mark a view that answers 304 while nothing is new, to whoever has the newest."""
    return _marked(view, polled=True)


def takes_long(view: View) -> View:
    """Mark a view that goes through all of a sheet, or of several, more often than not."""
    return _marked(view, crew="long")


def takes_file(view: View) -> View:
    """Mark a view to which a sheet's file is sent."""
    return _marked(view, crew="long", takes="file")


def takes_photo(view: View) -> View:
    """Mark a view to which a photo is sent."""
    return _marked(view, crew="photos", takes="photo")


def _marked(view: View, **more: Any) -> View:
    setattr(view, _MARK, replace(getattr(view, _MARK, PLAIN), **more))
    return view


class Routes:
    """The routes of an app, found by what is asked for."""

    def __init__(self, app: Flask) -> None:
        """Every route has to be there."""
        self._urls = app.url_map.bind("")
        self._ways = {
            name: getattr(view, _MARK, PLAIN) for name, view in app.view_functions.items()
        }

    def found(self, method: str, path: str) -> tuple[Way, Mapping[str, Any]]:
        """The way of what is asked for, plain where that is nowhere; and what its address names."""
        try:
            endpoint, named = self._urls.match(path, method)
        except HTTPException:  # the app says so, on a page
            return PLAIN, {}
        return self._ways[endpoint], named
