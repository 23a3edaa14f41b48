"""Settling up: each player's balance, the fewest payments that settle all, and their worth.

Counters and chips are whole numbers; money appears here and nowhere else, as exact decimals.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from decimal import Context, Decimal, localcontext
from typing import Any

from babel.numbers import format_decimal
from msgspec import Struct

from referee.rules.core.entries import Buy, Entry, Join, Replace
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import MalformedEntry, shared_fault
from referee.rules.core.table import State
from referee.rules.language import spoken
from referee.rules.text import MINUS, isolated, quoted, say

MAX_EXACT = 12  # players; for more, the fewest payments are not searched for

_RATE = re.compile(r"[0-9]{1,6}(?:[.,][0-9]{0,6})?|[.,][0-9]{1,6}")
RATE_LENGTH, SIGN_LENGTH = 14, 3
_EXACT = Context(prec=100)  # far more digits than a rate and a count of counters have together


class Balance(Struct, frozen=True):
    """What a player was `given` or bought, and what is `held`, in counters."""

    player: str
    given: int
    held: int

    @property
    def net(self) -> int:
        """What the player has won; negative: lost."""
        return self.held - self.given


class Payment(Struct, frozen=True):
    """`payer` hands `amount` counters (more than 0) to `payee`."""

    payer: str
    payee: str
    amount: int


class Rate(Struct, frozen=True):
    """What one counter is worth, and the sign of the currency."""

    each: Decimal
    sign: str


def balances(
    game: AnyGame, begun: State[Any], state: State[Any], entries: Iterable[Entry]
) -> tuple[Balance, ...]:
    """Each player's balance in `state`, as if play stopped there, in the order of the seats.

    Players who have left come last. `begun` is the state before the first of the `entries`. The
    nets add up to 0: the pools are shared out as in `Seating.scores_if_stopped`.
    """
    given = dict(zip(begun.table.players, game.before_first_deal(begun.table).scores, strict=True))
    for entry in entries:
        if isinstance(entry, Buy):
            given[entry.player] += entry.amount
        elif isinstance(entry, Join) and entry.player not in given:
            given[entry.player] = game.seating.begins_with(begun, entry.points)
        elif isinstance(entry, Replace):
            given[entry.by] = given.pop(entry.player)
    gone = (one.score for one in state.left)
    held = zip(state.everybody, (*game.seating.scores_if_stopped(state), *gone), strict=True)
    return tuple(Balance(player, given[player], count) for player, count in held)


def payments(nets: Mapping[str, int]) -> tuple[Payment, ...]:
    """The fewest payments that bring everybody to 0, the same ones for the same nets.

    `nets` are what each player has won (negative: owes); raises `ValueError` unless they add up to
    0. Above `MAX_EXACT` uneven players there may be a few payments more, but fewer than players.
    """
    if sum(nets.values()):
        message = "Somebody’s counters are missing: what was won is not what was lost."
        raise ValueError(message)
    uneven = [(player, net) for player, net in nets.items() if net]
    groups = _groups(uneven) if len(uneven) <= MAX_EXACT else [uneven]
    return tuple(payment for group in groups for payment in _within(group))


def read_rate(text: str, sign: str) -> Rate:
    """Read what a counter is worth, such as "0.05" or "0,05", and the currency's sign.

    The worth is above 0, with up to six digits before and after the point. Raises `MalformedEntry`.
    """
    faults = []
    plain, sign = text.strip(), sign.strip()
    each = Decimal(plain.replace(",", ".")) if _RATE.fullmatch(plain) else Decimal(0)
    if not each:
        says = say("“{text}”? Enter a number, such as 0.05.", text=quoted(plain))
        faults.append(shared_fault("rate", says, "settling"))
    if not 1 <= len(sign) <= SIGN_LENGTH or not all(map(_fits_a_sign, sign)):
        says = say(
            "Use 1 to {most} letters or signs for the currency, such as € or kr.",
            most=SIGN_LENGTH,
        )
        faults.append(shared_fault("currency", says, "settling"))
    if faults:
        raise MalformedEntry(faults)
    return Rate(each, sign)


def in_money(rate: Rate, counters: int) -> str:
    """What `counters` are worth, unrounded, as the language writes it: "€0.15", "0,15 €".

    Negative for counters that are owed.
    """
    with localcontext(_EXACT):
        worth = abs(rate.each * counters).normalize()
        pattern = "#,##0.00" if "." in f"{rate.each:f}" else "#,##0"
        shown = format_decimal(worth, pattern, spoken().locale, decimal_quantization=False)
    standard = spoken().locale.currency_formats["standard"].pattern  # "¤#,##0.00", "#,##0.00 ¤"
    before = re.match(r"¤(\s*)", standard) if _is_currency(rate.sign[0]) else None
    written = f"{rate.sign}{before[1]}{shown}" if before else shown
    if counters < 0:
        written = isolated(f"{MINUS}{written}")
    return written if before else f"{written}\u00a0{rate.sign}"


def _fits_a_sign(letter: str) -> bool:
    """Whether it is a letter, an accent, the sign of a currency, or a dot as in "Fr."."""
    return letter == "." or unicodedata.category(letter)[0] in "LM" or _is_currency(letter)


def _is_currency(letter: str) -> bool:
    return unicodedata.category(letter) == "Sc"


_Group = Sequence[tuple[str, int]]  # players with their nets


def _groups(uneven: _Group) -> list[_Group]:
    """Split `uneven` into as many groups as possible whose nets each add up to 0.

    A group of n needs n - 1 payments, so the most groups make the fewest payments. `most[mask]` is
    the most groups that can be completed while adding the players of `mask` one by one, and
    `last[mask]` the place of the player to add last.
    """
    size = 1 << len(uneven)
    total = [0] * size
    most = [0] * size
    last = [0] * size
    for mask in range(1, size):
        low = mask & -mask
        total[mask] = total[mask ^ low] + uneven[low.bit_length() - 1][1]
        places = [place for place in range(len(uneven)) if mask >> place & 1]
        last[mask] = max(places, key=lambda place: (most[mask ^ 1 << place], -place))
        most[mask] = most[mask ^ 1 << last[mask]] + (total[mask] == 0)
    groups: list[_Group] = []
    mask, members = size - 1, list[int]()
    while mask:
        members.append(last[mask])
        mask ^= 1 << last[mask]
        if total[mask] == 0:
            groups.append([uneven[place] for place in sorted(members)])
            members = []
    return sorted(groups, key=lambda group: uneven.index(group[0]))


def _within(group: _Group) -> list[Payment]:
    """The payments in a group whose nets add up to 0: the largest debtor pays the largest creditor.

    Each payment settles one of the two, so there are fewer payments than players.
    """
    nets = dict(group)
    found = []
    while any(nets.values()):
        payer = min(nets, key=lambda player: nets[player])
        payee = max(nets, key=lambda player: nets[player])
        count = min(-nets[payer], nets[payee])
        nets[payer] += count
        nets[payee] -= count
        found.append(Payment(payer, payee, count))
    return found
