"""nginx limits how many clubs are begun."""

from tests.support.proxy import Proxy
from tests.test_nginx import assert_is_limited, proxy, pytestmark

__all__ = ["proxy", "pytestmark"]


def test_nginx_limits_new_clubs_by_address(proxy: Proxy) -> None:
    assert_is_limited(proxy, "/clubs")
