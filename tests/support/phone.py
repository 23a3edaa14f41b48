"""A client with one link of a sheet that sends requests as htmx does."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

PARTIAL = {"HX-Request": "true", "HX-Request-Type": "partial"}


def words(page: TestResponse | str) -> str:
    """The text of a page, without its tags."""
    text = page if isinstance(page, str) else page.text
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())


def first_in(page: str, pattern: str) -> str:
    """The group of this pattern in its first match on the page."""
    found = re.search(pattern, page)
    assert found is not None, f"{pattern} is not in {page}"
    return found[1]


class Phone:
    """A phone that has opened a sheet through one of its links."""

    def __init__(self, client: FlaskClient, token: str) -> None:
        self.client = client
        self.token = token

    def get(self, place: str = "", **headers: str) -> TestResponse:
        return self.client.get(f"/s/{self.token}{place}", headers=headers)

    def post(self, place: str, fields: Mapping[str, object], **headers: str) -> TestResponse:
        return self.client.post(f"/s/{self.token}{place}", data=dict(fields), headers=headers)

    def record(self, fields: Mapping[str, object], after: int, key: str = "") -> TestResponse:
        """Record an entry on top of row `after`."""
        sent = {"after": after, "key": key or f"{self.token[:8]}-{after}", **fields}
        return self.post("/entries", sent)

    def press(self, page: str, **more: str) -> TestResponse:
        """Send the first form in this part of a page, with the values that it has."""
        form = page[page.index('method="post"') :].partition("</form>")[0]
        place = first_in(form, r'action="/s/[\w-]+([^"]+)"')
        fields = dict[str, list[str]]()
        for name, value in re.findall(r'name="([^"]+)" value="([^"]*)"', form):
            fields.setdefault(name, []).append(unescape(value))
        return self.post(place, {**fields, **more})

    def link(self, role: str) -> str:
        """The token of the sheet's link with this role, from the share page."""
        page = self.get(f"/share?code={role}").text
        return first_in(page, r'value="https?://[^"]+/s/([\w-]+)"')

    def other(self, role: str) -> "Phone":
        """Another phone, with the sheet's link of this role."""
        return Phone(self.client.application.test_client(), self.link(role))

    def board(self) -> str:
        return self.get("/board").text

    def totals(self) -> list[str]:
        """The totals at the heads of the score pad, in seating order."""
        return re.findall(r'<span class="total">([^<]+)<', self.board())

    def file(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get("/sheet.json").get_json()
        return found

    def again(self, seen: int = 0, key: str = "again", **fields: str) -> "Phone":
        """Begin the evening's next sheet; returns a phone with its host link."""
        answer = self.post("/again", {"seen": seen, "key": key, **fields})
        assert answer.status_code == 303, answer.text
        return Phone(self.client, answer.headers["Location"].rsplit("/", 1)[1])

    def evening(self) -> str:
        """The address of the evening that the sheet belongs to."""
        answer = self.get("/evening")
        assert answer.status_code == 303
        return answer.headers["Location"]


def begin(client: FlaskClient, slug: str, players: list[str], **fields: object) -> Phone:
    """Begin a sheet; returns a phone with its host link. The first player deals."""
    answer = client.post(f"/new/{slug}", data={"name": players, "dealer": "0", **fields})
    assert answer.status_code == 303, answer.text
    return Phone(client, answer.headers["Location"].rsplit("/", 1)[1])
