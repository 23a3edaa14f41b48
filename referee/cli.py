"""The program `referee`: all commands, and the one that serves.

Exit 0 if all is well, 1 if a rule is broken or a command failed, 2 if the input cannot be read.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee import __version__
from referee.commands import console
from referee.commands.backups import backup, restore, status
from referee.commands.check import check
from referee.commands.extras import Commands
from referee.commands.files import export, import_
from referee.commands.schedule import keeping_safe, period
from referee.commands.score import schema, score
from referee.commands.verifying import verify
from referee.extras import parts
from referee.settings import DEFAULTS, Settings

if TYPE_CHECKING:
    from referee.web.serving.gateway import Gateway


class _ServeByDefault(click.Group):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as usual, with `serve` where no command is named."""
        if not args or (args[0].startswith("-") and args[0] not in ("--help", "--version")):
            args = ["serve", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_ServeByDefault)
@click.version_option(__version__, prog_name="referee")
def main() -> None:
    """Referee: keeps score and settles arguments while you play with a real deck of cards.

    Without a command it serves: open the printed address on any phone in the house.

    \b
    Try:  referee check multiple-9 discard cards="8 4 4 A A"
    """  # noqa: D301 - click reads the backspace that \b is
    console.fit_encoding(sys.stdout, sys.stderr)


@main.command()
@click.option(
    "--host",
    type=console.printable,
    metavar="ADDRESS",
    help=f"The address to listen on.  [default: {DEFAULTS.host}, every interface]",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), help=f"The port.  [default: {DEFAULTS.port}]"
)
@click.option(
    "--name",
    type=console.printable,
    metavar="NAME",
    help=f'Phones in the house can use NAME.local too; "" for none.  [default: {DEFAULTS.name}]',
)
@click.option(
    "--public-url",
    type=console.printable,
    metavar="URL",
    help="The address other phones use, if it’s a different one.",
)
@click.option(
    "--proxies",
    type=console.printable,
    metavar="ADDRESSES",
    help="With --public-url: the proxies whose word for a phone’s address counts, "
    f"like 10.0.0.7 or 10.0.0.0/24.  [default: {DEFAULTS.proxies}]",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    help="How many processes answer, one for each processor core at most.  "
    f"[default: {DEFAULTS.workers}]",
)
@click.option(
    "--backup-every",
    type=period,
    help="Back the book up every 10m, 2h, or 1d while it is served.  [default: never]",
)
@click.option(
    "--backup-keep",
    type=click.IntRange(1),
    help=f"How many backups to keep.  [default: {DEFAULTS.backup_keep}]",
)
@console.book_options
def serve(**given: Any) -> None:
    """Serve the score sheets to the phones in the house."""
    # The other commands start faster without the server.
    from referee.web.serving.server import serve_forever  # noqa: PLC0415

    settings = console.settings_of(**given)
    with console.one_line_errors(), keeping_safe(settings):
        serve_forever(settings, _pages, console.print_lines)


def _pages(settings: Settings, shared: Path) -> "Gateway":
    """The gateway of a worker. Only workers import the pages: the process over them has no app."""
    from referee.web.app import create_gateway  # noqa: PLC0415

    return create_gateway(settings, shared)


for command in (
    check,
    score,
    import_,
    export,
    backup,
    restore,
    verify,
    status,
    schema,
    *(command for part in parts("commands", Commands) for command in part.commands),
):
    main.add_command(command)
for command in main.commands.values():
    command.params.append(console.language_option())
