"""Faults in the end of a round: the call, the hands, the deck (`docs/rules.md` §3)."""

from collections.abc import Iterable, Mapping, Sequence

from referee.rules.cards.cards import NINE_SUITS, Card, card_name, repeated
from referee.rules.cards.hands import typed_hands
from referee.rules.core.entries import Rule, all_read, if_read
from referee.rules.core.ruling import Fault
from referee.rules.games.nine_of_a_kind.entries import End, NineOfAKindState
from referee.rules.games.nine_of_a_kind.hands import (
    BLOCKER_PIPS,
    DECK,
    DECK_PIPS,
    HAND,
    MOST_PIPS,
    RANKS,
    SUITS,
    blockers_in,
    claim_name,
    claim_of,
    collection_named,
    complete,
    fault,
    hand_faults,
    least_pips,
    pips,
    whole_in,
    why_no_claim,
)
from referee.rules.text import listed, say, say_many

#: The hands entered as cards, by player.
Shown = Mapping[str, tuple[Card, ...]]


def cards_shown(entry: End) -> dict[str, tuple[Card, ...]]:
    """The hands entered as cards, by player; raises `NotationError` with every bad card."""
    hands = {player: hand.cards for player, hand in entry.hands.items()}
    return typed_hands(hands, NINE_SUITS)


def _hand_and_deck_faults(state: NineOfAKindState, entry: End) -> Iterable[Fault]:
    shown = cards_shown(entry)
    hands = [*_hands_faults(state, entry, shown), *_held_twice_faults(shown)]
    yield from hands
    if not hands and all_read(entry.hands) and all_read(entry.callers):
        yield from _pip_faults(state, entry, shown)
        yield from _impossible_call_faults(entry, shown)


def _chicken_faults(state: NineOfAKindState, entry: End) -> Iterable[Fault]:
    if entry.by == "chicken" and not state.table.options.chicken:
        says = say("Chicken is a house rule, and you haven’t agreed on it.")
        yield fault("chicken-off", says, "chicken")


def _caller_faults(state: NineOfAKindState, entry: End) -> Iterable[Fault]:
    callers = dict.fromkeys(entry.callers)
    if not entry.callers:
        yield fault("caller-missing", say("Say who called."), "claims").lacking("more")
    for player in callers:
        if entry.callers.count(player) > 1:
            says = say("{player} is named as a caller more than once.", player=player)
            yield fault("caller-twice", says, "claims")
        if state.seat(player) in state.forfeited:
            says = say("{player} is out of this round and can’t call.", player=player)
            yield fault("caller-forfeited", says, "forfeit")
    if len(callers) > 1 and entry.by == "chicken":
        says = say("Only one player can call Chicken: name whoever was first.")
        yield fault("one-caller", says, "chicken")


def _hands_faults(state: NineOfAKindState, entry: End, shown: Shown) -> Iterable[Fault]:
    """Faults in single hands; a missing one is a fault if the call is known to need it."""
    callers = if_read(lambda: entry.callers) or []
    by = if_read(lambda: entry.by)
    who_called = by is not None and bool(callers) and all_read(callers)
    for seat, player in enumerate(state.table.players):
        called = player in callers
        hand = entry.hands.get(player)
        if seat in state.forfeited:
            if hand is not None:
                says = say("{player} is out of this round and has no hand.", player=player)
                yield fault("hand-forfeited", says, "forfeit")
            continue
        if hand is None:
            needed = by == "chicken" or (who_called and not called)
            if needed and player not in entry.hands:
                says = say("{player}’s hand is missing.", player=player)
                missing = fault("hand-missing", says, "score")
                # A Chicken’s score takes all hands; other calls score hand by hand.
                yield missing.lacking("more" if by == "chicken" else "hand")
            continue
        if hand.cards is None and hand.deadwood is None:
            says = say("{player}’s points left are missing.", player=player)
            yield fault("points-missing", says, "score").lacking("more")
            continue
        if hand.deadwood is not None:
            yield from _counted_faults(player, hand.deadwood, hand.kept)
            if called and by == "chicken" and hand.kept is None:
                says = say("{player}’s matching cards are missing: Chicken needs 7.", player=player)
                yield fault("kept-missing", says, "chicken").lacking("more")
        else:
            yield from hand_faults(shown[player], player)
        if called and by not in (None, "chicken"):  # a Chicken is judged by the score
            yield from _called_faults(entry, player, shown)


def _counted_faults(player: str, deadwood: int, kept: int | None) -> Iterable[Fault]:
    """A fault if no cards can make the points counted; a card is worth 1 to 9."""
    if kept is None:
        if deadwood > MOST_PIPS * HAND:
            says = say(
                "Nine cards count at most {most} points, so {player} can’t have {points} left.",
                most=MOST_PIPS * HAND,
                player=player,
                points=deadwood,
            )
            yield fault("deadwood-range", says, "score")
        return
    others = HAND - kept
    if others < 0:
        says = say_many(
            "{player} has {n} matching card; a hand has {hand}.",
            "{player} has {n} matching cards; a hand has {hand}.",
            n=kept,
            player=player,
            hand=HAND,
        )
        yield fault("kept-range", says, "score")
    elif others == 0 and deadwood:
        says = say(
            "With all nine cards matching {player} has 0 points left, not {points}.",
            player=player,
            points=deadwood,
        )
        yield fault("deadwood-range", says, "score")
    elif not others <= deadwood <= MOST_PIPS * others:
        says = say_many(
            "With {n} matching card {player} has {least} to {most} points left, not {points}.",
            "With {n} matching cards {player} has {least} to {most} points left, not {points}.",
            n=kept,
            player=player,
            least=others,
            most=MOST_PIPS * others,
            points=deadwood,
        )
        yield fault("deadwood-range", says, "score")


def _called_faults(entry: End, player: str, shown: Shown) -> Iterable[Fault]:
    """A fault if the hand of a player who called nine or Blocker is not what they called."""
    hand, blocker = entry.hands[player], entry.by == "blocker"
    named = None if blocker else collection_named(hand.collecting)
    if hand.deadwood is not None:
        if blocker:
            says = say(
                "A count doesn’t prove {player}’s Blocker: enter its cards, or leave the hand out.",
                player=player,
            )
            yield fault("blocker-counted", says, "claims")
        elif hand.deadwood or hand.kept not in (None, HAND):
            says = say(
                "{player} called 9 of a kind, so all nine cards match and 0 points are left.",
                player=player,
            )
            yield fault("not-nine", says, "claims")
        return
    cards = shown[player]
    if len(set(cards)) != HAND or len(cards) != HAND:
        return  # `hand_faults` reports this
    claim, called = claim_of(cards), say("a Blocker")
    if not blocker:
        called = say("nine of a kind") if named is None else complete(named)
    if claim is None:
        why = why_no_claim(cards)
        says = say("{player} doesn’t hold {called}. {why}", player=player, called=called, why=why)
    elif blocker != (claim.of is None) or named not in (None, claim.of):
        held = claim_name(claim)
        says = say(
            "{player} holds {claim}, not {called}.", player=player, claim=held, called=called
        )
    else:
        return
    yield fault("not-blocker" if blocker else "not-nine", says, "claims")


def _held_twice_faults(shown: Shown) -> Iterable[Fault]:
    in_hands = (card for cards in shown.values() for card in set(cards))
    for card in repeated(in_hands):
        holders = [player for player in shown if card in shown[player]]
        says = say(
            "{players} can’t each hold {card}: there’s only one.",
            players=listed(holders),
            card=card_name(card),
        )
        yield fault("card-twice", says, "deck")


def _pip_faults(state: NineOfAKindState, entry: End, shown: Shown) -> Iterable[Fault]:
    """A fault if these hands, each possible alone, together have too many pips for the deck.

    With an empty center they are the whole deck, so that they can have too few as well.
    """
    ranges = [_pip_range(entry, player, shown) for player in state.holding]
    known = {card for cards in shown.values() for card in cards}
    least = sum(fewest for fewest, _ in ranges) + least_pips(state.center, known)
    most = sum(highest for _, highest in ranges)
    if least > DECK_PIPS:
        says = say_many(
            "These hands and the {n} card in the center come to at least {least}; the whole "
            "deck comes to only {deck}. Count again.",
            "These hands and the {n} cards in the center come to at least {least}; the whole "
            "deck comes to only {deck}. Count again.",
            n=state.center,
            least=least,
            deck=DECK_PIPS,
        )
        if not state.center:
            says = say(
                "These hands come to at least {least}; the whole deck comes to only {deck}. "
                "Count again.",
                least=least,
                deck=DECK_PIPS,
            )
        yield fault("pips", says, "deck")
    if state.center == 0 and most < DECK_PIPS:
        says = say(
            "These hands come to at most {most}, but they’re the whole deck, which comes to "
            "{deck}. Count again.",
            most=most,
            deck=DECK_PIPS,
        )
        yield fault("pips", says, "deck")


def _pip_range(entry: End, player: str, shown: Shown) -> tuple[int, int]:
    """The fewest and the most pips a player's hand can have; a kept card has 1 to 9."""
    if player in shown:
        return pips(shown[player]), pips(shown[player])
    hand = entry.hands.get(player)
    if hand is None or hand.deadwood is None:
        return (BLOCKER_PIPS, BLOCKER_PIPS) if entry.by == "blocker" else (HAND, MOST_PIPS * HAND)
    deadwood, kept = hand.deadwood, hand.kept
    if kept is not None:
        return deadwood + kept, deadwood + MOST_PIPS * kept
    fewest_others, most_others = -(-deadwood // MOST_PIPS), min(HAND, deadwood)
    return deadwood + HAND - most_others, deadwood + MOST_PIPS * (HAND - fewest_others)


# --- whether callers can hold what they called, given everybody else's cards


def _impossible_call_faults(entry: End, shown: Shown) -> Iterable[Fault]:
    """A fault if the cards `shown` by others make a call of nine or Blocker impossible.

    There is one of each card: nobody can complete a suit or rank of which somebody else holds a
    card, and a Blocker needs a card of every rank and suit that nobody else holds. So a Blocker
    rules out a complete suit or rank in another hand.
    """
    for player, hand in entry.hands.items() if entry.by == "blocker" else ():
        if hand.deadwood == 0 and player not in entry.callers:
            says = say(
                "{player} can’t have 0 points left beside a Blocker, which takes a card from every "
                "suit and every rank.",
                player=player,
            )
            yield fault("impossible-call", says, "claims")
    callers = [player for player in dict.fromkeys(entry.callers) if player not in shown]
    taken = {card for cards in shown.values() for card in cards}
    if not callers or not taken or entry.by == "chicken":
        return
    free = [card for card in DECK if card not in taken]
    if entry.by == "blocker":
        if blockers_in(free) < len(callers):
            says = say_many(
                "{players} can’t have a Blocker: the other hands hold cards that it needs.",
                "{players} can’t each have a Blocker: the other hands hold cards that they need.",
                n=len(callers),
                players=listed(callers),
            )
            yield fault("impossible-call", says, "claims")
    elif max(whole_in(free, SUITS), whole_in(free, RANKS)) < len(callers):
        says = say_many(
            "{players} can’t have nine of a kind: the other hands hold a card of every suit and "
            "every rank.",
            "{players} can’t each have nine of a kind: the other hands don’t leave enough whole "
            "suits or whole ranks.",
            n=len(callers),
            players=listed(callers),
        )
        yield fault("impossible-call", says, "claims")


END_RULES: Sequence[Rule[NineOfAKindState, End]] = (
    _chicken_faults,
    _caller_faults,
    _hand_and_deck_faults,
)
