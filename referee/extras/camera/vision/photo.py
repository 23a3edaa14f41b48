"""Decode a photo's bytes to upright pixels, within limits, or refuse it with a code."""

import io
import warnings
from collections.abc import Mapping
from contextlib import suppress

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

from referee.extras.camera.settings import PHOTO_BYTES, PHOTO_PIXELS
from referee.extras.camera.vision.found import Unreadable, UnreadablePhoto

LONGEST_SIDE = 2560  # pixels; larger photos are shrunk as they are decoded, cards need no more
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
#: Formats that are refused by name, recognized by their first bytes.
NOT_OPENED: Mapping[bytes, Unreadable] = {
    b"GIF87a": "gif",
    b"GIF89a": "gif",
    b"II*\0": "tiff",
    b"MM\0*": "tiff",
}
AVIF_BRANDS = {b"avif", b"avis"}
HEIC_BRANDS = {b"heic", b"heix", b"hevc", b"heim", b"heis", b"hevm", b"mif1", b"msf1"}
JPEG_FAMILY = ("JPEG", "MPO")
WITH_ALPHA = ("RGBA", "LA")


def open_photo(photo: bytes) -> tuple[NDArray[np.uint8], float]:
    """The photo's upright pixels (H, W, 3), and the factor by which it was shrunk.

    Of its metadata only the orientation is read. Raises `UnreadablePhoto`.
    """
    _check_bytes(photo)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about oddities in the file
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
    if len(photo) > PHOTO_BYTES:
        raise UnreadablePhoto("too-large")
    for beginning, code in NOT_OPENED.items():
        if photo.startswith(beginning):
            raise UnreadablePhoto(code)
    if photo[4:8] != b"ftyp":  # neither HEIC nor AVIF, whose headers list brands
        return
    box = photo[8 : min(int.from_bytes(photo[:4], "big"), 256)]
    brands = {box[at : at + 4] for at in range(0, len(box), 4)}
    if brands & AVIF_BRANDS:  # first, since AVIF files may also list brands shared with HEIC
        raise UnreadablePhoto("avif")
    if brands & HEIC_BRANDS:
        raise UnreadablePhoto("heic")


def _pixels(opened: Image.Image) -> tuple[NDArray[np.uint8], float]:
    wide, high = opened.size
    if wide * high > PHOTO_PIXELS:
        raise UnreadablePhoto("too-many-pixels")
    if min(wide, high) / max(1, max(wide, high) / LONGEST_SIDE) < SMALLEST_SIDE:
        raise UnreadablePhoto("too-small")
    if getattr(opened, "n_frames", 1) > 1 and opened.format not in JPEG_FAMILY:
        raise UnreadablePhoto("animated")
    if opened.format in JPEG_FAMILY:  # decodes at a half or a quarter of the size if enough
        opened.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    picture = _in_true_color(opened)
    if max(picture.size) > LONGEST_SIDE:  # before the steps below, each of which makes a copy
        picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.BOX)
    with suppress(SyntaxError):  # raised by Pillow for invalid EXIF
        picture = ImageOps.exif_transpose(picture)
    return np.asarray(_eight_bits(_on_white(picture))), max(wide, high) / max(picture.size)


def _in_true_color(opened: Image.Image) -> Image.Image:
    """The picture without a palette, and with an alpha channel where it has transparency."""
    if opened.has_transparency_data:
        return opened if opened.mode in WITH_ALPHA else opened.convert("RGBA")
    return opened.convert("RGB") if opened.mode == "P" else opened


def _on_white(picture: Image.Image) -> Image.Image:
    """The picture on a white background where it is transparent."""
    if picture.mode not in WITH_ALPHA:
        return picture
    whole = Image.new("RGB", picture.size, "white")
    whole.paste(picture.convert("RGB"), mask=picture.getchannel("A"))
    return whole


def _eight_bits(picture: Image.Image) -> Image.Image:
    """The picture as 8-bit RGB; 16-bit grays are scaled, as `convert` would clip them to white."""
    if picture.mode.startswith("I"):
        gray = np.asarray(picture, np.float64)
        return Image.fromarray((gray / 257).clip(0, 255).astype(np.uint8)).convert("RGB")
    return picture.convert("RGB")
