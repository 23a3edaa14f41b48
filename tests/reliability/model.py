"""Check a recorded history against the final rows of its sheets.

Rows are only appended, and each says which attempt wrote it, so the order of the rows is the
serialization to check: every acknowledged attempt must have taken effect exactly once, with the
content it sent, in an order that fits the times; of the others only those whose answer was lost
may have had an effect.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.reliability.log import LOST, ON_THE_SHEET, Attempt, Log, Reading

Row = dict[str, Any]

_CHANGEABLE = {"amend": ("play",), "void": ("play", "amend", "void")}


# --- the entries that rows yield


def standing(rows: Sequence[Row]) -> set[int]:
    """The numbers of the rows in force: not voided by a void that is in force itself."""
    voided: set[int] = set()
    for row in reversed(rows):
        if row["kind"] == "void" and row["seq"] not in voided:
            voided.add(row["target"])
    return {row["seq"] for row in rows} - voided


def in_force(rows: Sequence[Row]) -> list[Row]:
    """The plays in force, in order."""
    stands = standing(rows)
    return [row for row in rows if row["kind"] == "play" and row["seq"] in stands]


def entries(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The entries that the sheet file must list: as last amended, with the current names."""
    stands = standing(rows)
    found = []
    for play in in_force(rows):
        amended = [row for row in rows if row["kind"] == "amend" and row["seq"] in stands]
        last = [row for row in (play, *amended) if row.get("target", row["seq"]) == play["seq"]][-1]
        entry = last["entry"]
        for row in rows[last["seq"] :]:
            entry = _renamed(entry, row.get("agreed", {}).get("renamed", {}))
        found.append(entry)
    return found


def _renamed(entry: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    after = dict(entry)
    if "player" in after:
        after["player"] = names.get(after["player"], after["player"])
    if "points" in after and isinstance(after["points"], dict):
        after["points"] = {names.get(who, who): held for who, held in after["points"].items()}
    return after


def possible(attempt: Attempt, rows: Sequence[Row]) -> bool:
    """Whether the rules of a sheet with these `rows` allow what was asked."""
    wish = attempt.wish
    if wish.kind == "undo":
        return bool(in_force(rows))
    if wish.kind in _CHANGEABLE:
        target = next((row for row in rows if row["seq"] == wish.target), None)
        return (
            target is not None
            and target["seq"] in standing(rows)
            and target["kind"] in _CHANGEABLE[wish.kind]
        )
    return True


def wrote(attempt: Attempt, row: Row, before: Sequence[Row]) -> bool:
    """Whether `row`, after the rows `before`, has the content of the attempt."""
    wish = attempt.wish
    said = (row["kind"], row.get("entry"), row.get("target"), row.get("reason", ""))
    if wish.kind == "undo":
        last = [play["seq"] for play in in_force(before)[-1:]]
        return len(before) == attempt.after and said == ("void", None, *last, "")
    agreed = row.get("agreed", {})
    settings = agreed.get("becomes"), agreed.get("renamed", {})
    return said == (wish.kind, wish.entry, wish.target, wish.reason) and settings == (
        wish.becomes,
        wish.renamed,
    )


# --- one sheet


class RowCheck:
    """Matches the rows of one sheet's final file with the attempts, and finds the faults."""

    def __init__(
        self, file: dict[str, Any], attempts: Sequence[Attempt], readings: Sequence[Reading]
    ) -> None:
        """Match the rows with the attempts."""
        self._file, self._attempts, self._readings = file, attempts, readings
        self._rows: list[Row] = file["history"]
        by = {attempt.by: attempt for attempt in attempts}
        self._writers = [by.get(row.get("by", "")) for row in self._rows]
        self._of_key: dict[str, list[int]] = defaultdict(list)
        for place, writer in enumerate(self._writers):
            if writer is not None:
                self._of_key[writer.key].append(place)

    def faults(self) -> Iterator[str]:
        """The faults of this sheet, a line each."""
        yield from self._of_rows()
        yield from self._of_times()
        yield from self._of_attempts()
        yield from self._of_readings()
        yield from self._of_the_file()

    def _of_rows(self) -> Iterator[str]:
        for place, (row, writer) in enumerate(zip(self._rows, self._writers, strict=True)):
            if row["seq"] != place + 1:
                yield f"row {place + 1} has the number {row['seq']}"
            if writer is None:
                yield f"row {place + 1} was written by nobody"
            elif writer.refused:
                yield f"row {place + 1} was refused ({writer.status}): {writer}"
            elif writer.after != place or not wrote(writer, row, self._rows[:place]):
                yield f"row {place + 1} isn’t what was sent: {row}, {writer}"
            elif not possible(writer, self._rows[:place]):
                yield f"row {place + 1} can’t follow the rows before it: {row}"
        for key, places in self._of_key.items():
            if len(places) > 1:
                yield f"the key {key} stands in rows {[place + 1 for place in places]}"

    def _of_times(self) -> Iterator[str]:
        """Rows that come after one requested only when they were already acknowledged."""
        latest_asked, latest = 0.0, 0
        for place, writer in enumerate(self._writers):
            if writer is None:
                continue
            if writer.answered < latest_asked:
                yield f"row {place + 1} was there before row {latest + 1} was asked for"
            if writer.asked > latest_asked:
                latest_asked, latest = writer.asked, place

    def _of_attempts(self) -> Iterator[str]:
        for attempt in self._attempts:
            if attempt.wish.kind in ON_THE_SHEET:
                place = self._place_of(attempt)
                if attempt.acknowledged and place is None:
                    others = [self._rows[other] for other in self._of_key[attempt.key]]
                    yield f"acknowledged, yet not stored: {attempt}; its key has {others}"
                elif attempt.status in (403, 404):
                    continue  # `LinkCheck` checks these
                elif attempt.refused and not (place is None and self.refusal_is_justified(attempt)):
                    yield f"refused ({attempt.status}) without a cause: {attempt}"

    def _place_of(self, attempt: Attempt) -> int | None:
        """The index of the row with the attempt's key and content; None if there is none."""
        for place in self._of_key[attempt.key]:
            same = self._same_writer(attempt, place)
            if same and wrote(attempt, self._rows[place], self._rows[:place]):
                return place
        return None

    def _same_writer(self, attempt: Attempt, place: int) -> bool:
        writer = self._writers[place]
        return writer is not None and writer.asked < attempt.answered

    def refusal_is_justified(self, attempt: Attempt) -> bool:
        """Whether there is a reason to refuse: newer rows, a used key, or a rule of the sheet."""
        moved_on = self._asked_of(attempt.after) < attempt.answered
        taken = any(self._same_writer(attempt, other) for other in self._of_key[attempt.key])
        allowed = possible(attempt, self._rows[: attempt.after])
        return moved_on or taken or (attempt.status != 409 and not allowed)

    def _asked_of(self, place: int) -> float:
        """When the row at this index was requested; `LOST` if there is none."""
        writer = self._writers[place] if place < len(self._rows) else None
        return LOST if writer is None else writer.asked

    def _of_readings(self) -> Iterator[str]:
        """Readings that lack rows acknowledged before, or have rows requested after."""
        for reading in self._readings:
            if reading.status != 200:
                continue
            number = len(reading.history)
            if list(reading.history) != self._rows[:number]:
                yield f"a reading of {number} rows differs from what is there now"
                continue
            answered = [writer.answered for writer in self._writers[number:] if writer is not None]
            if min(answered, default=LOST) < reading.asked:
                yield f"a reading shows {number} rows; more had been acknowledged"
            if number and self._asked_of(number - 1) > reading.answered:
                yield f"a reading shows {number} rows before the last was asked for"

    def _of_the_file(self) -> Iterator[str]:
        notes = [row["agreed"]["becomes"] for row in self._rows if row["kind"] == "note"]
        now = {name: self._file[name] for name in ("players", "dealer", "options")}
        if notes and notes[-1] != now:
            yield f"the settings are {now}, the last note says {notes[-1]}"
        if entries(self._rows) != self._file["entries"]:
            yield "the entries are not what the rows come to"


# --- links and the trash


class LinkCheck:
    """Checks the links and the trash of one sheet, as far as the times are conclusive."""

    def __init__(self, attempts: Sequence[Attempt], readings: Sequence[Reading]) -> None:
        """Index all attempts and readings of one sheet."""
        self._all: list[Attempt | Reading] = [*attempts, *readings]
        done = [one for one in attempts if not one.refused]
        self._renewals = [one for one in done if one.wish.kind == "links"]
        self._trashings = [one for one in done if one.wish.kind == "trash"]
        self._restores = [one for one in done if one.wish.kind == "restore"]

    def faults(self, refusal_is_justified: Callable[[Attempt], bool]) -> Iterator[str]:
        """Faults: a withdrawn link worked, a trashed sheet was served, a valid link was not found.

        `refusal_is_justified` is whether the sheet itself is a reason to refuse a correction.
        """
        for one in self._all:
            form = isinstance(one, Attempt)
            kind = one.wish.kind if isinstance(one, Attempt) else ""
            worked = one.status == (303 if form else 200)
            if worked and self._withdrawn(one):
                yield f"a link that had been withdrawn worked: {one}"
            elif worked and kind not in ("links", "trash", "restore") and self._in_trash(one):
                yield f"a sheet in the trash could be had: {one}"
            elif one.status == 404 and not (
                self._maybe_withdrawn(one) or self._maybe_in_trash(one)
            ):
                if kind in _CHANGEABLE and isinstance(one, Attempt) and refusal_is_justified(one):
                    continue
                yield f"a link in use led nowhere: {one}"

    def _renewals_of(self, one: Attempt | Reading) -> list[Attempt]:
        return [other for other in self._renewals if other.wish.role == one.token.role]

    def _withdrawn(self, one: Attempt | Reading) -> bool:
        return any(
            one.token.answered < other.asked and other.answered < one.asked
            for other in self._renewals_of(one)
        )

    def _maybe_withdrawn(self, one: Attempt | Reading) -> bool:
        return any(
            one.token.asked < other.answered
            and other.asked < one.answered
            and one.token.text not in other.led_to  # not the renewal that made it
            for other in self._renewals_of(one)
        )

    def _in_trash(self, one: Attempt | Reading) -> bool:
        return any(
            put.answered < one.asked
            and not any(
                put.asked < out.answered and out.asked < one.answered for out in self._restores
            )
            for put in self._trashings
        )

    def _maybe_in_trash(self, one: Attempt | Reading) -> bool:
        return any(
            put.asked < one.answered
            and not any(
                put.answered < out.asked and out.answered < one.asked for out in self._restores
            )
            for put in self._trashings
        )


def check(log: Log, files: dict[int, dict[str, Any]]) -> list[str]:
    """The faults of a run, a line each; `files` are the final sheet files."""
    found = list(log.surprises)
    for number, file in files.items():
        attempts = [one for one in log.attempts if one.table == number]
        readings = [one for one in log.readings if one.table == number]
        rows = RowCheck(file, attempts, readings)
        links = LinkCheck(attempts, readings).faults(rows.refusal_is_justified)
        found += [f"sheet {number}: {fault}" for fault in (*rows.faults(), *links)]
    everything: list[Attempt | Reading] = [*log.attempts, *log.readings]
    expected = (200, 303, 403, 404, 409, 422)
    found += [
        f"answered {one.status}: {one}"
        for one in everything
        if one.status not in expected and one.answered != LOST
    ]
    return found
