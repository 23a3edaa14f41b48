"""Questions of a Nine Five Two table: tricks, the exchange, and what the dealer shows."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from referee.rules.cards.cards import (
    SUIT_NAMES,
    SUITED,
    Card,
    SuitedText,
    capitalized,
    card_name,
    read_cards,
    reading_cards,
    repeated,
    write_cards,
)
from referee.rules.core.decoding import SHARED_RULES
from referee.rules.core.judge import Judge, NamedDealer, NamedNumbers
from referee.rules.core.ruling import Fault, MalformedEntry, Ruling
from referee.rules.core.spread import Spread, spread
from referee.rules.games.nine_five_two.exchange import (
    exchange_says,
    exchange_steps,
    handed_back,
    shown_from_kitty,
    trick_winner,
)
from referee.rules.games.nine_five_two.terms import (
    CARDS_EACH,
    KITTY,
    MOST_DOWN,
    MOST_UP,
    PLAYERS,
    Trump,
    fault,
    number_of,
    read_trump,
    targets_by_seat,
)

_SCORE = re.compile(r"[+\-−–]?[0-9]{1,6}")


class TrickQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Who wins this trick?"""

    cards: Annotated[SuitedText, Meta(title="The three cards, in the order played")] = ""
    trump: Trump = ""


class ExchangeQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Who gives how many cards to whom?"""

    scores: Annotated[
        NamedNumbers,
        Meta(
            title="Scores of the last deal, in seating order",
            description="Written as Ann:2;Ben:-1;Cat:-1",
            extra={"least": MOST_DOWN, "most": MOST_UP},
        ),
    ] = ""
    dealer: Annotated[NamedDealer, Meta(title="Who deals next")] = ""


class ReturnQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Which cards go back for those given?"""

    hand: Annotated[SuitedText, Meta(title="Your hand, before you were given cards")] = ""
    given: Annotated[SuitedText, Meta(title="The cards given to you")] = ""


class KittyQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Which kitty cards does a dealer who was down show?"""

    returned: Annotated[SuitedText, Meta(title="The cards you gave back to that player")] = ""
    kitty: Annotated[SuitedText, Meta(title="The kitty")] = ""


def rule_on_trick(asked: TrickQuestion) -> Ruling:
    """Which card of a trick wins, 1 to 3; of an unfinished trick, which is winning."""
    with reading_cards() as reader:
        cards = reader.cards(asked.cards, SUITED, "the trick")
        trump = read_trump(asked.trump, reader)
    faults = []
    if len(cards) != PLAYERS:
        message = f"A trick has {PLAYERS} cards; this one has {len(cards)}."
        faults.append(fault("trick-size", message, "tricks"))
    faults.extend(_twice(cards, "the trick"))
    if not cards or len(cards) > PLAYERS:
        return Ruling(tuple(faults))
    winner = trick_winner(cards, trump)
    card = cards[winner]
    why = "the highest trump" if card.suit == trump else "the highest of the suit led"
    wins = "is winning so far" if len(cards) < PLAYERS else "wins"
    says = f"{capitalized(card_name(card))}, card {winner + 1}, {wins}: {why}."
    return Ruling(tuple(faults), {"winner": winner + 1}, (says,))


def spread_trick(asked: TrickQuestion) -> tuple[Spread, ...]:
    """The trick in the order played, the card that wins marked."""
    with reading_cards() as reader:
        cards = reader.cards(asked.cards, SUITED)
        trump = read_trump(asked.trump, reader)
    if not cards:
        return ()
    right = (trick_winner(cards, trump),) if len(cards) <= PLAYERS else ()
    trumps = f"{SUIT_NAMES[trump]} are trumps" if trump else "no trumps named"
    return (Spread(tuple(map(str, cards)), trumps, right=right),)


def rule_on_exchange(asked: ExchangeQuestion) -> Ruling:
    """Who gives how many cards to whom before the coming deal, in order."""
    scores = _read_scores(asked.scores)
    names = [name for name, _ in scores]
    dealer = asked.dealer.strip()
    faults = list(_exchange_faults(scores, dealer))
    if faults:
        return Ruling(tuple(faults))
    up = [score for _, score in scores]
    steps = exchange_steps(up, targets_by_seat(names.index(dealer)))
    detail = {
        "steps": [
            {"up": names[step.up], "to": {names[seat]: number for seat, number in step.to}}
            for step in steps
        ]
    }
    return Ruling((), detail, tuple(exchange_says(steps, names, up, must=False)))


def _exchange_faults(scores: Sequence[tuple[str, int]], dealer: str) -> Iterable[Fault]:
    names = [name for name, _ in scores]
    if len(scores) != PLAYERS:
        message = f"Three players exchange cards; {len(scores) or 'none'} are named."
        yield fault("players", message, "exchange")
    for name, number in Counter(names).items():
        if number > 1:
            yield fault("name-twice", f"{name} is named {number} times.", "exchange")
    for name, score in scores:
        if not MOST_DOWN <= score <= MOST_UP:
            message = (
                f"{name} cannot have scored {score} in a deal: "
                f"{MOST_DOWN} to {MOST_UP} is what there is."
            )
            yield fault("score-range", message, "scoring")
    total = sum(score for _, score in scores)
    if len(scores) == PLAYERS and total != 0:
        message = f"The scores of a deal add up to 0; these make {total}."
        yield fault("scores-sum", message, "scoring")
    if dealer not in names:
        message = f"“{dealer}” is not one of them." if dealer else "Say who deals next."
        yield fault("unknown-dealer", message, "deal")


def rule_on_return(asked: ReturnQuestion) -> Ruling:
    """The cards that go back for those given: the highest of each suit, one for one."""
    with reading_cards() as reader:
        hand = reader.cards(asked.hand, SUITED, "the hand")
        given = reader.cards(asked.given, SUITED, "the cards given")
    faults = []
    if len(hand) > CARDS_EACH:
        message = f"A hand has {CARDS_EACH} cards before the exchange; this has {len(hand)}."
        faults.append(fault("hand-size", message, "exchange"))
    faults.extend(_twice((*hand, *given), "your hand and the cards given together"))
    taken = dict.fromkeys(given)
    back = handed_back([card for card in dict.fromkeys(hand) if card not in taken], [*taken])
    says = ["Nothing was given: keep your hand."]
    if back:
        says = [
            f"Give back {number_of(len(back), 'card')}, the highest of each suit you were given."
        ]
    if back and set(back) == set(given):
        says.append("What you were given comes straight back: you hold nothing higher.")
    if back and len(hand) < CARDS_EACH:
        says.append(f"So far {len(hand)} of the {CARDS_EACH} cards in your hand are named.")
    return Ruling(tuple(faults), {"cards": write_cards(back)}, tuple(says))


def spread_return(asked: ReturnQuestion) -> tuple[Spread, ...]:
    """What was given, and what goes back for it."""
    given = tuple(dict.fromkeys(read_cards(asked.given, SUITED)))
    hand = [card for card in dict.fromkeys(read_cards(asked.hand, SUITED)) if card not in given]
    parts = (spread(given, "given to you"), spread(handed_back(hand, given), "goes back"))
    return tuple(part for part in parts if part.cards)


def rule_on_kitty(asked: KittyQuestion) -> Ruling:
    """The kitty cards that a dealer who was down shows to one of those who were up."""
    with reading_cards() as reader:
        returned = reader.cards(asked.returned, SUITED, "the cards given back")
        kitty = reader.cards(asked.kitty, SUITED, "the kitty")
    faults = []
    if len(kitty) > KITTY:
        message = f"The kitty has {KITTY} cards; {len(kitty)} are named."
        faults.append(fault("kitty-size", message, "kitty"))
    faults.extend(_twice((*returned, *kitty), "the kitty and the cards given back"))
    show = shown_from_kitty(returned, dict.fromkeys(kitty))
    says = ["Show nothing."]
    if show:
        says = [f"Show {number_of(len(show), 'card')} of the kitty, and nothing else."]
    if len(kitty) < KITTY:
        says.append(f"So far {len(kitty)} of the {KITTY} cards of the kitty are named.")
    return Ruling(tuple(faults), {"show": write_cards(show)}, tuple(says))


def spread_kitty(asked: KittyQuestion) -> tuple[Spread, ...]:
    """What went back, and the kitty: what is shown of it and what is not."""
    returned = read_cards(asked.returned, SUITED)
    kitty = tuple(dict.fromkeys(read_cards(asked.kitty, SUITED)))
    show = shown_from_kitty(returned, kitty)
    hidden = [card for card in kitty if card not in show]
    parts = (
        spread(returned, "you gave back"),
        spread(show, "show"),
        spread(hidden, "not shown"),
    )
    return tuple(part for part in parts if part.cards)


def _twice(cards: Iterable[Card], where: str) -> Iterable[Fault]:
    for card in repeated(cards):
        message = f"{capitalized(card_name(card))} stands twice in {where}: there is only one."
        yield fault("card-twice", message, "deal")


def _read_scores(text: str) -> list[tuple[str, int]]:
    """Names and scores from `Ann:2;Ben:-1;Cat:-1`, in that order.

    Raises `MalformedEntry` naming every part that is not a name, a colon and a whole number.
    """
    scores, faults = [], []
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, number = (side.strip() for side in part.rpartition(":"))
        if name and _SCORE.fullmatch(number):
            scores.append((name, int(number.replace("−", "-").replace("–", "-"))))
        else:
            message = f"“{part[:40]}” is no name with a score. Write Ann:2;Ben:-1;Cat:-1."
            faults.append(Fault("unreadable-scores", message, f"{SHARED_RULES}, the sheet file"))
    if faults:
        raise MalformedEntry(faults)
    return scores


JUDGES: tuple[Judge[Any], ...] = (
    Judge(
        "trick",
        "Who wins this trick?",
        TrickQuestion,
        rule_on_trick,
        cards=spread_trick,
        yes_or_no=False,
        section="tricks",
    ),
    Judge(
        "exchange",
        "Who exchanges how many cards?",
        ExchangeQuestion,
        rule_on_exchange,
        yes_or_no=False,
        section="exchange",
    ),
    Judge(
        "return",
        "Which cards do I give back?",
        ReturnQuestion,
        rule_on_return,
        cards=spread_return,
        yes_or_no=False,
        section="exchange",
    ),
    Judge(
        "kitty",
        "What do I show of the kitty?",
        KittyQuestion,
        rule_on_kitty,
        cards=spread_kitty,
        yes_or_no=False,
        section="kitty",
    ),
)
