"""Tricks of Nine Five Two (`docs/rules.md` §7): how cards rank, who wins, what may be played."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from msgspec import Meta

from referee.rules.cards.card_keys import SuitedText
from referee.rules.cards.cards import (
    FRENCH_SUITS,
    RANKS,
    SUIT_NAMES,
    SUIT_SIGNS,
    SUITED,
    Card,
    CardReader,
    card_name,
    reading_cards,
    write_cards,
)
from referee.rules.cards.packs import twice_faults
from referee.rules.core.asking import READ, asked
from referee.rules.core.judge import judge
from referee.rules.core.ruling import Fault, Ruling, Spread, shared_fault, spread, with_cards
from referee.rules.games.nine_five_two.house_rules import CARDS_EACH, PLAYERS, fault
from referee.rules.text import NOTHING, Text, say, say_many

NO_TRUMPS = "N"

#: The height of each rank, from 0 for the two up to the ace.
HEIGHT = {rank: height for height, rank in enumerate((*RANKS[1:], RANKS[0]))}


def highest_first(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards in the order spades, hearts, diamonds, clubs, each suit from the ace down."""
    return tuple(
        sorted(cards, key=lambda card: (FRENCH_SUITS.index(card.suit), -HEIGHT[card.rank]))
    )


def trump_faults(text: str, where: Text) -> list[Fault]:
    """A fault unless `text` is empty, a suit, or "N" for no trumps."""
    reader = CardReader()
    read_trump(text, reader)
    return reader.faults


#: A suit letter, "N" if the dealer named no trumps, or "" if trumps were not recorded.
Trump = Annotated[
    str,
    Meta(max_length=20, extra={READ: trump_faults}),
    asked(
        say("Trumps"),
        choices={
            "": say("not named"),
            **{suit: SUIT_NAMES[suit] for suit in FRENCH_SUITS},
            NO_TRUMPS: say("no trumps"),
        },
    ),
]


def read_trump(text: str, reader: CardReader) -> str:
    """The letter of the suit that `text` names by letter or sign; "" for none or no trumps.

    Other text becomes a fault of `reader` and is read as "".
    """
    written = text.strip("\ufe0e\ufe0f \t").upper()
    if written == NO_TRUMPS:
        return ""
    suit = SUIT_SIGNS.get(written, written)
    if len(suit) > 1 or suit not in FRENCH_SUITS:
        says = say("“{text}” can’t be trumps. Use S, H, D, or C.", text=text)
        reader.faults.append(shared_fault("not-a-suit", says, "cards"))
        return ""
    return suit


# --- who wins a trick


def trick_winner(cards: Sequence[Card], trump: str) -> int:
    """The index of the winning card: the highest `trump` (a suit, or ""), or of the suit led."""
    suit = trump if any(card.suit == trump for card in cards) else cards[0].suit
    follows = [place for place, card in enumerate(cards) if card.suit == suit]
    return max(follows, key=lambda place: HEIGHT[cards[place].rank])


@judge("trick", say("Who wins this trick?"), section="tricks", yes_or_no=False)
def trick_judge(
    cards: Annotated[SuitedText, asked(say("The three cards, in the order played"))] = "",
    trump: Trump = "",
) -> Ruling:
    """Which card (1 to 3) wins a trick, or is winning an incomplete one."""
    with reading_cards() as reader:
        trick = reader.cards(cards, SUITED, say("the trick"))
        trump = read_trump(trump, reader)
    faults = []
    if not trick:
        faults.append(fault("trick-size", say("No cards have been played yet."), "tricks"))
    elif len(trick) != PLAYERS:
        says = say("A trick has {most} cards, not {n}.", most=PLAYERS, n=len(trick))
        faults.append(fault("trick-size", says, "tricks"))
    faults.extend(twice_faults(fault, trick))
    trumps = say("{suit} are trumps", suit=SUIT_NAMES[trump]) if trump else say("no trumps named")
    if not trick or len(trick) > PLAYERS:
        return Ruling(tuple(faults), spreads=with_cards(spread(trick, trumps)))
    winner = trick_winner(trick, trump)
    card, place, why = card_name(trick[winner]), winner + 1, say("the highest of the suit led")
    if trick[winner].suit == trump:
        why = say("the highest trump")
    says = say("{card:C}, card {place}, wins: {why}.", card=card, place=place, why=why)
    if len(trick) < PLAYERS:
        says = say(
            "{card:C}, card {place}, is winning so far: {why}.", card=card, place=place, why=why
        )
    spreads = (Spread(tuple(map(str, trick)), trumps, right=(winner,)),)
    return Ruling(tuple(faults), {"winner": place}, (says,), spreads=spreads)


# --- what may be played to a trick


@judge("follow", say("May I play this card?"), section="tricks")
def follow_judge(
    hand: Annotated[SuitedText, asked(say("Your hand"), say("Including the card you play."))] = "",
    led: Annotated[SuitedText, asked(say("Card led"), say("Leave it out if you lead."))] = "",
    played: Annotated[
        SuitedText, asked(say("You play"), say("Optional: without it you see all you may play."))
    ] = "",
    trump: Trump = "",
) -> Ruling:
    """Whether a card may be played, and which cards of the hand may be.

    Without `led` the player leads; without `played` the question is which cards may be played.
    """
    with reading_cards() as reader:
        held = reader.cards(hand, SUITED, say("your hand"))
        first = reader.cards(led, SUITED, say("the card led"))
        laid = reader.cards(played, SUITED, say("the card played"))
        trump = read_trump(trump, reader)
    suit = first[0].suit if first else ""
    follows = any(card.suit == suit for card in held)
    playable = highest_first(card for card in {*held} if not follows or card.suit == suit)
    misfits = [card for card in laid[:1] if follows and card.suit != suit]
    may = say("you may play") if misfits or not laid else say("you could play")
    others = [card for card in playable if card not in laid]
    wrong = tuple(range(len(misfits)))
    spreads = with_cards(
        spread(first, say("led"), ("led",)),
        Spread(tuple(map(str, laid)), say("played"), (), wrong, of=("played", "hand")),
        spread(others, may, ("hand",)),
    )
    detail = {"playable": write_cards(playable), "follow": suit if follows else None}
    faults = tuple(_following_faults(held, first, laid, misfits))
    if faults:
        unfinished = {one.code for one in faults} <= {"hand-missing", "not-in-hand"}
        verdict = say("No: follow with {suit}", suit=SUIT_NAMES[suit]) if misfits else NOTHING
        return Ruling(faults, detail, (), verdict, unfinished, spreads=spreads)
    verdict, why = _may_play(suit, follows, trump, laid)
    if not laid:
        verdict = say_many("You can play {n} card", "You can play {n} cards", n=len(playable))
        if len(playable) == len(held):
            verdict = say("You can play any card")
    return Ruling((), detail, (why,), verdict, spreads=spreads)


def _following_faults(
    hand: Sequence[Card], led: Sequence[Card], played: Sequence[Card], misfits: Sequence[Card]
) -> Iterator[Fault]:
    if len(led) > 1:
        says = say("One card is led to a trick, not {n}.", n=len(led))
        yield fault("one-card", says, "tricks")
    if len(played) > 1:
        says = say("You play one card to a trick, not {n}.", n=len(played))
        yield fault("one-card", says, "tricks")
    if len(hand) > CARDS_EACH:
        says = say(
            "A hand has {most} cards at most; this one has {n}.", most=CARDS_EACH, n=len(hand)
        )
        yield fault("hand-size", says, "deal")
    yield from twice_faults(fault, (*hand, *led))
    if not hand:
        says = say("Tap your hand too: it decides whether you have to follow suit.")
        yield fault("hand-missing", says, "tricks")
        return
    for card in dict.fromkeys(played):
        if card not in hand:
            says = say("{card:C} isn’t in this hand.", card=card_name(card))
            yield fault("not-in-hand", says, "tricks")
    for card in misfits:
        says = say(
            "{suit:C} were led and you hold some, so {card} can’t be played.",
            suit=SUIT_NAMES[led[0].suit],
            card=card_name(card),
        )
        yield fault("follow-suit", says, "tricks")


def _may_play(suit: str, follows: bool, trump: str, played: Sequence[Card]) -> tuple[Text, Text]:
    """The verdict on a card that may be played where `suit` was led, and what may be played."""
    if not suit:
        return say("Yes: lead what you like"), say("Whoever leads may play any card.")
    led = SUIT_NAMES[suit]
    if follows:
        why = say("{suit:C} were led and you hold some: play one of them.", suit=led)
        return say("Yes: it follows suit"), why
    why = say("{suit:C} were led and you hold none: play anything.", suit=led)
    if trump and trump != suit:
        why = say(
            "{suit:C} were led and you hold none: play anything. You may trump, but don’t have to.",
            suit=led,
        )
    if any(card.suit == trump for card in played):
        return say("Yes: you may trump"), why
    return say("Yes: you have none of the suit led"), why
