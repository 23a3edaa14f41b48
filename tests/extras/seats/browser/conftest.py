"""The server of the browser tests."""

from tests.browser.conftest import server, table

__all__ = ["server", "table"]
