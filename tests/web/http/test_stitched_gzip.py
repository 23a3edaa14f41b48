"""Compressed once, filled in often: what comes out is the text, whatever it was cut into."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.web.http.stitched_gzip import WINDOW, Stitched

TEXTS = st.lists(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=60)
    .flatmap(lambda text: st.integers(0, 40).map(lambda times: text * times))
    .map(str.encode),
    min_size=1,
    max_size=6,
)


@given(parts=TEXTS, gap=st.integers(0, 40), data=st.data())
def test_the_text_comes_out_whole(parts: list[bytes], gap: int, data: st.DataObject) -> None:
    """Any parts, empty ones too, with anything in the gaps, even what the parts repeat."""
    page = Stitched(parts, gap)
    fills = [data.draw(st.binary(min_size=gap, max_size=gap)) for _ in range(page.gaps)]
    text = parts[0] + b"".join(fill + part for fill, part in zip(fills, parts[1:], strict=True))
    assert page.plain(fills) == text
    assert gzip.decompress(page.zipped(fills)) == text


def test_beyond_the_window() -> None:
    """A text longer than DEFLATE can look back, with its beginning once more at the end."""
    start = bytes(range(1, 200)) * 10
    parts = [start, b"x" * (WINDOW - 100), start, b"y" * WINDOW, start]
    fills = [b"0123456789abcdef"] * 4
    page = Stitched(parts, 16)
    assert gzip.decompress(page.zipped(fills)) == page.plain(fills)


def test_it_is_one_stream() -> None:
    """A reader that stops at the end of the first stream has everything."""
    packed = Stitched([b"<form ", b"><form ", b">"], 3).zipped([b"one", b"two"])
    reader = zlib.decompressobj(16 + zlib.MAX_WBITS)
    assert reader.decompress(packed) == b"<form one><form two>"
    assert reader.eof
    assert reader.unused_data == b""


def test_a_part_refers_to_those_before_it() -> None:
    """Cut into pieces, a text that repeats itself is hardly larger than in one piece."""
    line = b"Ann 12, Ben 7, Cat -19: the lowest score wins. "
    whole, cut = Stitched([line * 40], 16), Stitched([line] * 40, 16)
    sizes = [len(page.zipped([b"k" * 16] * page.gaps)) for page in (whole, cut)]
    assert sizes[1] - 39 * (16 + 5) < sizes[0] + 39 * 16


def test_what_is_filled_in_stands_as_it_is() -> None:
    """The length of what is sent tells nothing about a key, though the page holds the same word."""
    page = Stitched([b"the key is not ABCDEFGH: ", b"."], 8)
    known, other = page.zipped([b"ABCDEFGH"]), page.zipped([b"QRSTUVWX"])
    assert len(known) == len(other)
    assert b"QRSTUVWX" in other


@pytest.mark.parametrize("fills", [[], [b"1234"], [b"12345"] * 2, [b"1234"] * 3])
def test_every_gap_is_filled(fills: list[bytes]) -> None:
    """Too few, too many or too long is a mistake of whoever calls."""
    with pytest.raises((ValueError, AssertionError)):
        Stitched([b"a", b"b", b"c"], 4).zipped(fills)
