"""Collect the unexpected errors that an app logs."""

import logging

from flask import Flask


class _LastLines(logging.Handler):
    """Keeps the last line of every traceback."""

    def __init__(self, kept: list[str]) -> None:
        super().__init__()
        self._kept = kept

    def emit(self, record: logging.LogRecord) -> None:
        """Keep its last line, unless a sheet can’t be played through: that is expected."""
        message = record.getMessage().strip()
        if "Traceback" in message and "SickSheetError" not in message:
            self._kept.append(message.splitlines()[-1])


def unexpected_errors(app: Flask) -> list[str]:
    """A list that receives every unexpected error of `app` instead of its log."""
    kept: list[str] = []
    app.logger.handlers = [_LastLines(kept)]
    app.logger.propagate = False
    return kept
