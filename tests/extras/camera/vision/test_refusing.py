"""Files that are no photos are refused quickly, with a code."""

import struct
import zlib
from typing import get_args

import pytest
from PIL import Image, PngImagePlugin

from referee.extras.camera.settings import PHOTO_BYTES
from referee.extras.camera.vision.found import Unreadable, UnreadablePhoto
from referee.extras.camera.vision.photo import open_photo
from referee.extras.camera.vision.reading import read
from tests.extras.camera import drawn


def code_of(photo: bytes) -> str:
    with pytest.raises(UnreadablePhoto) as caught:
        read(photo)
    return caught.value.code


def png(width: int, height: int, pixels: bytes) -> bytes:
    """A PNG that declares this size, with any pixels."""

    def chunk(name: bytes, content: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(name + content))
        return struct.pack(">I", len(content)) + name + content + check

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    start = b"\x89PNG\r\n\x1a\n"
    return start + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def boxed(brands: bytes) -> bytes:
    """A file whose header lists these brands, as HEIC, AVIF and videos do."""
    return (8 + len(brands)).to_bytes(4, "big") + b"ftyp" + brands + b"avif" * 50


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"", "empty"),
        (b"9H 10D", "no-photo"),
        (b"%PDF-1.7 and so on", "no-photo"),
        (b"\x00" * 4000, "no-photo"),
        (b"<svg xmlns='x'/>", "no-photo"),
        (b"\xff\xd8\xff" + b"\x00" * PHOTO_BYTES, "too-large"),
        (b"MM\0*", "tiff"),
        (boxed(b"heic\0\0\0\0mif1heic"), "heic"),
        (boxed(b"mif1\0\0\0\0mif1heic"), "heic"),
        (boxed(b"avif\0\0\0\0avifmif1miaf"), "avif"),
        (boxed(b"mif1\0\0\0\0mif1avifmiaf"), "avif"),
        (boxed(b"isom\0\0\0\0isommp42"), "no-photo"),  # a video
        # Bombs: small files that claim a huge picture.
        (png(9000, 9000, zlib.compress(bytes(1000))), "too-many-pixels"),
        (png(60_000, 60_000, zlib.compress(bytes(1000))), "too-many-pixels"),
        (png(2**31 - 1, 1, zlib.compress(bytes(1000))), "too-many-pixels"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[:16].hex(),
)
def test_a_file_that_is_no_photo_is_refused_by_its_bytes(sent: bytes, code: str) -> None:
    """Empty files, other formats, and too large ones."""
    assert code_of(sent) == code


@pytest.mark.parametrize("kind", ["gif", "tiff"])
def test_older_formats_are_named(kind: str) -> None:
    """In files as Pillow writes them."""
    for colors in ("RGB", "P", "L"):
        assert code_of(drawn.saved(drawn.table(200, 200).convert(colors), kind)) == kind


def test_compressed_metadata_is_not_unpacked() -> None:
    """A small file can hold eighty million letters."""
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", "9" * 80_000_000, zip=True)
    bomb = drawn.saved(drawn.table(200, 200), "PNG", pnginfo=notes)
    assert len(bomb) < 1_000_000
    assert code_of(bomb) == "broken"


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_an_animated_picture_is_refused(kind: str) -> None:
    """A file with two pictures."""
    second = Image.new("RGB", (200, 200))
    moving = drawn.saved(drawn.table(200, 200), kind, save_all=True, append_images=[second])
    assert code_of(moving) == "animated"


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_picture_too_small_for_a_card_is_refused(kind: str) -> None:
    """By its shorter side; 5,200 by 90 is too small once it is shrunk to the limit."""
    for size in ((20, 20), (1, 1), (20_000, 1), (1, 20_000), (5200, 90)):
        assert code_of(drawn.saved(Image.new("RGB", size), kind)) == "too-small"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_truncated_file_is_refused(kind: str) -> None:
    """As if the connection broke."""
    whole = drawn.saved(drawn.row(["9H", "4C"]), kind)
    for share in (0.02, 0.3, 0.9):
        assert code_of(whole[: int(len(whole) * share)]) in ("broken", "no-photo")


def test_a_damaged_file_gives_cards_or_a_code() -> None:
    """Never another exception, whichever byte is changed."""
    whole = drawn.saved(drawn.table(120, 120), "PNG")
    for place in range(0, len(whole), 7):
        spoiled = bytearray(whole)
        spoiled[place] ^= 0xFF
        try:
            open_photo(bytes(spoiled))
        except UnreadablePhoto as error:
            assert error.code in get_args(Unreadable)


def test_the_place_where_a_photo_was_taken_is_not_in_its_reading() -> None:
    """Its GPS metadata is not read."""
    exif = Image.Exif()
    place = exif.get_ifd(0x8825)
    place[1], place[2] = "N", (47.0, 22.0, 33.0)
    reading = read(drawn.saved(drawn.row(["9H", "4C"]), exif=exif), suits=True)
    assert [card.text for card in reading.cards] == ["9H", "4C"]
    assert set(vars(reading)) == {"rows", "size", "grid", "upright"}
