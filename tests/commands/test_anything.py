"""Whatever is typed at the command line, the answer is 0, 1 or 2, and never a traceback."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import referee.web.serving.server
from referee.cli import main
from referee.rules.registry import GAMES

JUDGES = [(slug, judge) for slug, game in GAMES.items() for judge in game.judges]
# No slash: a file that is written must lie in the folder of the test. No NUL: systems refuse it.
LETTERS = st.characters(exclude_characters="/\\\0", exclude_categories=["Cs"])
RAW = st.one_of(LETTERS, st.sampled_from("\udc80\udcff♠♥“ë9AKQ*=|;:,-"))
VALUES = st.one_of(
    st.sampled_from(
        [
            *("", "8 4 4 A A", "9", "J J * | 5 5 7", "AS 2S 3S", "KS QS 9H", "9H=8S", "9R=8"),
            *("AS 2S 3S 4S 5S 6S 7S 8S 9S", "A K Q J 10 9 8 7 6", "Q Q Q Q J J J", "x" * 601),
            *("Ann:Q 5;Ben:K A", "Ann:100;Ben:200", "Ann:2;Ben:-1;Cat:-1", "Ann", "Ann,Ben"),
            *("true", "false", "null", "S", "sets", "cards", "NaN"),
            *("0", "1", "2", "3", "-1", "99", "1.5", "9" * 30),
        ]
    ),
    st.text(RAW, max_size=20),
)
WORDS = st.one_of(
    st.sampled_from(
        [
            *("check", "score", "read", "export", "import", "serve", "--help", "-o"),
            *("--json", "--lines", "--suits", "--packs"),
            *("backup", "restore", "verify", "--force", "--all", "--csv", "copy"),
            *("--version", "--instance", "--output", "--port", "--host", "0", "1", "-", "--", "."),
            *("multiple-9", "discard", "deal", "cards=8 A", "players=3", "sheet.json", "new"),
        ]
    ),
    st.text(RAW, max_size=12),
)
INPUTS = st.one_of(
    st.just(b""),
    st.binary(max_size=20),
    st.just(b'{"cards": "8 A 9"}\n\n{"cards": 1}'),
    st.just(b'{"referee":1,"game":"multiple-9","players":["Ann","Ben"]}'),
)
SOME = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder to write in, and nobody who would go on serving."""

    def served(*_: object) -> None:
        raise OSError("Nobody serves in this test.")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.setattr(referee.web.serving.server, "serve_forever", served)


def answer(args: list[str], given: bytes) -> tuple[int, str]:
    """The exit code and what was printed; any other end is the program's fault."""
    result = CliRunner().invoke(main, args, input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code in (0, 1, 2)
    assert "Traceback" not in result.output
    assert result.output or result.exit_code == 0, "whoever is refused is told why"
    return result.exit_code, result.stdout


@settings(SOME, max_examples=250)
@given(args=st.lists(WORDS, max_size=6), written=INPUTS)
@example(args=["score", "\udcff", "--json"], written=b"")
@example(args=["check", "multiple-9", "discard", "cards=\udcff", "--json"], written=b"")
@example(args=["export", "\udcff"], written=b"")
def test_any_arguments(args: list[str], written: bytes) -> None:
    """Commands, options and words in any order are carried out or refused."""
    answer(args, written)


@settings(SOME, max_examples=400)
@given(data=st.data())
def test_any_field_values(data: st.DataObject) -> None:
    """Every judge rules on any values, or says that it cannot read them: alike in all three ways.

    Of values that only JSON can hold, `tests/rules/games/test_any_question.py` has more.
    """
    slug, judge = data.draw(st.sampled_from(JUDGES))
    names = GAMES[slug].judges[judge].question.__struct_fields__
    fields = data.draw(st.dictionaries(st.sampled_from(names), VALUES))
    typed = [f"{name}={value}" for name, value in fields.items()]
    code, printed = answer(["check", slug, judge, "--json", "--", *typed], b"")
    document = json.loads(printed)
    if code == 2:
        assert list(document) == ["error"]
        assert document["error"]["faults"]
    else:
        assert set(document) == {"legal", "faults", "detail"}
        assert document["legal"] is (code == 0) is (not document["faults"])
    assert answer(["check", slug, judge, "--", *typed], b"")[0] == code
    if "\udcff" not in str(fields) and "\udc80" not in str(fields):
        written = msgspec.json.encode(fields)
        lines = answer(["check", slug, judge, "--lines"], written)
        assert (lines[0], json.loads(lines[1])) == (0, document)
