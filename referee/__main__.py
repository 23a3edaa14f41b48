"""`python -m referee`, where the `referee` command is not on the path."""

from referee.cli import main

main(prog_name="python -m referee")
