"""What can be wrong with the end of a round: the call, the hands, the deck (`docs/rules.md` §3)."""

from collections.abc import Iterable, Mapping
from functools import partial

from referee.rules.cards.cards import NINE_SUITS, Card, card_name, repeated
from referee.rules.cards.hands import typed_hands
from referee.rules.core.entries import Rule, all_read, if_read
from referee.rules.core.ruling import Fault, MakeFault
from referee.rules.games.nine_of_a_kind.entries import End
from referee.rules.games.nine_of_a_kind.hand_faults import hand_faults
from referee.rules.games.nine_of_a_kind.hands import (
    BLOCKER_PIPS,
    DECK_PIPS,
    HAND,
    Claim,
    Counted,
    claim_name,
    claim_of,
    collection_named,
    complete,
    least_pips,
    pips,
    why_no_claim,
)
from referee.rules.games.nine_of_a_kind.possible import impossible_call_faults
from referee.rules.games.nine_of_a_kind.state import NineOfAKindState
from referee.rules.text import Text, listed, say, say_many

#: The hands that are given as cards, by player.
Shown = Mapping[str, tuple[Card, ...]]


def cards_shown(entry: End) -> dict[str, tuple[Card, ...]]:
    """The hands that are given as cards; raises `NotationError` naming all that are none."""
    hands = {player: hand.cards for player, hand in entry.hands.items()}
    return typed_hands(hands, NINE_SUITS)


def end_rules(fault: MakeFault) -> list[Rule[NineOfAKindState, End]]:
    """What can be wrong with the end of a round."""
    return [partial(rule, fault) for rule in _RULES]


def _hand_and_deck_faults(fault: MakeFault, state: NineOfAKindState, entry: End) -> Iterable[Fault]:
    shown = cards_shown(entry)
    hands = [*_hands_faults(fault, state, entry, shown), *_held_twice_faults(fault, shown)]
    yield from hands
    if not hands and all_read(entry.hands) and all_read(entry.callers):
        yield from _pip_faults(fault, state, entry, shown)
        yield from impossible_call_faults(fault, entry, shown)


def _chicken_faults(fault: MakeFault, state: NineOfAKindState, entry: End) -> Iterable[Fault]:
    if entry.by == "chicken" and not state.table.options.chicken:
        says = say("Chicken is a house rule, and you haven’t agreed on it.")
        yield fault("chicken-off", says, "chicken")


def _one_caller_faults(fault: MakeFault, state: NineOfAKindState, entry: End) -> Iterable[Fault]:
    if entry.by == "chicken" and len(set(entry.callers)) > 1:
        says = say("Only one player can call Chicken: name whoever was first.")
        yield fault("one-caller", says, "chicken")


def _caller_faults(fault: MakeFault, state: NineOfAKindState, entry: End) -> Iterable[Fault]:
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


def _hands_faults(
    fault: MakeFault, state: NineOfAKindState, entry: End, shown: Shown
) -> Iterable[Fault]:
    """What is wrong with each hand by itself.

    Where it was not read who called or what, nobody's hand need be missing.
    """
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
                yield fault("hand-missing", says, "score").lacking("hand")
            continue
        if hand.cards is None and hand.counted is None:
            says = say("{player}’s points left are missing.", player=player)
            yield fault("points-missing", says, "score").lacking("more")
            continue
        if hand.counted is not None:
            yield from _counted_faults(fault, player, hand.counted)
            if called and by == "chicken" and hand.counted.kept is None:
                says = say("{player}’s matching cards are missing: Chicken needs 7.", player=player)
                yield fault("kept-missing", says, "chicken").lacking("more")
        else:
            yield from hand_faults(fault, shown[player], player)
        if called and by not in (None, "chicken"):  # which is judged by the score
            yield from _called_faults(fault, entry, player, shown)


_RULES = (_chicken_faults, _caller_faults, _one_caller_faults, _hand_and_deck_faults)


def _counted_faults(fault: MakeFault, player: str, counted: Counted) -> Iterable[Fault]:
    """Whether cards can count what `player` says: an ace is 1, a nine 9."""
    if counted.kept is None:
        if counted.deadwood > 9 * HAND:
            says = say(
                "Nine cards count at most {most} points, so {player} can’t have {points} left.",
                most=9 * HAND,
                player=player,
                points=counted.deadwood,
            )
            yield fault("deadwood-range", says, "score")
        return
    others = HAND - counted.kept
    if others < 0:
        says = say_many(
            "{player} has {n} matching card; a hand has {hand}.",
            "{player} has {n} matching cards; a hand has {hand}.",
            n=counted.kept,
            player=player,
            hand=HAND,
        )
        yield fault("kept-range", says, "score")
    elif others == 0 and counted.deadwood:
        says = say(
            "With all nine cards matching {player} has 0 points left, not {points}.",
            player=player,
            points=counted.deadwood,
        )
        yield fault("deadwood-range", says, "score")
    elif not others <= counted.deadwood <= 9 * others:
        says = say_many(
            "With {n} matching card {player} has {least} to {most} points left, not {points}.",
            "With {n} matching cards {player} has {least} to {most} points left, not {points}.",
            n=counted.kept,
            player=player,
            least=others,
            most=9 * others,
            points=counted.deadwood,
        )
        yield fault("deadwood-range", says, "score")


def _called_faults(fault: MakeFault, entry: End, player: str, shown: Shown) -> Iterable[Fault]:
    """Whether the hand of somebody who called nine or Blocker is what was called."""
    hand = entry.hands[player]
    if hand.counted is not None:
        yield from _called_by_count_faults(fault, entry, player, hand.counted)
        return
    cards = shown[player]
    if len(set(cards)) != HAND or len(cards) != HAND:
        return  # a fault of its own
    claim = claim_of(cards)
    named = collection_named(hand.collecting)
    if entry.by == "blocker":
        if claim is None or claim.kind != "blocker":
            says = _not_held(player, say("a Blocker"), claim, cards)
            yield fault("not-blocker", says, "claims")
    elif claim is None or claim.of is None or named not in (None, claim.of):
        called = say("nine of a kind") if named is None else complete(named)
        yield fault("not-nine", _not_held(player, called, claim, cards), "claims")


def _called_by_count_faults(
    fault: MakeFault, entry: End, player: str, counted: Counted
) -> Iterable[Fault]:
    if entry.by == "blocker":
        says = say(
            "A count doesn’t prove {player}’s Blocker: enter its cards, or leave the hand out.",
            player=player,
        )
        yield fault("blocker-counted", says, "claims")
    elif counted.deadwood or counted.kept not in (None, HAND):
        says = say(
            "{player} called 9 of a kind, so all nine cards match and 0 points are left.",
            player=player,
        )
        yield fault("not-nine", says, "claims")


def _not_held(player: str, called: Text, claim: Claim | None, cards: tuple[Card, ...]) -> Text:
    if claim is not None:
        return say(
            "{player} holds {claim}, not {called}.",
            player=player,
            claim=claim_name(claim),
            called=called,
        )
    return say(
        "{player} doesn’t hold {called}. {why}",
        player=player,
        called=called,
        why=why_no_claim(cards),
    )


def _held_twice_faults(fault: MakeFault, shown: Shown) -> Iterable[Fault]:
    """Cards that several players are said to hold."""
    in_hands = (card for cards in shown.values() for card in set(cards))
    for card in repeated(in_hands):
        holders = [player for player in shown if card in shown[player]]
        says = say(
            "{players} can’t each hold {card}: there’s only one.",
            players=listed(holders),
            card=card_name(card),
        )
        yield fault("card-twice", says, "deck")


def _pip_faults(
    fault: MakeFault, state: NineOfAKindState, entry: End, shown: Shown
) -> Iterable[Fault]:
    """Whether the deck has the pips for these hands, each of them possible by itself."""
    ranges = [_pip_range(entry, player, shown) for player in state.holding]
    known = {card for cards in shown.values() for card in cards}
    least = sum(fewest for fewest, _ in ranges) + least_pips(state.center, known)
    most = sum(highest for _, highest in ranges)
    if least > DECK_PIPS:
        yield fault("pips", _too_many_pips(least, state.center), "deck")
    if state.center == 0 and most < DECK_PIPS:
        says = say(
            "These hands come to at most {most} points, but they’re the whole deck, which has "
            "{deck}. Count again.",
            most=most,
            deck=DECK_PIPS,
        )
        yield fault("pips", says, "deck")


def _too_many_pips(least: int, center: int) -> Text:
    if not center:
        return say(
            "These hands come to at least {least} points; the deck has only {deck}. Count again.",
            least=least,
            deck=DECK_PIPS,
        )
    return say_many(
        "These hands and the {n} card in the center come to at least {least} points; the deck has "
        "only {deck}. Count again.",
        "These hands and the {n} cards in the center come to at least {least} points; the deck "
        "has only {deck}. Count again.",
        n=center,
        least=least,
        deck=DECK_PIPS,
    )


def _pip_range(entry: End, player: str, shown: Shown) -> tuple[int, int]:
    """The fewest and the most pips that a player's hand can have; kept cards are 1 to 9 each."""
    if player in shown:
        return pips(shown[player]), pips(shown[player])
    counted = entry.hands[player].counted if player in entry.hands else None
    if counted is None:
        return (BLOCKER_PIPS, BLOCKER_PIPS) if entry.by == "blocker" else (HAND, 9 * HAND)
    if counted.kept is not None:
        return counted.deadwood + counted.kept, counted.deadwood + 9 * counted.kept
    fewest_others, most_others = -(-counted.deadwood // 9), min(HAND, counted.deadwood)
    return (
        counted.deadwood + HAND - most_others,
        counted.deadwood + 9 * (HAND - fewest_others),
    )
