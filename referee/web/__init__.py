"""The pages: a Flask app over the book of sheets and the judges.

`create_app` puts it together; each room beside this module serves one part of the house.
"""

from pathlib import Path

from flask import Flask

import referee
from referee.ledger.store import Ledger
from referee.settings import Settings
from referee.sheets.book import Book
from referee.sheets.evening import EveningBook
from referee.web import context
from referee.web.http import assets, compression, errors, page_cache, polling, rate_limit, security
from referee.web.sheet import corrections, export, phones, printing, record, sharing, show, trash
from referee.web.sheet import settings as sheet_settings
from referee.web.site import evenings, home, new, rules, theme
from referee.web.site import referee as questions
from referee.web.view import chart, filters

BODY_LIMIT = 64 * 1024

BLUEPRINTS = (
    home.blueprint,
    new.blueprint,
    rules.blueprint,
    questions.blueprint,
    show.blueprint,
    record.blueprint,
    corrections.blueprint,
    sheet_settings.blueprint,
    phones.blueprint,
    sharing.blueprint,
    printing.blueprint,
    export.blueprint,
    evenings.blueprint,
    trash.blueprint,
    theme.blueprint,
)


def create_app(settings: Settings) -> Flask:
    """The app for these settings; raises `LedgerError` where the database cannot be used."""
    root = _resources()
    app = Flask("referee", template_folder=root / "templates", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT
    app.config["MAX_FORM_PARTS"] = 500
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    files = assets.files_in(root / "static")
    ledger = Ledger(settings.database)
    book = Book(ledger, most_rows=settings.most_entries, mark=settings.mark)
    app.extensions[context.EXTENSION] = context.AppState(
        settings=settings,
        ledger=ledger,
        book=book,
        evenings=EveningBook(ledger, book),
        pages=page_cache.PageCache(),
        new_sheets=rate_limit.RateLimit(settings.sheets_an_hour),
        assets=files,
    )
    app.context_processor(lambda: {"layout": context.layout()})
    filters.install(app)
    chart.install(app)
    assets.install(app, files)
    compression.install(app)
    security.install(app)
    errors.install(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.wsgi_app = polling.Unchanged(app.wsgi_app, book)  # type: ignore[method-assign]
    return app


def _resources() -> Path:
    """Where templates and static files lie: in the package of a wheel, beside it in a checkout."""
    package = Path(referee.__file__).parent
    return package if (package / "templates").is_dir() else package.parent
