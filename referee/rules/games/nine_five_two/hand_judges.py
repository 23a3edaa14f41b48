"""What may leave a hand in Nine Five Two: a card to a trick, and the dealer's four discards.

`docs/rules.md` §7, tricks, and trumps and the kitty.
"""

from collections.abc import Collection, Iterator
from typing import Annotated

from msgspec import Struct

from referee.rules.cards.card_keys import SuitedText
from referee.rules.cards.cards import (
    SUIT_NAMES,
    SUITED,
    Card,
    card_name,
    reading_cards,
    write_cards,
)
from referee.rules.core.asking import asked
from referee.rules.core.judge import Judge, Spread, spread, with_cards
from referee.rules.core.ruling import Fault, Ruling
from referee.rules.games.nine_five_two.exchange import highest_first
from referee.rules.games.nine_five_two.terms import (
    CARDS_EACH,
    KITTY,
    Trump,
    fault,
    read_trump,
    twice_faults,
)
from referee.rules.text import NOTHING, Text, say, say_many

# --- a card to a trick


class FollowQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May this card be `played` to a trick that began with `led`?

    `hand` is what the player held, the card played still in it; without `led` it is the first of
    the trick, and without `played` the question is what could be.
    """

    hand: Annotated[SuitedText, asked(say("Your hand"), say("Including the card you play."))] = ""
    led: Annotated[SuitedText, asked(say("Card led"), say("Leave it out if you lead."))] = ""
    played: Annotated[
        SuitedText, asked(say("You play"), say("Optional: without it you see all you may play."))
    ] = ""
    trump: Trump = ""


class _Following(Struct, frozen=True):
    """What is asked about, read; `playable` are the cards that the hand may play."""

    hand: tuple[Card, ...]
    led: tuple[Card, ...]
    played: tuple[Card, ...]
    trump: str

    @property
    def suit(self) -> str:
        """The suit that was led, "" by whoever leads."""
        return self.led[0].suit if self.led else ""

    @property
    def follows(self) -> bool:
        """Whether the hand has a card of the suit led, and so must play one."""
        return any(card.suit == self.suit for card in self.hand)

    @property
    def playable(self) -> tuple[Card, ...]:
        """The cards of the hand that may be played, highest first within the suits."""
        held = dict.fromkeys(self.hand)
        return highest_first(card for card in held if not self.follows or card.suit == self.suit)

    @property
    def misfits(self) -> tuple[Card, ...]:
        """The card played, where the hand should have followed suit."""
        return tuple(card for card in self.played[:1] if self.follows and card.suit != self.suit)


def _following(asked: FollowQuestion) -> _Following:
    with reading_cards() as reader:
        return _Following(
            reader.cards(asked.hand, SUITED, say("your hand")),
            reader.cards(asked.led, SUITED, say("the card led")),
            reader.cards(asked.played, SUITED, say("the card played")),
            read_trump(asked.trump, reader),
        )


def rule_on_following(asked: FollowQuestion) -> Ruling:
    """Whether a card may be played, and which of the hand may be.

    The detail has `playable`, as text, and `follow`, the suit that has to be followed, or None.
    """
    found = _following(asked)
    detail = {
        "playable": write_cards(found.playable),
        "follow": found.suit if found.follows else None,
    }
    faults = tuple(_following_faults(found))
    if faults:
        unfinished = {one.code for one in faults} <= {"hand-missing", "not-in-hand"}
        verdict = say("Not yet") if unfinished else _no(found)
        return Ruling(faults, detail, (), verdict, unfinished)
    return Ruling((), detail, (_what_can_be_played(found),), _yes(found))


def _following_faults(found: _Following) -> Iterator[Fault]:
    if len(found.led) > 1:
        says = say("One card is led to a trick, not {n}.", n=len(found.led))
        yield fault("one-card", says, "tricks")
    if len(found.played) > 1:
        says = say("You play one card to a trick, not {n}.", n=len(found.played))
        yield fault("one-card", says, "tricks")
    if len(found.hand) > CARDS_EACH:
        says = say(
            "A hand has {most} cards at most; this one has {n}.",
            most=CARDS_EACH,
            n=len(found.hand),
        )
        yield fault("hand-size", says, "deal")
    yield from twice_faults((*found.hand, *found.led))
    if not found.hand:
        says = say("Tap your hand too: it decides whether you have to follow suit.")
        yield fault("hand-missing", says, "tricks")
        return
    for card in dict.fromkeys(found.played):
        if card not in found.hand:
            says = say("{card:C} isn’t in this hand.", card=card_name(card))
            yield fault("not-in-hand", says, "tricks")
    for card in found.misfits:
        says = say(
            "{suit:C} were led and you hold some, so {card} can’t be played.",
            suit=SUIT_NAMES[found.suit],
            card=card_name(card),
        )
        yield fault("follow-suit", says, "tricks")


def _no(found: _Following) -> Text:
    return say("No: follow with {suit}", suit=SUIT_NAMES[found.suit]) if found.misfits else NOTHING


def _yes(found: _Following) -> Text:
    """Why the card may be played in a few words; without one, how many may."""
    if not found.played:
        if len(found.playable) == len(found.hand):
            return say("You can play any card")
        return say_many("You can play {n} card", "You can play {n} cards", n=len(found.playable))
    if not found.led:
        return say("Yes: lead what you like")
    if found.follows:
        return say("Yes: it follows suit")
    if found.trump and found.played[0].suit == found.trump:
        return say("Yes: you may trump")
    return say("Yes: you have none of the suit led")


def _what_can_be_played(found: _Following) -> Text:
    if not found.led:
        return say("Whoever leads may play any card.")
    suit = SUIT_NAMES[found.suit]
    if found.follows:
        return say("{suit:C} were led and you hold some: play one of them.", suit=suit)
    if found.trump and found.trump != found.suit:
        return say(
            "{suit:C} were led and you hold none: play anything. You may trump, but don’t have to.",
            suit=suit,
        )
    return say("{suit:C} were led and you hold none: play anything.", suit=suit)


def spread_following(asked: FollowQuestion) -> tuple[Spread, ...]:
    """The card led, the one played, and those of the hand that may be played."""
    found = _following(asked)
    played = Spread(
        tuple(map(str, found.played)),
        say("played"),
        wrong=tuple(range(len(found.misfits))),
        of=("played", "hand"),
    )
    may = say("you may play") if found.misfits or not found.played else say("you could play")
    others = [card for card in found.playable if card not in found.played]
    return with_cards(
        spread(found.led, say("led"), ("led",)), played, spread(others, may, ("hand",))
    )


# --- the dealer's discards


class DiscardQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Which sixteen cards stay with the dealer who lays four `away`?"""

    hand: Annotated[SuitedText, asked(say("Dealer’s hand"))] = ""
    kitty: Annotated[SuitedText, asked(say("The kitty"))] = ""
    away: Annotated[SuitedText, asked(say("Discards"))] = ""


class _Discarding(Struct, frozen=True):
    """What is asked about, read; no card is in `held` twice."""

    hand: tuple[Card, ...]
    kitty: tuple[Card, ...]
    away: tuple[Card, ...]

    @property
    def held(self) -> Collection[Card]:
        """The hand with the kitty."""
        return dict.fromkeys((*self.hand, *self.kitty))

    @property
    def stay(self) -> tuple[Card, ...]:
        """What is left after the discards, highest first within the suits."""
        return highest_first(card for card in self.held if card not in self.away)

    @property
    def within(self) -> bool:
        """Whether there are nowhere more cards than there should be."""
        return len(self.hand) <= CARDS_EACH and max(len(self.kitty), len(self.away)) <= KITTY

    @property
    def strangers(self) -> tuple[Card, ...]:
        """Discards that were in neither hand nor kitty, once both are there."""
        if len(self.held) < CARDS_EACH + KITTY:
            return ()
        return tuple(card for card in dict.fromkeys(self.away) if card not in self.held)


def _discarding(asked: DiscardQuestion) -> _Discarding:
    with reading_cards() as reader:
        return _Discarding(
            reader.cards(asked.hand, SUITED, say("the hand")),
            reader.cards(asked.kitty, SUITED, say("the kitty")),
            reader.cards(asked.away, SUITED, say("the discards")),
        )


def rule_on_discard(asked: DiscardQuestion) -> Ruling:
    """Whether four of the dealer's twenty cards go away, any four; the detail is what may `stay`.

    It is unfinished while only cards are missing.
    """
    found = _discarding(asked)
    faults = [
        *_count_faults(found),
        *twice_faults((*found.hand, *found.kitty)),
        *twice_faults(found.away),
    ]
    for card in found.strangers:
        says = say("{card:C} is neither in the hand nor in the kitty.", card=card_name(card))
        faults.append(fault("not-in-hand", says, "kitty"))
    detail = {"stay": write_cards(found.stay)}
    if not faults:
        says = say("Any four cards may go, even trumps. They go face down; nobody else sees them.")
        return Ruling((), detail, (says,), say("Yes: these sixteen stay"))
    unfinished = found.within and {one.code for one in faults} <= _MISSING
    verdict = say("Not yet") if unfinished else NOTHING
    if unfinished and len(found.away) < KITTY:
        verdict = say("Not yet: {n} of {most} discarded", n=len(found.away), most=KITTY)
    return Ruling(tuple(faults), detail, (), verdict, unfinished)


#: What more cards can mend.
_MISSING = {"hand-size", "kitty-size", "discard-size"}


def _count_faults(found: _Discarding) -> Iterator[Fault]:
    if len(found.hand) != CARDS_EACH:
        says = say(
            "The dealer has {most} cards before taking the kitty; you entered {n}.",
            most=CARDS_EACH,
            n=len(found.hand),
        )
        yield fault("hand-size", says, "kitty")
    if len(found.kitty) != KITTY:
        says = say("The kitty has {most} cards, not {n}.", most=KITTY, n=len(found.kitty))
        yield fault("kitty-size", says, "kitty")
    if len(found.away) != KITTY:
        says = say("The dealer discards {most} cards, not {n}.", most=KITTY, n=len(found.away))
        yield fault("discard-size", says, "kitty")


def spread_discard(asked: DiscardQuestion) -> tuple[Spread, ...]:
    """What goes and what stays."""
    found = _discarding(asked)
    away = Spread(
        tuple(map(str, found.away)),
        say("discarded"),
        wrong=tuple(place for place, card in enumerate(found.away) if card in found.strangers),
        of=("away", "hand", "kitty"),
    )
    return with_cards(away, spread(found.stay, say("stay"), ("hand", "kitty")))


HAND_JUDGES = (
    Judge(
        "follow",
        say("May I play this card?"),
        FollowQuestion,
        rule_on_following,
        cards=spread_following,
        section="tricks",
    ),
    Judge(
        "discard",
        say("May the dealer discard these?"),
        DiscardQuestion,
        rule_on_discard,
        cards=spread_discard,
        section="kitty",
    ),
)
