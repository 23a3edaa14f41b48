"""The judges of Multiple 9 Hold'em: hands, showdowns, odds and pots (`docs/rules.md` §2)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Annotated

from msgspec import Meta

from referee.rules.cards.card_keys import NamedHands, NamedNumbers, Names, RankText
from referee.rules.cards.cards import RANKS, RANKS_ONLY, reading_cards
from referee.rules.core.asking import CARD_KEYS, CardKeys, asked
from referee.rules.core.judge import Known, judge
from referee.rules.core.named import by_player, names, numbers_by_player
from referee.rules.core.ruling import Fault, Ruling, spread
from referee.rules.games.multiple_9_holdem.betting import Pot, layers, pot_names, uncalled
from referee.rules.games.multiple_9_holdem.entries import (
    BOARD_CARDS,
    HOLE_CARDS,
    ROYAL_WINS,
    fault,
    hole_faults,
    rank_faults,
)
from referee.rules.games.multiple_9_holdem.hands import Chances, arrange, chances
from referee.rules.games.multiple_9_holdem.showdown import ranking, what_decided
from referee.rules.games.multiple_9_holdem.state import NEXT_STREET, HoldemState
from referee.rules.text import Percent, Text, listed, say, say_many

MAX_HANDS = 22  # one pack, with five cards on the board and three burned
_HANDS_EXAMPLE = "Ann:Q 5;Ben:K A"
_PAID_EXAMPLE = "Ann:100;Ben:200"

HoleText = Annotated[RankText, Meta(extra={CARD_KEYS: CardKeys(RANKS, places=HOLE_CARDS)})]
BoardText = Annotated[RankText, Meta(extra={CARD_KEYS: CardKeys(RANKS, places=BOARD_CARDS)})]
HandsText = Annotated[
    NamedHands,
    Meta(extra={CARD_KEYS: CardKeys(RANKS, places=HOLE_CARDS)}),
    asked(say("Hands"), say("Name, colon, two cards: {example}", example=_HANDS_EXAMPLE)),
]
Board = Annotated[BoardText, asked(say("The board"))]
Royal = Annotated[bool, asked(ROYAL_WINS, moot=True)]


# --- what the sheet already answers


def _board_known(state: HoldemState) -> Known:
    return {"board": " ".join(state.board)}


def _pots_known(state: HoldemState) -> Known:
    """Chips paid by player, and who has folded."""
    seats = state.stakes.seats
    return {
        "paid": {state.name(seat): str(state.betting.paid[seat]) for seat in seats},
        "folded": {state.name(seat): "on" for seat in seats if seat not in state.betting.live},
    }


_finding = partial(judge, known=_board_known, yes_or_no=False, drawn=True)


# --- hands


@_finding("hand", say("What is my hand worth?"), section="hands")
def hand_judge(
    hole: Annotated[HoleText, asked(say("Your two cards"))] = "", board: Board = ""
) -> Ruling:
    """The best arrangement of a hand, complete or not."""
    with reading_cards() as reader:
        held = reader.cards(hole, RANKS_ONLY, say("the hand"))
        shared = reader.cards(board, RANKS_ONLY, say("the board cards"))
    ranks = [card.rank for card in (*held, *shared)]
    faults = [*hole_faults(len(held)), *_board_faults(len(shared), (BOARD_CARDS,))]
    too_many = rank_faults(ranks)
    if too_many or len(held) > HOLE_CARDS or len(shared) > BOARD_CARDS:
        return Ruling((*faults, *too_many))
    best = arrange(ranks)
    over = say("nothing left over")
    if best.unused:
        over = say_many("{n} rank left over", "{n} ranks left over", n=len(best.unused))
    worth = say("{nines:C}, {over}.", nines=best.nines_in_words, over=over)
    if faults:
        worth = say("{nines:C} so far, {over}.", nines=best.nines_in_words, over=over)
    says = (worth, say("{hand:C}.", hand=best.in_words()))
    return Ruling(tuple(faults), best.detail(), says if ranks else ())


# --- showdowns


@_finding("showdown", say("Who wins the showdown?"), section="showdown")
def showdown_judge(hands: HandsText = "", board: Board = "", royal: Royal = False) -> Ruling:
    """Hands in order, the best first, with the arrangement of each."""
    shown, shared, faults = _read_hands(hands, board, (BOARD_CARDS,), 1)
    if faults:
        return Ruling(tuple(faults))
    arranged = {player: arrange((*ranks, *shared)) for player, ranks in shown.items()}
    order = ranking(arranged, royal)
    detail = {
        "ranking": order,
        "hands": {player: hand.detail() for player, hand in arranged.items()},
    }
    best = order[0]
    wins = say("{player} wins.", player=best[0])
    if len(best) > 1:
        wins = say("{players} share the pot.", players=listed(best))
    why = what_decided(arranged, order, royal)
    # Tied hands may be arranged differently, so each is described.
    hands_in_words = (
        say("{player}: {hand}.", player=player, hand=arranged[player].in_words())
        for level in order
        for player in level
    )
    spreads = tuple(
        spread(
            ranks, say("{player}: {nines}", player=player, nines=arranged[player].nines_in_words)
        )
        for player, ranks in shown.items()
    )
    return Ruling((), detail, (wins, *filter(None, [why]), *hands_in_words), spreads=spreads)


# --- odds


@_finding("odds", say("What are the odds?"), section="hands")
def odds_judge(
    hands: HandsText = "",
    board: Annotated[BoardText, asked(say("The board so far"))] = "",
    royal: Royal = False,
) -> Ruling:
    """The exact chances of known hands; they do not depend on suits.

    `royal` changes no odds: if one hand makes Q Q Q Q J J J with the board, no other can have nine
    nines (`docs/rules.md` §2, hands).
    """
    known, shared, faults = _read_hands(hands, board, (*NEXT_STREET, BOARD_CARDS), 2)
    if faults:
        return Ruling(tuple(faults))
    found = chances(known, shared)
    detail = {
        "win": {player: _fraction(chance.win) for player, chance in found.items()},
        "tie": {player: _fraction(chance.tie) for player, chance in found.items()},
        "share": {player: _fraction(chance.share) for player, chance in found.items()},
    }
    shares = [
        say("{player}: {share}", player=player, share=Percent(chance.share))
        for player, chance in found.items()
    ]
    together = shares[0]
    for one in shares[1:]:
        together = say("{some} · {another}", some=together, another=one)
    tied = any(chance.tie for chance in found.values())
    each = (_chances_in_words(player, chance) for player, chance in found.items() if tied)
    return Ruling((), detail, (together, *each))


def _fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _chances_in_words(player: str, chance: Chances) -> Text:
    if not chance.tie:
        return say("{player} wins {win}.", player=player, win=Percent(chance.win))
    return say(
        "{player} wins {win} and shares {tie}, for {share} of the pot.",
        player=player,
        win=Percent(chance.win),
        tie=Percent(chance.tie),
        share=Percent(chance.share),
    )


# --- pots


@_finding("pots", say("How much is in each pot?"), section="pots", known=_pots_known)
def pots_judge(
    paid: Annotated[
        NamedNumbers,
        asked(
            say("Paid in this hand"), say("Name, colon, chips: {example}", example=_PAID_EXAMPLE)
        ),
    ] = "",
    folded: Annotated[Names, asked(say("Folded"), say("Names, separated by commas"))] = "",
) -> Ruling:
    """Main pot, side pots, and what goes back because nobody matched it."""
    chips_of, out = numbers_by_player(paid, _PAID_EXAMPLE), names(folded)
    refunds = uncalled(chips_of)
    called = {player: chips - refunds.get(player, 0) for player, chips in chips_of.items()}
    pots = layers(called, out)
    faults = []
    if not any(chips_of.values()):
        faults.append(fault("nothing-paid", say("Nobody has paid anything yet."), "pots"))
    elif all(player in out for player in chips_of):
        says = say("Everyone who paid has folded, but the last one in can’t fold.")
        faults.append(fault("nobody-in", says, "pots"))
    elif any(not pot.players for pot in pots):
        says = say("Nobody who paid into the pot is still in.")
        faults.append(fault("nobody-in", says, "pots"))
    for player in out:
        if player not in chips_of:
            says = say("{player} has folded, so say what {player} paid, or 0.", player=player)
            faults.append(fault("never-paid", says, "pots"))
    detail = {
        "refunds": refunds,
        "pots": [{"amount": pot.amount, "players": list(pot.players)} for pot in pots],
    }
    return Ruling(tuple(faults), detail, _pots_in_words(pots, refunds))


def _pots_in_words(pots: list[Pot[str]], refunds: Mapping[str, int]) -> tuple[Text, ...]:
    says = []
    if pots:
        amounts = listed(pot.amount for pot in pots)
        first = say_many(
            "One pot of {amounts}", "{n} pots: {amounts}", n=len(pots), amounts=amounts
        )
        for player, back in refunds.items():
            first = say(
                "{pots}; {back} goes back to {player}", pots=first, back=back, player=player
            )
        says.append(say("{pots}.", pots=first))
    says += [
        say(
            "{pot:C} is {amount}, for {players}.",
            pot=name,
            amount=pot.amount,
            players=listed(pot.players),
        )
        for name, pot in zip(pot_names(len(pots)), pots, strict=True)
        if pot.players
    ]
    says += [
        say("{player} gets {back} back: nobody matched it.", player=player, back=back)
        for player, back in refunds.items()
        if not pots
    ]
    return tuple(says)


# --- shared by several judges

_TOO_FEW_HANDS = {1: say("Enter at least one hand."), 2: say("Enter at least two hands.")}


def _read_hands(
    hands_text: str, board_text: str, sizes: tuple[int, ...], least: int
) -> tuple[dict[str, list[str]], list[str], list[Fault]]:
    """The ranks in each hand and on the board, and all faults.

    There must be `least` hands or more, and a board of one of the `sizes`.
    """
    with reading_cards() as reader:
        cards = {
            player: reader.cards(text, RANKS_ONLY, say("{player}’s hand", player=player))
            for player, text in by_player(hands_text, _HANDS_EXAMPLE).items()
        }
        on_board = reader.cards(board_text, RANKS_ONLY, say("the board cards"))
    hands = {player: [card.rank for card in hand] for player, hand in cards.items()}
    board = [card.rank for card in on_board]
    faults = []
    if len(hands) < least:
        faults.append(fault("hands-missing", _TOO_FEW_HANDS[least], "showdown"))
    if len(hands) > MAX_HANDS:
        says = say(
            "One pack is enough for {most} hands, not for {n}.", most=MAX_HANDS, n=len(hands)
        )
        faults.append(fault("too-many-hands", says, "deal"))
    for player, hand in hands.items():
        faults.extend(hole_faults(len(hand), player))
    faults.extend(_board_faults(len(board), sizes))
    faults.extend(rank_faults([*board, *(rank for hand in hands.values() for rank in hand)]))
    return hands, board, faults


def _board_faults(number: int, sizes: Sequence[int]) -> list[Fault]:
    """A fault if the `number` of cards on the board is none of the `sizes`."""
    if number in sizes:
        return []
    says = say("Now the board.")
    if number:
        says = say(
            "The board is {sizes} cards here; you entered {n}.",
            sizes=listed(sizes, "or"),
            n=number,
        )
    return [fault("board-cards", says, "board")]
