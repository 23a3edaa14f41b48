"""What the referee answers in 9 of a Kind about a trade: with a player, and with the center."""

from collections.abc import Collection, Iterable
from typing import Annotated

from msgspec import Meta, Struct

from referee.rules.cards.card_keys import NineSuitText
from referee.rules.cards.cards import NINE_SUITS, Card, read_cards, reading_cards
from referee.rules.core.asking import asked
from referee.rules.core.judge import Spread, spread, with_cards
from referee.rules.core.ruling import Fault, MakeFault, Ruling
from referee.rules.games.nine_of_a_kind.hand_faults import twice_faults
from referee.rules.games.nine_of_a_kind.hands import DECK, of_one_kind
from referee.rules.text import NOTHING, Text, say, say_many

LARGEST_PACKET = 3


class TradeQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May these cards be traded with another player?"""

    give: Annotated[NineSuitText, asked(say("Cards given"))] = ""
    take: Annotated[NineSuitText, asked(say("Cards taken"))] = ""


class CenterQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May these cards be traded with the center? `pile`: cards there before they are put in."""

    pile: Annotated[int, Meta(ge=0, le=len(DECK)), asked(say("Cards in the center"))]
    cards: Annotated[NineSuitText, asked(say("Cards put in"))] = ""
    traded: Annotated[
        bool,
        asked(say("Traded with a player"), say("since your last visit to the center, if any")),
    ] = False


def judge_trade(fault: MakeFault, asked: TradeQuestion) -> Ruling:
    """Rule on a trade between two players: the same number each, each packet of one kind."""
    with reading_cards() as reader:
        give = reader.cards(asked.give, NINE_SUITS, say("the cards given"))
        take = reader.cards(asked.take, NINE_SUITS, say("the cards taken"))
    faults = [
        *_packet_faults(fault, give, say("The cards given")),
        *_packet_faults(fault, take, say("The cards taken")),
    ]
    if give and take and len(give) != len(take):
        says = say(
            "{given} for {taken}: both players have to give the same number of cards.",
            given=len(give),
            taken=len(take),
        )
        faults.append(fault("packet-uneven", says, "trading"))
    faults.extend(twice_faults(fault, (*give, *take)))
    if faults:
        return _not_so(faults, max(len(give), len(take)) <= LARGEST_PACKET)
    says = say("{given} for {given}: a fair trade.", given=len(give))
    return Ruling((), {}, (says,), say("Yes, a fair trade"))


def spread_trade(asked: TradeQuestion) -> tuple[Spread, ...]:
    """The two packets, those that have cards."""
    given = spread(read_cards(asked.give, NINE_SUITS), say("given"))
    taken = spread(read_cards(asked.take, NINE_SUITS), say("taken"))
    return with_cards(given, taken)


def judge_center(fault: MakeFault, asked: CenterQuestion) -> Ruling:
    """Rule on a trade with the center: its packet, what lies there, and whose turn it was."""
    with reading_cards() as reader:
        cards = reader.cards(asked.cards, NINE_SUITS, say("the cards put in"))
    faults = [
        *_packet_faults(fault, cards, say("The cards put in")),
        *twice_faults(fault, cards),
    ]
    if asked.pile == 0:
        says = say("The center was empty, so there’s nothing to draw.")
        faults.append(fault("pile-short", says, "centre"))
    elif asked.pile < len(cards):
        says = say_many(
            "There was only {n} card in the center, and you can’t draw your own again.",
            "There were only {n} cards in the center, and you can’t draw your own again.",
            n=asked.pile,
        )
        faults.append(fault("pile-short", says, "centre"))
    if not asked.traded:
        says = say("Trade with a player first: you need to before each visit to the center.")
        faults.append(fault("centre-again", says, "centre"))
    if faults:
        return _not_so(faults, not cards)
    return Ruling((), {}, (_put_and_draw(len(cards)),))


def spread_center(asked: CenterQuestion) -> tuple[Spread, ...]:
    """The packet."""
    cards = read_cards(asked.cards, NINE_SUITS)
    return with_cards(spread(cards, say("into the center")))


def _not_so(faults: Collection[Fault], room: bool) -> Ruling:
    """The ruling on a trade that is not legal, or not yet, where there is `room` for more cards."""
    unfinished = room and {fault.code for fault in faults} <= {"packet-size", "packet-uneven"}
    verdict = say("Not yet") if unfinished else NOTHING
    return Ruling(tuple(faults), verdict=verdict, unfinished=unfinished)


def _put_and_draw(number: int) -> Text:
    return say_many(
        "Put it in, then draw {n} other card.",
        "Put them in, then draw {n} others. Don’t look until you have them all.",
        n=number,
    )


def _packet_faults(fault: MakeFault, cards: Collection[Card], which: Text) -> Iterable[Fault]:
    if not cards:
        says = say("{which}: trade 1, 2, or 3 at a time. There are none.", which=which)
        yield fault("packet-size", says, "trading")
    elif len(cards) > LARGEST_PACKET:
        says = say("{which}: trade 1, 2, or 3 at a time, not {n}.", which=which, n=len(cards))
        yield fault("packet-size", says, "trading")
    if not of_one_kind(cards):
        says = say("{which}: they have to be all of one suit or all of one rank.", which=which)
        yield fault("packet-mixed", says, "trading")
