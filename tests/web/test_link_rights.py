"""What each kind of link may do, by every route; also without a link, and from another site."""

from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.support.books import contents
from tests.support.every_route import SAFE, Probe, probes, send_probes
from tests.support.phone import Phone


@pytest.fixture
def played(host: Phone) -> Phone:
    """The host of a sheet with two entries."""
    for after, player in enumerate(("Ben", "Cat")):
        assert host.record({"action": "out", "player": player}, after).status_code == 303
    return host


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The app's database."""
    return tmp_path / "referee.sqlite"


def secrets_in(answer: TestResponse, secrets: tuple[str, ...]) -> list[str]:
    """The secrets that an answer contains, in its body or its headers."""
    told = f"{answer.headers}{answer.data!r}"
    return [secret for secret in secrets if secret in told]


def test_every_route_is_probed(app: Flask) -> None:
    """With each value of a placeholder; it fails on one for which it has none."""
    paths = {probe.path for probe in probes(app, "t")}
    assert {"/s/t/entries/999/void", "/s/t/code/host.svg", "/new/whist", "/referee"} <= paths
    app.add_url_rule("/evening/<evening>", "evening", lambda evening: evening)
    with pytest.raises(AssertionError, match=r"add \['evening'\]"):
        list(probes(app, "t"))


def test_a_view_link_changes_nothing(app: Flask, played: Phone, database: Path) -> None:
    """By no route, nor does it learn the scoring or the host's link."""
    viewer = played.other("view")
    secrets = (played.token, played.link("score"))
    before = contents(database)
    for probe, answer in send_probes(viewer.client, probes(app, viewer.token)):
        assert answer.status_code < 500, (probe, answer.status_code)
        assert not secrets_in(answer, secrets), probe
        if probe.method not in SAFE and "/s/" in probe.path:
            assert answer.status_code in (400, 403, 404, 405, 422), (probe, answer.status_code)
    assert contents(database) == before


def test_a_score_link_only_writes_entries(app: Flask, played: Phone, database: Path) -> None:
    """It learns no host link, withdraws no link and trashes no sheet."""
    scorer = played.other("score")
    before = contents(database)
    for probe, answer in send_probes(scorer.client, probes(app, scorer.token)):
        assert answer.status_code < 500, (probe, answer.status_code)
        assert not secrets_in(answer, (played.token,)), probe
    after = contents(database)
    assert len(after["entries"]) > len(before["entries"])
    assert all(after[table] == before[table] for table in ("links", "trash", "sheets"))


def assert_closed(probe: Probe, answer: TestResponse) -> None:
    """Check that the route leads nowhere for this link."""
    assert answer.status_code in (404, 405) or probe.method == "OPTIONS", (
        probe,
        answer.status_code,
    )


@pytest.mark.parametrize("kind", ["no link", "withdrawn view", "withdrawn score", "withdrawn host"])
def test_invalid_links_open_nothing(app: Flask, played: Phone, database: Path, kind: str) -> None:
    """It changes and learns nothing, either."""
    token, role = "A" * 22, kind.rpartition(" ")[2]
    if kind.startswith("withdrawn"):
        token = played.token if role == "host" else played.link(role)
        answer = played.post("/links", {"role": role})
        played = Phone(played.client, answer.headers["Location"].split("/")[2])
    secrets = (played.token, played.link("score"), played.link("view"))
    before = contents(database)
    stranger = app.test_client()
    for probe, answer in send_probes(stranger, probes(app, token, only="token")):
        assert_closed(probe, answer)
        assert not secrets_in(answer, secrets), probe
    assert contents(database) == before


@pytest.mark.parametrize("role", ["view", "score"])
def test_a_sheet_in_the_trash_opens_for_its_host_only(
    app: Flask, played: Phone, database: Path, role: str
) -> None:
    """All other links are closed meanwhile."""
    other = played.other(role)
    assert played.post("/trash", {}).status_code == 303
    before = contents(database)
    for probe, answer in send_probes(other.client, probes(app, other.token, only="token")):
        assert_closed(probe, answer)
        assert not secrets_in(answer, (played.token,)), probe
    assert contents(database) == before


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
        {"Origin": "https://elsewhere.example"},
    ],
    ids=str,
)
def test_a_request_from_another_site_changes_nothing(
    app: Flask, played: Phone, database: Path, headers: dict[str, str]
) -> None:
    """Even with the host's link and cookies."""
    before = contents(database)
    sent = (probe for probe in probes(app, played.token) if probe.method not in SAFE)
    for probe, answer in send_probes(played.client, sent, **headers):
        assert answer.status_code == 403, (probe, answer.status_code)
    assert contents(database) == before
