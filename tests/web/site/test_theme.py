"""Paper, card table, or as the phone has it: chosen without script, there from the first byte."""

import pytest
from flask.testing import FlaskClient

from tests.support.phone import Phone


def theme(page: str) -> str:
    """The look that a page was sent with."""
    return page.partition('data-theme="')[2].partition('"')[0]


@pytest.mark.parametrize(
    ("slug", "scheme", "edge"), [("light", "light", "#f6f0e1"), ("dark", "dark", "#0c1512")]
)
def test_a_choice_is_remembered(client: FlaskClient, slug: str, scheme: str, edge: str) -> None:
    """Pages follow the phone until then; from now on each has the theme from its first byte."""
    page = client.get("/").text
    assert theme(page) == "auto"
    assert 'content="light dark"' in page
    assert page.count('name="theme-color"') == 2, "for the edge by day and by night"
    answer = client.post("/theme", data={"theme": slug})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/#theme")
    assert "SameSite=Lax" in answer.headers["Set-Cookie"]
    assert "Max-Age=34560000" in answer.headers["Set-Cookie"]
    for path in ("/", "/referee/multiple-9", "/nowhere"):
        answer = client.get(path)
        assert theme(answer.text) == slug
        assert f'name="color-scheme" content="{scheme}"' in answer.text
        assert f'media="all" content="{edge}"' in answer.text
        assert "Cookie" in answer.vary
    assert f'value="{slug}" aria-pressed="true"' in client.get("/").text
    assert client.post("/theme", data={"theme": "auto"}).status_code == 303
    assert theme(client.get("/").text) == "auto"


def test_it_leads_back_to_the_sheet(host: Phone) -> None:
    """Also a phone that only looks may choose, and comes back to the sheet's page it was on."""
    viewer = host.other("view")
    assert 'action="/theme"' in viewer.get("/more").text
    answer = viewer.client.post("/theme", data={"theme": "dark", "sheet": viewer.token})
    assert answer.headers["Location"] == f"/s/{viewer.token}/more#theme"
    assert theme(viewer.get().text) == "dark"
    assert theme(host.get().text) == "auto"


@pytest.mark.parametrize("sheet", ["//evil.example", "\\evil.example", "../..", "https://evil"])
def test_it_leads_nowhere_else(client: FlaskClient, sheet: str) -> None:
    """Whatever a form names as its sheet, the way back stays in the house."""
    answer = client.post("/theme", data={"theme": "dark", "sheet": sheet})
    assert answer.headers["Location"].startswith("/s/")


@pytest.mark.parametrize("fields", [{}, {"theme": ""}, {"theme": "velvet"}, {"theme": ["\0", "x"]}])
def test_there_are_three(client: FlaskClient, fields: dict[str, object]) -> None:
    """Another look is refused, and says which there are."""
    answer = client.post("/theme", data=fields)
    assert answer.status_code == 422
    assert "light, dark, or auto" in answer.text
