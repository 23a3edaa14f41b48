"""The languages that texts can be shown in, their catalogs, and the one spoken at the moment."""

import gettext
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, cached_property
from io import BytesIO
from pathlib import Path
from typing import Literal

from babel import Locale
from msgspec import Struct

from referee.extras import folders

#: The folders with catalogs: the base's, which says what languages there are, and the extras'.
CATALOGS = Path(__file__).parent.parent / "locale", *folders("locale").values()
ENGLISH = "en"
NO_TRANSLATOR = "FULL NAME <EMAIL@ADDRESS>"  # in a catalog until a person has reviewed it
#: Around a sentence without a translation, where the language `marks` these.
ENGLISH_FROM, ENGLISH_TO = "\x02", "\x03"
#: Jack, queen and king as we write them; the deck at a phone may have other letters.
COURT = "JQK"


class Language(Struct, frozen=True, dict=True):
    """A language for texts: its catalog of templates, and its locale for numbers and lists.

    Cards have the `letters` of the deck on the table for jack, queen and king. If it `marks` what
    its catalog lacks, the English sentence is between `ENGLISH_FROM` and `ENGLISH_TO`.
    """

    locale: Locale
    catalog: gettext.NullTranslations
    direction: Literal["ltr", "rtl"] = "ltr"
    letters: str = COURT
    marks: bool = False

    @cached_property
    def tag(self) -> str:
        """Its tag, as in HTML and HTTP: "de", "pt-BR"."""
        return str(self.locale).replace("_", "-")

    @property
    def name(self) -> str:
        """Its name in itself: "Deutsch", "Português (Brasil)"."""
        name = self.locale.display_name or self.tag
        return name[:1].upper() + name[1:]

    @cached_property
    def plural_examples(self) -> dict[str, int]:
        """The least number for each plural form, by its name in CLDR: {"other": 0, "one": 1}."""
        return {self.locale.plural_form(n): n for n in reversed(range(100))}

    @property
    def is_unread(self) -> bool:
        """Whether no person has reviewed its catalog, which then names no translator."""
        return self.catalog.info().get("last-translator") == NO_TRANSLATOR


class _Untranslated(gettext.NullTranslations):
    """English for the messages that a catalog doesn't have."""

    def gettext(self, message: str) -> str:
        return f"{ENGLISH_FROM}{message}{ENGLISH_TO}" if spoken().marks else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def language(tag: str = ENGLISH, *catalogs: Path) -> Language:
    """The language with this tag ("de", "pt-BR"), its catalogs read from these folders, or ours.

    Without a tag it is English. Missing messages are shown in English, which needs no catalog.
    Raises `babel.UnknownLocaleError`, `ValueError` for a text that is no tag, and `OSError` for a
    catalog that cannot be read.
    """
    return _language((tag or ENGLISH).replace("-", "_"), catalogs or CATALOGS)


@cache
def _language(tag: str, folders: tuple[Path, ...]) -> Language:
    locale = Locale.parse(tag)
    catalog = gettext.NullTranslations() if locale.language == ENGLISH else _Untranslated()
    for folder in reversed(folders):
        for name in (tag, locale.language):
            if found := _read(folder / name / "LC_MESSAGES"):
                found.add_fallback(catalog)
                catalog = found
                break
    return Language(locale, catalog, "rtl" if locale.text_direction == "rtl" else "ltr")


def _read(folder: Path) -> gettext.GNUTranslations | None:
    """The catalog in a folder: compiled, as in a wheel, or as translators write it."""
    if (compiled := folder / "referee.mo").exists():
        with compiled.open("rb") as file:
            return gettext.GNUTranslations(file)
    if (written := folder / "referee.po").exists():
        from babel.messages import mofile, pofile  # noqa: PLC0415 - in a checkout only

        with written.open("rb") as file:
            catalog = pofile.read_po(file, folder.parent.name)
        for one in [one for one in catalog if not all(one.string or ())]:
            catalog.delete(one.id)  # its empty forms would be filled with English
        made = BytesIO()
        mofile.write_mo(made, catalog)
        return gettext.GNUTranslations(BytesIO(made.getvalue()))
    return None


def languages(*catalogs: Path) -> tuple[str, ...]:
    """The tags of the languages that texts can be shown in: English, and those with a catalog."""
    return _languages((catalogs or CATALOGS)[0])


@cache
def _languages(folder: Path) -> tuple[str, ...]:
    found = {file.parent.parent.name for file in folder.glob("*/LC_MESSAGES/referee.[mp]o")}
    return ENGLISH, *(name.replace("_", "-") for name in sorted(found))


def nearest(asked: str) -> str | None:
    """The tag of a language that we have: the one `asked` for, or else it in another region.

    It is written as browsers or terminals do: "pt-BR", "pt_PT". Old phones call Hebrew "iw". None
    if we have no such language.
    """
    tag = re.sub(r"^iw\b", "he", asked.replace("_", "-").lower())
    exactly = [one for one in languages() if one.lower() == tag]
    about = [one for one in languages() if one.partition("-")[0] == tag.partition("-")[0]]
    return next(iter(exactly + about), None)


def has_catalog(chosen: Language) -> bool:
    """Whether texts can be shown in this language; English needs no catalog."""
    return chosen.locale.language == ENGLISH or isinstance(chosen.catalog, gettext.GNUTranslations)


_spoken: ContextVar[Language] = ContextVar("spoken", default=language())  # noqa: B039 - it is frozen
#: Returns the current language: English, unless `speaking` chose another.
spoken = _spoken.get
#: Shows all texts in this language from now on, in this thread or task.
speak = _spoken.set


@contextmanager
def speaking(chosen: Language) -> Iterator[None]:
    """Show all texts in this language inside the `with` block."""
    token = _spoken.set(chosen)
    try:
        yield
    finally:
        _spoken.reset(token)
