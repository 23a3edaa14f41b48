"""Gather what translators get: `python -m tests.catalogs [LANGUAGE …]`.

Brings the catalogs of each language up to date, and begins those of a language that is named
("sv", "pt_BR"). For each language the base has one in `referee/locale/`, and each extra one in its
`locale/` for its own sentences. Nothing is guessed: a sentence that has changed is a new message.
"""

import io
import tomllib
from argparse import ArgumentParser
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import NamedTuple

from babel import Locale
from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from referee.extras import names
from referee.rules.language import NO_TRANSLATOR

ROOT = Path(__file__).parents[1]
BASE = "referee/"
FILE = "{tag}/LC_MESSAGES/referee.po"
KEYWORDS = {"say": None, "say_many": (1, 2), "_": None, "gettext": None, "ngettext": (1, 2)}
ONE_ALONE, ZERO_AND_ONE = "nplurals=2; plural=(n != 1);", "nplurals=2; plural=(n > 1);"
#: Where Babel has one more plural form, for whole millions or for two, which no sentence needs.
PLURALS = {
    "es": ONE_ALONE, "he": ONE_ALONE, "it": ONE_ALONE, "fr": ZERO_AND_ONE, "pt": ZERO_AND_ONE,
}  # fmt: skip
#: A file's description of itself; no dates, which would change in each of them every time.
HEADERS = (
    "Last-Translator", "Language", "Plural-Forms", "MIME-Version", "Content-Type",
    "Content-Transfer-Encoding",
)  # fmt: skip


class Message(NamedTuple):
    """A message where it is used: its text, or its singular and plural."""

    file: str
    line: int
    forms: tuple[str, ...]


@cache
def messages() -> tuple[Message, ...]:
    """Every message of the program, once for each place where it is used."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    mappings = project["tool"]["babel"]["mappings"]
    methods = [(mapping["pattern"], mapping["method"]) for mapping in mappings]
    options = {mapping["pattern"]: mapping for mapping in mappings}
    found = extract_from_dir(ROOT, methods, options, KEYWORDS)
    return tuple(
        Message(file, line, message if isinstance(message, tuple) else (message,))
        for file, line, message, _, _ in found
        if file.startswith((BASE, "templates/"))
    )


@cache
def templates() -> dict[Path, Catalog]:
    """The messages of the base, and those of each extra alone, by folder of catalogs."""
    found = {BASE: Catalog()} | {f"{BASE}extras/{name}/": Catalog() for name in names()}
    extras = tuple(found)[1:]
    placed = [
        (next((extra for extra in extras if message.file.startswith(extra)), BASE), message)
        for message in messages()
    ]
    for folder, message in sorted(placed):  # the base first
        text, *plural = message.forms
        if folder == BASE or text not in found[BASE]:
            id = (text, *plural) if plural else text
            found[folder].add(id, locations=[(message.file, message.line)])
    return {ROOT / folder / "locale": catalog for folder, catalog in found.items()}


def read(file: Path) -> Catalog:
    """The catalog in a file, which is named by its language; an empty one if there is no file."""
    tag = file.parts[-3]
    if file.exists():
        with file.open("rb") as content:
            return read_po(content, tag, abort_invalid=True)
    made = Catalog(tag)
    if plural := PLURALS.get(Locale.parse(tag).language):
        made.mime_headers = [("Plural-Forms", plural)]
    return made


def up_to_date(file: Path, template: Catalog) -> Catalog:
    """The catalog in a file, with the messages of the template and no others."""
    catalog = read(file)
    catalog.update(deepcopy(template), no_fuzzy_matching=True)  # it would share new messages
    return catalog


def written(catalog: Catalog) -> str:
    """A catalog as a file: each message on a line, in the order of the program."""
    content = io.BytesIO()
    write_po(
        content, catalog, width=0, omit_header=True, sort_by_file=True, ignore_obsolete=True,
        include_lineno=False,
    )  # fmt: skip
    known = dict(catalog.mime_headers)
    heads = [
        f'"{name}: {known[name]}\\n"'
        for name in HEADERS
        if known.get(name, NO_TRANSLATOR) != NO_TRANSLATOR
    ]
    return "\n".join(['msgid ""', 'msgstr ""', *heads, "", content.getvalue().decode()])


def main() -> None:
    """Write all catalogs again."""
    parser = ArgumentParser(prog="python -m tests.catalogs")
    parser.add_argument("languages", nargs="*", type=Locale.parse, metavar="LANGUAGE")
    of_base = (ROOT / BASE / "locale").glob(FILE.format(tag="*"))
    tags = {file.parts[-3] for file in of_base} | {*map(str, parser.parse_args().languages)}
    for folder, template in templates().items():
        for tag in sorted(tags) if len(template) else ():
            file = folder / FILE.format(tag=tag)
            content = written(up_to_date(file, template))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
