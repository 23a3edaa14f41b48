"""Many questions at once: one JSON document a line in, one a line out."""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from referee.commands.console import json_line
from referee.rules.core.ruling import RefereeError
from referee.rules.documents import error_document


def answer_lines(answer: Callable[[bytes], Mapping[str, Any]]) -> None:
    """Print what `answer` makes of each line of standard input, or why it refuses it."""
    out = sys.stdout.buffer
    for line in sys.stdin.buffer if sys.stdin is not None else ():
        try:
            document = answer(line)
        except RefereeError as error:
            document = error_document(error)
        out.write(json_line(document))
    out.flush()
