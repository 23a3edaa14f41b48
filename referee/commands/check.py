"""One question to one judge: `referee check`."""

import sys
from collections.abc import Iterable
from typing import Any

import click
import msgspec

from referee.commands import console
from referee.rules.core.game import AnyGame
from referee.rules.core.judge import Judge
from referee.rules.core.ruling import MalformedEntry, RefereeError, Ruling, Spread, shared_fault
from referee.rules.documents import given_twice, keys_given_twice, rule_name, ruling_document
from referee.rules.registry import GAMES
from referee.rules.text import listed, say


@click.command()
@click.argument("game", required=False, type=console.printable)
@click.argument("judge", required=False, type=console.printable)
@click.argument("fields", nargs=-1, type=console.printable, metavar="[FIELD=VALUE]...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of sentences.")
@click.option("--lines", is_flag=True, help="Read one JSON object of fields per line of input.")
def check(
    game: str | None, judge: str | None, fields: tuple[str, ...], as_json: bool, lines: bool
) -> None:
    """Ask a judge one question: is that legal?

    On its own, it lists the games with their judges, and the fields of each. Exit 0 legal,
    1 not legal, 2 not readable.

    \b
    referee check multiple-9 discard cards="8 4 4 A A"
    referee check red-nines-1881 payment plain=3 red_nines=1 out_on_red_nine=true
    """  # noqa: D301 - click reads the backspace that \b is
    console.speak_as_set()
    try:
        if game is None:
            _list_judges(GAMES.values())
            return
        if game not in GAMES:
            says = say(
                "There’s no game called “{name}”. The games are {known}.",
                name=game,
                known=listed(GAMES),
            )
            raise MalformedEntry([shared_fault("unknown-name", says, "question")])
        asked = GAMES[game]
        if judge is None:
            _list_judges([asked])
            return
        if judge not in asked.judges:
            says = say(
                "{game} has no judge called “{name}”. Its judges are {known}.",
                game=asked.title,
                name=judge,
                known=listed(asked.judges),
            )
            raise MalformedEntry([shared_fault("unknown-name", says, "question")])
        asked_judge = asked.judges[judge]
        if lines:
            console.answer_lines(
                lambda line: ruling_document(asked_judge.answer(_line_fields(line)))
            )
            return
        question = _fields(fields)
        ruling = asked_judge.answer(question)
    except RefereeError as error:
        console.refuse(error, as_json, 2)
    if as_json:
        console.print_json(ruling_document(ruling))
    else:
        _print_ruling(asked_judge, ruling)
        advice = None if ruling.legal else asked_judge.advise(question)
        if advice is not None:
            console.print_line(
                say("{advice}:", advice=advice.says) if advice.spreads else advice.says
            )
            _print_cards(advice.spreads)
    sys.exit(0 if ruling.legal else 1)


def _fields(texts: Iterable[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    faults = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            says = say("Which field is “{text}” for? Write FIELD={text}.", text=text)
            faults.append(shared_fault("no-field", says, "question"))
        elif name in fields:
            faults.append(shared_fault("field-twice", given_twice((name,)), "question"))
        fields[name] = value
    if faults:
        raise MalformedEntry(faults)
    return fields


def _line_fields(line: bytes) -> dict[str, Any]:
    try:
        fields = msgspec.json.decode(line, type=dict[str, Any])
        twice = keys_given_twice(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        says = say("This line isn’t a JSON object of fields: {why}.", why=str(error))
        raise MalformedEntry([shared_fault("not-json", says, "question")]) from None
    if twice:
        raise MalformedEntry(
            shared_fault("field-twice", given_twice(place), "question") for place in twice
        )
    return fields


def _list_judges(games: Iterable[AnyGame]) -> None:
    for game in games:
        console.print_line(f"{game.slug}  ({game.title})")
        for judge in game.judges.values():
            fields = msgspec.structs.fields(judge.question)
            named = (one.name if one.required else f"[{one.name}]" for one in fields)
            console.print_line(f"  {judge.name}: {' '.join(named)}")
            console.print_line(f"      {judge.title}")


def _print_ruling(judge: Judge, ruling: Ruling) -> None:
    if judge.yes_or_no:
        console.print_line(say("{answer}.", answer=ruling.answer))
    for sentence in ruling.says:
        console.print_line(sentence)
    _print_cards(ruling.spreads)
    for fault in ruling.faults:
        rule = rule_name(fault.game, fault.section)
        console.print_line(say("{fault} ({rule})", fault=fault.says, rule=rule))


def _print_cards(spreads: Iterable[Spread]) -> None:
    for spread in spreads:
        console.print_line(f"  {spread}")
