"""An instance folder, as for all commands."""

from tests.commands.conftest import instance

__all__ = ["instance"]
