"""The program, whose workers send a heartbeat only once an hour."""

from referee.cli import main
from referee.web.serving import server

if __name__ == "__main__":
    server.BEAT_SECONDS = 3600.0
    main()
