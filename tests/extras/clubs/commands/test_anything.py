"""Whatever is asked of a club, the exit status is 0, 1 or 2, without a traceback."""

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.commands.test_anything import INPUTS, WORDS, nowhere
from tests.support.command_line import run

__all__ = ["nowhere"]

ASKED = st.sampled_from(["table", "player", "records", "--year", "--by", "rating", "Ann", "Ben"])
CLUB = b'{"referee":1,"club":"Friday"}'
CLUBS = st.just(CLUB + b'\n{"referee":1,"game":"multiple-9","players":["Ann"]}')


@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(args=st.lists(ASKED | WORDS, max_size=6), written=CLUBS | INPUTS)
@example(args=["\udcff", "--json"], written=b"")
@example(args=["-", "player", "\udcff"], written=CLUB)
@example(args=["-", "--year", "1"], written=b"")
@example(args=["99999999999999999999"], written=b"")
@example(args=["1" * 300], written=b"")
def test_any_arguments(args: list[str], written: bytes) -> None:
    """Arguments in any order are carried out or refused."""
    result = run("club", *args, given=written)
    assert result.exit_code in (0, 1, 2)
    assert "Traceback" not in result.output
    assert result.output or result.exit_code == 0, "whoever is refused is told why"
