"""The convolution in NumPy against the sum it stands for."""

from importlib import resources

import numpy as np
import pytest

from referee.vision.network import WEIGHTS, Convolution, networks


@pytest.mark.parametrize(("kernel", "stride"), [(3, 1), (3, 2), (5, 2), (1, 1)])
@pytest.mark.parametrize(("high", "wide"), [(8, 8), (16, 24)])
def test_a_convolution_is_the_sum_it_stands_for(
    kernel: int, stride: int, high: int, wide: int
) -> None:
    """Every value, the slow way."""
    numbers = np.random.default_rng(1)
    pictures = numbers.normal(size=(2, high, wide, 3)).astype(np.float32)
    weights = numbers.normal(size=(kernel * kernel * 3, 4)).astype(np.float32)
    bias = numbers.normal(size=4).astype(np.float32)
    got = Convolution(weights, bias, kernel, stride)(pictures)
    pad = kernel // 2
    padded = np.pad(pictures, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    for (n, y, x, channel), value in np.ndenumerate(got):
        window = padded[n, y * stride : y * stride + kernel, x * stride : x * stride + kernel]
        sum_ = (window.reshape(-1) * weights[:, channel]).sum() + bias[channel]
        assert value == pytest.approx(max(sum_, 0), abs=1e-4)
    assert got.shape == (2, -(-high // stride), -(-wide // stride), 4)


def test_the_weights_fit_their_networks_and_are_small() -> None:
    """What the program carries."""
    finder, reader = networks()
    assert finder(np.zeros((1, 64, 96, 3), np.float32)).shape == (1, 8, 12, 5)
    assert reader(np.zeros((2, 48, 40, 3), np.float32)).shape == (2, 27)
    assert len((resources.files("referee.vision") / WEIGHTS).read_bytes()) <= 2_500_000
