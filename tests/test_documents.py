"""Citations of the documents are valid, and the documents match the program."""

import json
import re
import shutil
import subprocess
import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from syrupy.assertion import SnapshotAssertion

from referee.cli import main
from referee.rules.core.entries import SHARED
from referee.rules.registry import GAMES
from referee.sheets.files import play_through, result, sheet_from
from referee.sheets.history import row_faults
from tests.support.game_lists import below, fields_told
from tests.support.golden import Readme

ROOT = Path(__file__).parents[1]
RULES = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
FORMAT = (ROOT / "docs/sheet-format.md").read_text(encoding="utf-8")

READ_HERE = ("referee", "templates", "static", "tests", "benchmarks", "docs", ".ci")
WITH_CODE = ("referee", "tests", "benchmarks")
READ_SUFFIXES = (".py", ".md", ".html", ".js", ".css", ".toml")
CITATION = re.compile(r"(?<![\w%./-])((?:[\w-]+/)*[A-Za-z][\w-]*\.md)\b`?")
SECTIONS = re.compile(r"(?:(?:,| and|–|, and)? ?§\d+)+")
#: British spelling; what people read is American.
BRITISH = re.compile(r"colo[u]r|catalo[g]ue|neighbo[u]r|behavio[u]r|favo[u]r", re.IGNORECASE)
PART = re.compile(r", ([a-z]+)[),.;:]")


# --- the games by name


def test_the_readme_names_every_game(snapshot: SnapshotAssertion) -> None:
    """In the order in which they are offered; `--snapshot-update` writes it."""
    *known, last = (f"**{game.title}**" for game in GAMES.values() if not game.named_by_players)
    (other,) = (f"**{game.title}**" for game in GAMES.values() if game.named_by_players)
    says = (
        f"It knows {', '.join(known)}, and {last}. For everything else you play in an evening, "
        f"{other} adds up the points."
    )
    parts = (ROOT / "README.md").read_text(encoding="utf-8").split("\n\n")
    (place,) = (place for place, part in enumerate(parts) if part.startswith("It knows"))
    parts[place] = textwrap.fill(says, 100, break_on_hyphens=False)
    assert "\n\n".join(parts) == snapshot(name="README", extension_class=Readme)


# --- citations


def citations() -> Iterator[tuple[str, str, str]]:
    """Each citation as (citing file, document, following text); wrapped comments are joined."""
    paths = [path for folder in READ_HERE for path in (ROOT / folder).rglob("*")]
    for path in sorted([*paths, *ROOT.glob("*.md"), ROOT / "pyproject.toml"]):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix in READ_SUFFIXES and "/vendor/" not in name:
            text = path.read_text(encoding="utf-8")
            plain = re.sub(r"\s*\n\s*(?:#:?|//|\*)?\s*", " ", text)
            for found in CITATION.finditer(plain):
                yield name, found[1], plain[found.end() : found.end() + 80]


def headings(document: str) -> dict[str, set[str]]:
    sections: dict[str, set[str]] = {}
    for line in document.splitlines():
        if number := re.match(r"## (\d+)\. ", line):
            sections[number[1]] = parts = set()
        elif line.startswith("### "):
            parts.add(line.removeprefix("### ").lower())
    return sections


def missing(following: str) -> list[str]:
    """The sections of the rules that this text names and that do not exist."""
    known = headings(RULES)
    found = SECTIONS.match(following)
    if found is None:
        return []
    numbers = re.findall(r"\d+", found[0])
    absent = [f"§{number}" for number in numbers if number not in known]
    part = PART.match(following, found.end())
    if part and not absent:
        absent = [f"§{n}, {part[1]}" for n in numbers if part[1] not in known[n]]
    return absent


def test_what_is_cited_exists() -> None:
    """Each document is there (in documents, beside them), each section and part of the rules."""
    seen = set()
    for name, cited, following in citations():
        places = [ROOT / cited, *([(ROOT / name).parent / cited] if name.endswith(".md") else [])]
        assert any(place.is_file() for place in places), f"{name} cites {cited}"
        if Path(cited).stem == "rules":
            assert not missing(following.lstrip("`")), f"{name}: {following}"
            seen.add(following.lstrip("`")[:4])
    assert len(seen) >= len(GAMES)


@pytest.mark.parametrize("document", [RULES, FORMAT], ids=["rules", "sheet-format"])
def test_the_documents_refer_to_sections_that_exist(document: str) -> None:
    """Every § in the two documents is a section of the rules."""
    plain = " ".join(document.split())
    places = [found.start() for found in re.finditer("§", plain)]
    assert len(places) > 10
    for place in places:
        assert not missing(plain[place:]), plain[place : place + 40]


def test_a_citation_that_leads_nowhere_is_found() -> None:
    """`missing` reports sections and parts that do not exist."""
    assert missing(" §99") == ["§99"]
    assert missing(" §1, §99 and §2)") == ["§99"]
    assert missing(" §1, definitions)") == []
    assert missing(" §1, kitty)") == ["§1, kitty"]
    assert missing(" §1, which is long") == []


def test_spelling_is_american() -> None:
    """In messages, documents and names alike."""
    files = [file for room in READ_HERE for file in (ROOT / room).rglob("*")]
    british = [
        f"{file.relative_to(ROOT)}: {word}"
        for file in (*files, *ROOT.glob("*.*"))
        if file.suffix in READ_SUFFIXES
        and file.name != "CHANGELOG.md"
        and "vendor" not in file.parts
        for word in {*BRITISH.findall(file.read_text(encoding="utf-8"))}
    ]
    assert not british


def test_what_documents_name_in_the_code_exists() -> None:
    """Files `….py`, modules, tests `test_…` and limits `module.NAME`; the modules of each room."""
    paths = [path for folder in WITH_CODE for path in (ROOT / folder).rglob("*.py")]
    code = {f"/{path.relative_to(ROOT)}": path.read_text(encoding="utf-8") for path in paths}
    everything = "\n".join(code.values())
    for document in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")):
        text = document.read_text(encoding="utf-8")
        for named in re.findall(r"`([\w/]+\.py)\b", text):
            assert any(file.endswith(f"/{named}") for file in code), f"{document.name}: {named}"
        for dotted in re.findall(r"\b(?:referee\.\w+|tests)(?:\.\w+)+", text):
            path = f"/{dotted.replace('.', '/')}"
            named = path, path.rpartition("/")[0]
            assert any(f"{one}.py" in code for one in named), f"{document.name}: {dotted}"
        for test in re.findall(r"`(test_\w+)`", text):
            assert f"def {test}(" in everything, f"{document.name}: {test}"
        for module, name in re.findall(r"`(\w+)\.([A-Z_]{3,}|\w+_an_hour)`", text):
            files = [file for path, file in code.items() if path.endswith(f"/{module}.py")]
            assigned = re.search(rf"^ *{name}\b.* = ", "\n".join(files), re.MULTILINE)
            assert assigned, f"{document.name}: {module}.{name}"
    rooms = rooms_of_the_guide()
    assert rooms
    for room, names in rooms.items():
        for named in names:
            assert (ROOT / "referee" / room / f"{named}.py").is_file(), f"{room}/{named}"


def rooms_of_the_guide() -> dict[str, set[str]]:
    """The rooms of the program in CONTRIBUTING.md, each with the modules that its rows name."""
    modules = defaultdict[str, set[str]](set)
    for line in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines():
        rooms, _, content = line.removeprefix("| ").partition(" | ")
        for room in re.findall(r"`([\w/]+)/`", rooms if line.startswith("| `") else ""):
            if names := set(re.findall(r"`([a-z_]+)`", content)):
                modules[room] |= names
    return modules


def test_the_guide_names_every_module_of_a_room() -> None:
    """The rows of a room name all its modules, or none."""
    missing = {
        f"{room}/{path.stem}"
        for room, names in rooms_of_the_guide().items()
        for path in (ROOT / "referee" / room).glob("[!_]*.py")
        if path.stem not in names
    }
    assert not missing


# --- contents


def part_of(document: str, heading: str) -> str:
    found = below(document, heading)
    assert found is not None, heading
    return found


@pytest.mark.parametrize("slug", ["9-of-a-kind", "red-nines-1881", "red-nines", "pink-nines"])
def test_the_rules_say_how_many_cards_to_deal(slug: str) -> None:
    """The tables of cards per number of players match the judge of deals."""
    game = GAMES[slug]
    rows: dict[str, list[int]] = {}
    for line in part_of(RULES, rf"\d+\. {re.escape(str(game.title))}$").splitlines():
        what, *numbers = (cell.strip() for cell in line.strip("|").split("|"))
        if numbers and all(map(str.isdecimal, numbers)):
            rows.setdefault(what, [int(number) for number in numbers])
    assert rows["players"] == list(game.seats(game.house_rules()))
    keys = {"cards each": "each", "on the table": "table", "cards in all": "deck"}
    for place, players in enumerate(rows["players"]):
        dealt = game.judges["deal"].answer({"players": players}).detail
        told = {keys[what]: numbers[place] for what, numbers in rows.items() if what in keys}
        assert told.items() <= dealt.items()
        assert len(told) == 2


def test_the_hands_in_the_rules_have_the_stated_values() -> None:
    """The ten example hands of Multiple 9 Hold’em, and their order."""
    example = part_of(part_of(RULES, r"2\. "), "Example")
    board = re.search(r"Board ([^,]*),", example)
    assert board
    rows = re.findall(r"^\| (\S+ \S+) \| (\d) \| (.*) \|$", example, re.MULTILINE)
    assert len(rows) == 10
    judges = GAMES["multiple-9-holdem"].judges
    for hole, nines, unused in rows:
        found = judges["hand"].answer({"hole": hole, "board": board[1]}).detail
        assert found["nines"] == int(nines)
        assert found["values"] == [int(value) for value in re.findall(r"\d+", unused)]
    hands = ";".join(f"{place}:{row[0]}" for place, row in enumerate(rows))
    ranking = judges["showdown"].answer({"hands": hands, "board": board[1]}).detail["ranking"]
    assert ranking == [[str(place)] for place in reversed(range(10))]


def test_the_format_documents_what_every_game_has() -> None:
    """The fields of shared entries and of the judge of deals, without house rules."""
    part = part_of(FORMAT, "Entries of every game")
    for kind in SHARED:
        told = fields_told(part, str(kind.__struct_config__.tag))
        assert told == [field.name for field in msgspec.structs.fields(kind)]
    for game in GAMES.values():
        asked = game.judges["deal"].question.__struct_fields__
        agreed = game.house_rules.__struct_fields__
        told = fields_told(part_of(FORMAT, "Judges of every game"), "deal")
        assert told == [name for name in asked if name not in agreed]


# --- the examples in them


def examples(heading: str) -> list[Any]:
    """The JSON documents in the blocks below a heading."""
    found = []
    for block in re.findall(r"```json\n(.*?)```", part_of(FORMAT, heading), re.DOTALL):
        text = block if block.startswith("{") else f"{{{block}}}"
        while text.strip():
            document, end = json.JSONDecoder().raw_decode(text)
            found.append(document)
            text = text[end:].lstrip()
    return found


@pytest.mark.parametrize("slug", GAMES)
def test_the_example_entries_can_be_read(slug: str) -> None:
    """Each example entry can be read by the game whose section shows it."""
    for entry in examples(f"`{slug}`"):
        GAMES[slug].read_entry(entry)
    for entry in examples("Entries of every game"):
        GAMES[slug].read_entry(entry)


def test_the_example_sheet_has_the_example_result() -> None:
    """As printed by `referee score --json`."""
    (sheet,) = examples("A sheet")
    (told,) = examples("`referee score FILE`")
    read = sheet_from(sheet)
    assert result(play_through(read.game, read.table, read.entries)) == told


def test_the_example_history_is_valid() -> None:
    """It can be read and has no faults."""
    (shown,) = examples("History")
    entry = shown["history"][0]["entry"]
    sheet = {"referee": 1, "game": "pink-nines", "players": ["Ann", "Ben"], "entries": [entry]}
    read = sheet_from({**sheet, **shown})
    assert read.history is not None
    assert not row_faults(read.history)


def test_the_example_answers_are_the_programs() -> None:
    """An error (fifteen tricks) and a ruling (a discard)."""
    (told,) = examples("Errors")
    (sheet,) = examples("A sheet")
    sheet["entries"] = [{"action": "tricks", "tricks": {"Ann": 2, "Ben": 9, "Cat": 4}}]
    refused = CliRunner().invoke(main, ["score", "--json"], input=json.dumps(sheet))
    assert refused.exit_code == 1
    assert json.loads(refused.stdout) == told
    (told,) = examples("`referee check GAME")
    asked = ["check", "multiple-9", "discard", "cards=8 4 4 A A", "--json"]
    assert json.loads(CliRunner().invoke(main, asked).stdout) == told


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_the_systemd_unit_is_valid(tmp_path: Path) -> None:
    """Also with the lines that it proposes in comments."""
    unit = tmp_path / "referee.service"
    text = (ROOT / "docs/deploy/referee.service").read_text()
    text = re.sub(r"^#(?=\w+=)", "", text, flags=re.MULTILINE)
    unit.write_text(text.replace("/opt/referee/.venv/bin/referee", sys.executable))
    command = ["systemd-analyze", "verify", str(unit)]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stderr == ""
