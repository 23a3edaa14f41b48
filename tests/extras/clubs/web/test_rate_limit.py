"""How many clubs a phone may begin in an hour."""

from pathlib import Path

from referee.settings import Settings
from referee.web.app import create_app
from tests.web.answers.test_rate_limit import NEW


def test_a_new_phone_can_begin_a_club_beside_busy_ones(tmp_path: Path) -> None:
    """However many sheets and clubs others behind the same router have begun."""
    app = create_app(Settings(tmp_path, sheets_an_hour=2))
    careless, newcomer = app.test_client(use_cookies=False), app.test_client()
    for _ in range(2):
        assert careless.post("/new/multiple-9", data=NEW).status_code == 303
        assert careless.post("/clubs", data={"name": "Theirs"}).status_code == 303
    assert careless.post("/new/multiple-9", data=NEW).status_code == 429
    refused = careless.post("/clubs", data={"name": "Theirs"})
    assert refused.status_code == 429
    assert "Too many clubs were begun here in the past hour." in refused.text
    assert newcomer.get("/clubs").status_code == 200
    assert newcomer.post("/clubs", data={"name": "Ours"}).status_code == 303
