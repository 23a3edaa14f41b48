"""The judges of 9 of a Kind: on hands, and on trades (`docs/rules.md` §3)."""

from collections.abc import Collection, Iterable
from typing import Annotated

from msgspec import Meta

from referee.rules.cards.card_keys import NineSuitText
from referee.rules.cards.cards import NINE_SUITS, Card, read_cards, reading_cards
from referee.rules.cards.packs import twice_faults
from referee.rules.core.asking import asked
from referee.rules.core.judge import judge
from referee.rules.core.ruling import Fault, Ruling, Spread, spread, with_cards
from referee.rules.games.nine_of_a_kind.entries import Collecting, collecting_faults
from referee.rules.games.nine_of_a_kind.hands import (
    DECK,
    HAND,
    Claim,
    best_tally,
    claim_name,
    claim_of,
    collection_name,
    collection_named,
    fault,
    fullest,
    hand_faults,
    outside,
    pips,
    tally,
    why_no_claim,
)
from referee.rules.text import NOTHING, Text, say, say_many

LARGEST_PACKET = 3


# --- does this hand win?


@judge("claim", say("Does this hand win?"), section="claims")
def claim_judge(cards: Annotated[NineSuitText, asked(say("The nine cards"))] = "") -> Ruling:
    """Whether nine cards win; the detail has the claim."""
    hand = read_cards(cards, NINE_SUITS, say("the hand"))
    claim = claim_of(hand)
    faults = list(hand_faults(hand))
    says: tuple[Text, ...] = ()
    verdict, unfinished = NOTHING, False
    if claim is not None:
        call = say("You have {claim}: call “9 of a kind!”", claim=claim_name(claim))
        if claim.kind == "blocker":
            call = say("You have a Blocker: call “Blocked!”")
        says, verdict = (call,), say("Yes, call it")
    elif not faults:
        why = say("This isn’t a winning hand. {why}", why=why_no_claim(hand))
        faults.append(fault("no-claim", why, "claims"))
    elif 0 < len(set(hand)) == len(hand) < HAND:
        says = (_could_become(hand),) if len(hand) > 1 else ()
        unfinished = True
        verdict = say("Not yet: {n} of {hand}", n=len(hand), hand=HAND)
    detail = {"claim": claim and claim.kind, "of": claim and claim.of}
    spreads = _lay_out(hand, claim)
    return Ruling(tuple(faults), detail, says, verdict, unfinished, spreads=spreads)


def _lay_out(cards: tuple[Card, ...], claim: Claim | None) -> tuple[Spread, ...]:
    """The hand; nine cards without a claim are split into the fullest collection and the rest."""
    if claim is not None or len(cards) != HAND:
        return with_cards(spread(cards, claim_name(claim) if claim else NOTHING))
    most = fullest(cards)
    alike = say_many(
        "{n} of the nine is {collection}",
        "{n} of the nine are {collection}",
        n=most.kept,
        collection=collection_name(most.collecting),
    )
    return _parted(cards, most.collecting, alike, say("the others"))


def _could_become(cards: Collection[Card]) -> Text:
    """Which winning hand an incomplete one could still become."""
    ranks, suits = {card.rank for card in cards}, {card.suit for card in cards}
    if len(ranks) == len(suits) == len(cards):
        return say("So far this could become a Blocker.")
    alike = suits if len(suits) == 1 else ranks
    if len(alike) == 1:
        return say("So far they’re all {collection}.", collection=collection_name(alike.pop()))
    return say("These cards can’t become a winning hand.")


# --- what does this hand count?


@judge("collection", say("What does this hand count?"), section="score", yes_or_no=False)
def collection_judge(
    cards: Annotated[NineSuitText, asked(say("The nine cards"))] = "", collecting: Collecting = ""
) -> Ruling:
    """The deadwood of a hand for the collection named, or for the one that leaves the least."""
    with reading_cards() as reader:
        hand = reader.cards(cards, NINE_SUITS, say("the hand"))
        reader.faults += collecting_faults(collecting, say("Collecting"))
    faults = tuple(hand_faults(hand))
    named = collection_named(collecting)
    if not hand:
        return Ruling(faults, {"collecting": named, "deadwood": 0, "kept": 0})
    best = best_tally(hand)
    found = best if named is None else tally(hand, named)
    says = [
        say_many(
            "Collecting {collection}: {n} point left.",
            "Collecting {collection}: {n} points left.",
            n=found.deadwood,
            collection=collection_name(found.collecting),
        )
    ]
    if best.deadwood < found.deadwood:
        says.append(
            say(
                "Collecting {collection} would leave only {points}.",
                collection=collection_name(best.collecting),
                points=best.deadwood,
            )
        )
    collection = collection_name(found.collecting)
    matching = say("{collection}: these don’t count", collection=collection)
    others, left_over = say("left over"), outside(hand, found.collecting)
    if len(left_over) > 1:
        points = " + ".join(str(pips([card])) for card in left_over)
        others = say("{points} = {sum}", points=points, sum=pips(left_over))
    spreads = _parted(hand, found.collecting, matching, others)
    return Ruling(faults, found._asdict(), tuple(says), spreads=spreads)


def _parted(
    cards: Collection[Card], collecting: str, matching: Text, others: Text
) -> tuple[Spread, ...]:
    """The cards of a collection and the others, labeled; a part without cards is left out."""
    rest = outside(cards, collecting)
    belong = tuple(card for card in cards if card not in rest)
    return with_cards(spread(belong, matching), spread(rest, others))


# --- trades, with a player and with the center


@judge("trade", say("May we trade these cards?"), section="trading")
def trade_judge(
    give: Annotated[NineSuitText, asked(say("Cards given"))] = "",
    take: Annotated[NineSuitText, asked(say("Cards taken"))] = "",
) -> Ruling:
    """Rule on a trade between two players: the same number each, each packet of one kind."""
    with reading_cards() as reader:
        given = reader.cards(give, NINE_SUITS, say("the cards given"))
        taken = reader.cards(take, NINE_SUITS, say("the cards taken"))
    faults = [
        *_packet_faults(given, say("The cards given")),
        *_packet_faults(taken, say("The cards taken")),
    ]
    if given and taken and len(given) != len(taken):
        says = say(
            "{given} for {taken}: both players have to give the same number of cards.",
            given=len(given),
            taken=len(taken),
        )
        faults.append(fault("packet-uneven", says, "trading"))
    faults.extend(twice_faults(fault, (*given, *taken), "deck"))
    spreads = with_cards(spread(given, say("given")), spread(taken, say("taken")))
    if faults:
        return _illegal_trade(faults, spreads, max(len(given), len(taken)) <= LARGEST_PACKET)
    says = say("{given} for {given}: a fair trade.", given=len(given))
    return Ruling((), {}, (says,), say("Yes, a fair trade"), spreads=spreads)


@judge("centre", say("May I trade with the center?"), section="centre")
def center_judge(
    pile: Annotated[int, Meta(ge=0, le=len(DECK)), asked(say("Cards in the center"))],
    cards: Annotated[NineSuitText, asked(say("Cards put in"))] = "",
    traded: Annotated[bool, asked(say("I’ve traded with a player since then"))] = False,
) -> Ruling:
    """Rule on a trade with the center, which had `pile` cards before.

    Since the last one, or the beginning of the round, the player must have `traded` with another.
    """
    packet = read_cards(cards, NINE_SUITS, say("the cards put in"))
    faults = [
        *_packet_faults(packet, say("The cards put in")),
        *twice_faults(fault, packet, "deck"),
    ]
    if pile == 0:
        says = say("The center was empty, so there’s nothing to draw.")
        faults.append(fault("pile-short", says, "centre"))
    elif pile < len(packet):
        says = say_many(
            "There was only {n} card in the center, and you can’t draw your own again.",
            "There were only {n} cards in the center, and you can’t draw your own again.",
            n=pile,
        )
        faults.append(fault("pile-short", says, "centre"))
    if not traded:
        says = say("Trade with a player first: you need to before each visit to the center.")
        faults.append(fault("centre-again", says, "centre"))
    spreads = with_cards(spread(packet, say("into the center")))
    if faults:
        return _illegal_trade(faults, spreads, not packet)
    says = say_many(
        "Put it in, then draw {n} other card.",
        "Put them in, then draw {n} others. Don’t look until you have them all.",
        n=len(packet),
    )
    return Ruling((), {}, (says,), spreads=spreads)


def _illegal_trade(faults: Collection[Fault], spreads: tuple[Spread, ...], room: bool) -> Ruling:
    """The ruling on an illegal trade; with `room` for more cards it may only be unfinished."""
    unfinished = room and {fault.code for fault in faults} <= {"packet-size", "packet-uneven"}
    return Ruling(tuple(faults), unfinished=unfinished, spreads=spreads)


def _packet_faults(cards: Collection[Card], which: Text) -> Iterable[Fault]:
    if not cards:
        says = say("{which}: trade 1, 2, or 3 at a time. There are none.", which=which)
        yield fault("packet-size", says, "trading")
    elif len(cards) > LARGEST_PACKET:
        says = say("{which}: trade 1, 2, or 3 at a time, not {n}.", which=which, n=len(cards))
        yield fault("packet-size", says, "trading")
    if len({card.suit for card in cards}) > 1 and len({card.rank for card in cards}) > 1:
        says = say("{which}: they have to be all of one suit or all of one rank.", which=which)
        yield fault("packet-mixed", says, "trading")
