"""Run the program with spawned instead of forked workers, as on Windows and macOS."""

import multiprocessing

from referee.cli import main

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    main()
