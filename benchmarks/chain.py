"""The cost of the hash chain per recorded entry."""

import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.clock import seconds
from benchmarks.rows import Aim, Row
from referee.ledger.chain import Mark
from referee.ledger.store import Draft, Ledger, NewSheet
from referee.ledger.store import Row as Written

AT = "2026-01-02T03:04:05+00:00"
BODY = '{"action":"adjust","player":"Ann","points":-1,"reason":"late again"}'


class Unchained(Ledger):
    """A ledger that writes rows as safely, but without hash and seal."""

    def append(
        self,
        sheet: int,
        after: Mark,
        drafts: Sequence[Draft],
        precondition: Callable[[], bool] | None = None,
    ) -> Written:
        """Like `Ledger.append`, for a single draft with an unused key."""
        (one,) = drafts
        with self.engine.writing() as writing:
            found = writing.execute("SELECT max(seq) FROM entries WHERE sheet = ?", (sheet,))
            newest = found.fetchone()[0] or 0
            known = "SELECT 1 FROM entries WHERE sheet = ? AND key = ?"
            assert writing.execute(known, (sheet, one.key)).fetchone() is None
            values = (newest + 1, one.kind, one.target, one.body, one.key, one.role, one.at)
            writing.execute(
                'INSERT INTO entries (sheet, seq, kind, target, body, key, role, at, "by", hash, '
                "seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', '', '')",
                (sheet, *values),
            )
        return Written(*values)


def rows(short: bool) -> Iterator[Row]:
    """Compare an entry with the chain to one without."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Ledger(Path(folder) / "chained.sqlite")) as chained,
        closing(Unchained(Path(folder) / "unchained.sqlite")) as unchained,
    ):
        for ledger in (chained, unchained):
            ledger.create_all([NewSheet("{}", [("host", "token")], AT)])
        times = [
            (_appending(chained, number), _appending(unchained, number))
            for number in range(200 if short else 2000)
        ]
    ours, yardstick = (statistics.median(side) for side in zip(*times, strict=True))
    yield Row(
        "Appending an entry; the same without the chain",
        f"{ours * 1000:.2f} ms",
        f"{yardstick * 1000:.2f} ms",
        f"{ours / yardstick:.2f} ×",
        Aim(1.3, "×"),
        ours / yardstick,
        "both wait for the disk; the chain is the hash and the seal",
    )


def _appending(ledger: Ledger, number: int) -> float:
    draft = Draft("play", BODY, f"key-{number}", "host", AT)
    return seconds(lambda: ledger.append(1, Mark(number), [draft]))
