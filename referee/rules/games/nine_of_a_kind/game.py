"""The score sheet of 9 of a Kind (`docs/rules.md` §3): false calls and ends, but no trades."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from referee.rules.cards.cards import NINE_SUITS, read_cards
from referee.rules.core.entries import EntryKind, Played, if_read
from referee.rules.core.game import Game
from referee.rules.core.parts import Deals, Feats, Goal, Pad, Steps, Turns
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Deal, Source, Table, note
from referee.rules.games.nine_of_a_kind.ending import END_RULES
from referee.rules.games.nine_of_a_kind.entries import End, Forfeit, HouseRules, NineOfAKindState
from referee.rules.games.nine_of_a_kind.hands import (
    DECK,
    HAND,
    MOST_LEFT,
    SLUG,
    claim_name,
    claim_of,
    fault,
    hand_faults,
)
from referee.rules.games.nine_of_a_kind.judges import (
    center_judge,
    claim_judge,
    collection_judge,
    trade_judge,
)
from referee.rules.games.nine_of_a_kind.scoring import end_lines, forfeited_points
from referee.rules.text import Text, listed, say, say_many


def _begin_deal(state: NineOfAKindState) -> Played[NineOfAKindState]:
    return replace(state, forfeits=()), []


def _card(state: NineOfAKindState, steps: Steps) -> Steps:
    """Add to `steps` who is out of the round, the center's size, and points left to the winner."""
    if not state.forfeits:
        return steps
    out = say_many(
        "{names} is out of this round: {center} in the center now",
        "{names} are out of this round: {center} in the center now",
        n=len(state.forfeited),
        names=listed(state.name(seat) for seat in sorted(state.forfeited)),
        center=state.center,
    )
    left = sum(points for _, points in state.forfeits)
    if not left:
        return (*steps, out)
    leave = say_many(
        "The false calls leave {n} point to the winner",
        "The false calls leave {n} points to the winner",
        n=left,
    )
    return (*steps, out, leave)


def _beside_total(state: NineOfAKindState) -> Mapping[str, Text]:
    return {state.name(seat): say("out this round") for seat in state.forfeited}


class NineOfAKind(Game[NineOfAKindState, HouseRules]):
    """Trade cards all at once until somebody holds nine of one suit or one rank."""

    slug = SLUG
    title = say("9 of a Kind")
    summary = say("Everybody trades at once: collect nine of a suit, or nine of a rank.")
    emblem = "9S 9H 9D"
    sources = (
        Source(
            say("“9 of a Kind,” rules sheet for the Janken Deck by Jeff Daymont"),
            say(
                "The whole game, Chicken included. It doesn’t say what happens when two players "
                "are level in it, what a hand counts after a false call, or what to do when a "
                "round never ends."
            ),
        ),
        Source(
            say("“Janken Deck Games: Tabletopia,” docslib.org"),
            say("The names of the five Janken suits. Their signs here were drawn for this app."),
        ),
    )
    sections = {
        "deck": say("the deck"),
        "deal": say("the deal"),
        "trading": say("trading"),
        "centre": say("the center"),
        "claims": say("winning hands"),
        "forfeit": say("false calls"),
        "score": say("the score"),
        "chicken": say("Chicken"),
    }
    deal_called = "round"
    ended = say("called it")
    house_rules = HouseRules
    state = NineOfAKindState
    goal = Goal(lambda rules: rules.target)
    deals = Deals(begin=_begin_deal, again=_begin_deal)
    turns = Turns(in_play=lambda state: tuple(map(state.seat, state.holding)))
    pad = Pad(card=_card, beside_total=_beside_total)
    feats = Feats(
        {"chicken": say("dared a Chicken")},
        lambda state, entry, lines: (
            [(entry.callers[0], "chicken")]
            if isinstance(entry, End) and entry.by == "chicken"
            else ()
        ),
    )
    own_judges = (claim_judge, collection_judge, trade_judge, center_judge)

    def own_entries(self) -> tuple[EntryKind[NineOfAKindState, Any], ...]:
        """A false call, and the end of a round."""
        rules = _already_out_faults, _shown_faults, _deadwood_faults
        return (
            EntryKind(Forfeit, self._play_forfeit, *rules, for_all=True),
            EntryKind(End, self._play_end, *END_RULES, by_hand=True),
        )

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Five to nine: the deck has nine cards for each of nine players."""
        return range(5, 10)

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """Nine cards each; the rest, none with nine players, is in the center."""
        center = len(DECK) - HAND * len(table.players)
        who = table.players[dealer]
        if center:
            dealing = say(
                "{dealer} deals {each} each, {center} to the center",
                dealer=who,
                each=HAND,
                center=center,
            )
        else:
            dealing = say("{dealer} deals {each} each, none are left", dealer=who, each=HAND)
        begin = say("When {dealer} gives the word, everybody trades at once", dealer=who)
        return Deal(HAND, center, say("center"), len(DECK), (dealing, begin))

    # --- entries

    def _play_forfeit(self, state: NineOfAKindState, entry: Forfeit) -> Played[NineOfAKindState]:
        """Put the player out of the round; if only one is left, it is void and dealt again."""
        left = forfeited_points(state.table.options, entry)
        after = replace(state, forfeits=(*state.forfeits, (state.seat(entry.player), left)))
        if len(after.holding) == 1:
            return self.seating.void_deal(after)
        words = say("false call, {n} left", n=left) if left else say("false call")
        return after, [note(entry.player, words, say("false"))]

    def _play_end(self, state: NineOfAKindState, entry: End) -> Played[NineOfAKindState]:
        return self.end_deal(state, end_lines(state, entry))


# --- faults in a false call


def _already_out_faults(state: NineOfAKindState, entry: Forfeit) -> Iterator[Fault]:
    if state.seat(entry.player) in state.forfeited:
        says = say("{player} is already out of this round.", player=entry.player)
        yield fault("already-forfeited", says, "forfeit")


def _shown_faults(state: NineOfAKindState, entry: Forfeit) -> Iterator[Fault]:
    """Faults in the cards shown: not a hand of nine, or a hand that wins."""
    cards = read_cards(entry.cards, NINE_SUITS, say("the cards shown"))
    if cards:
        yield from hand_faults(cards, if_read(lambda: entry.player))
    claim = claim_of(cards)
    if claim is not None:
        says = say(
            "{player} has {claim}, so the call was right and wins.",
            player=entry.player,
            claim=claim_name(claim),
        )
        yield fault("true-claim", says, "claims")


def _deadwood_faults(state: NineOfAKindState, entry: Forfeit) -> Iterable[Fault]:
    """A fault if the points left are given twice, missing, or out of range."""
    counts, typed = state.table.options.forfeited_counts, bool(entry.cards.strip())
    if typed and entry.deadwood is not None:
        says = say("{player}: enter the cards or the points left, not both.", player=entry.player)
        yield fault("both", says, "forfeit")
    elif counts and not typed and entry.deadwood is None:
        says = say(
            "{player}’s points left are missing: they count for whoever wins the round.",
            player=entry.player,
        )
        yield fault("points-missing", says, "forfeit").lacking("more")
    elif entry.deadwood is not None and not 1 <= entry.deadwood <= MOST_LEFT:
        says = say(
            "After a false call {player} has 1 to {most} points left, not {points}.",
            player=entry.player,
            most=MOST_LEFT,
            points=entry.deadwood,
        )
        yield fault("deadwood-range", says, "forfeit")


GAME = NineOfAKind()
