"""Photos blurred by a moving hand: `python -m benchmarks camera-blur --photos DIR --art ART`.

The photos that `camera` scores, and the rows of our own cards that `drawn_decks` draws, are each
read sharp and as a phone that moved took them: smeared in any direction, by a share of the height
of their indices. What counts is that no sure card is wrong, and how many sharp ones are sure.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import pi
from pathlib import Path
from random import Random
from statistics import median

import click
import numpy as np
from PIL import Image

from referee.extras.camera.vision.corners import Photo, find, read_corners
from referee.extras.camera.vision.found import Card
from referee.extras.camera.vision.photo import open_photo
from referee.extras.camera.vision.reading import read
from tests.extras.camera import drawn
from tests.extras.camera.benchmarks.camera import matched, same
from tests.extras.camera.benchmarks.drawn_decks import CHOOSING, HELD_OUT, installed, trials
from tests.extras.camera.benchmarks.scoring import labeled_photos, markdown, photos_option

#: How far a photo is smeared, in heights of its indices; 0 is sharp.
SMEARS = ((0.0, 0.0), (0.05, 0.2), (0.2, 0.35), (0.35, 0.5), (0.5, 0.75))


@dataclass
class Tally:
    """The cards of photos smeared alike: read rightly, and of these sure; sure, but wrong."""

    right: int = 0
    sure: int = 0
    sure_and_wrong: int = 0

    def add(self, truth: Sequence[str], cards: Sequence[Card]) -> None:
        """Count the reading of one photo."""
        right = [card for label, card in matched(truth, cards) if same(label, card.text)]
        sure = sum(card.sure for card in right)
        self.right += len(right)
        self.sure += sure
        self.sure_and_wrong += sum(card.sure for card in cards) - sure


def photos(
    folder: Path | None, art: Path | None, held_out: bool
) -> Iterator[tuple[Image.Image, Sequence[str]]]:
    """Sharp photos, each with the cards in it."""
    if folder is not None:
        for photo in labeled_photos(folder):
            pixels, _ = open_photo(photo.file.read_bytes())
            yield Image.fromarray(pixels), photo.cards
    if art is not None:
        for trial in trials(installed(HELD_OUT if held_out else CHOOSING), art):
            if trial.kind == "our own":
                yield trial.photo, trial.printed


def index_height(photo: Image.Image) -> float:
    """The usual height of the indices in a photo, in its pixels."""
    seen = Photo(np.asarray(photo))
    heights = [one.spot.height for one in read_corners(seen, find(seen)) if one.index > 0.5]
    return median(heights) if heights else 40.0


@click.command()
@photos_option("Photos with their labels.csv.")
@click.option("--art", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--held-out", is_flag=True, help="Draw in other fonts, to try a choice on.")
def main(folder: Path | None, art: Path | None, held_out: bool) -> None:
    """Read photos sharp and smeared, and count how many cards are sure, and which of them wrong."""
    tallies = {smear: Tally() for smear in SMEARS}
    for number, (photo, truth) in enumerate(photos(folder, art, held_out)):
        chance, height = Random(number), index_height(photo)
        for least, most in SMEARS:
            far = chance.uniform(least, most) * height
            taken = drawn.saved(drawn.smeared(photo, far, chance.uniform(0, pi)))
            tallies[least, most].add(truth, read(taken, suits=True).cards)
    heads = ("smeared by", "right", "of these sure", "sure and wrong")
    lines = [(f"{least}–{most}", *vars(one).values()) for (least, most), one in tallies.items()]
    click.echo(markdown(heads, lines))
