"""QR codes, on pages and in terminals: each scans as its address."""

import re

import pytest
import zxingcpp
from PIL import Image

from referee.web.answers.addresses import qr_svg, qr_terminal

ADDRESSES = [
    "http://192.168.1.20:9999",
    "https://scores.example.org/home/s/a-Zz0_9aAbBcCdDeEfFgG1234",
    "http://referee.local:9999/move?code=" + "x" * 60,
]
BLOCKS = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}


def read(light: list[list[int]]) -> str:
    """What a phone reads where these modules are light and the others dark."""
    size = len(light[0])
    image = Image.new("L", (size, len(light)))
    image.putdata([255 * one for row in light for one in row])
    (found,) = zxingcpp.read_barcodes(image.resize((size * 4, len(light) * 4)))
    return str(found.text)


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_code_on_a_page_scans(address: str) -> None:
    """Its path has a strip for each run of dark modules in a row."""
    drawn = qr_svg(address).decode()
    size = int(re.findall(r'viewBox="0 0 (\d+) \1"', drawn)[0])
    light = [[1] * size for _ in range(size)]
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", drawn):
        light[int(y)][int(x) : int(x) + int(width)] = [0] * int(width)
    assert read(light) == address


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_code_in_a_dark_terminal_scans(address: str) -> None:
    """Printed blocks are light modules, two in each character, one above the other."""
    lines = [[BLOCKS[letter] for letter in line] for line in qr_terminal(address).splitlines()]
    assert read([[one[half] for one in line] for line in lines for half in (0, 1)]) == address
