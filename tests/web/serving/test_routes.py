"""What routes say of themselves, read off the app's own map of addresses."""

from flask import Flask
from werkzeug.routing import Rule

from referee.web.serving.routes import Kind, Routes

#: Every route that says something of itself. A new one that goes through whole sheets belongs here.
SAID: dict[str, Kind] = {
    "GET /s/<token>/board": "polled",
    "GET /s/<token>/log": "long",
    "GET /s/<token>/print": "long",
    "GET /s/<token>/settle": "long",
    "GET /s/<token>/sheet.json": "long",
    "GET /s/<token>/standings.csv": "long",
    "GET /evenings": "long",
    "GET /e/<token>": "long",
    "POST /s/<token>/settings": "long",
    "POST /s/<token>/entries/<int:seq>": "long",
    "POST /s/<token>/entries/<int:seq>/preview": "long",
    "POST /s/<token>/entries/<int:seq>/void": "long",
    "POST /bring-in": "file",
    "POST /referee/<slug>/<judge>/photo": "photo",
    "POST /s/<token>/entries/photo": "photo",
    "POST /s/<token>/entries/<int:seq>/photo": "photo",
    "POST /s/<token>/referee/<judge>/photo": "photo",
}


def asked(rule: Rule) -> list[tuple[str, str]]:
    """The ways to ask for a route, and what they are called."""
    methods = sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    return [(method, f"{method} {rule.rule}") for method in methods]


def test_every_route_is_found_with_what_it_says(app: Flask) -> None:
    """All that say something, and no other; each is found by an address of its own."""
    routes, found = Routes(app), dict[str, Kind]()
    for rule in app.url_map.iter_rules():
        values = {name: 1 if name == "seq" else "x" for name in rule.arguments}
        built = rule.build(values)
        assert built is not None
        for method, called in asked(rule):
            kind, named = routes.found(method, built[1])
            assert dict(named) == values, called
            if kind != "plain":
                found[called] = kind
    assert found == SAID


def test_what_is_nowhere_is_plain(app: Flask) -> None:
    """The app says so, on a page."""
    routes = Routes(app)
    for method, path in (("GET", "/nowhere"), ("PUT", "/"), ("GET", "//x"), ("", ""), ("*", "*")):
        assert routes.found(method, path) == ("plain", {})
