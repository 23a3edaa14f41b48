"""The colour of each player on a sheet: theirs from the first deal to the last.

It comes of the history, which only grows: nothing recorded, corrected or removed later changes it.
A colour is a number from 1; the style sheet has the tones and, in the chart, the dashes.
"""

from collections.abc import Collection, Mapping, Sequence

from referee.sheets.history import Past, SheetSettings, settings_at_start

TONES = 12  # colours that can be told from one another; see tokens.css
COLOURS = 16  # with dashes and dots, which tell the rest apart; the most that any game seats


def colours_of(now: SheetSettings, history: Sequence[Past]) -> dict[str, int]:
    """The colour of everybody ever named on a sheet, whose settings are those of `now`.

    Who takes over a place has its colour. Who comes has one that nobody had before, or nobody who
    is still at the table.
    """
    colours = dict(zip(settings_at_start(now, history).players, _cycle(), strict=False))
    gone: set[str] = set()
    for row in history:
        if row.agreed:
            renamed = row.agreed.renamed
            colours = {renamed.get(name, name): colour for name, colour in colours.items()}
            gone = {renamed.get(name, name) for name in gone}
        entry = row.entry or {}
        name = entry.get("player", "")
        match entry.get("action"):
            case "leave":
                gone.add(name)
            case "join":
                if name not in colours or _shared(name, colours, gone):
                    colours[name] = _free(colours, gone)
                gone.discard(name)
            case "replace" if name in colours:
                colours.setdefault(entry["by"], colours[name])
                gone.add(name)
    return colours


def _cycle() -> list[int]:
    return [place % COLOURS + 1 for place in range(99)]


def _shared(name: str, colours: Mapping[str, int], gone: Collection[str]) -> bool:
    """Whether somebody who has not gone has this player’s colour: who took the place over."""
    return any(
        colour == colours[name]
        for other, colour in colours.items()
        if other != name and other not in gone
    )


def _free(colours: Mapping[str, int], gone: Collection[str]) -> int:
    """A colour that nobody has had, or nobody who is still here; the first of all where none is."""
    had = set(colours.values())
    held = {colour for name, colour in colours.items() if name not in gone}
    tones, rest = range(1, TONES + 1), range(TONES + 1, COLOURS + 1)
    wanted = (*(c for c in tones if c not in had), *(c for c in tones if c not in held))
    return next(iter((*wanted, *(c for c in rest if c not in held), 1)))
