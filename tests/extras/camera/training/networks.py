"""The two networks as PyTorch sees them; the camera's `vision.corners` runs them in NumPy."""

# mypy: allow-subclassing-any
# PyTorch is not installed where the checks run.

import torch
from torch import Tensor, nn

FINDER_LAYERS = ((3, 16, 5, 2), (16, 32, 3, 2), (32, 32, 3, 1), (32, 64, 3, 2), (64, 80, 3, 1),
                 (80, 80, 3, 1), (80, 80, 3, 1))  # fmt: skip
"""In, out, kernel, stride."""
FINDER_ANSWERS = 5
"""Logit, offset x and y in cells, up vector x and y in units of `UP_UNIT` pixels."""
UP_UNIT = 24.0
READER_LAYERS = ((3, 32, 5, 2), (32, 64, 3, 1), (64, 96, 3, 2), (96, 96, 3, 1), (96, 128, 3, 2))
READER_HEIGHT, READER_WIDTH = 48, 40
READER_HIDDEN = 160
READER_ANSWERS = 1 + 15 + 5 + 6
"""Card or not; ranks; suits; middle, up and right vectors against the patch's own."""


def _layer(inside: int, outside: int, kernel: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(),
    )


class Finder(nn.Module):
    """From a photo (N, 3, H, W) to a map (N, 5, H/8, W/8)."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(*(_layer(*shape) for shape in FINDER_LAYERS))
        self.answer = nn.Conv2d(FINDER_LAYERS[-1][1], FINDER_ANSWERS, 1)
        nn.init.constant_(self.answer.bias[:1], -4.0)

    def forward(self, photos: Tensor) -> Tensor:
        return self.answer(self.layers(photos))


class Reader(nn.Module):
    """From patches (N, 3, 48, 40) to answers (N, 27)."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(*(_layer(*shape) for shape in READER_LAYERS))
        cells = (READER_HEIGHT // 8) * (READER_WIDTH // 8) * READER_LAYERS[-1][1]
        self.drop = nn.Dropout(0.2)
        self.hidden = nn.Linear(cells, READER_HIDDEN)
        self.answer = nn.Linear(READER_HIDDEN, READER_ANSWERS)

    def forward(self, patches: Tensor) -> Tensor:
        cells = self.layers(patches).flatten(1)
        return self.answer(self.drop(torch.relu(self.hidden(self.drop(cells)))))
