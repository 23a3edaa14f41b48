"""Photos behind nginx, with the configuration in `docs/deploy`."""

from tests.support.proxy import Proxy
from tests.support.server import PARTS, ask, form_with
from tests.test_nginx import proxy, pytestmark, without_disk

__all__ = ["proxy", "pytestmark"]


def test_nginx_puts_no_photo_on_its_disk(proxy: Proxy) -> None:
    """A large one arrives whole though nginx has no folder for temporary files."""
    without_disk(proxy)
    body = form_with(b"9" * 5_000_000, "photo", **{"photo.for": "cards"})
    path = "/referee/multiple-9/discard/photo"
    answer = ask(proxy.address, path, body, {"Content-Type": PARTS})
    assert answer.status == 415
    assert "isn’t a photo" in answer.text
