"""The program where processes cannot be forked (Windows, macOS): workers begin from nothing."""

import multiprocessing

from referee.cli import main

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    main()
