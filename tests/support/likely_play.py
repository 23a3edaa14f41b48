"""Likely legal entries for each game, so that random play gets far.

Entries made from types alone are seldom legal: they break the pack, the number of tricks or the
turn to bet. These keep to the rules, and have the fields that the house rules ask for.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.rules.cards.cards import RANKS
from referee.rules.core.table import State
from referee.rules.games.colorado_nines.game import ColoradoState
from referee.rules.games.multiple_9.deal import Multiple9State
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.rules.games.nine_five_two.deal import NineFiveTwoState
from referee.rules.games.nine_of_a_kind.entries import NineOfAKindState
from referee.rules.games.nine_of_a_kind.hands import DECK
from referee.rules.games.red_nines_1881.pools import Red1881State
from tests.support.some_deals import some_deal

Written = dict[str, Any]

#: The 44 cards of 1881, with the red aces, and a pack without suits in which two nines are red.
SUITED = [rank + suit for rank in (RANKS[0], *RANKS[3:]) for suit in "SHDC"]
PACK = [*(rank for rank in RANKS for _ in range(4) if rank != "9"), "9", "9", "9R", "9R"]


def likely(chance: random.Random, slug: str, state: State[Any]) -> Written:
    """An entry that is likely legal in this state, unless the game has ended."""
    if slug in LIKELY:
        return LIKELY[slug](chance, state)
    return some_deal(slug, *_one_and_others(chance, state))


def _one_and_others(chance: random.Random, state: State[Any]) -> tuple[str, list[str]]:
    """A random winner, and all other players."""
    winner = chance.choice(state.table.players)
    return winner, [name for name in state.table.players if name != winner]


def _dealt(chance: random.Random, pack: Sequence[str], players: Sequence[str]) -> dict[str, str]:
    """One to four cards for each player, dealt from this pack."""
    shuffled = chance.sample(list(pack), len(pack))
    return {name: " ".join(shuffled.pop() for _ in range(chance.randint(1, 4))) for name in players}


def _multiple_9(chance: random.Random, state: Multiple9State) -> Written:
    if state.won is not None:
        return {"action": "left", "left": _left_to_count(chance, state)}
    if chance.random() < 0.6:
        player = state.table.players[state.turn]
        if chance.random() < 0.15:
            return {"action": "turn", "player": player, "cards": "A A A A 5", "drew": False}
        cards = chance.choice(["", "", "9 9", "8 A 9"])
        return {"action": "turn", "player": player, "cards": cards}
    winner, others = _one_and_others(chance, state)
    return {"action": "out", "player": winner, "left": _dealt(chance, PACK, others)}


def _left_to_count(chance: random.Random, state: Multiple9State) -> dict[str, str]:
    """A hand for each loser, of the size they must hold and of cards not laid down yet."""
    gone = state.out_of_reach
    copies = 4 * state.table.options.packs
    pack = [rank for rank, lying in zip(RANKS, gone, strict=True) for _ in range(copies - lying)]
    chance.shuffle(pack)
    return {
        name: " ".join(pack.pop() for _ in range(state.held[seat]))
        for seat, name in enumerate(state.table.players)
        if seat != state.won
    }


def _holdem(chance: random.Random, state: HoldemState) -> Written:
    turn = state.betting.turn
    if not state.begun and chance.random() < 0.2:
        return _hand_not_followed(chance, state)
    if turn is not None:
        moves = ["call" if turn.call else "check"] * 3
        moves += ["fold"] if turn.call else []
        moves += [] if turn.least is None else ["raise"]
        move = chance.choice(moves)
        bet: Written = {"action": "bet", "player": state.name(turn.seat), "move": move}
        if move == "raise":
            bet["to"] = chance.choice([turn.least, turn.most])
        return bet
    pack = [rank for rank in RANKS for _ in range(4)]
    for rank in state.board:
        pack.remove(rank)
    chance.shuffle(pack)
    if state.due == "board":
        number = chance.choice(state.cards_due)
        return {"action": "board", "cards": " ".join(pack.pop() for _ in range(number))}
    live = [state.name(seat) for seat in state.betting.live]
    mucks = chance.choice(live) if len(live) > 2 and chance.random() < 0.3 else None
    hands = {name: "" if name == mucks else f"{pack.pop()} {pack.pop()}" for name in live}
    return {"action": "show", "hands": hands}


def _hand_not_followed(chance: random.Random, state: HoldemState) -> Written:
    """A hand that the small blind wins: the antes, and the big blind or more of that player."""
    small, big = state.stakes.blind_seats
    blinds, held = state.stakes.blinds, state.stakes.held
    lost = {
        seat: min(blinds.ante, held[seat], held[small])
        for seat in state.stakes.seats
        if blinds.ante
    }
    most = min(held[small], held[big])
    lost[big] = chance.choice([min(blinds.big + blinds.ante, most), most])
    lost.pop(small, None)
    return {
        "action": "hand",
        "won": {state.name(small): sum(lost.values())},
        "lost": {state.name(seat): chips for seat, chips in lost.items()},
    }


def _nine_of_a_kind(chance: random.Random, state: NineOfAKindState) -> Written:
    holding = state.holding
    rules = state.table.options
    if chance.random() < 0.2:
        counted = {"deadwood": chance.randint(9, 40)} if rules.forfeited_counts else {}
        return {"action": "forfeit", "player": chance.choice(holding), **counted}
    by = chance.choice(["nine", "blocker", "chicken"] if rules.chicken else ["nine", "blocker"])
    callers = chance.sample(holding, 1 if by == "chicken" or chance.random() < 0.7 else 2)
    hands: dict[str, Mapping[str, Any]] = {
        name: {"deadwood": (9 - kept) * chance.randint(4, 6), "kept": kept}
        for name in holding
        if by == "chicken" or name not in callers
        for kept in [chance.randint(3, 8)]
    }
    if by == "nine" and len(callers) == 1 and chance.random() < 0.4:
        rank = chance.choice("A23456789")
        rest = chance.sample([str(card) for card in DECK if card.rank != rank], 9)
        hands[next(iter(hands))] = {"cards": " ".join(rest)}
    return {"action": "end", "by": by, "callers": callers, "hands": hands}


def _with_counts(chance: random.Random, hands: dict[str, str]) -> dict[str, Any]:
    """Replace some hands by numbers of cards, without red nines."""
    return {
        name: {"plain": chance.randint(1, 4), "red_nines": 0} if chance.random() < 0.4 else cards
        for name, cards in hands.items()
    }


def _red_nines_1881(chance: random.Random, state: Red1881State) -> Written:
    swept = state.swept is not None
    winner, others = _one_and_others(chance, state)
    if not swept and chance.random() < 0.2:
        return {"action": "aces", "player": winner}
    late = not swept and chance.random() < 0.3
    gone = {"9H", "9D"} if (on_nine := chance.random() < 0.3) else set()
    gone |= {"AH", "AD"} if swept or late else set()
    hands = _dealt(chance, [card for card in SUITED if card not in gone], others)
    out: Written = {"action": "out", "player": winner, "red_nine": on_nine}
    if late:
        out["aces"] = chance.choice(state.table.players)
    return {**out, "hands": _with_counts(chance, hands)}


def _red_nines(chance: random.Random, state: State[Any]) -> Written:
    winner, others = _one_and_others(chance, state)
    on_nine = chance.random() < 0.3
    pack = [card for card in PACK if not (on_nine and card == "9R")]
    out: Written = {"action": "out", "player": winner, "red_nine": on_nine}
    if state.table.options.must_announce:
        out["announced"] = chance.random() < 0.5
    hands: dict[str, Any] = dict(_dealt(chance, pack, others))
    if chance.random() < 0.5:
        hands[others[0]] = {"points": chance.randint(2, 90), "red_nines": 0}
    return {**out, "hands": hands}


def _pink_nines(chance: random.Random, state: State[Any]) -> Written:
    winner, others = _one_and_others(chance, state)
    if not state.table.options.card_payments:
        return {"action": "out", "player": winner}
    on_nine = chance.random() < 0.3
    pack = [card for card in PACK if not (on_nine and card == "9R")]
    hands = _with_counts(chance, _dealt(chance, pack, others))
    return {"action": "out", "player": winner, "red_nine": on_nine, "hands": hands}


def _nine_five_two(chance: random.Random, state: NineFiveTwoState) -> Written:
    if state.won or chance.random() < 0.1:
        return {"action": "trick", "winner": chance.choice(state.table.players)}
    most = chance.choice([9, 10, 11, 12, 14])
    first, second, third = chance.sample(state.table.players, 3)
    more = chance.randint(0, 16 - most)
    trumps = [*"SHDC", *(["N"] if state.table.options.no_trumps else [])]
    tricks = {first: most, second: more, third: 16 - most - more}
    return {"action": "tricks", "tricks": tricks, "trump": chance.choice(["", *trumps])}


def _colorado_nines(chance: random.Random, state: ColoradoState) -> Written:
    out = state.out
    if out is None and chance.random() < 0.2:
        return {"action": "last", "player": chance.choice(state.table.players)}
    pack = [rank for rank in RANKS for _ in range(4)]
    chance.shuffle(pack)
    typed = chance.sample(state.table.players, min(2, len(state.table.players)))
    grids: dict[str, Any] = dict.fromkeys(state.table.players, 9)
    for name in typed:
        cards = [pack.pop() for _ in range(9)]
        grids[name] = " | ".join(" ".join(cards[at : at + 3]) for at in (0, 3, 6))
    first = state.name(out) if out is not None else chance.choice(state.table.players)
    told = {"out": first} if state.table.options.going_out else {}
    return {"action": "grids", "grids": grids, **told}


def _plain_score(chance: random.Random, state: State[Any]) -> Written:
    points = {name: chance.randint(-9, 30) for name in state.table.players}
    return {"action": "deal", "points": points}


#: Games that are missing here take their deals from `some_deals`.
LIKELY: Mapping[str, Callable[[random.Random, Any], Written]] = {
    "multiple-9": _multiple_9,
    "multiple-9-holdem": _holdem,
    "9-of-a-kind": _nine_of_a_kind,
    "red-nines-1881": _red_nines_1881,
    "red-nines": _red_nines,
    "pink-nines": _pink_nines,
    "nine-five-two": _nine_five_two,
    "colorado-nines": _colorado_nines,
    "plain-score": _plain_score,
}
