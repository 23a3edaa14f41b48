"""Requests to every route of the app with every method, for tests of what a link may do.

New routes are included: placeholders are filled by their names, and an unknown name fails, asking
for a line in `FILLINGS`.
"""

from collections.abc import Iterable, Iterator, Sequence

from flask import Flask
from flask.testing import FlaskClient
from msgspec import Struct
from werkzeug.test import TestResponse

from tests.support.phone import PARTIAL

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")

#: Values for each placeholder besides the token; all are tried.
FILLINGS: dict[str, tuple[str, ...]] = {
    "seq": ("1", "2", "999"),
    "number": ("1", "999"),
    "slug": ("multiple-9", "whist"),
    "judge": ("discard", "deal"),
    "role": ("view", "score", "host"),
    "code": ("not-a-code",),
    "form": ("entries", "seat"),
    "what": ("playing", "stands", "changes", "looked"),
}

#: Forms that have an effect if the link permits it.
FORMS: tuple[dict[str, str], ...] = (
    {},
    {"action": "out", "player": "Cat", "after": "2", "key": "k"},
    {"action": "out", "player": "Cat", "after": "2", "key": "s", "sure": "yes"},
    {"action": "adjust", "player": "Cat", "points": "3", "reason": "x", "after": "2", "key": "a"},
    {"after": "2", "key": "u", "sure": "yes"},
    {"role": "view", "sure": "yes"},
    {"role": "score", "sure": "yes"},
    {"role": "host", "sure": "yes"},
)


class Probe(Struct, frozen=True):
    """A path of a route, and a method to request it with."""

    path: str
    method: str
    endpoint: str


def probes(app: Flask, token: str, only: str = "") -> Iterator[Probe]:
    """Yield every route and method for a sheet’s link, or `only` those with this placeholder."""
    for rule in app.url_map.iter_rules():
        if rule.endpoint == "static" or (only and only not in rule.arguments):
            continue
        unknown = rule.arguments - FILLINGS.keys() - {"token"}
        assert not unknown, f"{rule.rule}: add {sorted(unknown)} to FILLINGS"
        paths = [rule.rule]
        for name in rule.arguments:
            values = (token,) if name == "token" else FILLINGS[name]
            paths = [_filled(path, name, value) for path in paths for value in values]
        for path in paths:
            for method in METHODS:
                yield Probe(path, method, rule.endpoint)


def _filled(path: str, name: str, value: str) -> str:
    before, _, rest = path.partition(f"{name}>")
    assert rest or path.endswith(f"{name}>"), (path, name)
    return before[: before.rindex("<")] + value + rest


def send_probes(
    client: FlaskClient,
    found: Iterable[Probe],
    forms: Sequence[dict[str, str]] = FORMS,
    /,
    **headers: str,
) -> Iterator[tuple[Probe, TestResponse]]:
    """Yield each probe with its response: to a POST once for each of the `forms`.

    Pages are requested with and without the headers of htmx, forms by turns.
    """
    for probe in found:
        sent = forms if probe.method == "POST" else ({}, {}) if probe.method == "GET" else ({},)
        for turn, form in enumerate(sent):
            every = {**headers, **(PARTIAL if turn % 2 else {})}
            yield probe, client.open(probe.path, method=probe.method, data=form, headers=every)
