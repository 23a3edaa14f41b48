"""The process that started this one."""

import multiprocessing
import threading
from collections.abc import Callable


def when_it_ends(end: Callable[[], object]) -> None:
    """Call `end` in a thread when the process that started this one has ended, even by a kill."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            end()

    threading.Thread(target=wait, daemon=True).start()
