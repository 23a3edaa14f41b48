"""What is answered on the loop to a board that asks: nothing is new, and nothing else."""

from collections.abc import Callable

from flask import Flask

from referee.web.context import state
from referee.web.serving.polling import unchanged_in
from tests.support.phone import Phone


def test_the_board_of_a_trashed_sheet_has_changed(
    app: Flask, host: Phone, phone_with: Callable[[str], Phone]
) -> None:
    """Whoever looks on is told so by the app; once it is taken out, nothing is new again."""
    guest = phone_with("view")
    tag = guest.get("/board").headers["HX-PTag"]
    unchanged = unchanged_in(state(app).book)
    asked = (guest.token, tag, None)
    assert unchanged(*asked)
    host.post("/trash", {})
    assert not unchanged(*asked)
    host.post("/trash/out", {})
    assert unchanged(*asked)
