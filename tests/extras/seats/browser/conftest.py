"""The server of the browser tests."""

from tests.browser.conftest import served, server

__all__ = ["served", "server"]
