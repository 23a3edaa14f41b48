"""The pages: a Flask app over the book of sheets and the judges.

`create_app` puts it together; each module beside this one serves one part of the house.
"""

from pathlib import Path

from flask import Flask

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
    desk,
    drawing,
    errors,
    evenings,
    guard,
    kept,
    limits,
    pages,
    phones,
    polling,
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
    app.extensions[BOOK] = Book(ledger, most_rows=settings.most_entries, mark=settings.mark)
    app.extensions["referee.evenings"] = EveningBook(ledger, app.extensions[BOOK])
    app.extensions[limits.LIMIT] = limits.Window(settings.sheets_an_hour)
    app.extensions[kept.KEPT] = kept.KeptPages()
    app.context_processor(lambda: {"layout": desk.layout()})
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
    app.wsgi_app = polling.Unchanged(app.wsgi_app, app.extensions[BOOK])  # type: ignore[method-assign]
    return app


def _resources() -> Path:
    """Where templates and static files lie: in the package of a wheel, beside it in a checkout."""
    package = Path(referee.__file__).parent
    return package if (package / "templates").is_dir() else package.parent
