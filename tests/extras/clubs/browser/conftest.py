"""The server of all evenings in the browser."""

from tests.browser.conftest import server, table

__all__ = ["server", "table"]
