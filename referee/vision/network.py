"""Run the two networks in NumPy: a convolution is a matrix product over a band of rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

Floats = NDArray[np.floating]

WEIGHTS = "weights.npz"
BAND_VALUES = 600_000  # values unrolled at once, few enough to stay in the processor's cache


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
    """Convolutions, then dense layers; the last layer's values are the output.

    Of a dense layer there are the weights as (in, out), and the bias.
    """

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
    source = resources.files("referee.vision") / WEIGHTS
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
