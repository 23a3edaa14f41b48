"""Multiple 9, draw and discard (`rules.md` §1).

Either every turn is written down (then whose turn it is, how many cards each holds, the stock
and the number of cards of a rank are followed), or only who won each deal.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.rules.cards import (
    RANKS,
    RANKS_ONLY,
    VALUE,
    Card,
    RankText,
    count_of,
    read_cards,
    reading_cards,
    write_cards,
)
from referee.rules.counters import Line
from referee.rules.entries import Count, Entry, Player
from referee.rules.game import Deal, Game, Judge, Need, Options, State, Table, first_past
from referee.rules.groups import Counts, best_discard, count_ranks, ranks_of, split, total
from referee.rules.ruling import Fault, Ruling

CARDS_EACH = 5
NO_CARDS: Counts = (0,) * len(RANKS)

Packs = Annotated[
    Literal[1, 2],
    Meta(title="Packs", description="Two packs shuffled together seat up to 16."),
]
NineOut = Annotated[
    Literal["sets", "cards"],
    Meta(
        title="A lone nine as the last play",
        description="The sources say both; the wider reading is the default.",
        extra={"choices": {"sets": "one or two sets", "cards": "a 9, or two cards only"}},
    ),
]


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `target` 0 plays on without end; left out it follows `scoring`."""

    target: Annotated[
        Count | None,
        Meta(
            title="Play to",
            description="0 plays on for as long as you like.",
            extra={"usual": "5 deals won, or 100 points"},
        ),
    ] = None
    packs: Packs = 1
    nine_out: NineOut = "sets"
    scoring: Annotated[
        Literal["deals", "cards"],
        Meta(
            title="A deal won scores",
            extra={"choices": {"deals": "one point", "cards": "the cards left with the others"}},
        ),
    ] = "deals"

    @property
    def goal(self) -> int:
        """The score that wins, 0 for none."""
        if self.target is not None:
            return self.target
        return 5 if self.scoring == "deals" else 100


class Turn(Entry, frozen=True, tag="turn"):
    """`player` drew (unless `drew` is false) and laid down `cards`, perhaps none."""

    player: Player
    cards: RankText = ""
    drew: bool = True


class Out(Entry, frozen=True, tag="out"):
    """`player` won a deal whose turns were not followed; `left`: what the others hold."""

    player: Player
    left: dict[Player, RankText] = {}


class Left(Entry, frozen=True, tag="left"):
    """What the others hold after a turn emptied a hand, where cards score."""

    left: dict[Player, RankText]


class Sheet(State, frozen=True, kw_only=True):
    """A deal as far as it is followed: cards held, seats that have drawn, stock and discards.

    `idle` counts turns in a row that could neither draw nor discard; `won` is the seat that has
    gone out while the cards of the others are still to be counted.
    """

    held: tuple[int, ...] = ()
    drawn: frozenset[int] = frozenset()
    stock: int = 0
    pile: Counts = NO_CARDS
    turn: int = 0
    idle: int = 0
    won: int | None = None

    @property
    def nothing_to_draw(self) -> bool:
        """Whether stock and discards are both gone."""
        return self.stock == 0 and not any(self.pile)


class DiscardQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May these cards be laid down?"""

    cards: Annotated[RankText, Meta(title="Cards laid down")] = ""
    hand: Annotated[RankText, Meta(title="The whole hand, if you like")] = ""
    final: Annotated[bool, Meta(title="It is my last play")] = False
    packs: Packs = 1
    nine_out: NineOut = "sets"


class HandQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What can this hand lay down?"""

    hand: Annotated[RankText, Meta(title="Your hand")] = ""
    packs: Packs = 1
    nine_out: NineOut = "sets"


def _ranks(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(card.rank for card in cards)


def _lone_nine_allowed(counts: Counts, nine_out: str) -> bool:
    """Whether the cards, which make one nine in all, may be a last play."""
    return nine_out == "sets" or sum(counts) <= 2


class Multiple9(Game[Sheet, HouseRules]):
    """Draw one, lay down multiples of nine made of at most two ranks, be first to hold nothing."""

    slug = "multiple-9"
    title = "Multiple 9"
    summary = "Draw and discard: lay down multiples of nine, be the first to hold nothing."
    sources = ("Nick Jaura, “Multiple 9”, pagat.com, invented games, 2007",)
    sections = {
        "deal": "the deal",
        "turns": "turns",
        "sets": "sets and groups",
        "discards": "discards",
        "last-play": "the last play",
        "stock": "the stock",
        "score": "the score",
    }
    house_rules = HouseRules
    entry_kinds = (Turn, Out, Left)

    def own_judges(self) -> tuple[Judge[Any], ...]:
        """Discards, and the best discard of a hand."""
        return (
            Judge(
                "discard",
                "Is this discard legal?",
                DiscardQuestion,
                self.judge_discard,
                self.better_discard,
            ),
            Judge("hand", "What can I lay down?", HandQuestion, self.judge_hand, yes_or_no=False),
        )

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """A stock of at least one card a player must be left: 6n cards in all."""
        return range(2, 52 * options.packs // 6 + 1 if options.packs == 1 else 17)

    def plan(self, table: Table, number: int, dealer: int) -> Deal:
        """Five each, the rest is the stock; no card is turned up."""
        deck = 52 * table.options.packs
        stock = deck - CARDS_EACH * len(table.players)
        packs = "" if table.options.packs == 1 else " from two packs"
        says = (
            f"{table.players[dealer]} deals {CARDS_EACH} cards each{packs}; "
            f"the other {stock} are the stock.",
        )
        return Deal(number, CARDS_EACH, stock, "stock", deck, says)

    def first(self, table: Table) -> Sheet:
        """Nobody has won a deal yet."""
        return Sheet(table=table, deal=1, dealer=table.dealer, scores=(0,) * len(table.players))

    def begin_deal(self, state: Sheet) -> tuple[Sheet, list[Line]]:
        """Five cards each, the player left of the dealer begins."""
        table = state.table
        dealt = replace(
            state,
            held=(CARDS_EACH,) * len(table.players),
            drawn=frozenset(),
            stock=self.plan(table, state.deal, state.dealer).table,
            pile=NO_CARDS,
            turn=table.left_of(state.dealer),
            idle=0,
            won=None,
        )
        return dealt, []

    redeal = begin_deal

    def target(self, table: Table) -> int | None:
        """The agreed number of deals or points, or None for an open end."""
        return table.options.goal or None

    def result(self, state: Sheet, completed: int) -> tuple[int, ...]:
        """First to the target."""
        goal = state.table.options.goal
        return first_past(state.scores, goal) if goal else ()

    def acts(self, state: Sheet) -> int | None:
        """Whose turn it is, unless cards are being counted."""
        return state.turn if state.won is None else None

    def needs(self, state: Sheet) -> tuple[Need, ...]:
        """How many cards each holds."""
        return tuple(
            Need(player, held, "card" if held == 1 else "cards")
            for player, held in zip(state.table.players, state.held, strict=True)
        )

    def notes(self, state: Sheet) -> tuple[str, ...]:
        """Whose turn, and whether there is anything left to draw."""
        if state.won is not None:
            return (f"{state.name(state.won)} is out. Count what the others hold.",)
        who = state.name(state.turn)
        if state.nothing_to_draw:
            return (f"No card is left to draw: {who} plays without drawing.",)
        if state.stock == 0:
            return (f"The stock is used up: {who} shuffles the discards into a new one.",)
        return (f"{who} to play: draw one of {state.stock}, then lay down what you like.",)

    # --- entries

    def faults(self, state: Sheet, entry: Entry) -> list[Fault]:
        """Rule on a turn, a deal won, or a count of what is left."""
        if isinstance(entry, Turn):
            return list(self._turn_faults(state, entry))
        if isinstance(entry, Out):
            if state.won is not None:
                return [self._count_first(state)]
            needed = state.table.options.scoring == "cards"
            return list(self._left_faults(state, entry.player, entry.left, None, needed))
        assert isinstance(entry, Left)
        if state.won is None:
            message = "Nobody has gone out yet, so there is nothing to count."
            return [self.fault("nobody-out", message, "score")]
        winner = state.name(state.won)
        return list(self._left_faults(state, winner, entry.left, state.held, True))

    def play(self, state: Sheet, entry: Entry) -> tuple[Sheet, list[Line]]:
        """Play a legal turn, or score a deal."""
        if isinstance(entry, Turn):
            return self._play_turn(state, entry)
        if isinstance(entry, Out):
            return self._win(state, entry.player, entry.left)
        assert isinstance(entry, Left)
        assert state.won is not None
        return self._win(state, state.name(state.won), entry.left)

    def _turn_faults(self, state: Sheet, entry: Turn) -> Iterable[Fault]:
        with reading_cards() as reader:
            cards = reader.cards(entry.cards, RANKS_ONLY)
        if state.won is not None:
            yield self._count_first(state)
            return
        seat = state.seat(entry.player)
        may_skip_draw = state.nothing_to_draw or (
            seat not in state.drawn and len(cards) == CARDS_EACH
        )
        if not entry.drew and not may_skip_draw:
            yield self.fault(
                "must-draw",
                f"{entry.player} must draw first: only the five dealt cards, laid down whole, "
                "go out without drawing.",
                "turns",
            )
        if seat != state.turn and (entry.drew or state.nothing_to_draw):
            yield self.fault(
                "out-of-turn",
                f"It is {state.name(state.turn)}'s turn, not {entry.player}'s.",
                "turns",
            )
        draws = entry.drew and not state.nothing_to_draw
        holds = state.held[seat] + draws
        if len(cards) > holds:
            yield self.fault(
                "too-many-cards",
                f"{entry.player} holds {holds} cards{' after drawing' if draws else ''}; "
                f"{len(cards)} are laid down.",
                "turns",
            )
        options: HouseRules = state.table.options
        counts = count_ranks(_ranks(cards))
        # A draw from an empty stock has just put the discards back into it.
        pile = NO_CARDS if draws and state.stock == 0 else state.pile
        lying = tuple(a + b for a, b in zip(pile, counts, strict=True))
        yield from self._rank_faults(lying, options.packs)
        final = len(cards) >= holds
        yield from self._discard_faults(counts, final, options.packs, options.nine_out)

    def _play_turn(self, state: Sheet, entry: Turn) -> tuple[Sheet, list[Line]]:
        with reading_cards() as reader:
            counts = count_ranks(_ranks(reader.cards(entry.cards, RANKS_ONLY)))
        seat = state.seat(entry.player)
        stuck = state.nothing_to_draw
        stock, pile = state.stock, state.pile
        if entry.drew and not stuck:
            if stock == 0:
                stock, pile = sum(pile), NO_CARDS
            stock -= 1
        drew = entry.drew and not stuck
        held = list(state.held)
        held[seat] += drew - sum(counts)
        after = replace(
            state,
            held=tuple(held),
            drawn=state.drawn | {seat},
            stock=stock,
            pile=tuple(a + b for a, b in zip(pile, counts, strict=True)),
            turn=state.table.left_of(seat),
            idle=state.idle + 1 if stuck and not any(counts) else 0,
        )
        if held[seat] == 0:
            if state.table.options.scoring == "cards":
                return replace(after, won=seat), []
            return self._win(after, entry.player, {})
        if after.idle == len(held):
            return self.redeal(after)  # nobody can draw or discard: the deal is drawn
        return after, []

    def _win(self, state: Sheet, winner: str, left: Mapping[str, str]) -> tuple[Sheet, list[Line]]:
        if state.table.options.scoring == "deals":
            return self.end_deal(state, [Line(winner, 1, "won the deal")])
        lines = []
        for player, text in left.items():
            with reading_cards() as reader:
                cards = reader.cards(text, RANKS_ONLY)
            points = sum(VALUE[card.rank] for card in cards)
            lines.append(Line(winner, points, f"{write_cards(cards)} left with {player}"))
        return self.end_deal(state, lines)

    def _count_first(self, state: Sheet) -> Fault:
        assert state.won is not None
        message = f"{state.name(state.won)} is out: enter what the others hold first."
        return self.fault("count-first", message, "score")

    def _left_faults(
        self,
        state: Sheet,
        winner: str,
        left: Mapping[str, str],
        sizes: tuple[int, ...] | None,
        needed: bool,
    ) -> Iterable[Fault]:
        """Faults of the cards the others hold; `sizes` by seat where turns were followed."""
        with reading_cards() as reader:
            hands = {
                player: reader.cards(text, RANKS_ONLY, f"{player}'s hand")
                for player, text in left.items()
            }
        if winner in hands:
            message = f"{winner} won the deal and holds nothing."
            yield self.fault("winner-holds", message, "score")
        for player in state.table.players:
            if player == winner or (not needed and player not in hands):
                continue
            if player not in hands:
                yield self.fault("hand-missing", f"{player}'s cards are missing.", "score")
            elif not hands[player]:
                message = f"{player} did not go out, so must hold a card."
                yield self.fault("hand-empty", message, "score")
            elif sizes is not None and len(hands[player]) != sizes[state.seat(player)]:
                message = (
                    f"{player} holds {sizes[state.seat(player)]} after the turns written down; "
                    f"{len(hands[player])} are entered."
                )
                yield self.fault("hand-size", message, "score")
        everywhere = count_ranks(_ranks(card for hand in hands.values() for card in hand))
        if sizes is not None:
            everywhere = tuple(a + b for a, b in zip(everywhere, state.pile, strict=True))
        yield from self._rank_faults(everywhere, state.table.options.packs)

    # --- rulings

    def _rank_faults(self, counts: Counts, packs: int) -> Iterable[Fault]:
        most = 4 * packs
        for rank, number in zip(RANKS, counts, strict=True):
            if number > most:
                has = "One pack has" if packs == 1 else "Two packs have"
                message = f"{count_of(number, rank)}? {has} {most}."
                yield self.fault("too-many-of-rank", message, "deal")

    def _discard_faults(
        self, counts: Counts, final: bool, packs: int, nine_out: str
    ) -> Iterable[Fault]:
        """Why these cards cannot be laid down, given whether they empty the hand."""
        if not any(counts) or max(counts) > 4 * packs:
            return  # laying nothing is always allowed; too many of a rank is a fault of its own
        laid = write_cards(ranks_of(counts))
        points = total(counts)
        if points % 9:
            below = points - points % 9
            message = f"{laid} makes {points}, which is no multiple of 9"
            near = f" ({below} and {below + 9} are)" if below else " (9 is)"
            yield self.fault("not-a-multiple", message + near + ".", "sets")
        elif split(counts) is None:
            message = (
                f"{laid} makes {points}, but a group may hold two ranks at most, "
                "and these cards cannot be split that way."
            )
            yield self.fault("two-ranks", message, "sets")
        elif points == 9 and not final:
            message = (
                "A nine on its own is only allowed as your last play."
                if sum(counts) == 1
                else f"{laid} is a nine on its own: that is only allowed as your last play."
            )
            yield self.fault("lone-nine", message, "discards")
        elif points == 9 and not _lone_nine_allowed(counts, nine_out):
            message = (
                f"{laid} is a nine of {sum(counts)} cards. Here the last play may be a single 9 "
                "or two cards that make 9, no more."
            )
            yield self.fault("nine-of-two-cards", message, "last-play")

    def judge_discard(self, asked: DiscardQuestion) -> Ruling:
        """Rule on a discard and show its groups; see `sheet-format.md` for the detail."""
        with reading_cards() as reader:
            cards = reader.cards(asked.cards, RANKS_ONLY, "the cards laid down")
            hand = reader.cards(asked.hand, RANKS_ONLY, "the hand")
        counts, in_hand = count_ranks(_ranks(cards)), count_ranks(_ranks(hand))
        final = counts == in_hand if hand else asked.final
        faults = [] if hand else list(self._rank_faults(counts, asked.packs))
        if hand:
            faults.extend(self._rank_faults(in_hand, asked.packs))
            for rank, laid, held in zip(RANKS, counts, in_hand, strict=True):
                if laid > held:
                    message = f"{count_of(laid, rank)} laid down, but {held or 'none'} in the hand."
                    faults.append(self.fault("not-in-hand", message, "discards"))
        elif asked.final and not cards:
            message = "A last play lays down at least one card."
            faults.append(self.fault("nothing-laid", message, "last-play"))
        faults.extend(self._discard_faults(counts, final, asked.packs, asked.nine_out))
        groups = (split(counts) or ()) if max(counts) <= 4 * asked.packs else ()
        detail = {
            "groups": [list(group) for group in groups],
            "total": total(counts),
            "final": final,
        }
        return Ruling(tuple(faults), detail, () if faults else (_in_words(detail),))

    def better_discard(self, asked: DiscardQuestion) -> tuple[str, ...]:
        """The best that could be laid down from the cards of an illegal discard."""
        cards = read_cards(asked.hand or asked.cards, RANKS_ONLY)
        counts = count_ranks(_ranks(cards))
        if max(counts) > 4 * asked.packs:
            return ()
        last = bool(asked.hand) or asked.final
        best = best_discard(counts, last and _lone_nine_allowed(counts, asked.nine_out))
        if not any(best):
            return ("Nothing can be laid down from these cards.",)
        return (f"From these you could lay down {_sums(split(best) or ())}.",)

    def judge_hand(self, asked: HandQuestion) -> Ruling:
        """The best discard of a hand: the most cards, of these the highest total."""
        with reading_cards() as reader:
            hand = reader.cards(asked.hand, RANKS_ONLY, "the hand")
        counts = count_ranks(_ranks(hand))
        faults = tuple(self._rank_faults(counts, asked.packs))
        if faults:
            return Ruling(faults)
        best = best_discard(counts, _lone_nine_allowed(counts, asked.nine_out))
        left = tuple(a - b for a, b in zip(counts, best, strict=True))
        out = bool(hand) and best == counts
        detail = {
            "best": write_cards(ranks_of(best)),
            "left": write_cards(ranks_of(left)),
            "out": out,
        }
        if out:
            says = f"Everything can go: {_sums(split(best) or ())}. You are out."
        elif any(best):
            says = f"Lay down {_sums(split(best) or ())}; you keep {detail['left']}."
        else:
            says = "Nothing can be laid down from this hand yet."
        return Ruling((), detail, (says,))


def _sums(groups: Iterable[Iterable[str]]) -> str:
    """Groups as sums: "8 + A = 9, 4 + 4 + A = 9"."""
    return ", ".join(
        f"{' + '.join(group)} = {sum(VALUE[rank] for rank in group)}"
        for group in map(tuple, groups)
    )


def _in_words(detail: Mapping[str, object]) -> str:
    groups = detail["groups"]
    assert isinstance(groups, list)
    if not groups:
        return "Laying down nothing is always allowed."
    number = "one group" if len(groups) == 1 else f"{len(groups)} groups"
    last = " Good as a last play." if detail["final"] else ""
    return f"{detail['total']} in {number} of no more than two ranks: {_sums(groups)}.{last}"


GAME = Multiple9()
