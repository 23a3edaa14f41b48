"""The game itself: the table, false calls, and how a round is ended and scored.

Trading is simultaneous and leaves no trace on the sheet; the judges rule on it when asked.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from referee.rules.cards.cards import (
    NINE_SUITS,
    Card,
    card_name,
    read_cards,
    reading_cards,
    repeated,
)
from referee.rules.core.entries import Entry
from referee.rules.core.game import Game, first_past
from referee.rules.core.judge import Judge
from referee.rules.core.lines import Line
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Deal, Source, Table
from referee.rules.games.nine_of_a_kind import judges
from referee.rules.games.nine_of_a_kind.entries import End, Forfeit, Hand, HouseRules, Round
from referee.rules.games.nine_of_a_kind.hands import (
    BLOCKER_PIPS,
    DECK,
    DECK_PIPS,
    HAND,
    Tally,
    best_tally,
    claim_of,
    claim_words,
    collection_name,
    collection_named,
    least_pips,
    pips,
    tally,
    why_no_claim,
)

CHICKEN_NEEDS = 7
Shown = Mapping[str, tuple[Card, ...]]


class NineOfAKind(Game[Round, HouseRules]):
    """Trade cards all at once until somebody holds nine of one suit or one rank."""

    slug = "9-of-a-kind"
    title = "9 of a Kind"
    summary = "Trade all at once: collect nine cards of one of nine suits, or of one rank."
    sources = (
        Source(
            "“9 of a Kind”, rules sheet for the Janken Deck by Jeff Daymont",
            "All of the game, Chicken included. Where two are level in it, where a hand is "
            "put away or a round goes on without end, it is silent, and we say what we do.",
        ),
        Source(
            "“Janken Deck Games: Tabletopia”, docslib.org",
            "The names of the five Janken suits. Their signs here are our own.",
        ),
    )
    sections = judges.SECTIONS
    deal_called = "round"
    house_rules = HouseRules
    entry_kinds = (Forfeit, End)

    def own_judges(self) -> tuple[Judge[Any], ...]:
        """Claims, collections, and the two kinds of trade."""
        return judges.judges(self.fault)

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Five to nine, for nine cards each of 81."""
        return range(5, 10)

    def plan(self, table: Table, number: int, dealer: int) -> Deal:
        """Nine each; what is left lies in the centre, and with nine players nothing is."""
        centre = len(DECK) - HAND * len(table.players)
        who = table.players[dealer]
        left = (
            f"the other {centre} lie face down in the centre"
            if centre
            else "none are left, so there is no centre until somebody forfeits"
        )
        says = (
            f"{who} deals {HAND} cards each; {left}.",
            f"At {who}’s word everybody trades at once.",
        )
        return Deal(number, HAND, centre, "centre", len(DECK), says)

    def first(self, table: Table) -> Round:
        """Nobody has scored yet."""
        return Round(table=table, deal=1, dealer=table.dealer, scores=(0,) * len(table.players))

    def begin_deal(self, state: Round) -> tuple[Round, list[Line]]:
        """A new round: who has forfeited plays again."""
        return replace(state, forfeited=frozenset()), []

    redeal = begin_deal

    def target(self, table: Table) -> int:
        """The agreed number of points."""
        points: int = table.options.target
        return points

    def result(self, state: Round, completed: int) -> tuple[int, ...]:
        """First to the target; where two reach it level, play goes on."""
        return first_past(state.scores, self.target(state.table))

    def notes(self, state: Round) -> tuple[str, ...]:
        """Who is out of this round, and how large that makes the centre."""
        if not state.forfeited:
            return ()
        names = " and ".join(state.name(seat) for seat in sorted(state.forfeited))
        are = "is" if len(state.forfeited) == 1 else "are"
        return (f"{names} {are} out of this round; the centre has {_centre(state)} cards now.",)

    def in_play(self, state: Round) -> tuple[int, ...]:
        """The seats that have not forfeited."""
        return tuple(state.seat(player) for player in _holding(state))

    # --- entries

    def faults(self, state: Round, entry: Entry) -> list[Fault]:
        """Rule on a false call or on the end of a round."""
        if isinstance(entry, Forfeit):
            return list(self._forfeit_faults(state, entry))
        assert isinstance(entry, End)
        shown = _cards_shown(entry)
        caller_faults = list(self._caller_faults(state, entry))
        hand_faults = list(self._hand_faults(state, entry, shown))
        if not hand_faults:
            hand_faults.extend(self._pip_faults(state, entry, shown))
        return caller_faults + hand_faults

    def play(self, state: Round, entry: Entry) -> tuple[Round, list[Line]]:
        """Put a player out of the round, or score it and begin the next."""
        if isinstance(entry, Forfeit):
            out = replace(state, forfeited=state.forfeited | {state.seat(entry.player)})
            # One player alone cannot trade: the round is void and dealt again.
            return self.redeal(out) if len(_holding(out)) == 1 else (out, [])
        assert isinstance(entry, End)
        tallies = _tallies(state, entry)
        if entry.by == "chicken":
            return self.end_deal(state, _chicken_lines(entry.callers[0], tallies))
        share = state.table.options.unison == "share"
        return self.end_deal(state, _claim_lines(entry.callers, tallies, share))

    def _forfeit_faults(self, state: Round, entry: Forfeit) -> Iterable[Fault]:
        cards = read_cards(entry.cards, NINE_SUITS, f"{entry.player}’s hand")
        if state.seat(entry.player) in state.forfeited:
            message = f"{entry.player} has forfeited this round already."
            yield self.fault("already-forfeited", message, "forfeit")
        if cards:
            yield from judges.hand_faults(self.fault, cards, f"{entry.player} shows")
        claim = claim_of(cards)
        if claim is not None:
            message = f"{entry.player} shows {claim_words(claim)}: the call is true and wins."
            yield self.fault("true-claim", message, "claims")

    def _caller_faults(self, state: Round, entry: End) -> Iterable[Fault]:
        if entry.by == "chicken" and not state.table.options.chicken:
            message = "This table plays without Chicken; it is a house rule to agree on first."
            yield self.fault("chicken-off", message, "chicken")
        callers = dict.fromkeys(entry.callers)
        if not callers:
            yield self.fault("caller-missing", "Say who called.", "claims")
        if entry.by == "chicken" and len(callers) > 1:
            message = "One player calls Chicken: name who was first."
            yield self.fault("one-caller", message, "chicken")
        for player in callers:
            if entry.callers.count(player) > 1:
                message = f"{player} is named as a caller more than once."
                yield self.fault("caller-twice", message, "claims")
            if state.seat(player) in state.forfeited:
                message = f"{player} has forfeited this round and cannot call any more."
                yield self.fault("caller-forfeited", message, "forfeit")

    def _hand_faults(self, state: Round, entry: End, shown: Shown) -> Iterable[Fault]:
        for seat, player in enumerate(state.table.players):
            called = player in entry.callers
            hand = entry.hands.get(player)
            if seat in state.forfeited:
                if hand is not None:
                    message = f"{player} has forfeited this round and holds no hand."
                    yield self.fault("hand-forfeited", message, "forfeit")
            elif hand is None:
                if not called or entry.by == "chicken":
                    yield self.fault("hand-missing", f"{player}’s hand is missing.", "score")
            elif player in shown:
                yield from judges.hand_faults(self.fault, shown[player], f"{player} has")
            else:
                yield from self._counted_faults(player, hand)
            if hand is not None and called and seat not in state.forfeited:
                yield from self._called_faults(entry, player, shown)
        in_hands = (card for cards in shown.values() for card in set(cards))
        for card in repeated(in_hands):
            holders = " and ".join(player for player in shown if card in shown[player])
            message = f"{holders} are said to hold {card_name(card)}: there is one."
            yield self.fault("card-twice", message, "deck")

    def _counted_faults(self, player: str, hand: Hand) -> Iterable[Fault]:
        """Whether cards can count what `player` says: an ace is 1, a nine 9."""
        assert hand.deadwood is not None
        assert hand.kept is not None
        others = HAND - hand.kept
        if others < 0:
            message = f"{player} keeps {hand.kept} cards; a hand has {HAND}."
            yield self.fault("kept-range", message, "score")
        elif not others <= hand.deadwood <= 9 * others:
            span = f"the rest counts {others} to {9 * others}" if others else "that counts 0"
            message = f"{player} keeps {hand.kept}: {span}, not {hand.deadwood}."
            yield self.fault("deadwood-range", message, "score")

    def _called_faults(self, entry: End, player: str, shown: Shown) -> Iterable[Fault]:
        """Whether the hand of a caller is what was called; Chicken is judged by the score."""
        hand, cards = entry.hands[player], shown.get(player)
        if entry.by == "chicken":
            return
        if cards is None:
            if entry.by == "blocker":
                message = f"A count does not prove {player}’s Blocker: leave it out, or type cards."
                yield self.fault("blocker-counted", message, "claims")
            elif hand.kept != HAND:
                message = f"{player} called 9 of a kind, so keeps all nine and counts 0."
                yield self.fault("not-nine", message, "claims")
            return
        if len(set(cards)) != HAND or len(cards) != HAND:
            return  # a fault of its own
        claim = claim_of(cards)
        found = why_no_claim(cards) if claim is None else f"that is {claim_words(claim)}"
        named = collection_named(hand.collecting)
        if entry.by == "blocker":
            if claim is None or claim.kind != "blocker":
                message = f"{player} does not hold a Blocker: {found}."
                yield self.fault("not-blocker", message, "claims")
        elif claim is None or claim.of is None or named not in (None, claim.of):
            kind = "nine of a kind" if named is None else f"nine {collection_name(named)}"
            message = f"{player} does not hold {kind}: {found}."
            yield self.fault("not-nine", message, "claims")

    def _pip_faults(self, state: Round, entry: End, shown: Shown) -> Iterable[Fault]:
        """Whether the deck has the pips for these hands, each of them possible by itself."""
        least = most = 0
        for player in _holding(state):
            fewest, highest = _pip_range(entry, player, shown)
            least, most = least + fewest, most + highest
        typed = {card for cards in shown.values() for card in cards}
        centre = _centre(state)
        if least + least_pips(centre, typed) > DECK_PIPS:
            with_centre = f" and the {centre} cards in the centre" if centre else ""
            message = (
                f"These hands{with_centre} would have {least + least_pips(centre, typed)} pips "
                f"at least; the deck has {DECK_PIPS}. Count again."
            )
            yield self.fault("pips", message, "deck")
        if centre == 0 and most < DECK_PIPS:
            message = (
                f"These hands would have {most} pips at most, but they are the whole deck, "
                f"which has {DECK_PIPS}. Count again."
            )
            yield self.fault("pips", message, "deck")


def _holding(state: Round) -> list[str]:
    """The players who are still in the round, in seating order."""
    players = enumerate(state.table.players)
    return [player for seat, player in players if seat not in state.forfeited]


def _centre(state: Round) -> int:
    """How many cards lie in the centre, the hands of false calls among them."""
    return len(DECK) - HAND * len(_holding(state))


def _cards_shown(entry: End) -> dict[str, tuple[Card, ...]]:
    """The hands that are given as cards; raises `NotationError` naming all that are none."""
    with reading_cards() as reader:
        return {
            player: reader.cards(hand.cards, NINE_SUITS, f"{player}’s hand")
            for player, hand in entry.hands.items()
            if hand.cards is not None
        }


def _pip_range(entry: End, player: str, shown: Shown) -> tuple[int, int]:
    """The fewest and the most pips that a player's hand can have; kept cards are 1 to 9 each."""
    if player in shown:
        return pips(shown[player]), pips(shown[player])
    if player not in entry.hands:
        return (BLOCKER_PIPS, BLOCKER_PIPS) if entry.by == "blocker" else (HAND, 9 * HAND)
    hand = entry.hands[player]
    assert hand.deadwood is not None
    assert hand.kept is not None
    return hand.deadwood + hand.kept, hand.deadwood + 9 * hand.kept


def _tallies(state: Round, entry: End) -> dict[str, Tally]:
    """What each hand counts, in seating order, callers of nine or Blocker left out."""
    shown = _cards_shown(entry)
    tallies = {}
    for player in _holding(state):
        called = player in entry.callers
        if called and entry.by != "chicken":
            continue
        hand = entry.hands[player]
        named = collection_named(hand.collecting)
        if player not in shown:
            assert hand.deadwood is not None
            assert hand.kept is not None
            tallies[player] = Tally(None, hand.deadwood, hand.kept)
        elif named is not None:
            tallies[player] = tally(shown[player], named)
        else:
            # The seven that a Chicken needs bind the caller, even where others count less.
            bound = best_tally(shown[player], CHICKEN_NEEDS) if called else None
            best = bound or best_tally(shown[player])
            assert best is not None
            tallies[player] = best
    return tallies


def _claim_lines(callers: list[str], tallies: Mapping[str, Tally], share: bool) -> list[Line]:
    """Each caller gains the deadwood of all who did not call, or a share of it, rounded up."""
    if share and len(callers) > 1:
        total = sum(found.deadwood for found in tallies.values())
        reason = f"a share of {total}: {_counts(tallies)}"
        return [Line(caller, -(-total // len(callers)), reason) for caller in callers]
    return [
        Line(caller, found.deadwood, _deadwood_words(player, found))
        for caller in callers
        for player, found in tallies.items()
    ]


def _chicken_lines(caller: str, tallies: Mapping[str, Tally]) -> list[Line]:
    """Half of all deadwood, rounded up, to the caller or, where the call fails, to the lowest."""
    others = {player: found for player, found in tallies.items() if player != caller}
    fewest = min(found.deadwood for found in others.values())
    own = tallies[caller]
    total = own.deadwood + sum(found.deadwood for found in others.values())
    if own.kept < CHICKEN_NEEDS:
        winners = [player for player in others if others[player].deadwood == fewest]
        why = f"{caller}’s Chicken fails with {own.kept} of a kind"
    elif own.deadwood > fewest:
        winners = [player for player in others if others[player].deadwood == fewest]
        why = f"{caller}’s Chicken fails, somebody holds less"
    else:
        winners, why = [caller], "Chicken with the fewest points"
    reason = f"{why}; half of {total}: {_counts(tallies)}"
    return [Line(winner, -(-total // 2), reason) for winner in winners]


def _counts(tallies: Mapping[str, Tally]) -> str:
    """Each hand's deadwood: "Ben 27, Cat 12"."""
    return ", ".join(f"{player} {found.deadwood}" for player, found in tallies.items())


def _deadwood_words(player: str, found: Tally) -> str:
    if found.deadwood == 0:
        return f"{player} holds a complete set"
    if found.collecting is None:
        return f"{player}’s deadwood, counted by hand"
    return f"{player}’s cards outside {collection_name(found.collecting)}"


GAME = NineOfAKind()
