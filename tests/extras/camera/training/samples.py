"""Scenes turned into what the two networks learn from, in files of a few hundred scenes each.

    python -m tests.extras.camera.training.samples FOLDER --art ART --seed 1 --shards 60

A finder sample is a scene (JPEG) with the indices in it. A reader sample is a patch cut around a
place of the scene, its window wider than the reader's so that training can still move it about.
"""

import argparse
import io
import os
import pickle
from dataclasses import dataclass
from math import cos, exp, hypot, pi, sin
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image

from tests.extras.camera.training.grounds import SIZE
from tests.extras.camera.training.networks import UP_UNIT, Finder
from tests.extras.camera.training.scenes import Photographer, Scene, SeenIndex

SCENES_A_SHARD = 250
WINDOW = 72
"""Pixels of a stored patch each way."""
REACH = 1.3
"""How far a stored patch reaches from its middle, in heights of the index."""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "*", "?")
SUITS = ("S", "H", "D", "C", "?")
NO_INDEX = -1
Vector = tuple[float, float]


@dataclass(frozen=True)
class Place:
    """Where a patch is cut: the middle, and the vector from foot to head, in scene pixels."""

    x: float
    y: float
    up: Vector


def cut_patch(picture: Image.Image, place: Place) -> NDArray[np.uint8]:
    """The stored patch at a place, upright: `WINDOW` × `WINDOW` × 3."""
    ux, uy = place.up
    step = 2 * REACH / WINDOW
    a, b = -uy * step, -ux * step
    d, e = ux * step, -uy * step
    half = WINDOW / 2
    move = (a, b, place.x - (a + b) * half, d, e, place.y - (d + e) * half)
    cut = picture.transform(
        (WINDOW, WINDOW), Image.Transform.AFFINE, move, Image.Resampling.BICUBIC
    )
    return np.asarray(cut)


def across(index: SeenIndex) -> Vector:
    """The index's right vector in its own upright frame: (1, 0) where nothing is squashed."""
    (ux, uy), (rx, ry) = index.up, index.right
    square = ux * ux + uy * uy
    return (-rx * uy + ry * ux) / square, -(rx * ux + ry * uy) / square


def _readable(index: SeenIndex) -> bool:
    long = hypot(*index.up)
    area = abs(across(index)[0])
    inside = min(index.x, index.y, SIZE - index.x, SIZE - index.y) > 0.25 * long
    return 10.5 <= long <= 60 and area > 0.3 and inside and index.rank != ""


def _hidden(index: SeenIndex) -> bool:
    inside = 0 <= index.x < SIZE and 0 <= index.y < SIZE
    return inside and index.visible < 0.3 and index.rank != "" and 9 < hypot(*index.up) < 60


def _wrong_places(scene: Scene, pick: Random) -> list[Place]:
    """Places that are no index, though some look much like one."""
    found: list[Place] = []
    for x, y in pick.sample(scene.elsewhere, min(len(scene.elsewhere), 1)):
        size, turn = exp(pick.uniform(2.5, 3.7)), pick.uniform(0, 2 * pi)
        found.append(Place(x, y, (size * sin(turn), size * cos(turn))))
    for index in pick.sample(scene.indices, min(len(scene.indices), 2)):
        ux, uy = index.up
        how = pick.random()
        if how < 0.3 and index.visible > 0.7:
            found.append(Place(index.x, index.y, (-ux, -uy)))
        elif how < 0.75:
            far, turn = hypot(ux, uy) * pick.uniform(0.5, 1.3), pick.uniform(0, 2 * pi)
            spin = pick.uniform(-0.3, 0.3) + pick.choice([0, 0, pi])
            up = ux * cos(spin) - uy * sin(spin), ux * sin(spin) + uy * cos(spin)
            found.append(Place(index.x + far * sin(turn), index.y + far * cos(turn), up))
        elif index.visible > 0.7:
            by = pick.choice([0.45, 2.2])
            found.append(Place(index.x, index.y, (ux * by, uy * by)))
    x, y = pick.uniform(0, SIZE), pick.uniform(0, SIZE)
    size, turn = exp(pick.uniform(2.5, 3.7)), pick.uniform(0, 2 * pi)
    found.append(Place(x, y, (size * sin(turn), size * cos(turn))))
    return [place for place in found if _is_wrong(place, scene)]


def _is_wrong(place: Place, scene: Scene) -> bool:
    size = hypot(*place.up)
    if not 8 < size < 90 or not (0 <= place.x < SIZE and 0 <= place.y < SIZE):
        return False
    for index in scene.indices:
        long = hypot(*index.up)
        near = hypot(index.x - place.x, index.y - place.y) < 0.42 * max(long, size)
        along = (index.up[0] * place.up[0] + index.up[1] * place.up[1]) / (long * size + 1e-9)
        fits = along > 0.5 and 0.6 < size / (long + 1e-9) < 1.7
        if near and fits and index.visible > 0.3:
            return False
    return True


def learn_from(scene: Scene, pick: Random, finder: "Mistaken | None" = None) -> dict[str, object]:
    """One scene as samples: `jpeg`, `indices` (rows), `patches` with their answers.

    If a `finder` has been trained already, its false indices become samples.
    """
    packed = io.BytesIO()
    scene.picture.save(packed, "JPEG", quality=pick.randint(40, 95))
    picture = Image.open(io.BytesIO(packed.getvalue()))
    picture.load()
    patches, answers = [], []
    for index in scene.indices:
        if index.visible >= 0.7 and _readable(index):
            patches.append(cut_patch(picture, Place(index.x, index.y, index.up)))
            answers.append((RANKS.index(index.rank), SUITS.index(index.suit), *across(index)))
        elif _hidden(index) and pick.random() < 0.2:
            patches.append(cut_patch(picture, Place(index.x, index.y, index.up)))
            answers.append((NO_INDEX, NO_INDEX, 0.0, 0.0))
    wrong = _wrong_places(scene, pick)
    if finder is not None:
        wrong = [*wrong[:2], *(p for p in finder.places(picture) if _is_wrong(p, scene))][:6]
    for place in wrong:
        patches.append(cut_patch(picture, place))
        answers.append((NO_INDEX, NO_INDEX, 0.0, 0.0))
    indices = [(i.x, i.y, *i.up, *i.right, i.visible) for i in scene.indices if i.rank]
    return {
        "jpeg": packed.getvalue(),
        "indices": np.array(indices, np.float32).reshape(-1, 7),
        "patches": np.array(patches, np.uint8).reshape(-1, WINDOW, WINDOW, 3),
        "answers": np.array(answers, np.float32).reshape(-1, 4),
    }


class Mistaken:
    """What a half-trained finder takes for an index in a scene, rightly or wrongly."""

    def __init__(self, checkpoint: Path) -> None:
        self.finder = Finder().eval()
        self.finder.load_state_dict(torch.load(checkpoint))

    def places(self, picture: Image.Image, least: float = 0.1) -> list[Place]:
        """Its hits at full size and at half, likeliest first."""
        found: list[tuple[float, Place]] = []
        for share in (1, 2):
            small = picture.reduce(share)
            pixels = torch.from_numpy((np.asarray(small, np.float32) / 255 - 0.45) / 0.25)
            with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
                answer = self.finder(pixels.permute(2, 0, 1)[None])[0].float()
            heat = torch.sigmoid(answer[0])
            top = torch.nn.functional.max_pool2d(heat[None], 3, 1, 1)[0]
            for row, column in torch.nonzero((heat >= top) & (heat > least)).tolist():
                dx, dy, ux, uy = answer[1:, row, column].tolist()
                x, y = (column + 0.5 + dx) * 8 * share, (row + 0.5 + dy) * 8 * share
                up = ux * UP_UNIT * share, uy * UP_UNIT * share
                found.append((float(heat[row, column]), Place(x, y, up)))
        return [place for _, place in sorted(found, key=lambda hit: -hit[0])]


def write_shard(
    folder: Path, photographer: Photographer, number: int, finder: Mistaken | None
) -> None:
    """Write shard `number`; the same number, seed and finder give the same samples."""
    path = folder / f"{photographer.seed}-{number:04}.pickle"
    if path.exists():
        return
    first = number * SCENES_A_SHARD
    samples = [
        learn_from(photographer.scene(i), Random(i), finder)
        for i in range(first, first + SCENES_A_SHARD)
    ]
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        pickle.dump(samples, file)
    unfinished.rename(path)


def main() -> None:
    """Write the shards asked for."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--art", type=Path, required=True)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--first", type=int, default=0)
    arguments.add_argument("--foreign", type=float, default=0.09, help="share of decks to refuse")
    arguments.add_argument("--finder", type=Path, help="a checkpoint to learn from its mistakes")
    arguments.add_argument("--shards", type=int, default=100)
    asked = arguments.parse_args()
    os.nice(19)
    asked.folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    photographer = Photographer(asked.art, asked.seed, asked.foreign)
    finder = Mistaken(asked.finder) if asked.finder else None
    for number in range(asked.first, asked.first + asked.shards):
        write_shard(asked.folder, photographer, number, finder)


if __name__ == "__main__":
    main()
