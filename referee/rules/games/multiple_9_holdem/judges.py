"""The questions that are answered without a sheet: hands, showdowns, odds and pots."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from referee.rules.cards.cards import RANKS_ONLY, Card, RankText, reading_cards
from referee.rules.core.judge import Judge, NamedHands, NamedNumbers, Names
from referee.rules.core.ruling import Fault, Ruling
from referee.rules.games.multiple_9_holdem.arrangement import arrange
from referee.rules.games.multiple_9_holdem.betting import BOARD_SIZES
from referee.rules.games.multiple_9_holdem.named import by_player, chips_by_player, joined, names
from referee.rules.games.multiple_9_holdem.odds import Chances, chances
from referee.rules.games.multiple_9_holdem.pots import layers, pot_names, uncalled
from referee.rules.games.multiple_9_holdem.sections import (
    BOARD_CARDS,
    HOLE_CARDS,
    fault,
    hole_fault,
    rank_faults,
)
from referee.rules.games.multiple_9_holdem.showdown import ranking

Q = TypeVar("Q", bound=Struct)

MOST_HANDS = 22  # and a board from one pack, three cards burned
_HANDS_EXAMPLE = "Ann:Q 5;Ben:K A"
_PAID_EXAMPLE = "Ann:100;Ben:200"

HandsText = Annotated[
    NamedHands,
    Meta(title="Hands", description=f"Name, colon, two cards: {_HANDS_EXAMPLE}"),
]
Board = Annotated[RankText, Meta(title="The board")]


class HandQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What is this hand worth?"""

    hole: Annotated[RankText, Meta(title="Your two cards")] = ""
    board: Board = ""


class ShowdownQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Who wins?"""

    hands: HandsText = ""
    board: Board = ""
    royal: Annotated[bool, Meta(title="Q Q Q Q J J J beats other hands of nine nines")] = False


class OddsQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What are the chances?"""

    hands: HandsText = ""
    board: Annotated[RankText, Meta(title="The board: none, 3, 4 or 5 cards")] = ""


class PotsQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What lies in which pot?"""

    paid: Annotated[
        NamedNumbers,
        Meta(title="Paid in this hand", description=f"Name, colon, chips: {_PAID_EXAMPLE}"),
    ] = ""
    folded: Annotated[Names, Meta(title="Folded", description="Names, with commas between")] = ""


def judges() -> tuple[Judge[Any], ...]:
    """All of them."""
    return (
        _judge("hand", "What is my hand worth?", HandQuestion, judge_hand, "hands"),
        _judge("showdown", "Who wins the showdown?", ShowdownQuestion, judge_showdown, "showdown"),
        _judge("odds", "What are the chances?", OddsQuestion, judge_odds, "hands"),
        _judge("pots", "What lies in which pot?", PotsQuestion, judge_pots, "pots"),
    )


def _judge(
    name: str, title: str, question: type[Q], rule: Callable[[Q], Ruling], section: str
) -> Judge[Q]:
    """A question that is answered by a finding, which the page draws from its detail."""
    return Judge(name, title, question, rule, yes_or_no=False, drawn=True, section=section)


def judge_hand(asked: HandQuestion) -> Ruling:
    """The best arrangement of a hand, of an unfinished one too."""
    with reading_cards() as reader:
        hole = reader.cards(asked.hole, RANKS_ONLY, "the hand")
        board = reader.cards(asked.board, RANKS_ONLY, "the board")
    faults = [*hole_fault(len(hole), "A hand"), *_board_faults(board, (BOARD_CARDS,))]
    too_many = rank_faults((*hole, *board))
    if too_many or len(hole) > HOLE_CARDS or len(board) > BOARD_CARDS:
        return Ruling((*faults, *too_many))
    arrangement = arrange(card.rank for card in (*hole, *board))
    ranks = len(arrangement.unused)
    worth = f"{arrangement.nines or 'No'} nine{'s' * (arrangement.nines > 1)}"
    over = f"{ranks or 'no'} rank{'s' * (ranks > 1)} left over"
    words = str(arrangement)
    says = (
        f"{worth}, {over}{' so far' if faults else ''}.",
        f"{words[0].upper()}{words[1:]}.",
    )
    return Ruling(tuple(faults), arrangement.detail(), says if hole or board else ())


def judge_showdown(asked: ShowdownQuestion) -> Ruling:
    """Hands in order, the best first, with the arrangement of each."""
    hands, board, faults = _read_hands(asked.hands, asked.board, (BOARD_CARDS,), 1)
    if faults:
        return Ruling(tuple(faults))
    arranged = {
        player: arrange(card.rank for card in (*cards, *board)) for player, cards in hands.items()
    }
    order = ranking(arranged, asked.royal)
    detail = {
        "ranking": order,
        "hands": {player: hand.detail() for player, hand in arranged.items()},
    }
    says = [f"{joined(order[0])} {'wins' if len(order[0]) == 1 else 'share the pot'}."]
    says += [f"{joined(level)}: {arranged[level[0]]}." for level in order]
    return Ruling((), detail, tuple(says))


def judge_odds(asked: OddsQuestion) -> Ruling:
    """The exact chances of known hands; they do not depend on suits."""
    hands, board, faults = _read_hands(asked.hands, asked.board, BOARD_SIZES, 2)
    if faults:
        return Ruling(tuple(faults))
    ranks = {player: [card.rank for card in cards] for player, cards in hands.items()}
    found = chances(ranks, [card.rank for card in board])
    detail = {
        "win": {player: _fraction(chance.win) for player, chance in found.items()},
        "tie": {player: _fraction(chance.tie) for player, chance in found.items()},
        "share": {player: _fraction(chance.share) for player, chance in found.items()},
    }
    says = [_ahead_in_words(found)]
    says += [_chances_in_words(player, chance) for player, chance in found.items()]
    return Ruling((), detail, tuple(says))


def judge_pots(asked: PotsQuestion) -> Ruling:
    """Main pot, side pots, and what goes back because nobody matched it."""
    paid, folded = chips_by_player(asked.paid, _PAID_EXAMPLE), names(asked.folded)
    refunds = uncalled(paid)
    called = {player: chips - refunds.get(player, 0) for player, chips in paid.items()}
    pots = layers(called, folded)
    faults = []
    if not any(paid.values()):
        faults.append(fault("nothing-paid", "Nobody has paid anything yet.", "pots"))
    elif all(player in folded for player in paid):
        message = "All who have paid have folded; the last one in cannot fold."
        faults.append(fault("nobody-in", message, "pots"))
    elif any(not pot.players for pot in pots):
        message = "Nobody who has paid into the pot is still in."
        faults.append(fault("nobody-in", message, "pots"))
    detail = {
        "refunds": refunds,
        "pots": [{"amount": pot.amount, "players": list(pot.players)} for pot in pots],
    }
    number = "one pot" if len(pots) == 1 else f"{len(pots)} pots"
    chips = sum(pot.amount for pot in pots)
    says = [f"{chips} chip{'s' * (chips != 1)} in {number}."] if pots else []
    says += [
        f"{name[0].upper()}{name[1:]} is {pot.amount}, for {joined(pot.players)}."
        for name, pot in zip(pot_names(len(pots)), pots, strict=True)
        if pot.players
    ]
    says += [f"{player} gets {back} back: nobody matched it." for player, back in refunds.items()]
    return Ruling(tuple(faults), detail, tuple(says))


def _read_hands(
    hands_text: str, board_text: str, sizes: tuple[int, ...], least: int
) -> tuple[dict[str, tuple[Card, ...]], tuple[Card, ...], list[Fault]]:
    """Hands by player and a board, of one of the `sizes`, with all that is wrong with them."""
    texts = by_player(hands_text, _HANDS_EXAMPLE)
    with reading_cards() as reader:
        hands = {
            player: reader.cards(text, RANKS_ONLY, f"{player}’s hand")
            for player, text in texts.items()
        }
        board = reader.cards(board_text, RANKS_ONLY, "the board")
    faults = []
    if len(hands) < least:
        needed = "one hand is" if least == 1 else f"{least} hands are"
        message = f"At least {needed} needed; {len(hands) or 'none'} entered."
        faults.append(fault("hands-missing", message, "showdown"))
    if len(hands) > MOST_HANDS:
        message = f"One pack is enough for {MOST_HANDS} hands; {len(hands)} are named."
        faults.append(fault("too-many-hands", message, "deal"))
    for player, cards in hands.items():
        faults.extend(hole_fault(len(cards), f"{player}’s hand"))
    faults.extend(_board_faults(board, sizes))
    faults.extend(rank_faults((*board, *(card for cards in hands.values() for card in cards))))
    return hands, board, faults


def _board_faults(board: tuple[Card, ...], sizes: tuple[int, ...]) -> list[Fault]:
    if len(board) in sizes:
        return []
    *others, last = sizes
    allowed = f"{', '.join(map(str, others))} or {last}" if others else f"{last}"
    message = f"The board is {allowed} cards here; {len(board) or 'none'} entered."
    return [fault("board-cards", message, "board")]


def _fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _ahead_in_words(found: Mapping[str, Chances]) -> str:
    most = max(chance.share for chance in found.values())
    ahead = [player for player, chance in found.items() if chance.share == most]
    if len(ahead) > 1:
        return f"{joined(ahead)} are level with {_percent(most)} of the pot each."
    return f"{ahead[0]} is ahead with {_percent(most)} of the pot."


def _chances_in_words(player: str, chance: Chances) -> str:
    words = f"{player} wins {_percent(chance.win)}"
    if chance.tie:
        words += f", shares {_percent(chance.tie)}: {_percent(chance.share)} of the pot"
    return f"{words}."


def _percent(value: Fraction) -> str:
    tenths = round(value * 1000)
    return f"{tenths // 10}.{tenths % 10} %"
