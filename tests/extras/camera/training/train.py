"""Train one of the two networks on the shards that `samples.py` wrote.

    python -m tests.extras.camera.training.train reader SHARDS CHECKPOINT --steps 8000
    python -m tests.extras.camera.training.train finder SHARDS CHECKPOINT --steps 5000

One thread, one seed. The checkpoint is written every few hundred steps; a process that is stopped
and continued goes on where it was, one that is started again begins with the checkpoint's weights.
"""

# ruff: noqa: PLR0913, PLR0917 - geometry comes in sixes

import argparse
import io
import os
import pickle
import time
from collections.abc import Callable, Iterator
from math import cos, hypot, pi
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - its usual name

from tests.extras.camera.training.grounds import SIZE
from tests.extras.camera.training.networks import (
    READER_HEIGHT,
    READER_WIDTH,
    UP_UNIT,
    Finder,
    Reader,
)
from tests.extras.camera.training.samples import REACH

SAVE_EVERY = 250
PATCH_REACH = 0.8
"""How far the reader's patch reaches up and down, in heights of the index."""
CELL = 8
Arrays = list[NDArray[Any]]


def samples(folder: Path) -> Iterator[dict[str, Any]]:
    """Every scene of every finished shard, in a fixed order."""
    for path in sorted(folder.glob("*.pickle")):
        yield from pickle.loads(path.read_bytes())


# --- the reader


class ReaderSamples:
    """Patches in memory, moved about afresh each time they are drawn."""

    def __init__(self, folder: Path) -> None:
        found = [(sample["patches"], sample["answers"]) for sample in samples(folder)]
        self.patches = np.concatenate([patches for patches, _ in found])
        self.answers = np.concatenate([answers for _, answers in found])
        print(f"{len(self.patches)} patches, {(self.answers[:, 0] >= 0).mean():.2f} of an index")

    def batch(self, numbers: np.random.Generator, size: int) -> tuple[Tensor, ...]:
        """Patches as the reader sees them, and the answers to them."""
        rows = np.sort(numbers.integers(0, len(self.patches), size))
        pixels = torch.from_numpy(self.patches[rows]).permute(0, 3, 1, 2).float()
        answers = torch.from_numpy(self.answers[rows])
        frame, middle = _frames(numbers, answers)
        reach = torch.tensor([PATCH_REACH * READER_WIDTH / READER_HEIGHT, PATCH_REACH])
        theta = torch.cat([frame * reach, middle[:, :, None]], 2) / REACH
        shape = [size, 3, READER_HEIGHT, READER_WIDTH]
        grid = F.affine_grid(theta, shape, align_corners=False)
        cut = F.grid_sample(pixels, grid, padding_mode="border", align_corners=False)
        gains = torch.from_numpy(numbers.normal(1, 0.08, (size, 3, 1, 1))).float()
        back = torch.linalg.inv(frame)
        up = torch.tensor([0.0, -1.0]).expand(size, 2)
        places = [
            -(back @ middle[:, :, None])[:, :, 0],
            (back @ up[:, :, None])[:, :, 0] - torch.tensor([0.0, -1.0]),
            (back @ answers[:, 2:, None])[:, :, 0] - torch.tensor([1.0, 0.0]),
        ]
        return normal(cut * gains), answers[:, 0].long(), answers[:, 1].long(), torch.cat(places, 1)


def _frames(numbers: np.random.Generator, answers: Tensor) -> tuple[Tensor, Tensor]:
    """Where each patch is cut: as the finder would, or as the reader's own first look would."""
    n = len(answers)
    second = numbers.random(n) < 0.5
    spread = np.where(second, 0.45, 1.0)
    size = np.exp(numbers.normal(0, 0.16, n) * spread)
    turn = numbers.normal(0, 0.19, n) * spread
    c, s = np.cos(turn) * size, np.sin(turn) * size
    frame = np.stack([np.stack([c, -s], 1), np.stack([s, c], 1)], 1)
    frame += (numbers.normal(0, 0.05, (n, 2, 2)).T * spread).T
    true = np.zeros((n, 2, 2))
    true[:, 1, 1] = 1
    true[:, :, 0] = answers[:, 2:].numpy()
    squashed = second & (answers[:, 0].numpy() >= 0)
    frame = np.where(squashed[:, None, None], true @ frame, frame)
    middle = (numbers.normal(0, 0.12, (n, 2)).T * spread).T
    return torch.from_numpy(frame).float(), torch.from_numpy(middle).float()


def normal(patches: Tensor) -> Tensor:
    """Patches with their light taken out: mean 0 and spread 1 each, colors kept."""
    mean = patches.mean((1, 2, 3), keepdim=True)
    spread = patches.std((1, 2, 3), keepdim=True, unbiased=False)
    return (patches - mean) / (spread + 4)


def reader_loss(answer: Tensor, ranks: Tensor, suits: Tensor, places: Tensor) -> Tensor:
    """Is it an index, which one, and where exactly; the latter two only if it is one."""
    is_index = ranks >= 0
    loss = F.binary_cross_entropy_with_logits(answer[:, 0], is_index.float())
    own = answer[is_index]
    loss = loss + F.cross_entropy(own[:, 1:16], ranks[is_index], label_smoothing=0.01)
    loss = loss + F.cross_entropy(own[:, 16:21], suits[is_index], label_smoothing=0.01)
    return loss + 3 * F.smooth_l1_loss(own[:, 21:], places[is_index], beta=0.1)


# --- the finder


class FinderSamples:
    """Scenes in memory as JPEG, turned by quarters and relit each time they are drawn."""

    def __init__(self, folder: Path) -> None:
        self.scenes = [(sample["jpeg"], sample["indices"]) for sample in samples(folder)]
        print(f"{len(self.scenes)} scenes")

    def batch(self, numbers: np.random.Generator, size: int) -> tuple[Tensor, ...]:
        """Scenes as the finder sees them, and the maps it should answer with."""
        pictures, maps = [], []
        for row in numbers.integers(0, len(self.scenes), size):
            jpeg, indices = self.scenes[row]
            pixels = np.asarray(Image.open(io.BytesIO(jpeg)), np.float32)
            quarters = int(numbers.integers(0, 4))
            pictures.append(np.rot90(pixels, quarters) * numbers.normal(1, 0.08, 3))
            maps.append(_map(_turned(indices, quarters)))
        photos = torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2).float()
        return (photos / 255 - 0.45) / 0.25, torch.from_numpy(np.stack(maps))


def _turned(indices: NDArray[np.float32], quarters: int) -> NDArray[np.float32]:
    turned = indices.copy()
    for _ in range(quarters):
        x, ux, rx = (turned[:, i].copy() for i in (0, 2, 4))
        turned[:, 0], turned[:, 1] = turned[:, 1], SIZE - x
        turned[:, 2], turned[:, 3] = turned[:, 3], -ux
        turned[:, 4], turned[:, 5] = turned[:, 5], -rx
    return turned


def _map(indices: NDArray[np.float32]) -> NDArray[np.float32]:
    """Channels: heat, weight of the heat, then offset and up vector."""
    cells = SIZE // CELL
    result = np.zeros((6, cells, cells), np.float32)
    result[1] = 1
    ys, xs = np.mgrid[0:cells, 0:cells] * CELL + CELL / 2
    for x, y, ux, uy, rx, ry, visible in indices:
        long = hypot(ux, uy)
        if not (-20 < x < SIZE + 20 and -20 < y < SIZE + 20) or long < 5:
            continue
        far = (xs - x) ** 2 + (ys - y) ** 2
        flat = abs(ux * ry - uy * rx) / (long * long)
        if visible < 0.35:
            continue
        if visible < 0.72 or not 11 <= long <= 44 or flat < 0.3:
            result[1][far < max(long * 0.5, 9) ** 2] = 0
            continue
        heat = np.exp(-far / (2 * max(0.13 * long, 4.2) ** 2))
        nearest = np.unravel_index(far.argmin(), far.shape)
        if not (0 <= x < SIZE and 0 <= y < SIZE):
            continue
        heat[nearest] = 1
        better = heat > result[0]
        result[0][better] = heat[better]
        own = better & (heat > 0.5)
        for channel, value in enumerate(
            ((x - xs) / CELL, (y - ys) / CELL, ux / UP_UNIT, uy / UP_UNIT), 2
        ):
            result[channel][own] = value[own] if isinstance(value, np.ndarray) else value
    return result


def finder_loss(answer: Tensor, wanted: Tensor) -> Tensor:
    """Focal loss on the heat, absolute error on the rest."""
    heat, weight = wanted[:, 0], wanted[:, 1]
    logit = answer[:, 0]
    guess = torch.sigmoid(logit)
    top = heat > 0.999
    hit = -F.logsigmoid(logit) * (1 - guess) ** 2
    miss = -F.logsigmoid(-logit) * guess**2 * (1 - heat) ** 4
    count = top.sum().clamp(min=1)
    loss = (torch.where(top, hit, miss) * weight).sum() / count
    own = (heat > 0.5) & (weight > 0)
    if own.any():
        error = (answer[:, 1:] - wanted[:, 2:]).abs().sum(1)
        loss = loss + 0.5 * error[own].mean()
    return loss


# --- both


def train(
    network: nn.Module,
    batches: Iterator[tuple[Tensor, ...]],
    loss_of: Callable[..., Tensor],
    checkpoint: Path,
    steps: int,
    rate: float,
) -> None:
    """Train for `steps`, saving to `checkpoint` as it goes."""
    network.to(memory_format=torch.channels_last)
    if checkpoint.exists():
        network.load_state_dict(torch.load(checkpoint))
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.01)
    warm = min(300, steps // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min(step / warm, 0.01 + 0.99 * (1 + cos(pi * min(step / steps, 1))) / 2),
    )
    network.train()
    begun, total = time.monotonic(), 0.0
    for step in range(1, steps + 1):
        pixels, *wanted = next(batches)
        with torch.autocast("cpu", torch.bfloat16):
            answer = network(pixels.contiguous(memory_format=torch.channels_last))
        loss = loss_of(answer.float(), *wanted)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        schedule.step()
        total += loss.item()
        if step % SAVE_EVERY == 0 or step == steps:
            part = checkpoint.with_suffix(".part")
            torch.save(network.state_dict(), part)
            part.rename(checkpoint)
            print(f"{step} {total / SAVE_EVERY:.4f} {time.monotonic() - begun:.0f} s", flush=True)
            total = 0.0


def main() -> None:
    """Train the network asked for."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("network", choices=["finder", "reader"])
    arguments.add_argument("shards", type=Path)
    arguments.add_argument("checkpoint", type=Path)
    arguments.add_argument("--steps", type=int, default=6000)
    arguments.add_argument("--rate", type=float, default=2e-3)
    arguments.add_argument("--seed", type=int, default=1)
    asked = arguments.parse_args()
    os.nice(19)
    torch.set_num_threads(1)
    torch.manual_seed(asked.seed)
    numbers = np.random.default_rng(asked.seed)
    finder = asked.network == "finder"
    source = FinderSamples(asked.shards) if finder else ReaderSamples(asked.shards)
    size = 16 if finder else 128
    batches = iter(lambda: source.batch(numbers, size), None)
    train(
        Finder() if finder else Reader(),
        batches,
        finder_loss if finder else reader_loss,
        asked.checkpoint,
        asked.steps,
        asked.rate,
    )


if __name__ == "__main__":
    main()
