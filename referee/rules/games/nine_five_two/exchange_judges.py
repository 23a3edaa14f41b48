"""Questions about the exchange of Nine Five Two: who gives, what goes back, what is shown."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Struct

from referee.rules.cards.card_keys import NamedDealer, NamedNumbers, SuitedText
from referee.rules.cards.cards import SUITED, read_cards, reading_cards, write_cards
from referee.rules.core.asking import asked
from referee.rules.core.judge import Judge, Spread, spread, with_cards
from referee.rules.core.named import numbers_by_player
from referee.rules.core.ruling import Fault, Ruling
from referee.rules.games.nine_five_two.exchange import (
    Step,
    exchange_steps,
    handed_back,
    shown_from_kitty,
)
from referee.rules.games.nine_five_two.exchange_in_words import exchange_says
from referee.rules.games.nine_five_two.house_rules import Division, Exchange, KittyCompare
from referee.rules.games.nine_five_two.terms import (
    CARDS_EACH,
    KITTY,
    MAX_DOWN,
    MAX_UP,
    PLAYERS,
    TRICKS,
    fault,
    targets_by_seat,
    twice_faults,
)
from referee.rules.text import Text, say, say_many

_EXAMPLE = "Ann:2;Ben:-1;Cat:-1"

#: What the kitty is compared with, by house rule: where it is named, and where it is drawn.
_COMPARED = {"returned": say("the cards given back"), "received": say("the cards you were given")}
_SWAPPED = {"returned": say("you gave back"), "received": say("you were given")}


class ExchangeQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Who gives how many cards to whom?"""

    scores: Annotated[
        NamedNumbers,
        asked(
            say("Scores of the last deal, in seating order"),
            say("Such as {example}.", example=_EXAMPLE),
            least=MAX_DOWN,
            most=MAX_UP,
        ),
    ] = ""
    dealer: Annotated[NamedDealer, asked(say("Who deals next"))] = ""
    last_dealer: Annotated[
        str,
        asked(
            say("Who dealt last (optional)"),
            say("Usually the player on the next dealer’s right."),
            aside=True,
        ),
    ] = ""
    exchange: Exchange = "may"
    division: Division = "as-down"


class ReturnQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Which cards go back for those given?"""

    hand: Annotated[
        SuitedText, asked(say("Your hand"), say("Before you were given any cards."))
    ] = ""
    given: Annotated[SuitedText, asked(say("Given to you"))] = ""


class KittyQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Which kitty cards does a dealer who was down show?"""

    returned: Annotated[
        SuitedText,
        asked(
            say("You gave back"),
            say("To that player; or what you were given, if you agreed to compare with that."),
        ),
    ] = ""
    kitty: Annotated[SuitedText, asked(say("The kitty"))] = ""
    kitty_compare: KittyCompare = "returned"


def rule_on_exchange(asked: ExchangeQuestion) -> Ruling:
    """Who gives how many cards to whom before the coming deal, in order."""
    scores = numbers_by_player(asked.scores, _EXAMPLE, least=None)
    dealer, last_dealer = asked.dealer.strip(), asked.last_dealer.strip()
    faults = tuple(_exchange_faults(scores, dealer, last_dealer))
    if faults:
        return Ruling(faults)
    names, up = tuple(scores), tuple(scores.values())
    free = asked.division == "free"
    steps = exchange_steps(up, targets_by_seat(names.index(dealer)), free=free)
    detail = {"steps": [_as_detail(step, names) for step in steps]}
    must = asked.exchange == "must"
    return Ruling((), detail, tuple(exchange_says(steps, names, up, must=must)))


def _as_detail(step: Step, names: Sequence[str]) -> dict[str, Any]:
    """A step as a program reads it; `in_all` only where the cards are divided freely."""
    found = {"up": names[step.up], "to": {names[seat]: number for seat, number in step.to}}
    return found if step.in_all is None else found | {"in_all": step.in_all}


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


def _last_targets(names: Sequence[str], dealer: str, last_dealer: str) -> Sequence[int]:
    """The tricks that each seat needed in the last deal; none where it isn’t known who dealt."""
    if len(names) != PLAYERS:
        return ()
    if last_dealer:
        return targets_by_seat(names.index(last_dealer)) if last_dealer in names else ()
    return targets_by_seat((names.index(dealer) - 1) % PLAYERS) if dealer in names else ()


def _score_faults(scores: Mapping[str, int], dealer: str, last_dealer: str) -> Iterator[Fault]:
    """Scores that nobody can have made in the seat held in the last deal, or in any."""
    needed = _last_targets(tuple(scores), dealer, last_dealer)
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


def rule_on_return(asked: ReturnQuestion) -> Ruling:
    """The cards that go back for those given: the highest of each suit, one for one."""
    with reading_cards() as reader:
        hand = reader.cards(asked.hand, SUITED, say("your hand"))
        given = reader.cards(asked.given, SUITED, say("the cards you were given"))
    faults = []
    if len(hand) > CARDS_EACH:
        says = say(
            "A hand has {most} cards before the exchange; this one has {n}.",
            most=CARDS_EACH,
            n=len(hand),
        )
        faults.append(fault("hand-size", says, "exchange"))
    faults.extend(twice_faults((*hand, *given)))
    taken = dict.fromkeys(given)
    back = handed_back([card for card in dict.fromkeys(hand) if card not in taken], [*taken])
    same = set(back) == set(given)
    detail = {"cards": write_cards(back)}
    return Ruling(tuple(faults), detail, tuple(_return_says(len(back), len(hand), same=same)))


def _return_says(back: int, hand: int, *, same: bool) -> Iterator[Text]:
    """What to do, for so many cards that go `back` and a hand of so many before."""
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


def spread_return(asked: ReturnQuestion) -> tuple[Spread, ...]:
    """What was given, and what goes back for it."""
    given = tuple(dict.fromkeys(read_cards(asked.given, SUITED)))
    hand = [card for card in dict.fromkeys(read_cards(asked.hand, SUITED)) if card not in given]
    return with_cards(
        spread(given, say("given to you")), spread(handed_back(hand, given), say("goes back"))
    )


def rule_on_kitty(asked: KittyQuestion) -> Ruling:
    """The kitty cards that a dealer who was down shows to one of those who were up.

    `returned` are the cards that these must beat: those given back or, by house rule, received.
    """
    with reading_cards() as reader:
        returned = reader.cards(asked.returned, SUITED, _COMPARED[asked.kitty_compare])
        kitty = reader.cards(asked.kitty, SUITED, say("the kitty"))
    faults = []
    if len(kitty) != KITTY and (returned or kitty):
        says = say("The kitty has {most} cards, not {n}.", most=KITTY, n=len(kitty))
        faults.append(fault("kitty-size", says, "kitty"))
    faults.extend(twice_faults((*returned, *kitty)))
    show = shown_from_kitty(returned, dict.fromkeys(kitty))
    detail = {"show": write_cards(show)}
    return Ruling(tuple(faults), detail, (_what_to_show(len(show)),))


def _what_to_show(cards: int) -> Text:
    if not cards:
        return say("Show nothing.")
    return say_many(
        "Show {n} kitty card, and nothing else.",
        "Show {n} kitty cards, and nothing else.",
        n=cards,
    )


def spread_kitty(asked: KittyQuestion) -> tuple[Spread, ...]:
    """What went back, and the kitty: what is shown of it and what is not."""
    returned = read_cards(asked.returned, SUITED)
    kitty = tuple(dict.fromkeys(read_cards(asked.kitty, SUITED)))
    show = shown_from_kitty(returned, kitty)
    hidden = [card for card in kitty if card not in show]
    return with_cards(
        spread(returned, _SWAPPED[asked.kitty_compare]),
        spread(show, say("show")),
        spread(hidden, say("not shown")),
    )


EXCHANGE_JUDGES: Sequence[Judge[Any]] = (
    Judge(
        "exchange",
        say("Who gives how many cards?"),
        ExchangeQuestion,
        rule_on_exchange,
        yes_or_no=False,
        section="exchange",
    ),
    Judge(
        "return",
        say("Which cards do I give back?"),
        ReturnQuestion,
        rule_on_return,
        cards=spread_return,
        yes_or_no=False,
        section="exchange",
    ),
    Judge(
        "kitty",
        say("Which kitty cards do I show?"),
        KittyQuestion,
        rule_on_kitty,
        cards=spread_kitty,
        yes_or_no=False,
        section="kitty",
    ),
)
