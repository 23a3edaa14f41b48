"""What the camera's benchmarks share: photos of known cards, sums of scores, and tables of them."""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import click


@dataclass(frozen=True)
class LabeledPhoto:
    """A photo whose `cards` are known, "?" standing for a suit that nobody wrote down."""

    file: Path
    cards: Sequence[str]
    source: str
    deck: str


def labeled_photos(folder: Path) -> Iterator[LabeledPhoto]:
    """The photos that the folder's `labels.csv` names."""
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cards = row["cards"].split()
            yield LabeledPhoto(folder / row["file"], cards, row["set"], row["deck"])


def photos_option(words: str, *, required: bool = False) -> Callable[[Any], Any]:
    """The option `--photos`: a `folder` of labeled photos."""
    kind = click.Path(exists=True, file_okay=False, path_type=Path)
    return click.option("--photos", "folder", required=required, type=kind, help=words)


class Summed:
    """Base class of dataclasses of counts that can be added up."""

    def __iadd__(self, other: Self) -> Self:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self


def markdown(heads: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    rule = "|---" * len(heads) + "|"
    head, *rest = (f"| {' | '.join(map(str, line))} |" for line in (heads, *lines))
    return "\n".join((head, rule, *rest))
