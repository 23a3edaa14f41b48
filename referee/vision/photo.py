"""From the bytes somebody sent to upright pixels, within limits, or a code for why not."""

import io
import warnings

import numpy as np
from numpy.typing import NDArray
from PIL import (
    BmpImagePlugin,
    Image,
    ImageOps,
    JpegImagePlugin,
    PngImagePlugin,
    UnidentifiedImageError,
    WebPImagePlugin,
)

from referee.vision.limits import MOST_BYTES, MOST_PIXELS, UnreadablePhoto

LONGEST_SIDE = 2560
"""Pixels; a larger photo is made smaller as it is read, cards need no more."""
SMALLEST_SIDE = 48
FORMATS = tuple(
    plugin.format
    for plugin in (
        JpegImagePlugin.JpegImageFile,
        PngImagePlugin.PngImageFile,
        WebPImagePlugin.WebPImageFile,
        BmpImagePlugin.BmpImageFile,
    )
)
HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"hevm", b"mif1", b"msf1", b"avif")
JPEG_FAMILY = ("JPEG", "MPO")


def open_photo(photo: bytes) -> tuple[NDArray[np.uint8], float]:
    """The photo's pixels (H, W, 3), the way it was held, and how often smaller they are than it.

    Nothing but pixels is kept: where and when it was taken is never looked at.
    Raises `UnreadablePhoto`.
    """
    _check_bytes(photo)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(photo), formats=FORMATS) as opened:
                return _pixels(opened)
    except UnreadablePhoto:
        raise
    except UnidentifiedImageError:
        raise UnreadablePhoto("no-photo") from None
    except (Image.DecompressionBombError, MemoryError):
        raise UnreadablePhoto("too-many-pixels") from None
    except Exception as error:  # a broken file may fail a decoder in any way
        raise UnreadablePhoto("broken") from error


def _check_bytes(photo: bytes) -> None:
    if not photo:
        raise UnreadablePhoto("empty")
    if len(photo) > MOST_BYTES:
        raise UnreadablePhoto("too-large")
    if photo[4:8] == b"ftyp" and photo[8:12] in HEIC_BRANDS:
        raise UnreadablePhoto("heic")


def _pixels(opened: Image.Image) -> tuple[NDArray[np.uint8], float]:
    wide, high = opened.size
    if wide * high > MOST_PIXELS:
        raise UnreadablePhoto("too-many-pixels")
    if min(wide, high) < SMALLEST_SIDE:
        raise UnreadablePhoto("too-small")
    if getattr(opened, "n_frames", 1) > 1 and opened.format not in JPEG_FAMILY:
        raise UnreadablePhoto("animated")
    if opened.format in JPEG_FAMILY:  # decodes at a half or a quarter where that is enough
        opened.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    picture = _flat(opened)
    if max(picture.size) > LONGEST_SIDE:  # before it is turned, which takes as much room again
        picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.BOX)
    ImageOps.exif_transpose(picture, in_place=True)
    return np.asarray(_eight_bits(picture)), max(wide, high) / max(picture.size)


def _flat(opened: Image.Image) -> Image.Image:
    """The picture on white where it is transparent, with colors of its own, not from a list."""
    if not opened.has_transparency_data:
        return opened.convert("RGB") if opened.mode == "P" else opened
    whole = Image.new("RGB", opened.size, "white")
    whole.paste(opened.convert("RGB"), mask=opened.convert("RGBA").getchannel("A"))
    whole.getexif().update(opened.getexif())
    return whole


def _eight_bits(picture: Image.Image) -> Image.Image:
    """RGB, also of the 16-bit grays that a plain conversion would cut off at white."""
    if picture.mode.startswith("I"):
        gray = np.asarray(picture, np.float64)
        return Image.fromarray((gray / 257).clip(0, 255).astype(np.uint8)).convert("RGB")
    return picture.convert("RGB")
