"""Legal discards, and the judges that answer questions about them (`docs/rules.md` §1)."""

from collections.abc import Iterable, Iterator
from typing import Annotated

from msgspec.structs import replace

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
from referee.rules.cards.groups import (
    Counts,
    Group,
    added_up,
    best_discard,
    count_ranks,
    ranks_of,
    split,
    total,
)
from referee.rules.core.asking import asked
from referee.rules.core.judge import Advice, judge
from referee.rules.core.ruling import Fault, Ruling, Spread, faults_of, spread
from referee.rules.games.multiple_9.entries import NineOut, Packs
from referee.rules.text import NOTHING, Text, listed, say, say_many

SLUG = "multiple-9"
fault = faults_of(SLUG)
COPIES = 4  # of each rank, in one pack


def counted(cards: str, where: Text = NOTHING) -> Counts:
    """How many cards of each rank a text names; raises `NotationError`."""
    return count_ranks(card.rank for card in read_cards(cards, RANKS_ONLY, where))


def rank_faults(counts: Counts, packs: Packs) -> Iterator[Fault]:
    """A fault for each rank with more cards than the packs have."""
    most = COPIES * packs
    for rank, number in zip(RANKS, counts, strict=True):
        if number > most:
            cards = count_of(number, rank)
            says = say("{cards}? One pack has only {most}.", cards=cards, most=most)
            if packs == 2:
                says = say("{cards}? Two packs have only {most}.", cards=cards, most=most)
            yield fault("too-many-of-rank", says, "deal")


def discard_faults(counts: Counts, final: bool, packs: Packs, nine_out: NineOut) -> Iterator[Fault]:
    """The faults of laying down these cards; `final` if they empty the hand."""
    if not any(counts) or max(counts) > COPIES * packs:
        return  # laying nothing is always allowed; too many of a rank is a fault of its own
    points = total(counts)
    if points < 9:
        says = say("The cards laid down make only {points}, less than 9.", points=points)
        yield fault("not-a-multiple", says, "sets")
    elif points % 9:
        says = say(
            "The cards laid down make {points}, which isn’t a multiple of 9 ({below} and {above} "
            "are).",
            points=points,
            below=points - points % 9,
            above=points - points % 9 + 9,
        )
        yield fault("not-a-multiple", says, "sets")
    elif split(counts) is None:
        says = say(
            "The cards laid down make {points}, but they don’t split into groups of one or two "
            "ranks.",
            points=points,
        )
        yield fault("two-ranks", says, "sets")
    elif points == 9 and not final:
        says = say("A nine on its own is only allowed as your last play.")
        yield fault("lone-nine", says, "discards")
    elif points == 9 and not _may_go_out_on_nine(counts, nine_out):
        says = say_many(
            "This nine has {n} card. Here you can only go out on a single 9 or on two cards that "
            "make 9.",
            "This nine has {n} cards. Here you can only go out on a single 9 or on two cards that "
            "make 9.",
            n=sum(counts),
        )
        yield fault("nine-of-two-cards", says, "last-play")


def _may_go_out_on_nine(nine: Counts, nine_out: NineOut) -> bool:
    """Whether cards that make 9 in all may be the last play."""
    return nine_out == "sets" or sum(nine) <= 2


# --- is this discard legal?

_UNFINISHED = {"not-a-multiple", "two-ranks", "lone-nine"}  # faults that more cards can resolve


def better_discard(
    cards: str, hand: str, final: bool, packs: Packs, nine_out: NineOut
) -> Advice | None:
    """Advice on an illegal discard: the best one from `hand` or, without one, from `cards`."""
    counts = counted(hand or cards)
    if max(counts) > COPIES * packs:
        return None
    last = bool(hand) or final
    best = best_discard(counts, last and _may_go_out_on_nine(counts, nine_out))
    if not any(best):
        return Advice(say("You can’t lay down any of these cards."))
    return Advice(say("From these cards you can lay down"), _spreads(split(best) or ()))


def _with_article(rank: str) -> Text:
    """A card of this rank with its article: "a 9", "an 8", "an ace"."""
    if not rank.isdecimal():
        return card_name(Card(rank))
    return say("an 8") if rank == "8" else say("a {rank}", rank=rank)


@judge("discard", say("Is this discard legal?"), section="discards", advice=better_discard)
def discard_judge(
    cards: Annotated[RankText, asked(say("Cards laid down"))] = "",
    hand: Annotated[RankText, asked(say("Your whole hand (optional)"), aside=True)] = "",
    final: Annotated[bool, asked(say("My last play"), say("then a single nine will do"))] = False,
    packs: Packs = 1,
    nine_out: NineOut = "sets",
) -> Ruling:
    """Rule on a discard; the detail shows its groups (`docs/sheet-format.md`, judges)."""
    with reading_cards() as reader:
        read = reader.cards(cards, RANKS_ONLY, say("the cards laid down"))
        whole = reader.cards(hand, RANKS_ONLY, say("the hand"))
    laid, held = (count_ranks(card.rank for card in some) for some in (read, whole))
    faults = list(rank_faults(held if whole else laid, packs))
    if whole:
        faults.extend(_not_held_faults(laid, held))
        final = laid == held
    elif final and not read:
        says = say("Your last play needs at least one card.")
        faults.append(fault("nothing-laid", says, "last-play"))
    faults.extend(discard_faults(laid, final, packs, nine_out))
    groups = (split(laid) or ()) if max(laid) <= COPIES * packs else ()
    points = total(laid)
    ruling = Ruling(
        tuple(faults),
        {"groups": [list(group) for group in groups], "total": points, "final": final},
    )
    if read:
        stay = tuple(max(some - out, 0) for some, out in zip(held, laid, strict=True))
        says = say_many("You lay down {n} card", "You lay down {n} cards", n=len(read))
        ruling = replace(
            ruling,
            spreads=(*_spreads(groups or (ranks_of(laid),), ("cards", "hand")), *_stays(stay)),
            heading=(says, say("{points} in all", points=points)),
        )
    if not faults:
        sentence, verdict = _legal(groups, points, final)
        return replace(ruling, says=(sentence,), verdict=verdict)
    codes = {found.code for found in faults}
    if not codes <= _UNFINISHED:
        return ruling
    would = () if whole else tuple(_would_do(laid, final, packs, nine_out))
    names = listed([_with_article(rank) for rank in would], "or")
    verdict = say("Not yet: they make {points}", points=points)
    if "lone-nine" in codes:
        verdict = say("No: a nine alone only goes as your last play")
    elif "two-ranks" in codes:
        three = sum(map(bool, laid)) == 3
        verdict = say("Not yet: three ranks") if three else say("Not yet: too many ranks")
    return replace(
        ruling,
        says=(say("Add {cards} and it goes.", cards=names),) if would else (),
        verdict=verdict,
        unfinished=True,
        so_far=points,
        would=would,
    )


def _legal(groups: tuple[Group, ...], points: int, final: bool) -> tuple[Text, Text]:
    """A legal discard in words: "Two nines, 8+A and 4+4+A: 18.", and in short "Yes: two nines"."""
    if not groups:
        return say("You never have to lay anything down."), NOTHING
    number, cards = len(groups), added_up(groups)
    nines = {1: say("one nine"), 2: say("two nines"), 3: say("three nines")}.get(number)
    nines = nines or say_many("1 nine", "{n} nines", n=number)
    verdict = say("Yes: {nines}", nines=nines)
    if points > 9 * number:
        verdict = say("Yes: they make {points}", points=points)
    if number == 1:
        says = say("{group} makes {points}.", group=cards, points=points)
    elif points > 9 * number:
        says = say("{groups} make {points}.", groups=cards, points=points)
    else:
        says = say("{nines:C}, {groups}: {points}.", nines=nines, groups=cards, points=points)
    if final:
        says = say("{makes} Good as your last play.", makes=says)
    return says, verdict


def _not_held_faults(laid: Counts, held: Counts) -> Iterator[Fault]:
    for rank, some, number in zip(RANKS, laid, held, strict=True):
        if some > number:
            cards = count_of(some, rank)
            says = say("{cards} laid down, but none in the hand.", cards=cards)
            if number:
                says = say("{cards} laid down, but only {n} in the hand.", cards=cards, n=number)
            yield fault("not-in-hand", says, "discards")


def _would_do(laid: Counts, final: bool, packs: Packs, nine_out: NineOut) -> Iterator[str]:
    """The ranks of which one more card would make the discard legal."""
    for place, rank in enumerate(RANKS):
        more = tuple(number + (at == place) for at, number in enumerate(laid))
        faults = discard_faults(more, final, packs, nine_out)
        if max(more) <= COPIES * packs and not any(faults):
            yield rank


def _spreads(groups: Iterable[Group], of: tuple[str, ...] = ()) -> tuple[Spread, ...]:
    """A spread for each group, with its sum: "8 + 1 = 9"."""
    spreads = []
    for group in groups:
        values = [VALUE[rank] for rank in group]
        says = say("makes {points}", points=values[0])
        if len(values) > 1:
            says = say("{sum} = {points}", sum=" + ".join(map(str, values)), points=sum(values))
        spreads.append(spread(group, says, of))
    return tuple(spreads)


def _stays(left: Counts) -> Iterator[Spread]:
    if any(left):
        says = say_many("stays in your hand", "stay in your hand", n=sum(left))
        yield spread(ranks_of(left), says, ("hand",))


# --- what can I lay down?


@judge("hand", say("What can I lay down?"), section="discards", yes_or_no=False)
def hand_judge(
    hand: Annotated[RankText, asked(say("Your hand"))] = "",
    packs: Packs = 1,
    nine_out: NineOut = "sets",
) -> Ruling:
    """Find the best discard of a hand: the most cards, then the highest total."""
    held = counted(hand, say("the hand"))
    faults = tuple(rank_faults(held, packs))
    if faults:
        return Ruling(faults, spreads=(spread(ranks_of(held)),))
    best = best_discard(held, _may_go_out_on_nine(held, nine_out))
    left = tuple(number - laid for number, laid in zip(held, best, strict=True))
    out = any(held) and best == held
    detail = {
        "best": write_cards(ranks_of(best)),
        "left": write_cards(ranks_of(left)),
        "out": out,
    }
    says = say("You can’t lay anything down yet.")
    if out:
        says = say("You can lay down everything: you’re out.")
    elif any(best):
        says = say_many(
            "Lay down {n} card; you keep {left}.",
            "Lay down {n} cards; you keep {left}.",
            n=sum(best),
            left=sum(left),
        )
    spreads = (*_spreads(split(best) or ()), *_stays(left))
    return Ruling((), detail, (says,), spreads=spreads)
