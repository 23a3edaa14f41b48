"""Deals of stops games, played legally at random, and put to the judge turn by turn."""

import random
from collections.abc import Iterator

import pytest
from msgspec import Struct

from referee.rules.registry import GAMES

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"]
RED_NINES = ("9H", "9D")


class Rules(Struct, frozen=True):
    """A game, described independently: its ranks upward, suits, and the cards on the table.

    With `several`, a deal may begin with several cards of a rank.
    """

    slug: str
    upward: list[str]
    suited: bool
    table: int
    several: bool = False


GAMES_OF_STOPS = [
    Rules("red-nines-1881", [*RANKS[3:]], True, 4),
    Rules("red-nines", RANKS, False, 0, several=True),
    Rules("pink-nines", [*RANKS[1:], "A"], False, 4),
]


def follows(rules: Rules, card: str) -> str | None:
    """What comes after a card, with its suit where suits count; None after a stop."""
    rank, suit = card[:-1], card[-1]
    if rank not in rules.upward[:-1]:
        return None
    after = rules.upward[rules.upward.index(rank) + 1]
    return after + (suit if rules.suited else "*")


def same(rules: Rules, card: str, due: str) -> bool:
    """Whether a card counts as the one that is due."""
    return card == due if rules.suited else card[:-1] == due[:-1]


class Dealt:
    """A deal by four players who lay every card that fits, and red nines at random."""

    def __init__(self, rules: Rules, chance: random.Random) -> None:
        ranks = [rank for rank in RANKS if not rules.suited or rank in {*rules.upward, "A"}]
        pack = [rank + suit for rank in ranks for suit in "SHDC"]
        chance.shuffle(pack)
        self.rules, self.chance = rules, chance
        self.table, pack = pack[: rules.table], pack[rules.table :]
        self.hands = {name: pack[seat::4] for seat, name in enumerate(NAMES[:4])}
        self.opening = rules.several

    def stuck(self, due: str) -> bool:
        """Whether nobody holds the card that is due or one that may stand for it."""
        held = [card for hand in self.hands.values() for card in hand]
        red_nines = not self.rules.suited and any(card in RED_NINES for card in held)
        return not red_nines and not any(same(self.rules, card, due) for card in held)

    def turns(self) -> Iterator[tuple[str, list[str], str | None]]:
        """Yield every turn: the player, the cards as written, and the card due after it."""
        player, last, due = NAMES[0], NAMES[0], None
        while all(self.hands.values()):
            laid, due = self.lay(player, due)
            if laid:
                last = player
                yield player, laid, due
            player = NAMES[(NAMES.index(player) + 1) % 4]
            if player == last:
                due = None

    def lay(self, player: str, due: str | None) -> tuple[list[str], str | None]:
        """The cards that a player lays, and the card due then."""
        hand = self.hands[player]
        laid: list[str] = []
        while hand:
            if due is None or self.stuck(due):
                nines = [card for card in hand if self.opening and card[0] == "9"]
                card = meant = self.chance.choice(nines or hand)
                if card in RED_NINES and not self.rules.suited:
                    meant = "9*"
            else:
                fitting = [card for card in hand if same(self.rules, card, due)]
                wild = [card for card in hand if card in RED_NINES]
                must = [card for card in fitting if card not in RED_NINES]
                if not must and not (wild and self.chance.random() < 0.5):
                    return laid, due
                card, meant = (must or wild)[0], due
            hand.remove(card)
            as_other = card in RED_NINES and meant[:-1] != "9"
            written = f"{card}={meant.rstrip('*')}" if as_other else card
            laid.append(written if self.chance.random() < 0.5 or due is None else card)
            if self.opening:
                laid += self.more_of(card, hand)
            due = follows(self.rules, meant)
        return laid, due

    def more_of(self, first: str, hand: list[str]) -> list[str]:
        """Further cards of the first rank, from the hand of the player who begins."""
        self.opening = False
        more = [card for card in hand if card[:-1] == first[:-1] and self.chance.random() < 0.8]
        for card in more:
            hand.remove(card)
        return more


@pytest.mark.parametrize("rules", GAMES_OF_STOPS, ids=lambda rules: rules.slug)
@pytest.mark.parametrize("seed", range(30))
def test_every_turn_of_a_legal_deal_is_legal(rules: Rules, seed: int) -> None:
    """After each turn the judge knows which card is due, and in the end who went out."""
    dealt = Dealt(rules, random.Random(seed))
    judge = GAMES[rules.slug].judges["sequence"]
    table = {"seating": ",".join(NAMES[:4]), "dealer": "Dan", "table": " ".join(dealt.table)}
    laid, laid_by = "", dict[str, str]()
    for player, cards, due in dealt.turns():
        laid_by |= {card.partition("=")[0]: player for card in cards}
        laid += f"{player}:{' '.join(cards)};"
        ruling = judge.answer({**table, "turns": laid})
        assert ruling.legal, (laid, [fault.message for fault in ruling.faults])
        swept = laid_by.get("AH") if laid_by.get("AH") == laid_by.get("AD") else None
        assert ruling.detail.get("red_aces") == (swept if rules.suited else None), laid
        if dealt.hands[player]:
            expected = None if due is None or dealt.stuck(due) else due.rstrip("*")
            assert ruling.detail["next"] == expected, laid
            assert ruling.detail["winner"] is None
        else:
            assert ruling.detail["winner"] == player
    assert not all(dealt.hands.values())
