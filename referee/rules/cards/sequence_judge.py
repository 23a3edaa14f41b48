"""The judge of several turns of a stops game: were they right, and who plays what next?

These games must have the sections "deal", "play", "red-nines" and "score", which the faults name.
"""

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import Annotated, Any

from referee.rules.cards.card_keys import (
    NamedRedNineRuns,
    NamedShortSuitedRuns,
    RedNineText,
    ShortSuitedText,
)
from referee.rules.cards.cards import Card, Laid, card_name, is_red_nine, reading_cards, write_cards
from referee.rules.cards.laying import Laying, TurnsAsked
from referee.rules.cards.packs import laid_faults
from referee.rules.cards.runs import StopsGame
from referee.rules.core import named
from referee.rules.core.asking import asked
from referee.rules.core.judge import Judge, Known, question_of
from referee.rules.core.ruling import Fault, Ruling, Spread, spread, with_cards
from referee.rules.core.table import State
from referee.rules.text import NOTHING, Text, listed, say, say_many, typed

_EXAMPLE, _SUITED_EXAMPLE = "Ann:7 8;Ben:9;Ann:4", "Ann:7S 8S;Ben:9S;Ann:4H"


def sequence_judge(game: StopsGame, **variants: tuple[Any, StopsGame]) -> Judge:
    """The judge of whether these `turns` were right, and who must lay what next.

    Without `seating` (clockwise) and `dealer` the first player to be asked is unknown. `variants`
    are house rules that the question may include: the type of each, and the game played by it.
    """
    suited = game.order.notation.suited
    runs = NamedShortSuitedRuns if suited else NamedRedNineRuns
    seating = asked(
        say("Players, clockwise (optional)"), say("Names, separated by commas."), aside=True
    )
    table = asked(say("Cards known to be on the table (optional)"), aside=True)
    fields: list[tuple[str, Any, Any]] = [
        ("turns", Annotated[runs, asked(say("Turns, in order"))], ""),
        ("seating", Annotated[str, seating], ""),
        ("dealer", Annotated[str, asked(say("Who dealt (optional)"), aside=True)], ""),
        ("table", Annotated[ShortSuitedText if suited else RedNineText, table], ""),
        *((name, kind, False) for name, (kind, _) in variants.items()),
    ]

    def rule(turns: str, seating: str, dealer: str, table: str, **rules: bool) -> Ruling:
        agreed = (other for name, (_, other) in variants.items() if rules[name])
        return _rule(_laid(next(agreed, game), turns, seating, dealer.strip(), table))

    return Judge(
        "sequence",
        say("Is this right so far, and what’s next?"),
        question_of(fields),
        rule,
        known=_known_at_the_table,
        section="play",
    )


def _known_at_the_table(state: State[Any]) -> Known:
    """Who sits where, and who deals; all who have had a place, if the dealer has left."""
    dealer, players = state.dealer_name, state.table.players
    seated = players if dealer in players else state.places
    seating = ", ".join(map(named.without_separators, seated))
    return {"seating": seating, "dealer": named.without_separators(dealer)}


def _laid(game: StopsGame, turns: str, seating: str, dealer: str, table: str) -> Laying:
    """The turns as they were laid.

    A red nine written alone has two readings where the player who laid the last card goes on or
    starts a new run, and after the nines of a first turn. If the usual reading has faults and
    another has none, the other is taken.
    """
    notation = game.order.notation
    example = _SUITED_EXAMPLE if notation.suited else _EXAMPLE
    with reading_cards() as reader:
        laid = tuple(
            (player, reader.run(cards, notation, say("{player}’s turn", player=player)))
            for player, cards in named.turns_in_order(turns, example)
        )
        lying = reader.cards(table, notation, say("the cards on the table"))
    asked = TurnsAsked(laid, tuple(named.names(seating)), dealer, lying)
    laying = Laying(game, asked)
    if laying.faults:
        others = (Laying(game, asked, *reading) for reading in _readings(laying))
        return next((other for other in others if not other.faults), laying)
    return laying


def _readings(laying: Laying) -> Iterator[tuple[Collection[int], int]]:
    """The other readings of red nines written alone, as arguments of `Laying`."""
    places = laying.may_start_run[: laying.pack.red_suits]
    for stand_ins in range(laying.most_stand_ins + 1):
        for number in range(len(places) + 1):
            for new_runs in combinations(places, number):
                yield new_runs, stand_ins


def _rule(laying: Laying) -> Ruling:
    """Rule on the turns and on what follows (`docs/sheet-format.md`, judges of Pink Nines)."""
    game = laying.game
    everything = [*laying.checker.laid, *(Laid(card, card) for card in laying.asked.table)]
    faults = (
        *_table_faults(laying),
        *laid_faults(laying.pack, game.fault, everything),
        *laying.faults,
    )
    over = laying.winner is not None
    due = None if over else laying.due
    detail = {
        "next": None if due is None else str(due),
        "player": None if over else laying.next_player,
        "out": write_cards(laying.cards_laid),
        "could_follow": None if due is None else laying.could_follow(due),
        "winner": laying.winner,
    }
    if game.swept_for:
        detail["red_aces"] = laying.sweeper
    turns = (
        Spread(tuple(map(str, turn.run)), typed(turn.player), wrong=turn.misfits)
        for turn in laying.turns
    )
    follows = spread(() if due is None or laying.faults else (due,), say("must follow"))
    spreads = with_cards(*turns, follows)
    if faults:
        why_not = (_WHY_NOT[one.code] for one in faults if one.code in _WHY_NOT)
        return Ruling(faults, detail, (), next(why_not, NOTHING), spreads=spreads)
    return Ruling((), detail, tuple(_says(laying)), _yes(laying), spreads=spreads)


def _table_faults(laying: Laying) -> Iterator[Fault]:
    """Faults in the players named, and in who began."""
    game, asked, first = laying.game, laying.asked, laying.first_player
    number = len(asked.seating)
    if number and number not in game.seats:
        says = say(
            "{least} to {most} can play, not {n}.",
            least=game.seats[0],
            most=game.seats[-1],
            n=number,
        )
        yield game.fault("players", says, "deal")
    if asked.dealer and asked.dealer not in asked.seating:
        says = say("“{name}” isn’t one of the players named.", name=asked.dealer)
        yield game.fault("unknown-dealer", says, "deal")
    for player in dict.fromkeys(player for player, _ in asked.turns):
        if asked.seating and player not in asked.seating:
            says = say(
                "“{name}” isn’t one of the players, {players}.",
                name=player,
                players=listed(asked.seating),
            )
            yield game.fault("unknown-player", says, "deal")
    if first is not None and asked.turns and asked.turns[0][0] != first:
        says = say(
            "{first} sits to the left of {dealer}, who dealt, and begins, not {player}.",
            first=first,
            dealer=asked.dealer,
            player=asked.turns[0][0],
        )
        yield game.fault("first-turn", says, "play")


# --- in words

#: Verdicts on faults about turns, by code.
_WHY_NOT = {
    "first-turn": say("No: out of turn"),
    "must-play": say("No: a card has to be laid"),
    "not-next": say("No: a card doesn’t follow"),
    "one-each": say("No: only one of each rank"),
    "wrong-player": say("No: out of turn"),
    "held-back": say("No: a card was held back"),
    "deal-over": say("No: the deal was over"),
}


def _yes(laying: Laying) -> Text:
    """How play goes on, in a few words."""
    if laying.winner is not None:
        return say("Yes: {player} is out", player=laying.winner)
    due, player = laying.due, laying.next_player
    if due is None:
        if player is None:
            return say("Yes: begin with any card")
        if laying.last_player is None:
            return say("Yes: {player} begins", player=player)
        return say("Yes: {player} starts a new run", player=player)
    if player is None:
        return say("Yes: next comes {card}", card=card_name(due))
    return say("Yes: {player} needs {card}", player=player, card=card_name(due))


def _says(laying: Laying) -> Iterator[Text]:
    """Sentences: why play goes on so, and what red nines were read as."""
    due = laying.due
    if laying.winner is not None:
        if is_red_nine(laying.cards_laid[-1]):
            yield say("{player} went out on a red nine.", player=laying.winner)
    elif due is not None:
        yield _if_not(laying, due)
    elif laying.last_player is not None:
        yield _why_new(laying)
    if laying.sweeper is not None:
        yield say(
            "{player} has played both red aces and takes the red-ace pool.", player=laying.sweeper
        )
    yield from laying.checker.how_read()


def _if_not(laying: Laying, due: Card) -> Text:
    """What happens if the next player can't play, and how many cards could still follow."""
    assert laying.last_player is not None
    last = laying.last_player
    if laying.naturals(due):
        return say(
            "Whoever can’t play it says so, and the next player to the left is asked. If nobody "
            "can, {last} starts a new run.",
            last=last,
        )
    return say_many(
        "There are none left, so only a red nine can stand for it, and {n} is still to come. If "
        "nobody plays it, {last} starts a new run.",
        "There are none left, so only a red nine can stand for it, and {n} are still to come. If "
        "nobody plays one, {last} starts a new run.",
        n=laying.could_follow(due),
        last=last,
    )


def _why_new(laying: Laying) -> Text:
    """Why the player who laid the last card starts a new run."""
    before, needed = laying.checker.before, laying.checker.needed
    assert before is not None
    if needed is None:
        return say("{card:C} is a stop.", card=card_name(before.stands_for))
    if laying.could_follow(needed):
        return say("Nobody else had {card}.", card=card_name(needed))
    if not laying.game.order.notation.suited:
        return say(
            "{card:C} can’t come: there are none left, and no red nines either.",
            card=card_name(needed),
        )
    if needed in laying.asked.table:
        return say("{card:C} is on the table, so the dealer calls “stop.”", card=card_name(needed))
    return say("{card:C} can’t come: it has been played already.", card=card_name(needed))
