"""The program where processes cannot be forked, as on Windows and macOS: they begin from nothing."""

import multiprocessing

from referee.cli import main

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    main()
