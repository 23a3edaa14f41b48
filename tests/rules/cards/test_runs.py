"""Runs of the stops family, compared with an independent checker that knows every pair of cards."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.registry import GAMES

CALM = settings(max_examples=400, deadline=None)

# 1881: every card with the one that follows it, written out by suit; kings and aces are missing.
CLASSIC_RANKS = ["4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
CLASSIC = {a + suit: b + suit for suit in "SHDC" for a, b in pairwise(CLASSIC_RANKS)}
CLASSIC_PACK = [rank + suit for suit in "SHDC" for rank in ["A", *CLASSIC_RANKS]]
MODERN = dict(pairwise(["A", "2", "3", *CLASSIC_RANKS]))
PINK = dict(pairwise(["2", "3", *CLASSIC_RANKS, "A"]))


def as_read(run: list[str], last: str, follows: dict[str, str], opening: bool = False) -> list[str]:
    """The run in which every red nine written alone stands for the card due there."""
    read: list[str] = []
    before = meaning(last)
    for token in run:
        due = follows.get(before.replace("9R", "9"))
        first = opening and set(map(meaning, read)) <= {"9", "9R"}
        wild = token in ("9H", "9D", "9R") and due not in (None, "9", token) and not first
        read.append(f"{token}={due}" if wild else token)
        before = meaning(read[-1])
    return read


def meaning(token: str) -> str:
    """What a card counts as: the card behind its "=", else itself, a red nine as a nine."""
    return token.rpartition("=")[2]


def classic_answer(run: list[str], last: str) -> tuple[bool, str | None]:
    """Whether a run of 1881 is legal, and which card must follow."""
    laid = [last, *run] if last else run
    cards = [token.partition("=")[0] for token in laid]
    legal = len(set(cards)) == len(cards)
    for before, after in pairwise(laid):
        follows = CLASSIC.get(meaning(before))
        legal = legal and (follows is None or follows == meaning(after))
    return legal, CLASSIC.get(meaning(laid[-1])) if laid else None


def rank_answer(
    follows: dict[str, str], suits: int, run: list[str], last: str, opening: bool = False
) -> tuple[bool, str | None]:
    """The same for a game without suits, whose pack has this many."""
    laid = [last, *run] if last else run
    cards = [token.partition("=")[0] for token in laid]
    ranks = [meaning(token).rstrip("R") for token in laid]
    legal = all(
        cards.count(card) <= (suits // 2 if card in ("9", "9R") else suits) for card in cards
    )
    first = 0
    if opening:
        while first + 1 < len(ranks) and ranks[first + 1] == ranks[0]:
            first += 1
    for before, after in pairwise(ranks[first:]):
        legal = legal and (before not in follows or follows[before] == after)
    return legal, follows.get(ranks[-1]) if ranks else None


@st.composite
def runs(draw: st.DrawFn, follows: dict[str, str], pack: list[str], red: list[str]) -> list[str]:
    """Runs that mostly continue correctly, with red nines here and there and some mistakes."""
    run: list[str] = []
    for _ in range(draw(st.integers(0, 11))):
        needed = follows.get(meaning(run[-1]).replace("9R", "9")) if run else None
        choice = draw(st.integers(0, 19))
        if needed is None or choice == 0:
            needed = draw(st.sampled_from(pack))
        if choice in (1, 2):
            needed = f"{draw(st.sampled_from(red))}={needed}"
        elif choice == 3:
            needed = draw(st.sampled_from(red))
        run.append(needed)
    return run


def ruling(game: str, **fields: object) -> tuple[bool, str | None, list[str]]:
    """The judge’s answer, with the codes of its faults."""
    found = GAMES[game].judges["run"].answer(fields)
    assert list(found.detail) == ["next"]
    assert bool(found.says) == found.legal
    return found.legal, found.detail["next"], [fault.code for fault in found.faults]


@CALM
@given(runs(CLASSIC, CLASSIC_PACK, ["9H", "9D"]), st.booleans())
def test_runs_of_1881(run: list[str], led: bool) -> None:
    """In suit, after a last card or free: legality and next card as in the independent checker."""
    last = run.pop(0) if led and run else ""
    legal, following = classic_answer(as_read(run, last, CLASSIC), last)
    found = ruling("red-nines-1881", cards=" ".join(run), last=last)
    assert found[0] == legal, found
    if legal:
        assert found[1] == following


@CALM
@given(runs(MODERN, [*MODERN, "K"], ["9R"]), st.booleans(), st.booleans(), st.integers(0, 3))
def test_runs_of_the_20th_century(run: list[str], led: bool, opening: bool, more: int) -> None:
    """In any suit, with several cards of the first rank in an opening turn."""
    last = run.pop(0) if led and run and not opening else ""
    run = [*run[:1] * more, *run][:13]
    read = as_read(run, last, MODERN, opening)
    legal, following = rank_answer(MODERN, 8, read, last, opening)
    found = ruling("red-nines", cards=" ".join(run), last=last, opening=opening)
    assert found[0] == legal, found
    if legal:
        assert found[1] == following


@CALM
@given(runs(PINK, [*PINK, "A"], ["9R"]), st.booleans())
def test_runs_of_pink_nines(run: list[str], led: bool) -> None:
    """In any suit, from two to ace."""
    last = run.pop(0) if led and run else ""
    legal, following = rank_answer(PINK, 4, as_read(run, last, PINK), last)
    found = ruling("pink-nines", cards=" ".join(run), last=last)
    assert found[0] == legal, found
    if legal:
        assert found[1] == following
