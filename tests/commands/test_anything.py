"""Whatever is typed at the command line, the exit status is 0, 1 or 2, without a traceback.

`tests/rules/games/test_any_question.py` does the same for questions to the judges.
"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import referee.web.serving.server
from tests.support.command_line import run

# No slash, so that files are written in the test's folder; no NUL, which systems refuse.
LETTERS = st.characters(exclude_characters="/\\\0", exclude_categories=["Cs"])
RAW = st.one_of(LETTERS, st.sampled_from("\udc80\udcff♠♥“ë9AKQ*=|;:,-"))
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


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder to write in; `serve` returns at once."""

    def served(*_: object) -> None:
        raise OSError("Nobody serves in this test.")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(referee.web.serving.server, "serve_forever", served)


@settings(
    max_examples=250,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(args=st.lists(WORDS, max_size=6), written=INPUTS)
@example(args=["score", "\udcff", "--json"], written=b"")
@example(args=["check", "multiple-9", "discard", "cards=\udcff", "--json"], written=b"")
@example(args=["export", "\udcff"], written=b"")
def test_any_arguments(args: list[str], written: bytes) -> None:
    """Commands, options and words in any order are carried out or refused."""
    result = run(*args, given=written)
    assert result.exit_code in (0, 1, 2)
    assert "Traceback" not in result.output
    assert result.output or result.exit_code == 0, "whoever is refused is told why"
