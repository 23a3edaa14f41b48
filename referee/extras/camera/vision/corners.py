"""Find the corner indices in a photo, and read each of them, with two networks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray
from PIL import Image

Vector = NDArray[np.float64]
Floats = NDArray[np.floating]

# In the order of the reader's outputs; `?` is a letter or sign of no rank or suit of ours.
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "*", "?")
SUITS = ("S", "H", "D", "C", "?")
RARER = 1.5  # natural logarithm of how much rarer foreign letters are on a table than in training
APART = 0.4  # index heights: spots nearer to one another are the same corner
PATCH_HIGH, PATCH_WIDE = 48, 40  # pixels
# How far a patch reaches up and down from the middle of an index, in heights of that index.
PATCH_REACH = 0.8
UP_UNIT = 24.0  # pixels of the finder's picture, for its output of 1
CELL = 8  # pixels: the side of the square that each of its outputs stands for

FINDER_SIDE = 1280  # pixels of the photo's longer side in the finder's first pass
FINDER_SIZES = 4  # number of passes, each at half the size of the one before
LARGEST_GAIN = 2.0  # how far a small photo is enlarged for the finder
LEAST_HEAT = 0.25
MOST_CORNERS = 160
LEAST_FIRST_LOOK = 0.1
# Largest height in pixels of an index in the picture it is cut from; above, a halved one is used.
SHARPEST = 44.0

WEIGHTS = "weights.npz"
BAND_VALUES = 600_000  # values unrolled at once, few enough to stay in the processor's cache


@dataclass(frozen=True, eq=False)
class Spot:
    """Where an index may be: its middle, and its up and right vectors, in pixels of the photo.

    `up` runs from foot to head; `right` is as long as `up` is on the card, so that the two differ
    where the card is seen at a slant.
    """

    middle: Vector
    up: Vector
    right: Vector
    heat: float

    @property
    def height(self) -> float:
        """The height of the index in pixels."""
        return float(np.hypot(*self.up))


@dataclass(frozen=True, eq=False)
class Corner:
    """A place that was read: the chance that it is an index, and logarithms of what it may say."""

    spot: Spot
    index: float
    ranks: Floats
    suits: Floats


class Photo:
    """A photo at its full size and repeatedly halved, from which patches are cut."""

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        self.sizes = [Image.fromarray(pixels)]
        while max(self.sizes[-1].size) > 200:
            last = self.sizes[-1]
            self.sizes.append(last.reduce(2))

    @property
    def long(self) -> int:
        """The longer side in pixels."""
        return max(self.sizes[0].size)

    def seen_at(self, side: float) -> Image.Image:
        """The whole photo, resized so that its longer side has `side` pixels."""
        source = next((p for p in reversed(self.sizes) if max(p.size) >= side), self.sizes[0])
        share = side / max(source.size)
        size = (max(round(source.width * share), 8), max(round(source.height * share), 8))
        return source.resize(size, Image.Resampling.BILINEAR)

    def patch(self, spot: Spot) -> NDArray[np.uint8]:
        """The reader's input for this spot: an upright patch, `PATCH_HIGH` × `PATCH_WIDE`."""
        level = 0
        while spot.height / 2**level > SHARPEST and level + 1 < len(self.sizes):
            level += 1
        source, share = self.sizes[level], 1 / 2**level
        step = 2 * PATCH_REACH / PATCH_HIGH * share
        across, down = spot.right * step, -spot.up * step
        corner = spot.middle * share - across * PATCH_WIDE / 2 - down * PATCH_HIGH / 2
        move = (across[0], down[0], corner[0], across[1], down[1], corner[1])
        cut = source.transform(
            (PATCH_WIDE, PATCH_HIGH), Image.Transform.AFFINE, move, Image.Resampling.BICUBIC
        )
        return np.asarray(cut)


# --- finding


def find(photo: Photo) -> list[Spot]:
    """The spots that may be an index, likeliest first; at most `MOST_CORNERS`."""
    largest = min(FINDER_SIDE, photo.long * LARGEST_GAIN)
    spots: list[Spot] = []
    for halvings in range(FINDER_SIZES):
        picture = photo.seen_at(largest / 2**halvings)
        pixels = (np.asarray(picture, np.float32) / 255 - 0.45) / 0.25
        high, wide = pixels.shape[:2]
        pixels = np.pad(pixels, ((0, -high % CELL), (0, -wide % CELL), (0, 0)))
        spots += _peaks(networks()[0](pixels[None])[0], photo.long / max(picture.size))
    return _distinct(sorted(spots, key=lambda spot: -spot.heat))[:MOST_CORNERS]


def _peaks(answers: Floats, share: float) -> list[Spot]:
    heat = 1 / (1 + np.exp(-answers[..., 0].clip(-30, 30)))
    around = np.pad(heat, 1)
    rows, columns = heat.shape
    highest = np.max(
        [around[y : y + rows, x : x + columns] for y in range(3) for x in range(3)], axis=0
    )
    spots = []
    for row, column in np.argwhere((heat >= highest) & (heat >= LEAST_HEAT)):
        _, dx, dy, ux, uy = answers[row, column].astype(float)
        middle = np.array([column + 0.5 + dx, row + 0.5 + dy]) * CELL * share
        up = np.array([ux, uy]) * UP_UNIT * share
        if np.hypot(*up) < 4:
            continue
        right = np.array([-up[1], up[0]])
        spots.append(Spot(middle, up, right, float(heat[row, column])))
    return spots


def _distinct(spots: Iterable[Spot]) -> list[Spot]:
    """The spots without duplicates: of several at the same place, the first is kept."""
    kept: list[Spot] = []
    for spot in spots:
        if all(
            np.hypot(*(spot.middle - other.middle)) > APART * max(spot.height, other.height)
            or not 0.5 < spot.height / other.height < 2
            or spot.up @ other.up < 0
            for other in kept
        ):
            kept.append(spot)
    return kept


# --- reading


# Scale, rotation (radians) and sideways shift of the patches read once an index is located.
SECOND_LOOKS = ((1.0, 0.0, 0.0), (0.93, 0.05, 0.03), (1.07, -0.05, -0.03), (1.0, 0.04, -0.05))


def read_corners(photo: Photo, spots: Sequence[Spot]) -> list[Corner]:
    """Read the spots; those that turn out not to be an index are left out."""
    likely = _first_look(photo, spots)
    if not likely:
        return []
    looks = [_moved(spot, *look) for spot in likely for look in SECOND_LOOKS]
    answers = _answers(photo, looks).reshape(len(likely), len(SECOND_LOOKS), -1)
    corners = [
        _corner(_placed(spot, own[0]), own) for spot, own in zip(likely, answers, strict=True)
    ]
    corners.sort(key=lambda corner: -corner.index)
    kept = set(map(id, _distinct(corner.spot for corner in corners)))
    return [corner for corner in corners if id(corner.spot) in kept]


def _first_look(photo: Photo, spots: Sequence[Spot]) -> list[Spot]:
    """The spots that look like an index, moved onto it and without duplicates."""
    if not spots:
        return []
    answers = _answers(photo, spots)
    order = np.argsort(-answers[:, 0])
    likely = [i for i in order if _chance(answers[i, 0]) >= LEAST_FIRST_LOOK]
    return _distinct(_placed(spots[i], answers[i]) for i in likely)


def _answers(photo: Photo, spots: Sequence[Spot]) -> Floats:
    patches = np.stack([photo.patch(spot) for spot in spots]).astype(np.float32)
    mean = patches.mean((1, 2, 3), keepdims=True)
    spread = patches.std((1, 2, 3), keepdims=True)
    patches = (patches - mean) / (spread + 4)
    reader = networks()[1]
    return np.concatenate([reader(patches[i : i + 32]) for i in range(0, len(patches), 32)])


def _chance(logit: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(logit, -30, 30))))


def _placed(spot: Spot, answer: Floats) -> Spot:
    """The spot, moved to where the reader located the index in its patch."""
    x, y, up_x, up_y, right_x, right_y = answer[21:27].astype(float).clip(-0.7, 0.7)
    down = -spot.up

    def along(dx: float, dy: float) -> Vector:
        return spot.right * dx + down * dy

    return Spot(
        spot.middle + along(x, y), along(up_x, up_y - 1), along(right_x + 1, right_y), spot.heat
    )


def _moved(spot: Spot, size: float, turn: float, aside: float) -> Spot:
    c, s = np.cos(turn) * size, np.sin(turn) * size
    return Spot(
        spot.middle + spot.right * aside,
        spot.up * c + spot.right * s,
        spot.right * c - spot.up * s,
        spot.heat,
    )


def _corner(spot: Spot, answers: Floats) -> Corner:
    """The corner from several readings of one spot, averaging their logits."""
    mean = answers.mean(0)
    ranks = mean[1:16] - RARER * (np.array(RANKS) == "?")
    return Corner(spot, _chance(mean[0]), logarithms(ranks), logarithms(mean[16:21]))


def logarithms(values: Floats) -> Floats:
    """Log-softmax: the values as natural logarithms of probabilities that add up to 1."""
    shifted = values - values.max()
    result: Floats = shifted - np.log(np.exp(shifted).sum())
    return result


# --- the two networks in NumPy: a convolution is a matrix product over a band of rows


@dataclass(frozen=True)
class Convolution:
    """One layer: `weights` as (kernel² · in, out), `bias` as (out), padded by half its kernel."""

    weights: Floats
    bias: Floats
    kernel: int
    stride: int

    def __call__(self, pictures: Floats) -> Floats:
        """Map (N, H, W, in) to (N, H / stride, W / stride, out), with negative values set to 0."""
        pad = self.kernel // 2
        padded = np.pad(pictures, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
        count, high, wide, channels = padded.shape
        rows = (high - self.kernel) // self.stride + 1
        columns = (wide - self.kernel) // self.stride + 1
        n, y, x, c = padded.strides
        windows = as_strided(
            padded,
            (count, rows, columns, self.kernel, self.kernel, channels),
            (n, y * self.stride, x * self.stride, y, x, c),
            writeable=False,
        )
        result = np.empty((count, rows, columns, len(self.bias)), np.float32)
        band = max(BAND_VALUES // (columns * len(self.weights) * count), 1)
        for top in range(0, rows, band):
            part = windows[:, top : top + band]
            flat = part.reshape(-1, len(self.weights)) @ self.weights
            flat += self.bias
            np.maximum(flat, 0, out=flat)
            result[:, top : top + band] = flat.reshape(*part.shape[:3], -1)
        return result


@dataclass(frozen=True)
class Network:
    """Convolutions, then dense layers, with their weights as (in, out) and their bias."""

    convolutions: Sequence[Convolution]
    products: Sequence[tuple[Floats, Floats]]
    flat: bool  # whether the dense layers see all cells of a picture at once, or one at a time

    def __call__(self, pictures: Floats) -> Floats:
        """The output for pictures of shape (N, H, W, 3)."""
        values = pictures
        for convolution in self.convolutions:
            values = convolution(values)
        if self.flat:
            values = values.reshape(len(values), -1)
        for weights, bias in self.products[:-1]:
            values = np.maximum(values @ weights + bias, 0)
        weights, bias = self.products[-1]
        return values @ weights + bias


@lru_cache(1)
def networks() -> tuple[Network, Network]:
    """The finder and the reader, with the packaged weights."""
    source = resources.files("referee.extras.camera.vision") / WEIGHTS
    with source.open("rb") as file, np.load(file, allow_pickle=False) as stored:
        arrays = {name: stored[name].astype(np.float32) for name in stored.files}
    return _assembled(arrays, "finder", flat=False), _assembled(arrays, "reader", flat=True)


def _assembled(arrays: dict[str, Floats], name: str, flat: bool) -> Network:
    """The network called `name`; array names give each layer's kernel and stride."""
    convolutions, products = [], []
    for key in sorted(key for key in arrays if key.startswith(f"{name}/") and key.endswith("/w")):
        _, _, kind, *shape, _ = key.split("/")
        weights, bias = arrays[key], arrays[f"{key[:-1]}b"]
        if kind == "convolution":
            kernel, stride = map(int, shape)
            convolutions.append(Convolution(weights, bias, kernel, stride))
        else:
            products.append((weights, bias))
    return Network(convolutions, products, flat)
