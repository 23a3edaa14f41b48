"""What an app logs of errors that nobody expected."""

import logging

from flask import Flask


class _Listening(logging.Handler):
    """Keeps the last line of every traceback."""

    def __init__(self, kept: list[str]) -> None:
        super().__init__()
        self._kept = kept

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it, unless it is that of a sheet that can't be read, which has a page of its own."""
        message = record.getMessage().strip()
        if "Traceback" in message and "SickSheetError" not in message:
            self._kept.append(message.splitlines()[-1])


def unexpected_errors(app: Flask) -> list[str]:
    """A list to which every unexpected error of `app` is added from now on, in place of its log."""
    kept: list[str] = []
    app.logger.handlers = [_Listening(kept)]
    app.logger.propagate = False
    return kept
