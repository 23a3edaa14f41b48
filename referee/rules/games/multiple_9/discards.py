"""Rulings on discards: what may be laid down, why not, and what would be best (`rules.md` §1)."""

from collections.abc import Iterable, Mapping

from referee.rules.cards.cards import (
    RANKS,
    RANKS_ONLY,
    VALUE,
    Card,
    count_of,
    read_cards,
    reading_cards,
    write_cards,
)
from referee.rules.cards.groups import Counts, best_discard, count_ranks, ranks_of, split, total
from referee.rules.core.judge import Advice
from referee.rules.core.ruling import Fault, MakeFault, Ruling
from referee.rules.core.spread import Spread, spread
from referee.rules.games.multiple_9.entries import DiscardQuestion, HandQuestion


def ranks(cards: Iterable[Card]) -> tuple[str, ...]:
    """The ranks of cards, whose suits do not matter here."""
    return tuple(card.rank for card in cards)


def _lone_nine_allowed(counts: Counts, nine_out: str) -> bool:
    """Whether the cards, which make one nine in all, may be a last play."""
    return nine_out == "sets" or sum(counts) <= 2


def rank_faults(fault: MakeFault, counts: Counts, packs: int) -> Iterable[Fault]:
    """Ranks of which there are more cards than the packs have."""
    most = 4 * packs
    for rank, number in zip(RANKS, counts, strict=True):
        if number > most:
            has = "One pack has" if packs == 1 else "Two packs have"
            message = f"{count_of(number, rank)}? {has} {most}."
            yield fault("too-many-of-rank", message, "deal")


def discard_faults(
    fault: MakeFault, counts: Counts, final: bool, packs: int, nine_out: str
) -> Iterable[Fault]:
    """Why these cards cannot be laid down, given whether they empty the hand."""
    if not any(counts) or max(counts) > 4 * packs:
        return  # laying nothing is always allowed; too many of a rank is a fault of its own
    points = total(counts)
    if points % 9:
        below = points - points % 9
        message = f"The cards laid down make {points}, which is no multiple of 9"
        near = f" ({below} and {below + 9} are)" if below else " (9 is)"
        yield fault("not-a-multiple", message + near + ".", "sets")
    elif split(counts) is None:
        message = (
            f"The cards laid down make {points}, but a group may hold two ranks at most, and "
            "they cannot be split that way."
        )
        yield fault("two-ranks", message, "sets")
    elif points == 9 and not final:
        message = "A nine on its own is only allowed as your last play."
        yield fault("lone-nine", message, "discards")
    elif points == 9 and not _lone_nine_allowed(counts, nine_out):
        message = (
            f"This nine has {sum(counts)} cards. Here the last play may be a single 9 or two "
            "cards that make 9, no more."
        )
        yield fault("nine-of-two-cards", message, "last-play")


def judge_discard(fault: MakeFault, asked: DiscardQuestion) -> Ruling:
    """Rule on a discard and show its groups; see `sheet-format.md` for the detail."""
    with reading_cards() as reader:
        cards = reader.cards(asked.cards, RANKS_ONLY, "the cards laid down")
        hand = reader.cards(asked.hand, RANKS_ONLY, "the hand")
    counts, in_hand = count_ranks(ranks(cards)), count_ranks(ranks(hand))
    final = counts == in_hand if hand else asked.final
    faults = [] if hand else list(rank_faults(fault, counts, asked.packs))
    if hand:
        faults.extend(rank_faults(fault, in_hand, asked.packs))
        for rank, laid, held in zip(RANKS, counts, in_hand, strict=True):
            if laid > held:
                message = f"{count_of(laid, rank)} laid down, but {held or 'none'} in the hand."
                faults.append(fault("not-in-hand", message, "discards"))
    elif asked.final and not cards:
        message = "A last play lays down at least one card."
        faults.append(fault("nothing-laid", message, "last-play"))
    faults.extend(discard_faults(fault, counts, final, asked.packs, asked.nine_out))
    groups = (split(counts) or ()) if max(counts) <= 4 * asked.packs else ()
    detail = {
        "groups": [list(group) for group in groups],
        "total": total(counts),
        "final": final,
    }
    return Ruling(tuple(faults), detail, () if faults else (_in_words(detail),))


def spread_discard(asked: DiscardQuestion) -> tuple[Spread, ...]:
    """The cards laid down, group by group if they can be split, with what each group makes."""
    counts = count_ranks(ranks(read_cards(asked.cards, RANKS_ONLY)))
    if not any(counts):
        return ()
    groups = split(counts) if max(counts) <= 4 * asked.packs else None
    return _spreads(groups or (ranks_of(counts),))


def better_discard(asked: DiscardQuestion) -> Advice | None:
    """The best that could be laid down from the cards of an illegal discard."""
    cards = read_cards(asked.hand or asked.cards, RANKS_ONLY)
    counts = count_ranks(ranks(cards))
    if max(counts) > 4 * asked.packs:
        return None
    last = bool(asked.hand) or asked.final
    best = best_discard(counts, last and _lone_nine_allowed(counts, asked.nine_out))
    if not any(best):
        return Advice("Nothing can be laid down from these cards.")
    return Advice("From these cards you can lay", _spreads(split(best) or ()))


def judge_hand(fault: MakeFault, asked: HandQuestion) -> Ruling:
    """The best discard of a hand: the most cards, of these the highest total."""
    with reading_cards() as reader:
        hand = reader.cards(asked.hand, RANKS_ONLY, "the hand")
    counts = count_ranks(ranks(hand))
    faults = tuple(rank_faults(fault, counts, asked.packs))
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
        says = "Everything can go: you are out."
    elif any(best):
        says = f"Lay down {_cards(sum(best))}; you keep {_cards(sum(left))}."
    else:
        says = "Nothing can be laid down from this hand yet."
    return Ruling((), detail, (says,))


def spread_hand(asked: HandQuestion) -> tuple[Spread, ...]:
    """The groups that can be laid down from a hand, and the cards that stay."""
    counts = count_ranks(ranks(read_cards(asked.hand, RANKS_ONLY)))
    if max(counts) > 4 * asked.packs:
        return (spread(ranks_of(counts)),)
    best = best_discard(counts, _lone_nine_allowed(counts, asked.nine_out))
    left = tuple(a - b for a, b in zip(counts, best, strict=True))
    stays = (spread(ranks_of(left), "stays in your hand"),) if any(left) else ()
    return (*_spreads(split(best) or ()), *stays)


def _spreads(groups: Iterable[Iterable[str]]) -> tuple[Spread, ...]:
    """Groups with their sums: "8 + A = 9"."""
    return tuple(spread(group, _sum(group)) for group in map(tuple, groups))


def _sum(group: tuple[str, ...]) -> str:
    makes = sum(VALUE[rank] for rank in group)
    return f"{' + '.join(group)} = {makes}" if len(group) > 1 else f"makes {makes}"


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _in_words(detail: Mapping[str, object]) -> str:
    groups = detail["groups"]
    assert isinstance(groups, list)
    if not groups:
        return "Laying down nothing is always allowed."
    number = "one group" if len(groups) == 1 else f"{len(groups)} groups"
    last = " Good as a last play." if detail["final"] else ""
    return f"{detail['total']} in {number} of no more than two ranks.{last}"
