"""Write the weights as the program reads them: batch norms folded in, half precision.

python -m tests.extras.camera.training.export FINDER.pt READER.pt …/vision/weights.npz
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.extras.camera.training.networks import Finder, Reader

Arrays = dict[str, NDArray[Any]]


def _folded(layer: nn.Sequential) -> tuple[NDArray[Any], NDArray[Any], nn.Conv2d]:
    convolution, norm = layer[0], layer[1]
    assert isinstance(convolution, nn.Conv2d)
    assert isinstance(norm, nn.BatchNorm2d)
    gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    weights = convolution.weight * gain[:, None, None, None]
    rows = weights.permute(2, 3, 1, 0).reshape(-1, convolution.out_channels)
    return rows.numpy(), (norm.bias - norm.running_mean * gain).numpy(), convolution


def arrays(network: Finder | Reader, name: str) -> Arrays:
    """The network's arrays by the names that `referee.extras.camera.vision.corners` knows."""
    found: Arrays = {}

    def keep(number: int, kind: str, weights: NDArray[Any], bias: NDArray[Any]) -> None:
        found[f"{name}/{number:02}/{kind}/w"] = weights.astype(np.float16)
        found[f"{name}/{number:02}/{kind}/b"] = bias.astype(np.float16)

    number = 0
    for number, layer in enumerate(network.layers):
        assert isinstance(layer, nn.Sequential)
        weights, bias, convolution = _folded(layer)
        shape = f"convolution/{convolution.kernel_size[0]}/{convolution.stride[0]}"
        keep(number, shape, weights, bias)
    if isinstance(network, Finder):
        answer = network.answer
        rows = answer.weight[:, :, 0, 0].T.numpy()
        keep(number + 1, "product", rows, answer.bias.numpy())
    else:
        hidden, channels = network.hidden, convolution.out_channels
        cells = hidden.in_features // channels
        # PyTorch flattens by channel, then cell; the program by cell, then channel.
        rows = (
            hidden.weight.reshape(-1, channels, cells)
            .permute(2, 1, 0)
            .reshape(-1, len(hidden.bias))
        )
        keep(number + 1, "product", rows.numpy(), hidden.bias.numpy())
        keep(number + 2, "product", network.answer.weight.T.numpy(), network.answer.bias.numpy())
    return found


def main() -> None:
    """Export two checkpoints into one file."""
    finder, reader, out = map(Path, sys.argv[1:4])
    both: Arrays = {}
    for network, path, name in ((Finder(), finder, "finder"), (Reader(), reader, "reader")):
        network.load_state_dict(torch.load(path))
        with torch.no_grad():
            both.update(arrays(network.eval(), name))
    np.savez_compressed(out, **both)  # type: ignore[arg-type]
    print(f"{out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
