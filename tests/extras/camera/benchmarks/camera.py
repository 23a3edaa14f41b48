"""How well cards are read from real photos: `python -m benchmarks camera --photos DIR`.

DIR holds photos and a `labels.csv` with the columns `file`, `set`, `deck` and `cards`: the cards
in our notation with blanks between; `?` for a suit that nobody wrote down. Cards are compared in
any order, since not all labels keep one.
"""

import resource
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from referee.extras.camera.vision.found import Card, UnreadablePhoto
from referee.extras.camera.vision.reading import read
from tests.extras.camera.benchmarks.scoring import (
    Summed,
    labeled_photos,
    markdown,
    photos_option,
)

TARGETS = {"recall": 0.95, "precision": 0.98, "whole": 0.85, "sure and wrong": 0.005}
COLUMNS = ("photos", "cards", "recall", "precision", "rank", "suit", "whole", "sure",
           "sure and wrong", "seconds")  # fmt: skip


@dataclass
class Score(Summed):
    """The readings of some photos compared to their labels."""

    photos: int = 0
    cards: int = 0
    put_out: int = 0
    right: int = 0
    found: int = 0
    right_ranks: int = 0
    suited: int = 0
    right_suits: int = 0
    whole: int = 0
    sure: int = 0
    sure_and_wrong: int = 0
    seconds: list[float] = field(default_factory=list)

    def figures(self) -> tuple[str, ...]:
        """The cells of a line of the table, in the order of `COLUMNS`."""
        return (
            str(self.photos),
            str(self.cards),
            _share(self.right, self.cards),
            _share(self.right, self.put_out),
            _share(self.right_ranks, self.found),
            _share(self.right_suits, self.suited),
            _share(self.whole, self.photos),
            _share(self.sure, self.put_out),
            f"{self.sure_and_wrong} of {self.sure}",
            f"{statistics.median(self.seconds):.2f}",
        )

    def missed(self) -> list[str]:
        """The targets that these figures miss."""
        reached = {
            "recall": self.right / max(self.cards, 1),
            "precision": self.right / max(self.put_out, 1),
            "whole": self.whole / max(self.photos, 1),
            "sure and wrong": self.sure_and_wrong / max(self.sure, 1),
        }
        at_most = {"sure and wrong"}
        return [
            f"{name} is {reached[name]:.1%}, the target {target:.1%}"
            for name, target in TARGETS.items()
            if (reached[name] > target if name in at_most else reached[name] < target)
        ]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"


def parted(card: str) -> tuple[str, str]:
    """Rank and suit of a label or a reading; the suit is empty if there is none."""
    return (card[:-1], card[-1]) if card[-1] in "SHDC?" and len(card) > 1 else (card, "")


def matched(truth: Sequence[str], cards: Sequence[Card]) -> list[tuple[str, Card]]:
    """Labels paired with readings: equal cards first, then equal ranks, then the rest."""
    left, pairs = list(truth), []
    waiting = list(cards)
    for alike in (same, _same_rank, lambda label, text: True):
        for card in list(waiting):
            label = next((label for label in left if alike(label, card.text)), None)
            if label is not None:
                pairs.append((label, card))
                left.remove(label)
                waiting.remove(card)
    return pairs


def _same_rank(label: str, text: str) -> bool:
    return parted(label)[0] == parted(text)[0]


def same(label: str, text: str) -> bool:
    """Whether a reading matches this label; `?` matches any suit."""
    return _same_rank(label, text) and (parted(label)[1] in ("?", parted(text)[1]))


def score(truth: Sequence[str], cards: Sequence[Card], seconds: float) -> Score:
    """The score of one photo."""
    pairs = matched(truth, cards)
    right = [(label, card) for label, card in pairs if same(label, card.text)]
    ranked = [(label, card) for label, card in pairs if _same_rank(label, card.text)]
    suited = [(label, card) for label, card in ranked if parted(label)[1] != "?"]
    sure_and_right = sum(card.sure for _, card in right)
    sure = sum(card.sure for card in cards)
    return Score(
        photos=1,
        cards=len(truth),
        put_out=len(cards),
        right=len(right),
        found=len(pairs),
        right_ranks=len(ranked),
        suited=len(suited),
        right_suits=sum(same(label, card.text) for label, card in suited),
        whole=len(right) == len(truth) == len(cards),
        sure=sure,
        sure_and_wrong=sure - sure_and_right,
        seconds=[seconds],
    )


@click.command()
@photos_option("Photos with their labels.csv.", required=True)
@click.option("--packs", type=click.IntRange(1), default=1, show_default=True)
@click.option("--each", is_flag=True, help="Name each photo that was not read wholly right.")
def main(folder: Path, packs: int, each: bool) -> None:
    """Score the reading of every photo that labels.csv names, by set and deck."""
    scores: dict[str, Score] = {}
    total, mistaken = Score(), Counter[str]()
    for photo in labeled_photos(folder):
        cards, seconds = _timed(photo.file, packs)
        one = score(photo.cards, cards, seconds)
        scores.setdefault(f"{photo.source}, deck {photo.deck}", Score()).__iadd__(one)
        total += one
        wrong = [(a, b.text) for a, b in matched(photo.cards, cards) if not same(a, b.text)]
        mistaken.update(f"{label} as {text}" for label, text in wrong)
        if each and not one.whole:
            read_as = (
                " ".join(card.text + ("" if card.sure else "~") for card in cards) or "nothing"
            )
            click.echo(
                f"{photo.file.relative_to(folder)}: {' '.join(photo.cards)} was read as {read_as}"
            )
    lines = [(name, *one.figures()) for name, one in (*scores.items(), ("all", total))]
    click.echo(markdown(("set", *COLUMNS), lines))
    if sys.platform == "linux":  # where the unit is known
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        click.echo(f"\nThe peak of memory was {peak:.0f} MB.")
    if mistaken:
        click.echo("\nTaken for another: " + ", ".join(
            f"{what} ({times})" for what, times in mistaken.most_common(20)
        ))  # fmt: skip
    for miss in total.missed():
        click.echo(f"Missed: {miss}")


def _timed(photo: Path, packs: int) -> tuple[Sequence[Card], float]:
    """The reading (empty if the file is no photo) and its CPU seconds."""
    begun = time.process_time()
    try:
        cards: Sequence[Card] = read(photo.read_bytes(), packs=packs, suits=True).cards
    except (UnreadablePhoto, OSError) as error:
        click.echo(f"{photo.name}: {error}", err=True)
        cards = ()
    return cards, time.process_time() - begun
