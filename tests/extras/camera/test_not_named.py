"""The base doesn't name the camera, so that it can be deleted."""

import re

from tests.support.extra_names import lines_naming, texts_of_the_base

#: As words, or between underscores; not the phone's camera that scans a code.
NAMES = re.compile(
    r"(?<![a-z])(?<!with your )(camera|photo|vision|photograph)(s|ed|er)?(?![a-z])", re.IGNORECASE
)


def test_the_base_names_no_camera() -> None:
    assert lines_naming(NAMES, texts_of_the_base()) == []


def test_a_name_is_found() -> None:
    """Also in the name of a file, or as a part of an identifier; but not inside another word."""
    texts = [("static/js/camera.js", "\n"), ("a.py", "if has_camera:\n    photos_an_hour = 3")]
    assert len(lines_naming(NAMES, texts)) == 3
    texts = [("a.py", "the division of a kitty on a television\nScan the code with your camera.")]
    assert lines_naming(NAMES, texts) == []
