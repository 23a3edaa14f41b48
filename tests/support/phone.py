"""A client with one link of a sheet that sends requests as htmx does."""

import re
from collections.abc import Mapping

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

PARTIAL = {"HX-Request": "true", "HX-Request-Type": "partial"}


class Phone:
    """A phone that has opened a sheet through one of its links."""

    def __init__(self, client: FlaskClient, token: str) -> None:
        self.client = client
        self.token = token

    def get(self, place: str = "", **headers: str) -> TestResponse:
        """Open a page of the sheet."""
        return self.client.get(f"/s/{self.token}{place}", headers=headers)

    def post(self, place: str, fields: Mapping[str, object], **headers: str) -> TestResponse:
        """Send a form of the sheet."""
        return self.client.post(f"/s/{self.token}{place}", data=dict(fields), headers=headers)

    def record(self, fields: Mapping[str, object], after: int, key: str = "") -> TestResponse:
        """Record an entry on top of row `after`."""
        sent = {"after": after, "key": key or f"{self.token[:8]}-{after}", **fields}
        return self.post("/entries", sent)

    def link(self, role: str) -> str:
        """The token of the sheet's link with this role, from the share page."""
        page = self.get(f"/share?code={role}").text
        found = re.search(r'value="https?://[^"]+/s/([\w-]+)"', page)
        assert found is not None
        return found[1]

    def board(self) -> str:
        """The HTML of the live board."""
        return self.get("/board").text


def begin(client: FlaskClient, slug: str, players: list[str], **fields: object) -> Phone:
    """Begin a sheet; returns a phone with its host link. The first player deals."""
    answer = client.post(f"/new/{slug}", data={"name": players, "dealer": "0", **fields})
    assert answer.status_code == 303, answer.text
    return Phone(client, answer.headers["Location"].rsplit("/", 1)[1])
