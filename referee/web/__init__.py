"""The pages: a Flask app over the book of sheets and the judges.

`create_app` puts it together; each module beside this one serves one part of the house.
"""

from pathlib import Path

from flask import Flask, request

import referee
from referee.ledger.store import Ledger
from referee.settings import Settings
from referee.sheets.book import Book
from referee.sheets.evening import EveningBook
from referee.web import (
    agreement,
    bin,
    compression,
    corrections,
    drawing,
    errors,
    evenings,
    guard,
    limits,
    pages,
    phones,
    printing,
    rulings,
    sharing,
    sheets,
    spreadsheet,
    statics,
    theme,
    words,
)

BODY_LIMIT = 64 * 1024
BOOK = "referee.book"
SETTINGS = "referee.settings"


def create_app(settings: Settings) -> Flask:
    """The app for these settings; raises `LedgerError` where the database cannot be used."""
    root = _resources()
    app = Flask("referee", template_folder=root / "templates", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT
    app.config["MAX_FORM_PARTS"] = 500
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.extensions[SETTINGS] = settings
    ledger = Ledger(settings.database)
    app.extensions[BOOK] = Book(ledger, most_rows=settings.most_entries)
    app.extensions["referee.evenings"] = EveningBook(ledger, app.extensions[BOOK])
    app.extensions[limits.LIMIT] = limits.Window(settings.sheets_an_hour)
    app.context_processor(_layout)
    words.install(app)
    statics.install(app, root / "static")
    compression.install(app)
    drawing.install(app)
    guard.install(app)
    errors.install(app)
    for part in (
        pages,
        rulings,
        sheets,
        corrections,
        agreement,
        phones,
        sharing,
        printing,
        spreadsheet,
        evenings,
        bin,
        theme,
    ):
        app.register_blueprint(part.blueprint)
    return app


def _resources() -> Path:
    """Where templates and static files lie: in the package of a wheel, beside it in a checkout."""
    package = Path(referee.__file__).parent
    return package if (package / "templates").is_dir() else package.parent


def _layout() -> dict[str, str]:
    """Each template serves as a whole page and, asked for by htmx, as the part that changed."""
    partial = request.headers.get("HX-Request-Type") == "partial"
    return {"layout": "fragment.html" if partial else "base.html"}
