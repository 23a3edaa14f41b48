"""What the referee answers in 9 of a Kind about a hand: does it win, and what does it count?"""

from collections.abc import Collection
from typing import Annotated

from msgspec import Struct

from referee.rules.cards.card_keys import NineSuitText
from referee.rules.cards.cards import NINE_SUITS, Card, read_cards, reading_cards
from referee.rules.core.asking import asked
from referee.rules.core.judge import Spread, spread, with_cards
from referee.rules.core.ruling import MakeFault, Ruling
from referee.rules.games.nine_of_a_kind.entries import Collecting, check_collecting
from referee.rules.games.nine_of_a_kind.hand_faults import hand_faults
from referee.rules.games.nine_of_a_kind.hands import (
    HAND,
    Claim,
    Tally,
    best_tally,
    claim_name,
    claim_of,
    collection_name,
    collection_named,
    fullest,
    outside,
    pips,
    tally,
    why_no_claim,
)
from referee.rules.text import NOTHING, Text, say, say_many


class ClaimQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Do these cards win?"""

    cards: Annotated[NineSuitText, asked(say("The nine cards"))] = ""


class CollectionQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What does this hand count?"""

    cards: Annotated[NineSuitText, asked(say("The nine cards"))] = ""
    collecting: Collecting = ""

    def __post_init__(self) -> None:
        check_collecting(self.collecting)


# --- does this hand win?


def judge_claim(fault: MakeFault, asked: ClaimQuestion) -> Ruling:
    """Legal where the nine cards win; the detail says as what."""
    with reading_cards() as reader:
        cards = reader.cards(asked.cards, NINE_SUITS, say("the hand"))
    claim = claim_of(cards)
    faults = list(hand_faults(fault, cards))
    says: tuple[Text, ...] = ()
    verdict, unfinished = NOTHING, False
    if claim is not None:
        says, verdict = (_call(claim),), say("Yes, call it")
    elif not faults:
        why = say("This isn’t a winning hand. {why}", why=why_no_claim(cards))
        faults.append(fault("no-claim", why, "claims"))
    elif 0 < len(set(cards)) == len(cards) < HAND:
        says = (_hope(cards),) if len(cards) > 1 else ()
        unfinished = True
        verdict = say("Not yet: {n} of {hand}", n=len(cards), hand=HAND)
    detail = {
        "claim": None if claim is None else claim.kind,
        "of": None if claim is None else claim.of,
    }
    return Ruling(tuple(faults), detail, says, verdict, unfinished)


def spread_claim(asked: ClaimQuestion) -> tuple[Spread, ...]:
    """The hand; if its nine cards prove nothing, parted into what is most alike and the rest."""
    cards = read_cards(asked.cards, NINE_SUITS)
    claim = claim_of(cards)
    if claim is not None:
        return (spread(cards, claim_name(claim)),)
    if not cards:
        return ()
    if len(cards) != HAND:
        return (spread(cards),)
    most = fullest(cards)
    alike = say_many(
        "{n} of the nine is {collection}",
        "{n} of the nine are {collection}",
        n=most.kept,
        collection=collection_name(most.collecting),
    )
    return _parted(cards, most.collecting, alike, say("the others"))


def _call(claim: Claim) -> Text:
    if claim.kind == "blocker":
        return say("You have a Blocker: call “Blocked!”")
    return say("You have {claim}: call “9 of a kind!”", claim=claim_name(claim))


def _hope(cards: Collection[Card]) -> Text:
    """What a hand that is still being tapped in may become."""
    ranks, suits = {card.rank for card in cards}, {card.suit for card in cards}
    if len(ranks) == len(suits) == len(cards):
        return say("So far this could become a Blocker.")
    if len(suits) == 1:
        return say("So far they’re all {collection}.", collection=collection_name(suits.pop()))
    if len(ranks) == 1:
        return say("So far they’re all {collection}.", collection=collection_name(ranks.pop()))
    return say("These cards can’t become a winning hand.")


# --- what does this hand count?


def judge_collection(fault: MakeFault, asked: CollectionQuestion) -> Ruling:
    """The deadwood of a hand for the named collection, or for the one that counts least."""
    with reading_cards() as reader:
        cards = reader.cards(asked.cards, NINE_SUITS, say("the hand"))
    faults = tuple(hand_faults(fault, cards))
    named = collection_named(asked.collecting)
    if not cards:
        return Ruling(faults, {"collecting": named, "deadwood": 0, "kept": 0})
    best = best_tally(cards)
    found = best if named is None else tally(cards, named)
    says = [_count(found)]
    if best.deadwood < found.deadwood:
        says.append(
            say(
                "Collecting {collection} would leave only {points}.",
                collection=collection_name(best.collecting),
                points=best.deadwood,
            )
        )
    return Ruling(faults, found._asdict(), tuple(says))


def spread_collection(asked: CollectionQuestion) -> tuple[Spread, ...]:
    """What belongs to the collection, and what is left over with its pips."""
    cards = read_cards(asked.cards, NINE_SUITS)
    collecting = collection_named(asked.collecting) or best_tally(cards).collecting
    matching = say("{collection}: these don’t count", collection=collection_name(collecting))
    return _parted(cards, collecting, matching, _sum(outside(cards, collecting)))


def _count(found: Tally) -> Text:
    return say_many(
        "Collecting {collection}: {n} point left.",
        "Collecting {collection}: {n} points left.",
        n=found.deadwood,
        collection=collection_name(found.collecting),
    )


def _sum(left_over: Collection[Card]) -> Text:
    if len(left_over) == 1:
        return say("left over")
    points = " + ".join(str(pips([card])) for card in left_over)
    return say("{points} = {sum}", points=points, sum=pips(left_over))


def _parted(
    cards: Collection[Card], collecting: str, matching: Text, others: Text
) -> tuple[Spread, ...]:
    """The cards of a collection and the others, each with what they are, where there are any."""
    rest = outside(cards, collecting)
    belong = tuple(card for card in cards if card not in rest)
    return with_cards(spread(belong, matching), spread(rest, others))
