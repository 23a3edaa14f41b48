"""The kitty of Nine Five Two (`docs/rules.md` §7): cards shown, and the discards."""

from collections.abc import Iterable, Iterator
from typing import Annotated

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
    """The kitty cards higher than the lowest of `returned` in their suit, in the kitty's order."""
    lowest: dict[str, int] = {}
    for card in returned:
        lowest[card.suit] = min(HEIGHT[card.rank], lowest.get(card.suit, len(HEIGHT)))
    return tuple(card for card in kitty if HEIGHT[card.rank] > lowest.get(card.suit, len(HEIGHT)))


@judge("kitty", say("Which kitty cards do I show?"), section="kitty", yes_or_no=False)
def kitty_judge(
    returned: Annotated[
        SuitedText,
        asked(
            say("You gave back"),
            say("To that player; or what you were given, if you agreed to compare with that."),
        ),
    ] = "",
    kitty: Annotated[SuitedText, asked(say("The kitty"))] = "",
    kitty_compare: KittyCompare = "returned",
) -> Ruling:
    """The kitty cards that a dealer who was down shows to one player who was up."""
    with reading_cards() as reader:
        swapped = reader.cards(returned, SUITED, _COMPARED[kitty_compare])
        taken = reader.cards(kitty, SUITED, say("the kitty"))
    faults = []
    if len(taken) != KITTY and (swapped or taken):
        says = say("The kitty has {most} cards, not {n}.", most=KITTY, n=len(taken))
        faults.append(fault("kitty-size", says, "kitty"))
    faults.extend(twice_faults(fault, (*swapped, *taken)))
    once = dict.fromkeys(taken)
    show = shown_from_kitty(swapped, once)
    says = say_many(
        "Show {n} kitty card, and nothing else.",
        "Show {n} kitty cards, and nothing else.",
        n=len(show),
    )
    if not show:
        says = say("Show nothing.")
    spreads = with_cards(
        spread(swapped, _SWAPPED[kitty_compare]),
        spread(show, say("show")),
        spread((card for card in once if card not in show), say("not shown")),
    )
    return Ruling(tuple(faults), {"show": write_cards(show)}, (says,), spreads=spreads)


# --- the dealer's discards


@judge("discard", say("May the dealer discard these?"), section="kitty")
def discard_judge(
    hand: Annotated[SuitedText, asked(say("Dealer’s hand"))] = "",
    kitty: Annotated[SuitedText, asked(say("The kitty"))] = "",
    away: Annotated[SuitedText, asked(say("Discards"))] = "",
) -> Ruling:
    """Whether exactly four of the dealer's twenty cards are discarded, no matter which."""
    with reading_cards() as reader:
        dealt = reader.cards(hand, SUITED, say("the hand"))
        taken = reader.cards(kitty, SUITED, say("the kitty"))
        gone = reader.cards(away, SUITED, say("the discards"))
    held = dict.fromkeys((*dealt, *taken))
    stay = highest_first(card for card in held if card not in gone)
    whole = len(held) >= CARDS_EACH + KITTY
    strangers = [card for card in dict.fromkeys(gone) if whole and card not in held]
    wrong = tuple(place for place, card in enumerate(gone) if card in strangers)
    spreads = with_cards(
        Spread(tuple(map(str, gone)), say("discarded"), (), wrong, of=("away", "hand", "kitty")),
        spread(stay, say("stay"), ("hand", "kitty")),
    )
    faults = [
        *_count_faults(len(dealt), len(taken), len(gone)),
        *twice_faults(fault, (*dealt, *taken)),
        *twice_faults(fault, gone),
    ]
    for card in strangers:
        says = say("{card:C} is neither in the hand nor in the kitty.", card=card_name(card))
        faults.append(fault("not-in-hand", says, "kitty"))
    detail = {"stay": write_cards(stay)}
    if not faults:
        says = say("Any four cards may go, even trumps. They go face down; nobody else sees them.")
        return Ruling((), detail, (says,), say("Yes: these sixteen stay"), spreads=spreads)
    within = len(dealt) <= CARDS_EACH and max(len(taken), len(gone)) <= KITTY
    missing = {"hand-size", "kitty-size", "discard-size"}
    unfinished = within and {one.code for one in faults} <= missing
    verdict = NOTHING
    if unfinished and len(gone) < KITTY:
        verdict = say("Not yet: {n} of {most} discarded", n=len(gone), most=KITTY)
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
