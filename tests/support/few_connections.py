"""The program where the system lets it have few connections: 400 at once."""

import resource

from referee.cli import main

FILES = 600

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
    main()
