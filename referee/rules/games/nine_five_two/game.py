"""The score sheet of Nine Five Two (`docs/rules.md` §7): deals as totals, or trick by trick."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from referee.rules.cards.cards import reading_cards
from referee.rules.core.entries import EntryKind, Played
from referee.rules.core.game import Game
from referee.rules.core.parts import Deals, Goal, Turns
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Deal, Line, Source, Table
from referee.rules.games.nine_five_two.deal import FEATS, PAD, NineFiveTwoState, Trick, Tricks
from referee.rules.games.nine_five_two.exchange_judges import exchange_judge, return_judge
from referee.rules.games.nine_five_two.house_rules import (
    CARDS_EACH,
    DECK,
    FIVE_OVER,
    KITTY,
    PLAYERS,
    SLUG,
    TRICKS,
    TWELVE,
    HouseRules,
    fault,
)
from referee.rules.games.nine_five_two.kitty import discard_judge, kitty_judge
from referee.rules.games.nine_five_two.tricks import (
    NO_TRUMPS,
    follow_judge,
    read_trump,
    trick_judge,
)
from referee.rules.text import say, say_many


def _begin_deal(state: NineFiveTwoState) -> Played[NineFiveTwoState]:
    return replace(state, won=()), []


class NineFiveTwo(Game[NineFiveTwoState, HouseRules]):
    """Nine tricks for the dealer, five for the left, two for the right; each one over scores."""

    slug = SLUG
    title = say("Nine Five Two")
    summary = say("Tricks for three: the dealer needs nine, the others five and two.")
    emblem = "9H 5S 2D"
    sources = (
        Source(
            say("“Nine Five Two,” gamerules.com"),
            say(
                "The deal, trumps, tricks, targets, and score, and who may give how many cards. "
                "It doesn’t say what the kitty cards are compared with; here it’s the card given "
                "back."
            ),
        ),
        Source(
            say("“9-5-2,” en-academic.com"),
            say(
                "A card that nothing beats comes back; one player gives cards to two at once; of "
                "two who were equally up, the one with the larger target goes first."
            ),
        ),
        Source(
            say("“Sergeant Major,” vipgames.com"),
            say("Agrees about cards that nothing beats, and about suits you don’t hold."),
        ),
        Source(
            say("“Nine Five Two,” boardgamearena.com"),
            say("Other ways to end: after a number of deals, with twelve tricks, with five over."),
        ),
    )
    sections = {
        "deal": say("the deal"),
        "exchange": say("the exchange"),
        "kitty": say("trumps and the kitty"),
        "tricks": say("tricks"),
        "scoring": say("scoring"),
        "end": say("the end"),
    }
    house_rules = HouseRules
    state = NineFiveTwoState
    wrong_number_fault = fault(
        "three",
        say("{game} is for three: somebody new can only take another’s place.", game=title),
        "deal",
    )
    goal = Goal(
        lambda rules: None if rules.deals else rules.target,
        won=lambda state: () if state.won_at_once is None else (state.won_at_once,),
    )
    deals = Deals(
        agreed=lambda rules: rules.deals, builds=True, begin=_begin_deal, again=_begin_deal
    )
    turns = Turns(acts=lambda state: state.won[-1] if state.won else None)  # who won a trick leads
    pad = PAD
    feats = FEATS
    own_judges = (
        trick_judge,
        exchange_judge,
        return_judge,
        kitty_judge,
        follow_judge,
        discard_judge,
    )

    def own_entries(self) -> tuple[EntryKind[NineFiveTwoState, Any], ...]:
        """A whole deal, and a single trick."""
        return (
            EntryKind(
                Tricks, self._play_tricks, self._trump_faults, self._count_faults, total=TRICKS
            ),
            EntryKind(Trick, self._play_trick, for_all=True),
        )

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Exactly three."""
        return range(PLAYERS, PLAYERS + 1)

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """Sixteen cards each and a kitty of four; the player on the dealer's right cuts."""
        says = (
            say(
                "{dealer} deals {each} each, {kitty} to the kitty",
                dealer=table.players[dealer],
                each=CARDS_EACH,
                kitty=KITTY,
            ),
            say("{cutter} cuts", cutter=table.players[table.left_of(dealer, 2)]),
        )
        return Deal(CARDS_EACH, KITTY, say("kitty"), DECK, says)

    # --- entries

    def _trump_faults(self, state: NineFiveTwoState, entry: Tricks) -> Iterator[Fault]:
        with reading_cards() as reader:  # raises if this is no suit
            read_trump(entry.trump, reader)
        if entry.trump.strip().upper() == NO_TRUMPS and not state.table.options.no_trumps:
            says = say("No trumps is a house rule, and you haven’t agreed on it.")
            yield fault("no-trumps", says, "kitty")

    def _count_faults(self, state: NineFiveTwoState, entry: Tricks) -> Iterator[Fault]:
        """Faults in totals: 0 to 16 tricks each, 16 in all, also while some are missing."""
        tricks = entry.tricks
        for player in state.table.players:
            won = tricks.get(player, 0)
            if not 0 <= won <= TRICKS:
                says = say(
                    "{player} can win 0 to {most} tricks, not {n}.",
                    player=player,
                    most=TRICKS,
                    n=won,
                )
                yield fault("tricks-range", says, "scoring")
            elif player not in tricks:
                says = say("{player}’s tricks are missing.", player=player)
                yield fault("tricks-missing", says, "scoring").lacking("more")
        total = sum(tricks.values())
        if len(tricks) < PLAYERS:  # the others may have won the rest
            entered = sum(won for won in tricks.values() if won <= TRICKS)  # more is a fault above
            total = max(TRICKS, entered)
        if total != TRICKS:
            says = say("The tricks add up to {n}; a deal has {tricks}.", n=total, tricks=TRICKS)
            if total > TRICKS:
                says = say_many(
                    "{n} trick? A deal has {tricks}.",
                    "{n} tricks? A deal has {tricks}.",
                    n=total,
                    tricks=TRICKS,
                )
            yield fault("tricks-sum", says, "scoring")

    def _play_tricks(self, state: NineFiveTwoState, entry: Tricks) -> Played[NineFiveTwoState]:
        """Score a deal by its totals, which replace any tricks recorded one by one."""
        return self._score(state, [entry.tricks[name] for name in state.table.players])

    def _play_trick(self, state: NineFiveTwoState, entry: Trick) -> Played[NineFiveTwoState]:
        won = (*state.won, state.seat(entry.winner))
        if len(won) < TRICKS:
            return replace(state, won=won), []
        return self._score(state, [won.count(seat) for seat in range(PLAYERS)])

    def _score(self, state: NineFiveTwoState, tricks: Sequence[int]) -> Played[NineFiveTwoState]:
        rules, up = state.table.options, list[int]()
        lines, winner = list[Line](), None
        for seat, (name, won) in enumerate(zip(state.table.players, tricks, strict=True)):
            needed = state.targets[seat]
            up.append(won - needed)
            reason = say_many(
                "{n} trick, {needed} needed", "{n} tricks, {needed} needed", n=won, needed=needed
            )
            if (rules.twelve_wins and won >= TWELVE) or (rules.five_over and up[seat] >= FIVE_OVER):
                winner = seat
                reason = say_many("{n} trick wins the game", "{n} tricks win the game", n=won)
            worked = say("{made} for {needed}", made=won, needed=needed)
            lines.append(Line(name, up[seat], reason, worked))
        return self.end_deal(replace(state, last=tuple(up), won_at_once=winner), lines)


GAME = NineFiveTwo()
