"""Collect the unexpected errors that an app logs."""

import logging

from flask import Flask


class _Listening(logging.Handler):
    """Keeps the last line of every traceback."""

    def __init__(self, kept: list[str]) -> None:
        super().__init__()
        self._kept = kept

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it, except for unreadable sheets, which are expected and have their own page."""
        message = record.getMessage().strip()
        if "Traceback" in message and "SickSheetError" not in message:
            self._kept.append(message.splitlines()[-1])


def unexpected_errors(app: Flask) -> list[str]:
    """A list that receives every unexpected error of `app` instead of its log."""
    kept: list[str] = []
    app.logger.handlers = [_Listening(kept)]
    app.logger.propagate = False
    return kept
