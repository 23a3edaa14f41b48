"""The kitty of Nine Five Two (`docs/rules.md` §7): cards shown, and the discards."""

from collections.abc import Iterable, Iterator
from typing import Annotated

from msgspec import Struct

from referee.rules.cards.card_keys import SuitedText
from referee.rules.cards.cards import SUITED, Card, card_name, reading_cards, write_cards
from referee.rules.cards.packs import twice_faults
from referee.rules.core.asking import asked
from referee.rules.core.judge import judge
from referee.rules.core.ruling import Fault, Ruling, Spread, spread, with_cards
from referee.rules.games.nine_five_two.house_rules import CARDS_EACH, KITTY, KittyCompare, fault
from referee.rules.games.nine_five_two.tricks import HEIGHT, highest_first
from referee.rules.text import NOTHING, say, say_many

#: What the kitty is compared with, by house rule: as named in faults, and above the cards.
_COMPARED = {"returned": say("the cards given back"), "received": say("the cards you were given")}
_SWAPPED = {"returned": say("you gave back"), "received": say("you were given")}


# --- what a dealer who was down shows


def shown_from_kitty(returned: Iterable[Card], kitty: Iterable[Card]) -> tuple[Card, ...]:
    """The kitty cards that a dealer who gave `returned` back has to show, in the kitty's order.

    A card is shown if it is higher than the lowest card that went back in its suit. By house rule
    `returned` are the cards received instead.
    """
    lowest: dict[str, int] = {}
    for card in returned:
        lowest[card.suit] = min(HEIGHT[card.rank], lowest.get(card.suit, len(HEIGHT)))
    return tuple(card for card in kitty if HEIGHT[card.rank] > lowest.get(card.suit, len(HEIGHT)))


class KittyQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Which kitty cards does a dealer who was down show?"""

    returned: Annotated[
        SuitedText,
        asked(
            say("You gave back"),
            say("To that player; or what you were given, if you agreed to compare with that."),
        ),
    ] = ""
    kitty: Annotated[SuitedText, asked(say("The kitty"))] = ""
    kitty_compare: KittyCompare = "returned"


@judge(
    "kitty", say("Which kitty cards do I show?"), KittyQuestion, section="kitty", yes_or_no=False
)
def kitty_judge(asked: KittyQuestion) -> Ruling:
    """The kitty cards that a dealer who was down shows to one player who was up.

    They must beat `returned`: the cards given back or, by house rule, received.
    """
    with reading_cards() as reader:
        returned = reader.cards(asked.returned, SUITED, _COMPARED[asked.kitty_compare])
        kitty = reader.cards(asked.kitty, SUITED, say("the kitty"))
    faults = []
    if len(kitty) != KITTY and (returned or kitty):
        says = say("The kitty has {most} cards, not {n}.", most=KITTY, n=len(kitty))
        faults.append(fault("kitty-size", says, "kitty"))
    faults.extend(twice_faults(fault, (*returned, *kitty)))
    once = dict.fromkeys(kitty)
    show = shown_from_kitty(returned, once)
    says = say_many(
        "Show {n} kitty card, and nothing else.",
        "Show {n} kitty cards, and nothing else.",
        n=len(show),
    )
    if not show:
        says = say("Show nothing.")
    spreads = with_cards(
        spread(returned, _SWAPPED[asked.kitty_compare]),
        spread(show, say("show")),
        spread((card for card in once if card not in show), say("not shown")),
    )
    return Ruling(tuple(faults), {"show": write_cards(show)}, (says,), spreads=spreads)


# --- the dealer's discards


class DiscardQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Which sixteen cards stay with the dealer who lays four `away`?"""

    hand: Annotated[SuitedText, asked(say("Dealer’s hand"))] = ""
    kitty: Annotated[SuitedText, asked(say("The kitty"))] = ""
    away: Annotated[SuitedText, asked(say("Discards"))] = ""


@judge("discard", say("May the dealer discard these?"), DiscardQuestion, section="kitty")
def discard_judge(asked: DiscardQuestion) -> Ruling:
    """Whether exactly four of the dealer's twenty cards are discarded, no matter which.

    The detail has those that `stay`. Unfinished if only cards are missing.
    """
    with reading_cards() as reader:
        hand = reader.cards(asked.hand, SUITED, say("the hand"))
        kitty = reader.cards(asked.kitty, SUITED, say("the kitty"))
        away = reader.cards(asked.away, SUITED, say("the discards"))
    held = dict.fromkeys((*hand, *kitty))
    stay = highest_first(card for card in held if card not in away)
    whole = len(held) >= CARDS_EACH + KITTY
    strangers = [card for card in dict.fromkeys(away) if whole and card not in held]
    wrong = tuple(place for place, card in enumerate(away) if card in strangers)
    spreads = with_cards(
        Spread(tuple(map(str, away)), say("discarded"), (), wrong, of=("away", "hand", "kitty")),
        spread(stay, say("stay"), ("hand", "kitty")),
    )
    faults = [
        *_count_faults(len(hand), len(kitty), len(away)),
        *twice_faults(fault, (*hand, *kitty)),
        *twice_faults(fault, away),
    ]
    for card in strangers:
        says = say("{card:C} is neither in the hand nor in the kitty.", card=card_name(card))
        faults.append(fault("not-in-hand", says, "kitty"))
    detail = {"stay": write_cards(stay)}
    if not faults:
        says = say("Any four cards may go, even trumps. They go face down; nobody else sees them.")
        return Ruling((), detail, (says,), say("Yes: these sixteen stay"), spreads=spreads)
    within = len(hand) <= CARDS_EACH and max(len(kitty), len(away)) <= KITTY
    missing = {"hand-size", "kitty-size", "discard-size"}
    unfinished = within and {one.code for one in faults} <= missing
    verdict = NOTHING
    if unfinished and len(away) < KITTY:
        verdict = say("Not yet: {n} of {most} discarded", n=len(away), most=KITTY)
    return Ruling(tuple(faults), detail, (), verdict, unfinished, spreads=spreads)


def _count_faults(hand: int, kitty: int, away: int) -> Iterator[Fault]:
    if hand != CARDS_EACH:
        says = say(
            "The dealer has {most} cards before taking the kitty; you entered {n}.",
            most=CARDS_EACH,
            n=hand,
        )
        yield fault("hand-size", says, "kitty")
    if kitty != KITTY:
        says = say("The kitty has {most} cards, not {n}.", most=KITTY, n=kitty)
        yield fault("kitty-size", says, "kitty")
    if away != KITTY:
        says = say("The dealer discards {most} cards, not {n}.", most=KITTY, n=away)
        yield fault("discard-size", says, "kitty")
