"""The Flask app over the book of sheets and the judges."""

import gc
from collections.abc import MutableMapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from threading import Thread
from typing import Any

from flask import Flask
from flask.templating import Environment
from jinja2 import FileSystemBytecodeCache, StrictUndefined
from jinja2.bccache import Bucket

import referee
from referee.ledger.store import Ledger
from referee.settings import Settings
from referee.sheets.book import Book
from referee.sheets.evening import EveningBook
from referee.web import context
from referee.web.answers import assets, compression, errors, security
from referee.web.answers.errors import RateLimit, too_many_sheets
from referee.web.extras import hidden_sheets, install_extras, web_parts
from referee.web.forms.sent import CardRequest
from referee.web.serving.bodies import BODY_LIMIT
from referee.web.serving.gateway import Gateway
from referee.web.sheet import corrections, export, record, settling, sharing, show, sick
from referee.web.sheet import settings as sheet_settings
from referee.web.site import evenings, home, languages, moving, new
from referee.web.site import referee as questions
from referee.web.view import filters

#: The modules of the base that have views, each with its blueprint.
WITH_VIEWS = (
    languages, home, new, moving, questions, evenings, show, record, corrections, sheet_settings,
    settling, export,
)  # fmt: skip


class _CompiledTemplates(FileSystemBytecodeCache):
    """Keeps compiled templates in the system's temporary folder: they take a second of a core."""

    @classmethod
    def in_private(cls) -> "_CompiledTemplates | None":
        """The cache of this version of the program, None if it can have no private folder."""
        with suppress(OSError, RuntimeError):
            return cls(pattern=f"referee-{referee.__version__}-{version('jinja2')}-%s")
        return None

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template, unless the disk is full."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


class _Templates(Environment):
    """Templates that share their globals, as none of ours has its own."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of all templates themselves, not chained to an empty map: slow to copy.

        The empty map is Jinja's protection. Without it, `get_template(name, globals=…)` for a
        template that is cached would give these to all of them; nothing here calls it so.
        """
        return super().make_globals(d) if d else self.globals


def create_gateway(settings: Settings, name_file: Path) -> Gateway:
    """The app in its gateway, for one worker; raises as `create_app` does."""
    app = create_app(settings, name_file)
    book = context.state(app).book
    Thread(target=_warm_up, args=(app,), daemon=True).start()
    Thread(target=book.ledger.engine.maintain, daemon=True).start()
    return Gateway(app, book, proxies=settings.trusted_proxies)


def create_app(settings: Settings, name_file: Path | None = None) -> Flask:
    """The app for these settings; raises `LedgerError` if the database cannot be used.

    `name_file` is the file with the program's name in the local network.
    """
    package = Path(referee.__file__).parent
    # A wheel has the templates and static files inside the package, a checkout beside it.
    root = package if (package / "templates").is_dir() else package.parent
    app = Flask("referee", template_folder=root / "templates", static_folder=None)
    app.request_class = CardRequest
    app.jinja_environment = _Templates
    app.jinja_options = {
        "bytecode_cache": _CompiledTemplates.in_private(),
        "cache_size": -1,  # keeps all templates, so it need not know which were used last
        "undefined": StrictUndefined,
    }
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    ledger = Ledger(settings.book)
    book = Book(ledger, summaries=settings.summaries)
    documents = [sharing.SHEET, *(one for part in web_parts() for one in part.documents)]
    app.extensions[context.EXTENSION] = context.AppState(
        settings=settings,
        ledger=ledger,
        book=book,
        evenings=EveningBook(book, hidden_sheets),
        pages=compression.PageCache(),
        new_sheets=RateLimit(settings.sheets_an_hour, too_many_sheets),
        documents={one.at: one for one in documents},
        house_name=name_file,
    )
    app.context_processor(lambda: {"layout": context.layout()})
    context.answer_in_languages(app, settings.language)
    filters.install(app)
    assets.install(app, root / "static")
    compression.install(app)
    pictures = " ".join(part.pictures for part in web_parts() if part.pictures)
    security.install(
        app, settings.public_url, settings.host, [one.at for one in documents], pictures
    )
    errors.install(app)
    sick.install(app)
    for module in WITH_VIEWS:
        app.register_blueprint(module.blueprint)
    install_extras(app, settings)
    for one in documents:
        shared = f"{one.kind}_sharing"
        app.register_blueprint(sharing.blueprint, url_prefix=f"/{one.at}/<token>", name=shared)
    return app


def _warm_up(app: Flask) -> None:
    """Load all templates in the background, those of the sheets first.

    Jinja would compile each at its first use, in every thread that uses it: a second or two during
    which no phone would get a response, if they were not cached.
    """
    names = app.jinja_env.list_templates(extensions=["html"])
    for name in sorted(names, key=lambda name: not name.startswith("sheet/")):
        app.jinja_env.get_template(name)
    # What exists now stays for good. Otherwise each full garbage collection would traverse all of
    # it while every request waits.
    gc.collect()
    gc.freeze()
