"""What a route says of itself to those who receive what is asked and have it answered.

A view says it by a mark beside its address. All others are pages, or forms, and done in no time.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar

from flask import Flask
from werkzeug.exceptions import HTTPException

View = TypeVar("View", bound=Callable[..., Any])
Kind = Literal["plain", "polled", "long", "file", "photo"]

_MARK = "kind_of_route"


def _mark(kind: Kind) -> Callable[[View], View]:
    def mark(view: View) -> View:
        setattr(view, _MARK, kind)
        return view

    return mark


#: Phones ask this again and again; it answers 304 to whoever has the newest.
polled = _mark("polled")
#: This goes through all of a sheet, or of several, more often than not.
takes_long = _mark("long")
#: A sheet's file is sent here, and played through.
takes_file = _mark("file")
#: A photo is sent here.
takes_photo = _mark("photo")


class Routes:
    """The routes of an app, found by what is asked for."""

    def __init__(self, app: Flask) -> None:
        """Every route has to be there."""
        self._urls = app.url_map.bind("")
        self._views = app.view_functions

    def found(self, method: str, path: str) -> tuple[Kind, Mapping[str, Any]]:
        """The kind of a route, and what its address names; plain where there is none."""
        try:
            endpoint, named = self._urls.match(path, method)
        except HTTPException:  # the app says so, on a page
            return "plain", {}
        return getattr(self._views[endpoint], _MARK, "plain"), named
