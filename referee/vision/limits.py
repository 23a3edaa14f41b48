"""What is taken for a photo, how long reading it may take, and the codes for what is none.

Without NumPy and Pillow. How long a photo may take to arrive stands in `web/serving/bodies`.
"""

from importlib.util import find_spec
from typing import Literal

MOST_BYTES = 20_000_000
MOST_PIXELS = 60_000_000
READING_SECONDS = 45.0  # half a second, unless the machine has much else to do
NEEDED = ("numpy", "PIL", "threadpoolctl")

Unreadable = Literal[
    "empty",
    "too-large",  # more than MOST_BYTES
    "too-many-pixels",  # more than MOST_PIXELS
    "too-small",
    "no-photo",
    "heic",
    "avif",
    "gif",
    "tiff",
    "animated",
    "broken",
]


class UnreadablePhoto(ValueError):
    """What was sent is no photo that can be read; `code` says why."""

    def __init__(self, code: Unreadable) -> None:
        super().__init__(code)
        self.code = code


def is_installed() -> bool:
    """Whether the libraries that reading takes are there; none of them is loaded."""
    try:
        return all(find_spec(name) is not None for name in NEEDED)
    except ValueError:  # somebody has put nothing in the place of one
        return False
