"""Photos of known cards are read correctly, and in the order in which a person reads."""

from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image

from referee.extras.camera.vision.found import Reading
from referee.extras.camera.vision.photo import open_photo
from referee.extras.camera.vision.reading import read
from tests.extras.camera import drawn
from tests.support.campaign import usual_or_nightly

PHOTOS = Path(__file__).parents[1] / "photos"  # whose: tests/extras/camera/photos/NOTICE.md
ROW = ["9H", "4C", "10D", "AS"]
NINE = ["9H", "4C", "KD", "10S", "AH", "7C", "2D", "8S", "5H"]
HAND = ["3D", "5S", "8H", "9C", "10S", "QD", "KH"]


def texts(reading: Reading) -> list[str]:
    return [card.text for card in reading.cards]


@pytest.mark.parametrize(
    ("photo", "cards", "rows"),
    [
        (drawn.row(ROW), ROW, [4]),
        (drawn.grid(NINE), NINE, [3, 3, 3]),
        (drawn.fan(HAND), HAND, [7]),
    ],
    ids=["row", "grid", "fan"],
)
def test_cards_are_read_as_they_lie(photo: Image.Image, cards: list[str], rows: list[int]) -> None:
    """Rows from left to right, grids row by row, fans along their arc."""
    reading = read(drawn.saved(photo), suits=True)
    assert texts(reading) == cards
    assert [len(row) for row in reading.rows] == rows
    for card in reading.cards:
        first, second = card.guesses
        assert first.card == card.text != second.card
        assert 1 >= first.chance >= second.chance >= 0


def test_two_corners_of_a_card_are_one_card_with_one_box() -> None:
    """In pixels of the photo, even if it was shrunk for reading."""
    photo = drawn.table(700, 800)
    drawn.lay(photo, "9H", 350, 400)
    [card] = read(drawn.saved(photo), suits=True).cards
    left, top, width, height = card.box
    assert left < 350 - 80 < 350 + 80 < left + width < left + drawn.CARD[0] + 40
    assert top < 400 - 100 < 400 + 100 < top + height < top + drawn.CARD[1] + 40
    reading = read(drawn.saved(photo.resize((3500, 4000))), suits=True)
    assert reading.size == (3500, 4000)
    [large] = reading.cards
    assert large.box == pytest.approx([5 * value for value in card.box], abs=40)


def test_a_card_seen_more_often_than_there_are_packs_is_doubtful() -> None:
    """A second one far away is reported but never sure, as one of the two was misread."""
    photo = drawn.saved(drawn.row(["7C", "QD", "7C"]))
    for packs, sure in ((2, [True, True]), (1, [False, True])):
        seen = read(photo, packs=packs, suits=True).cards
        assert [card.text for card in seen] == ["7C", "QD", "7C"]
        assert sorted(card.sure for card in seen if card.text == "7C") == sure


def test_a_photo_without_cards_gives_an_empty_reading() -> None:
    """Zero packs are a `ValueError`."""
    assert texts(read(drawn.saved(drawn.table()))) == []
    with pytest.raises(ValueError, match="at least one pack"):
        read(drawn.saved(drawn.table()), packs=0)


def test_foreign_signs_and_letters_are_not_guessed() -> None:
    """Stars for suits, as in another game; court letters of another language."""
    assert texts(read(drawn.saved(drawn.row(["5*", "8*", "2*"])), suits=True)) == []
    for card in read(drawn.saved(drawn.row(["DH", "BC", "VD", "RS"])), suits=True).cards:
        assert not card.sure


def test_among_foreign_letters_nothing_is_sure() -> None:
    """On a deck with foreign courts, what looks like one of our ranks may be one of them."""
    own = drawn.saved(drawn.row(["8H", "9C", "QD"]))
    assert all(card.sure for card in read(own).cards)
    theirs = read(drawn.saved(drawn.row(["8H", "DC", "VD", "9C", "DS", "VH"])))
    assert {card.text for card in theirs.cards} <= {"8H", "9C"}
    assert not any(card.sure for card in theirs.cards)


@pytest.mark.parametrize(
    ("toward", "farther"),
    usual_or_nightly(
        [(0, [10]), (0.8, [14]), (1.57, [18]), (2.3, [10])],
        [(toward, [10, 14, 18]) for toward in (0, 0.8, 1.57, 2.3)],
    ),
)
def test_no_misread_card_in_a_smeared_photo_is_sure(toward: float, farther: list[int]) -> None:
    """Smeared by a quarter of an index, a six looks like an eight, a spade like a club.

    In each direction a little and then farther; in a nightly run by all three lengths.
    """
    cards = ["9H", "4C", "10S", "AS", "6D", "QC", "8S", "5C"]
    photo = drawn.row(cards)
    photo = photo.resize((photo.width // 2, photo.height // 2))
    for far, least in ((2, 7), *((one, 0) for one in farther)):
        found = read(drawn.saved(drawn.smeared(photo, far, toward)), suits=True).cards
        sure = {card.text for card in found if card.sure}
        assert sure <= set(cards)
        assert len(sure) >= least


@pytest.mark.parametrize(("far", "toward"), [(4, 1.57), (5, 1.57), (10, 0.8)])
def test_the_grain_of_a_dim_room_makes_no_smeared_index_sharp(far: int, toward: float) -> None:
    """Grain is as steep as edges, and made a five look like a sure six of clubs."""
    cards = ["9H", "4C", "10S", "AS", "6D", "QC", "8S", "5C"]
    photo = drawn.row(cards)
    photo = drawn.smeared(photo.resize((photo.width // 2, photo.height // 2)), far, toward)
    grain = np.random.default_rng(5).normal(0, 12, (photo.height, photo.width, 1))
    grainy = Image.fromarray((np.asarray(photo) + grain).clip(0, 255).astype(np.uint8))
    found = read(drawn.saved(grainy), suits=True).cards
    assert {card.text for card in found if card.sure} <= set(cards)


def test_a_number_with_a_picture_is_doubtful() -> None:
    """The corners of a jack lettered B look like an 8, its middle doesn't."""
    photo = drawn.row(["8H", "9C", "QD"])
    drawn.picture(photo, 200, 300)
    assert {card.text: card.sure for card in read(drawn.saved(photo)).cards} == {
        "8H": False,
        "9C": True,
        "QD": True,
    }
    turned = drawn.saved(photo.rotate(37, Image.Resampling.BICUBIC, True, None, None, drawn.CLOTH))
    assert [card.text for card in read(turned).cards if not card.sure] == ["8H"]


def test_among_foreign_letters_a_number_with_a_picture_is_refused() -> None:
    """The deck's real numbers are read."""
    photo = drawn.row(["8H", "DC", "VD", "9C", "DS", "VH"])
    drawn.picture(photo, 200, 300)
    assert [card.text for card in read(drawn.saved(photo)).cards] == ["9C"]


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "P"), ("PNG", "I;16"), ("WEBP", "RGB"),
        ("BMP", "RGB"), ("JPEG", "CMYK"), ("JPEG", "L"),
    ],
)  # fmt: skip
def test_every_file_format_and_color_mode_is_read(kind: str, mode: str) -> None:
    """Also those that phones don't write."""
    photo = drawn.row(["4C", "10S"]).resize((350, 300))
    gray = np.asarray(photo.convert("L"))
    if mode == "I;16":
        file = drawn.saved(Image.fromarray(gray.astype(np.uint16) * 257), kind)
    else:
        file = drawn.saved(photo.convert(mode), kind)
    pixels, share = open_photo(file)
    assert (pixels.shape, share) == ((300, 350, 3), 1)
    assert np.abs(pixels.mean(2) - gray).mean() < 12


@pytest.mark.parametrize("times", [1, 8])
@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_transparent_pixels_are_white(mode: str, times: int) -> None:
    """As around a card cut out of its photo, whatever color those pixels have.

    Also if the picture is shrunk: eight times as large, it is beyond the limit.
    """
    cut_out = drawn.card("9H").resize((125, 175))
    hidden = Image.new("RGBA", (400, 300), (0, 0, 0, 0))
    hidden.paste(cut_out, (100, 60), cut_out)
    if mode == "P":
        picture = hidden.convert("RGB").quantize(200)
        picture.info["transparency"] = picture.getpixel((5, 5))
    else:
        picture = hidden.convert(mode)
    large = picture.resize((400 * times, 300 * times), Image.Resampling.NEAREST)
    pixels, share = open_photo(drawn.saved(large, "PNG"))
    at = times / share
    assert pixels[round(5 * at), round(5 * at)].tolist() == [255, 255, 255]
    assert pixels[round(150 * at), round(140 * at)].min() > 200  # the card's paper


@pytest.mark.parametrize(
    ("held", "turn"),
    [
        (2, Image.Transpose.FLIP_LEFT_RIGHT),
        (3, Image.Transpose.ROTATE_180),
        (4, Image.Transpose.FLIP_TOP_BOTTOM),
        (5, Image.Transpose.TRANSPOSE),
        (6, Image.Transpose.ROTATE_90),
        (7, Image.Transpose.TRANSVERSE),
        (8, Image.Transpose.ROTATE_270),
    ],
)
def test_a_photo_is_upright_however_the_camera_was_held(held: int, turn: Image.Transpose) -> None:
    """By its EXIF orientation: 6 is a phone held upright."""
    photo = drawn.row(["9H", "4C"]).resize((350, 300))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = held
    pixels, _ = open_photo(drawn.saved(photo.transpose(turn), exif=exif))
    assert pixels.shape == (300, 350, 3)
    assert np.abs(pixels.astype(float) - np.asarray(photo)).mean() < 5


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize(
    "notes",
    [
        b"no notes of a camera",
        b"Exif\0\0II",
        b"Exif\0\0II*\0\xff\xff\xff\x7f",  # an offset beyond the end
        b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\xff\xff\xff\xff\x08\0\0\0\x08\0\0\0",
        b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x02\0\x04\0\0\0abc\0\0\0\0\0",  # orientation "abc"
    ],
)
def test_invalid_metadata_is_ignored(
    kind: str, notes: bytes, recwarn: pytest.WarningsRecorder
) -> None:
    """The photo is read unturned, and nothing is logged."""
    pixels, _ = open_photo(drawn.saved(drawn.row(["4C"]).resize((200, 300)), kind, exif=notes))
    assert pixels.shape == (300, 200, 3)
    assert not recwarn


@pytest.mark.parametrize(
    ("photo", "cards"),
    [
        ("single.jpg", "6D"),
        ("overlapping.jpg", "10 Q K A"),
        ("scattered.jpg", "J Q 10 A"),
        ("four-indices.jpg", "10H 9H JH KH QH"),
    ],
)
def test_real_cards_are_read(photo: str, cards: str) -> None:
    """Compared in any order; some labels have no suits."""
    wanted = sorted(cards.split())
    read_as = [card.text for card in read((PHOTOS / photo).read_bytes(), suits=True).cards]
    suited = wanted[0][-1] in "SHDC"
    assert sorted(text if suited else text[:-1] for text in read_as) == wanted
