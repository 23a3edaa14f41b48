"""What the referee answers in 9 of a Kind without a sheet: claims, counts and trades."""

from collections.abc import Collection, Iterable
from typing import Any

from referee.rules.cards.cards import (
    NINE_SUITS,
    Card,
    capitalized,
    card_name,
    read_cards,
    reading_cards,
    repeated,
)
from referee.rules.core.judge import Judge
from referee.rules.core.ruling import Fault, MakeFault, Ruling
from referee.rules.core.spread import Spread, spread
from referee.rules.games.nine_of_a_kind.entries import (
    CentreQuestion,
    ClaimQuestion,
    CollectionQuestion,
    TradeQuestion,
)
from referee.rules.games.nine_of_a_kind.hands import (
    HAND,
    Tally,
    best_tally,
    claim_of,
    claim_words,
    collection_name,
    collection_named,
    fullest,
    of_one_kind,
    outside,
    pips,
    tally,
    why_no_claim,
)

SECTIONS = {
    "deck": "the deck",
    "deal": "the deal",
    "trading": "trading",
    "centre": "the centre",
    "claims": "winning hands",
    "forfeit": "false calls",
    "score": "the score",
    "chicken": "Chicken",
}
LARGEST_PACKET = 3


def judges(fault: MakeFault) -> tuple[Judge[Any], ...]:
    """The four questions; `fault` is the game's own."""
    return (
        Judge(
            "claim",
            "Does this hand win?",
            ClaimQuestion,
            lambda q: judge_claim(fault, q),
            cards=spread_claim,
            section="claims",
        ),
        Judge(
            "collection",
            "What does this hand count?",
            CollectionQuestion,
            lambda q: judge_collection(fault, q),
            cards=spread_collection,
            yes_or_no=False,
            section="score",
        ),
        Judge(
            "trade",
            "May we trade these cards?",
            TradeQuestion,
            lambda q: judge_trade(fault, q),
            cards=spread_trade,
            section="trading",
        ),
        Judge(
            "centre",
            "May I trade with the centre?",
            CentreQuestion,
            lambda q: judge_centre(fault, q),
            cards=spread_centre,
            section="centre",
        ),
    )


def hand_faults(fault: MakeFault, cards: Collection[Card], whose: str) -> Iterable[Fault]:
    """Why these cannot be the nine cards of a hand; `whose` begins the sentence ("Ben has")."""
    if len(cards) != HAND:
        number = f"{len(cards)} {'card' if len(cards) == 1 else 'cards'}"
        yield fault("hand-size", f"{whose} {number}; a hand has {HAND}.", "deal")
    yield from _twice(fault, cards)


def judge_claim(fault: MakeFault, asked: ClaimQuestion) -> Ruling:
    """Legal where the nine cards win; the detail says as what."""
    with reading_cards() as reader:
        cards = reader.cards(asked.cards, NINE_SUITS, "the hand")
    claim = claim_of(cards)
    faults = list(hand_faults(fault, cards, "That is"))
    says: tuple[str, ...] = ()
    if claim is not None:
        call = "Blocked!" if claim.kind == "blocker" else "9 of a kind!"
        says = (f"This is {claim_words(claim)}: call “{call}”",)
    elif not faults:
        message = f"No claim: {why_no_claim(cards)}."
        faults.append(fault("no-claim", message, "claims"))
    elif 1 < len(set(cards)) == len(cards) < HAND:
        says = (_hope_words(cards),)
    detail = {
        "claim": None if claim is None else claim.kind,
        "of": None if claim is None else claim.of,
    }
    return Ruling(tuple(faults), detail, says)


def spread_claim(asked: ClaimQuestion) -> tuple[Spread, ...]:
    """The hand; if its nine cards prove nothing, parted into what is most alike and the rest."""
    cards = read_cards(asked.cards, NINE_SUITS)
    claim = claim_of(cards)
    if claim is not None:
        return (spread(cards, claim_words(claim)),)
    if len(cards) != HAND:
        return _spreads((cards, ""))
    most = fullest(cards)
    assert most.collecting is not None
    rest = outside(cards, most.collecting)
    kept = f"{most.kept} of nine are {collection_name(most.collecting)}"
    return _spreads((_kept(cards, rest), kept), (rest, "the others"))


def judge_collection(fault: MakeFault, asked: CollectionQuestion) -> Ruling:
    """The deadwood of a hand for the named collection, or for the one that counts least."""
    with reading_cards() as reader:
        cards = reader.cards(asked.cards, NINE_SUITS, "the hand")
    faults = tuple(hand_faults(fault, cards, "That is"))
    named = collection_named(asked.collecting)
    best = best_tally(cards)
    assert best is not None
    if not cards:
        return Ruling(faults, {"collecting": named, "deadwood": 0, "kept": 0})
    found = best if named is None else tally(cards, named)
    assert best.collecting is not None
    says = [_tally_words(cards, found)]
    if best.deadwood < found.deadwood:
        says.append(f"Collecting {collection_name(best.collecting)} counts {best.deadwood}.")
    return Ruling(faults, found._asdict(), tuple(says))


def spread_collection(asked: CollectionQuestion) -> tuple[Spread, ...]:
    """What belongs to the collection, and what is left over with its pips."""
    cards = read_cards(asked.cards, NINE_SUITS)
    best = best_tally(cards)
    assert best is not None
    collecting = collection_named(asked.collecting) or best.collecting
    assert collecting is not None
    rest = outside(cards, collecting)
    sums = f"{' + '.join(str(pips([card])) for card in rest)} = {pips(rest)}"
    return _spreads(
        (_kept(cards, rest), f"{collection_name(collecting)}: these count nothing"),
        (rest, sums if len(rest) > 1 else "left over"),
    )


def judge_trade(fault: MakeFault, asked: TradeQuestion) -> Ruling:
    """Rule on a trade between two players: the same number each, each packet of one kind."""
    with reading_cards() as reader:
        give = reader.cards(asked.give, NINE_SUITS, "the cards given")
        take = reader.cards(asked.take, NINE_SUITS, "the cards taken")
    faults = [
        *_packet_faults(fault, give, "The cards given"),
        *_packet_faults(fault, take, "The cards taken"),
    ]
    if give and take and len(give) != len(take):
        message = f"{len(give)} for {len(take)}: both sides give the same number of cards."
        faults.append(fault("packet-uneven", message, "trading"))
    faults.extend(_twice(fault, (*give, *take)))
    says = () if faults else (f"{len(give)} for {len(take)}: a fair trade.",)
    return Ruling(tuple(faults), {}, says)


def spread_trade(asked: TradeQuestion) -> tuple[Spread, ...]:
    """The two packets."""
    return _spreads(
        (read_cards(asked.give, NINE_SUITS), "given"),
        (read_cards(asked.take, NINE_SUITS), "taken"),
    )


def judge_centre(fault: MakeFault, asked: CentreQuestion) -> Ruling:
    """Rule on a trade with the centre: its packet, what lies there, and whose turn it was."""
    with reading_cards() as reader:
        cards = reader.cards(asked.cards, NINE_SUITS, "the cards put in")
    faults = [*_packet_faults(fault, cards, "The cards put in"), *_twice(fault, cards)]
    if asked.pile == 0:
        message = "There is nothing to draw: no card lay in the centre before."
        faults.append(fault("pile-short", message, "centre"))
    elif asked.pile < len(cards):
        lay = "1 card" if asked.pile == 1 else f"{asked.pile} cards"
        message = f"Only {lay} lay in the centre before, and your own may not be drawn again."
        faults.append(fault("pile-short", message, "centre"))
    if not asked.traded:
        message = "Trade with a player first: the centre is never used twice in a row."
        faults.append(fault("centre-again", message, "centre"))
    number = "1 card" if len(cards) == 1 else f"{len(cards)} cards"
    says = () if faults else (f"Put them in, then draw {number}; look when all are taken.",)
    return Ruling(tuple(faults), {}, says)


def spread_centre(asked: CentreQuestion) -> tuple[Spread, ...]:
    """The packet."""
    return _spreads((read_cards(asked.cards, NINE_SUITS), "into the centre"))


def _spreads(*parts: tuple[Collection[Card], str]) -> tuple[Spread, ...]:
    """Those of the parts of a hand that have cards, each with what it is."""
    return tuple(spread(cards, says) for cards, says in parts if cards)


def _kept(cards: Iterable[Card], rest: Collection[Card]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card not in rest)


def _packet_faults(fault: MakeFault, cards: Collection[Card], which: str) -> Iterable[Fault]:
    if not 1 <= len(cards) <= LARGEST_PACKET:
        message = f"{which} are {len(cards) or 'none'}; trade 1, 2 or 3 at a time."
        yield fault("packet-size", message, "trading")
    if not of_one_kind(cards):
        message = f"{which} are neither all of one suit nor all of one rank."
        yield fault("packet-mixed", message, "trading")


def _twice(fault: MakeFault, cards: Iterable[Card]) -> Iterable[Fault]:
    for card in repeated(cards):
        message = f"{capitalized(card_name(card))} stands more than once; there is only one."
        yield fault("card-twice", message, "deck")


def _hope_words(cards: Collection[Card]) -> str:
    """What a hand that is still being tapped in may become."""
    ranks, suits = {card.rank for card in cards}, {card.suit for card in cards}
    if len(ranks) == len(suits) == len(cards):
        return "So far this may become a Blocker."
    if len(ranks) == 1 or len(suits) == 1:
        return f"So far all are {collection_name((suits if len(suits) == 1 else ranks).pop())}."
    return "With these cards it is no winning hand."


def _tally_words(cards: Iterable[Card], found: Tally) -> str:
    assert found.collecting is not None
    name = collection_name(found.collecting)
    left_over = outside(cards, found.collecting)
    if not left_over:
        return f"Collecting {name}: nothing is left over."
    return f"Collecting {name}: {found.deadwood} left over."
