"""The judges of the two cards turned up at the start, and of a turn (`docs/rules.md` §8)."""

import re
from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from referee.rules.core.asking import PLACES, asked
from referee.rules.core.judge import judge
from referee.rules.core.ruling import Fault, MalformedEntry, Ruling, shared_fault
from referee.rules.games.colorado_nines.grids import CARDS_EACH, COLUMNS, fault
from referee.rules.text import NOTHING, Text, listed, quoted, say

# --- the nine places of a grid, numbered 1 to 9, row by row

_NAMES = (
    say("top left"), say("top middle"), say("top right"),
    say("middle left"), say("the center"), say("middle right"),
    say("bottom left"), say("bottom middle"), say("bottom right"),
)  # fmt: skip
_WHERE = (
    say("at the top left"), say("at the top middle"), say("at the top right"),
    say("at the middle left"), say("in the center"), say("at the middle right"),
    say("at the bottom left"), say("at the bottom middle"), say("at the bottom right"),
)  # fmt: skip

#: Places of the grid in a question, as text: `1 5`.
Places = Annotated[str, Meta(max_length=40, extra={PLACES: _NAMES})]


def _read_places(*texts: str) -> list[list[int]]:
    """The places in each text, in order, once each; raises `MalformedEntry` for other words."""
    written = [re.findall(r"[^\s,]+", text) for text in texts]
    faults = []
    for token in (token for tokens in written for token in tokens):
        if not re.fullmatch("[1-9]", token):
            says = say(
                "“{text}” isn’t a place in the grid. Number the places 1 to 9, row by row.",
                text=quoted(token),
            )
            faults.append(shared_fault("not-a-place", says, "question"))
    if faults:
        raise MalformedEntry(faults)
    return [list(dict.fromkeys(map(int, tokens))) for tokens in written]


# --- the two cards turned up at the start

FACE_UP_AT_FIRST = 2


@judge("opening", say("Can I turn up these two?"))
def opening_judge(
    places: Annotated[Places, asked(say("The two cards you turn up"))] = "",
) -> Ruling:
    """Rule on the opening cards: legal if two in different columns, unfinished if fewer."""
    (up,) = _read_places(places)
    columns = [(place - 1) % COLUMNS + 1 for place in up]
    detail = {"columns": columns, "up": " ".join(map(str, sorted(up)))}
    faults, verdict = [], NOTHING
    if len(up) != FACE_UP_AT_FIRST:
        says = say("Turn up {most} cards, not {n}.", most=FACE_UP_AT_FIRST, n=len(up))
        faults.append(fault("two-cards", says, "deal"))
    if len(set(columns)) < min(len(columns), FACE_UP_AT_FIRST):
        says = say("Turn up cards in different columns; these are both in one.")
        faults.append(fault("same-column", says, "deal"))
    if not faults:
        says = say("They’re in different columns. The other seven stay face down.")
        return Ruling((), detail, (says,), say("Yes: turn these two up"))
    unfinished = len(up) < FACE_UP_AT_FIRST
    if unfinished:
        verdict = say("Not yet: one more")
    elif len(up) == FACE_UP_AT_FIRST:
        verdict = say("No: both in one column")
    return Ruling(tuple(faults), detail, (), verdict, unfinished)


# --- a turn

Way = Literal["", "A", "B", "C"]


@judge("turn", say("Is this turn allowed?"), section="turns")
def turn_judge(
    way: Annotated[
        Way,
        asked(
            say("What did you do first?"),
            choices={
                "": say("nothing yet"),
                "A": say("drew from the stock"),
                "B": say("took the top discard"),
                "C": say("neither"),
            },
        ),
    ] = "",
    swap: Annotated[Places, asked(say("Swapped here"))] = "",
    flip: Annotated[Places, asked(say("Turned up"))] = "",
    up: Annotated[Places, asked(say("Up before (optional)"))] = "",
) -> Ruling:
    """Rule on a turn: legal if it is one of the three kinds, and complete.

    The detail has `up`, the places face up after it, and `over`, whether those are all nine: then
    everybody else has one more turn.
    """
    swapped, flipped, before = _read_places(swap, flip, up)
    faults = (
        *_place_faults(swapped, flipped, before),
        *_way_faults(way, bool(swapped), bool(flipped)),
    )
    after = sorted({*before, *swapped, *flipped})
    over = len(after) == CARDS_EACH
    detail = {"up": " ".join(map(str, after)), "over": over}
    if faults:
        unfinished = {one.code for one in faults} == {"turn-unfinished"}
        return Ruling(faults, detail, unfinished=unfinished)
    where = _WHERE[(swapped or flipped)[0] - 1]
    if swapped:
        done = say(
            "The new card lies face up {place}, and the one it replaces goes on the discard pile.",
            place=where,
        )
    elif way == "A":
        done = say(
            "The card you drew goes on the discard pile, and you turn up the one {place}.",
            place=where,
        )
    else:
        done = say("You turn up the card {place}, and that’s all.", place=where)
    says = [done]
    if over:
        says.append(say("Your nine cards are all face up: everyone else has one more turn."))
    return Ruling((), detail, tuple(says), say("Yes: that’s a whole turn"))


def _place_faults(swap: list[int], flip: list[int], up: list[int]) -> Iterator[Fault]:
    """Faults in the places that do not depend on what was drawn."""
    if len(up) == CARDS_EACH:
        says = say("Your nine cards were all face up already: you have no more turns.")
        yield fault("no-more-turns", says, "last-turns")
    if len(swap) > 1:
        yield fault("one-place", say("Swap a single card, not {n}.", n=len(swap)), "turns")
    if len(flip) > 1:
        yield fault("one-place", say("Turn up a single card, not {n}.", n=len(flip)), "turns")
    already = [_NAMES[place - 1] for place in flip if place in up]
    if already:
        says = say("You can only turn up a face-down card: {places} is up.", places=listed(already))
        yield fault("already-up", says, "turns")


def _way_faults(way: Way, swap: bool, flip: bool) -> Iterator[Fault]:
    """A fault if the move is wrong or incomplete for what was drawn."""
    code = "turn-unfinished"
    says: Text
    match way, swap, flip:
        case "A", True, True:
            code = "both"
            says = say("Either swap the card in, or discard it and turn one up; you can’t do both.")
        case "A", False, False:
            says = say(
                "Swap the card for one of your nine, or discard it and turn one of yours up."
            )
        case "B", _, True:
            code = "has-to-swap"
            says = say("A card from the discard pile has to be swapped in; don’t turn one up.")
        case "B", False, False:
            says = say("Swap it for one of your nine: a card from the discard pile can’t go back.")
        case "C", True, _:
            code = "nothing-to-swap"
            says = say("To swap, draw a card first: turning one of yours up is a whole turn.")
        case "C", False, False:
            says = say("Turn up one of your face-down cards.")
        case "", _, _:
            says = say("Say what you did first: drew, took the top discard, or neither.")
        case _:
            return
    yield fault(code, says, "turns")
