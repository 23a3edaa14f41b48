"""What the referee answers in Multiple 9 without a sheet: discards, and the best of a hand."""

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import Annotated, Any

from msgspec import Struct

from referee.rules.cards.card_keys import RankText
from referee.rules.cards.cards import (
    RANKS,
    RANKS_ONLY,
    VALUE,
    Card,
    card_name,
    count_of,
    read_cards,
    reading_cards,
    write_cards,
)
from referee.rules.cards.groups import Counts, Group, best_discard, ranks_of, split, total
from referee.rules.core.asking import asked
from referee.rules.core.judge import Advice, Judge, Spread, spread
from referee.rules.core.ruling import Fault, MakeFault, Ruling
from referee.rules.games.multiple_9.discards import (
    counted,
    discard_faults,
    may_go_out_on_nine,
    most_of_a_rank,
    rank_faults,
)
from referee.rules.games.multiple_9.house_rules import NineOut, Packs
from referee.rules.text import NOTHING, Listed, Text, listed, say, say_many


class DiscardQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May these cards be laid down?"""

    cards: Annotated[RankText, asked(say("Cards laid down"))] = ""
    hand: Annotated[RankText, asked(say("Your whole hand (optional)"), aside=True)] = ""
    final: Annotated[bool, asked(say("My last play"), say("then a single nine will do"))] = False
    packs: Packs = 1
    nine_out: NineOut = "sets"


class HandQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What can this hand lay down?"""

    hand: Annotated[RankText, asked(say("Your hand"))] = ""
    packs: Packs = 1
    nine_out: NineOut = "sets"


def judges(fault: MakeFault) -> tuple[Judge[Any], ...]:
    """Both questions; `fault` is the game's own."""
    return (
        Judge(
            "discard",
            say("Is this discard legal?"),
            DiscardQuestion,
            partial(judge_discard, fault),
            cards=spread_discard,
            heading=heading_of_discard,
            advice=better_discard,
            section="discards",
        ),
        Judge(
            "hand",
            say("What can I lay down?"),
            HandQuestion,
            partial(judge_hand, fault),
            cards=spread_hand,
            yes_or_no=False,
            section="discards",
        ),
    )


# --- is this discard legal?


def judge_discard(fault: MakeFault, asked: DiscardQuestion) -> Ruling:
    """Rule on a discard; the detail shows its groups (`docs/sheet-format.md`, judges)."""
    with reading_cards() as reader:
        cards = reader.cards(asked.cards, RANKS_ONLY, say("the cards laid down"))
        hand = reader.cards(asked.hand, RANKS_ONLY, say("the hand"))
    laid, held = counted(cards), counted(hand)
    final = laid == held if hand else asked.final
    faults = list(rank_faults(fault, held if hand else laid, asked.packs))
    if hand:
        faults.extend(_not_held_faults(fault, laid, held))
    elif asked.final and not cards:
        says = say("Your last play needs at least one card.")
        faults.append(fault("nothing-laid", says, "last-play"))
    faults.extend(discard_faults(fault, laid, final, asked.packs, asked.nine_out))
    groups = (split(laid) or ()) if max(laid) <= most_of_a_rank(asked.packs) else ()
    points = total(laid)
    detail = {"groups": [list(group) for group in groups], "total": points, "final": final}
    if not faults:
        return Ruling((), detail, (_legal(groups, points, final),), _yes(groups, points))
    codes = {found.code for found in faults}
    if not codes <= _UNFINISHED:
        return Ruling(tuple(faults), detail)
    would = tuple(_would_do(fault, laid, asked)) if not hand else ()
    return Ruling(
        tuple(faults),
        detail,
        (_would_in_words(would),) if would else (),
        _not_yet(codes, laid, points),
        unfinished=True,
        so_far=points,
        would=would,
    )


def _not_yet(codes: Collection[str], laid: Counts, points: int) -> Text:
    """What is wrong with cards that more cards could mend, in a few words."""
    if "lone-nine" in codes:
        return say("No: a nine alone only goes as your last play")
    if "two-ranks" not in codes:
        return say("Not yet: they make {points}", points=points)
    ranks = sum(1 for number in laid if number)
    if ranks == _THREE:
        return say("Not yet: three ranks")
    return say("Not yet: too many ranks")


def _would_do(fault: MakeFault, laid: Counts, asked: DiscardQuestion) -> Iterator[str]:
    """The ranks of which one more card makes the discard legal."""
    for place, rank in enumerate(RANKS):
        more = tuple(number + (at == place) for at, number in enumerate(laid))
        if max(more) > most_of_a_rank(asked.packs):
            continue
        if not any(discard_faults(fault, more, asked.final, asked.packs, asked.nine_out)):
            yield rank


def _would_in_words(would: tuple[str, ...]) -> Text:
    names = listed([card_name(Card(rank)) for rank in would], "or")
    return say("{cards:C} would do.", cards=names)


def spread_discard(asked: DiscardQuestion) -> tuple[Spread, ...]:
    """The cards laid down, group by group if they can be split, with what each group makes."""
    laid = counted(read_cards(asked.cards, RANKS_ONLY))
    if not any(laid):
        return ()
    groups = split(laid) if max(laid) <= most_of_a_rank(asked.packs) else None
    hand = read_cards(asked.hand, RANKS_ONLY)
    left = tuple(max(held - some, 0) for held, some in zip(counted(hand), laid, strict=True))
    stays = (_stays(left),) if any(left) else ()
    return (*_spreads(groups or (ranks_of(laid),), ("cards", "hand")), *stays)


def heading_of_discard(asked: DiscardQuestion) -> tuple[Text, Text]:
    """How many cards are laid down, and what they come to."""
    laid = counted(read_cards(asked.cards, RANKS_ONLY))
    if not any(laid):
        return NOTHING, NOTHING
    says = say_many("You lay down {n} card", "You lay down {n} cards", n=sum(laid))
    return says, say("{points} in all", points=total(laid))


def better_discard(asked: DiscardQuestion) -> Advice | None:
    """The best that could be laid down from the cards of an illegal discard."""
    counts = counted(read_cards(asked.hand or asked.cards, RANKS_ONLY))
    if max(counts) > most_of_a_rank(asked.packs):
        return None
    last = bool(asked.hand) or asked.final
    best = best_discard(counts, last and may_go_out_on_nine(counts, asked.nine_out))
    if not any(best):
        return Advice(say("You can’t lay down any of these cards."))
    return Advice(say("From these cards you can lay down"), _spreads(split(best) or ()))


_THREE = 3

#: What more cards can mend.
_UNFINISHED = {"not-a-multiple", "two-ranks", "lone-nine"}


def _yes(groups: tuple[Group, ...], points: int) -> Text:
    """A legal discard in a few words: "Yes: two nines"."""
    if not groups or points > 9 * len(groups):
        return say("Yes: they make {points}", points=points) if groups else NOTHING
    return _YES.get(len(groups)) or say("Yes: {n} nines", n=len(groups))


_YES = {1: say("Yes: a nine"), 2: say("Yes: two nines"), 3: say("Yes: three nines")}


def _not_held_faults(fault: MakeFault, laid: Counts, held: Counts) -> Iterable[Fault]:
    for rank, some, number in zip(RANKS, laid, held, strict=True):
        if some <= number:
            continue
        cards = count_of(some, rank)
        if number:
            says = say("{cards} laid down, but only {n} in the hand.", cards=cards, n=number)
        else:
            says = say("{cards} laid down, but none in the hand.", cards=cards)
        yield fault("not-in-hand", says, "discards")


def _legal(groups: tuple[Group, ...], points: int, final: bool) -> Text:
    """A legal discard in words: "Two nines, 8+A and 4+4+A: 18."."""
    if not groups:
        return say("You never have to lay anything down.")
    makes = _makes(listed(["+".join(group) for group in groups]), len(groups), points)
    return say("{makes} Good as your last play.", makes=makes) if final else makes


def _makes(groups: Listed, number: int, points: int) -> Text:
    if number == 1:
        return say("{group} makes {points}.", group=groups, points=points)
    if points > 9 * number:
        return say("{groups} make {points}.", groups=groups, points=points)
    if number == 2:
        return say("Two nines, {groups}: {points}.", groups=groups, points=points)
    if number == 3:
        return say("Three nines, {groups}: {points}.", groups=groups, points=points)
    return say_many(
        "{n} nine, {groups}: {points}.",
        "{n} nines, {groups}: {points}.",
        n=number,
        groups=groups,
        points=points,
    )


# --- what can I lay down?


def judge_hand(fault: MakeFault, asked: HandQuestion) -> Ruling:
    """The best discard of a hand: the most cards, of these the highest total."""
    with reading_cards() as reader:
        hand = reader.cards(asked.hand, RANKS_ONLY, say("the hand"))
    held = counted(hand)
    faults = tuple(rank_faults(fault, held, asked.packs))
    if faults:
        return Ruling(faults)
    best, left = _best(held, asked.nine_out)
    out = bool(hand) and best == held
    detail = {
        "best": write_cards(ranks_of(best)),
        "left": write_cards(ranks_of(left)),
        "out": out,
    }
    return Ruling((), detail, (_best_in_words(sum(best), sum(left), out),))


def spread_hand(asked: HandQuestion) -> tuple[Spread, ...]:
    """The groups that can be laid down from a hand, and the cards that stay."""
    held = counted(read_cards(asked.hand, RANKS_ONLY))
    if max(held) > most_of_a_rank(asked.packs):
        return (spread(ranks_of(held)),)
    best, left = _best(held, asked.nine_out)
    stays = (_stays(left),) if any(left) else ()
    return (*_spreads(split(best) or ()), *stays)


def _stays(left: Counts) -> Spread:
    says = say_many("stays in your hand", "stay in your hand", n=sum(left))
    return spread(ranks_of(left), says, ("hand",))


def _best(held: Counts, nine_out: NineOut) -> tuple[Counts, Counts]:
    """The best discard of a hand, and what it leaves."""
    best = best_discard(held, may_go_out_on_nine(held, nine_out))
    return best, tuple(number - laid for number, laid in zip(held, best, strict=True))


def _best_in_words(best: int, left: int, out: bool) -> Text:
    if out:
        return say("You can lay down everything: you’re out.")
    if best:
        return say_many(
            "Lay down {n} card; you keep {left}.",
            "Lay down {n} cards; you keep {left}.",
            n=best,
            left=left,
        )
    return say("You can’t lay anything down yet.")


def _spreads(groups: Iterable[Group], of: tuple[str, ...] = ()) -> tuple[Spread, ...]:
    """Groups with their sums: "8 + 1 = 9"."""
    return tuple(spread(group, _sum(group), of) for group in groups)


def _sum(group: Group) -> Text:
    points = sum(VALUE[rank] for rank in group)
    if len(group) == 1:
        return say("makes {points}", points=points)
    return say(
        "{sum} = {points}", sum=" + ".join(str(VALUE[rank]) for rank in group), points=points
    )
