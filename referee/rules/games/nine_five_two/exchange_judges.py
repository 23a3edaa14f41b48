"""The two judges of the exchange in Nine Five Two (`docs/rules.md` §7)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from referee.rules.cards.card_keys import NamedDealer, NamedNumbers, SuitedText
from referee.rules.cards.cards import SUITED, reading_cards, write_cards
from referee.rules.cards.packs import twice_faults
from referee.rules.core.asking import asked
from referee.rules.core.judge import Known, judge
from referee.rules.core.named import numbers_by_player, without_separators
from referee.rules.core.ruling import Fault, Ruling, spread, with_cards
from referee.rules.games.nine_five_two.deal import NineFiveTwoState
from referee.rules.games.nine_five_two.exchange import exchange_says, exchange_steps, handed_back
from referee.rules.games.nine_five_two.house_rules import (
    CARDS_EACH,
    PLAYERS,
    TARGETS,
    TRICKS,
    Division,
    Exchange,
    fault,
    targets_by_seat,
)
from referee.rules.text import Text, say, say_many

MAX_DOWN, MAX_UP = -max(TARGETS), TRICKS - min(TARGETS)
_EXAMPLE = "Ann:2;Ben:-1;Cat:-1"


# --- the judge of who gives


def _known_after_a_deal(state: NineFiveTwoState) -> Known:
    """The scores and the dealer of the last deal, and this deal's dealer."""
    if not state.last:
        return {}
    return {
        "scores": dict(zip(state.table.players, map(str, state.last), strict=True)),
        "dealer": state.name(state.dealer),
        "last_dealer": without_separators(state.last_dealer),
    }


@judge(
    "exchange",
    say("Who gives how many cards?"),
    section="exchange",
    known=_known_after_a_deal,
    yes_or_no=False,
)
def exchange_judge(
    scores: Annotated[
        NamedNumbers,
        asked(
            say("Scores of the last deal, in seating order"),
            say("Such as {example}.", example=_EXAMPLE),
            least=MAX_DOWN,
        ),
    ] = "",
    dealer: Annotated[NamedDealer, asked(say("Who deals next"))] = "",
    last_dealer: Annotated[
        str,
        asked(
            say("Who dealt last (optional)"),
            say("Usually the player on the next dealer’s right."),
            aside=True,
        ),
    ] = "",
    exchange: Exchange = "may",
    division: Division = "as-down",
) -> Ruling:
    """Who gives how many cards to whom before the coming deal, in order."""
    score_of = numbers_by_player(scores, _EXAMPLE, least=None)
    dealer, last_dealer = dealer.strip(), last_dealer.strip()
    faults = tuple(_exchange_faults(score_of, dealer, last_dealer))
    if faults:
        return Ruling(faults)
    names, up = tuple(score_of), tuple(score_of.values())
    free = division == "free"
    steps = exchange_steps(up, targets_by_seat(names.index(dealer)), free=free)
    found = [
        {"up": names[step.up], "to": {names[seat]: number for seat, number in step.to}}
        | ({} if step.in_all is None else {"in_all": step.in_all})
        for step in steps
    ]
    says = exchange_says(steps, names, up, must=exchange == "must")
    return Ruling((), {"steps": found}, tuple(says))


def _exchange_faults(scores: Mapping[str, int], dealer: str, last_dealer: str) -> Iterator[Fault]:
    if not scores:
        says = say("Name the three players and their scores.")
        yield fault("players", says, "exchange")
    elif len(scores) != PLAYERS:
        says = say("Name three players, not {n}.", n=len(scores))
        yield fault("players", says, "exchange")
    yield from _score_faults(scores, dealer, last_dealer)
    total = sum(scores.values())
    if len(scores) == PLAYERS and total != 0:
        says = say("The scores of a deal add up to 0; these add up to {total}.", total=total)
        yield fault("scores-sum", says, "scoring")
    if not dealer:
        yield fault("unknown-dealer", say("Say who deals next."), "deal")
    for name in dict.fromkeys(filter(None, (dealer, last_dealer))):
        if name not in scores:
            says = say("“{name}” isn’t one of these players.", name=name)
            yield fault("unknown-dealer", says, "deal")


def _score_faults(scores: Mapping[str, int], dealer: str, last_dealer: str) -> Iterator[Fault]:
    """Faults for scores impossible in a player's seat of the last deal or, if unknown, in any."""
    names, needed = tuple(scores), tuple[int, ...]()  # by seat, if the last dealer is known
    if len(names) == PLAYERS and last_dealer in names:
        needed = targets_by_seat(names.index(last_dealer))
    elif len(names) == PLAYERS and not last_dealer and dealer in names:
        needed = targets_by_seat((names.index(dealer) - 1) % PLAYERS)
    for seat, (name, score) in enumerate(scores.items()):
        least = -needed[seat] if needed else MAX_DOWN
        most = TRICKS - needed[seat] if needed else MAX_UP
        if least <= score <= most:
            continue
        if needed:
            says = say(
                "{name} needed {needed} tricks in the last deal, so can’t have scored {score} in "
                "it, only {least} to {most}.",
                name=name,
                needed=needed[seat],
                score=score,
                least=least,
                most=most,
            )
        else:
            says = say(
                "{name} can’t have scored {score} in a deal, only {least} to {most}.",
                name=name,
                score=score,
                least=least,
                most=most,
            )
        yield fault("score-range", says, "scoring")


# --- the judge of what goes back


@judge("return", say("Which cards do I give back?"), section="exchange", yes_or_no=False)
def return_judge(
    hand: Annotated[
        SuitedText, asked(say("Your hand"), say("your 16 cards, before the exchange"))
    ] = "",
    given: Annotated[SuitedText, asked(say("Given to you"))] = "",
) -> Ruling:
    """The cards that go back for those given: the highest of each suit, one for one."""
    with reading_cards() as reader:
        held = reader.cards(hand, SUITED, say("your hand"))
        got = reader.cards(given, SUITED, say("the cards you were given"))
    faults = []
    if len(held) > CARDS_EACH:
        says = say(
            "A hand has {most} cards before the exchange; this one has {n}.",
            most=CARDS_EACH,
            n=len(held),
        )
        faults.append(fault("hand-size", says, "exchange"))
    faults.extend(twice_faults(fault, (*held, *got)))
    taken = dict.fromkeys(got)
    back = handed_back([card for card in dict.fromkeys(held) if card not in taken], [*taken])
    to_do = tuple(_return_says(len(back), len(held), same=set(back) == set(got)))
    spreads = with_cards(spread(taken, say("given to you")), spread(back, say("goes back")))
    return Ruling(tuple(faults), {"cards": write_cards(back)}, to_do, spreads=spreads)


def _return_says(back: int, hand: int, *, same: bool) -> Iterator[Text]:
    """What to do, by the numbers of cards to give `back` and in the `hand` before."""
    if not back:
        yield say("You were given nothing, so there’s nothing to give back.")
        return
    yield say_many(
        "Give back {n} card: the highest you hold in its suit.",
        "Give back {n} cards: the highest you hold in each suit you were given.",
        n=back,
    )
    if same:
        yield say_many(
            "The card you were given goes straight back: you hold nothing higher.",
            "The cards you were given go straight back: you hold nothing higher.",
            n=back,
        )
    if hand < CARDS_EACH:
        yield say_many(
            "So far, {n} of the {each} cards in your hand has been entered.",
            "So far, {n} of the {each} cards in your hand have been entered.",
            n=hand,
            each=CARDS_EACH,
        )
