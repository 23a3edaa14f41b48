"""What counters are worth: the rate typed in the address, and a settling with it."""

from flask import request
from msgspec import Struct

from referee.rules.core.ruling import Fault, MalformedEntry
from referee.rules.settling import Balance, Payment, Rate, in_money, payments, read_rate
from referee.rules.text import Text
from referee.sheets.summaries import Summary


class Money(Struct, frozen=True):
    """The rate of a settling as `typed`, as read if it is valid, and the `faults` if it isn’t."""

    typed: dict[str, str]
    rate: Rate | None
    faults: tuple[Fault, ...]

    def worth(self, count: int) -> str:
        """The value of `count` counters in money; needs a rate."""
        assert self.rate is not None
        return in_money(self.rate, count)


class Reckoning(Struct, frozen=True):
    """The balances and payments of a settling, also in `money` if that has a rate.

    `says` are the sentences about games in progress, `unit` the kind of counters, "" if mixed.
    """

    balances: tuple[Balance, ...]
    payments: tuple[Payment, ...]
    unit: str
    says: tuple[Text, ...]
    money: Money


def rate_typed() -> dict[str, str]:
    """The rate and the currency sign as typed, from the address."""
    return {name: request.args.get(name, "").strip()[:40] for name in ("rate", "sign")}


def money_typed() -> Money:
    """The rate and the currency sign from the address, as read."""
    typed = rate_typed()
    try:
        rate = read_rate(typed["rate"], typed["sign"]) if typed["rate"] else None
    except MalformedEntry as error:
        return Money(typed, None, error.faults)
    return Money(typed, rate, ())


def reckoning_of(balances: tuple[Balance, ...], sheets: list[Summary]) -> Reckoning:
    """The settling of `sheets`, with the rate that was typed if it is valid."""
    units = {sheet.game.unit for sheet in sheets if sheet.game}
    going_on = [sheet.game for sheet in sheets if sheet.game and not sheet.finished]
    return Reckoning(
        balances=balances,
        payments=payments({one.player: one.net for one in balances}),
        unit=units.pop() if len(units) == 1 else "",
        says=tuple(dict.fromkeys(game.counters.if_stopped for game in going_on)),
        money=money_typed(),
    )
