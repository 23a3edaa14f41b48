"""The configuration: defaults, `instance/referee.toml`, environment, command line; the later wins.

The instance folder with the database is `instance/` in a checkout, else in the user's data folder.
"""

import os
import re
import struct
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Network, IPv6Address, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
import platformdirs
from babel import UnknownLocaleError
from msgspec import Meta

from referee.extras import parts
from referee.ledger.databases import part_of, why_not_opened
from referee.ledger.disk import BACKUPS
from referee.ledger.engine import Place
from referee.rules.language import has_catalog, language
from referee.rules.text import Text, say

DATABASE = "referee.sqlite"
SUMMARIES = "referee-summaries.sqlite"
PERIOD = "[1-9][0-9]{0,4}[smhd]"
SETTINGS_FILE = "referee.toml"

#: An IP address, or a range of them.
Network = IPv4Network | IPv6Network

OfExtra = TypeVar("OfExtra", bound=msgspec.Struct)

_HOST = re.compile(r"(\[[\da-f:.]+\]|[a-z\d_.-]+)(:\d{1,5})?", re.ASCII | re.IGNORECASE)
_MOST_PORTS = 65536


class SettingsError(Exception):
    """A setting that cannot be used; its sentence says which one, and where to look."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of the program.

    Phones in the house also find it by `name` ("referee" is referee.local), unless that is empty.
    `public_url` is its address for other phones, if that is not this machine's own (behind a
    reverse proxy, say); then `name` is not used. If empty, the address is found out. With
    `public_url`, `proxies` are trusted to name the client's address: addresses or networks
    ("10.0.0.0/24"), separated by commas. A phone can begin at most `sheets_an_hour` with each of
    the `workers`: the processes that answer, each on a core of its own. `language` is the tag
    ("en", "pt-BR") of the catalog for phones whose languages have none, and for commands; if empty,
    commands use the terminal's. While the book is served a backup is made every `backup_every`
    ("10m"; empty: never) in `backup_folder` (empty: beside the book); the newest `backup_keep` are
    kept. The book is a file in the `instance` folder, or the `database` with this
    address.
    """

    instance: Path
    host: str = "0.0.0.0"
    port: Annotated[int, Meta(ge=0, le=65535)] = 9999
    public_url: str = ""
    proxies: str = "127.0.0.1, ::1"
    sheets_an_hour: Annotated[int, Meta(ge=1)] = 60
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    language: str = ""
    backup_every: Annotated[str, Meta(pattern=f"^({PERIOD})?$")] = ""
    backup_keep: Annotated[int, Meta(ge=1)] = 24
    backup_folder: str = ""
    name: Annotated[str, Meta(pattern=r"^([a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?)?$")] = "referee"
    database: str = ""

    @property
    def trusted_proxies(self) -> list[Network]:
        """The trusted proxies; raises `ValueError` if one of them is no address."""
        named = self.proxies.replace(",", " ").split()
        found = [ip_network(one, strict=False) for one in named]
        return found if self.public_url else []

    @property
    def book(self) -> Place:
        """Where the score book is."""
        return self.database or self.file

    @property
    def file(self) -> Path:
        """The file of an embedded score book; if that is a symbolic link, its target."""
        path = self.instance / DATABASE
        return Path(os.path.realpath(path)) if path.is_symlink() else path

    @property
    def summaries(self) -> Path:
        """The file of the sheets' summaries, which can be made again from the sheets."""
        return self.instance / SUMMARIES

    @property
    def backups(self) -> Path:
        """The folder for automatic backups."""
        return Path(self.backup_folder) if self.backup_folder else self.instance / BACKUPS

    def of(self, kind: type[OfExtra]) -> OfExtra:
        """The settings of an extra, its defaults where none were loaded."""
        return msgspec.convert(self, kind, from_attributes=True)


#: The settings of the base and of all extras, each of which brings a struct with defaults.
AllSettings: type[Settings] = msgspec.defstruct(  # type: ignore[assignment]
    "AllSettings",
    [
        (field.name, field.type, field.default)
        for defaults in parts("settings", msgspec.Struct)
        for field in msgspec.structs.fields(defaults)
    ],
    bases=(Settings,),
    frozen=True,
    forbid_unknown_fields=True,
    module=__name__,
)

#: The settings of the base if none are given.
DEFAULTS = Settings(Path())


@lru_cache  # asked with every request
def is_host(text: str) -> bool:
    """Whether `text` is a host, perhaps with a port, such as cards.local:9999 or [::1]:9999."""
    found = _HOST.fullmatch(text)
    if found is None or int((found[2] or ":0")[1:]) >= _MOST_PORTS:
        return False
    if found[1].startswith("["):
        try:
            IPv6Address(found[1][1:-1])
        except AddressValueError:
            return False
    return True


def seconds_in(period: str) -> int:
    """The seconds in a period such as "90s", "10m", "2h" or "1d"."""
    return int(period[:-1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[period[-1]]


def default_instance() -> Path:
    """`instance/` when run from a checkout of the project, else the user's data folder."""
    if Path("instance/.gitignore").is_file() and Path("referee/__init__.py").is_file():
        return Path("instance")
    return platformdirs.user_data_path("referee", appauthor=False)


def load(given: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings in force; None among those `given` is not given. Raises `SettingsError`."""
    on_command_line = {field: value for field, value in given.items() if value is not None}
    variables = {field: f"REFEREE_{field.upper()}" for field in AllSettings.__struct_fields__}
    in_environment = {
        field: value for field, name in variables.items() if (value := environment.get(name))
    }
    set_outside = in_environment | on_command_line
    folder = Path(set_outside.get("instance") or default_instance())
    values = {**_settings_file(folder / SETTINGS_FILE), **set_outside, "instance": folder}
    try:
        settings = msgspec.convert(values, AllSettings, strict=False)
        if why := _why_unusable(settings):
            raise ValueError(str(why))
    except ValueError as error:
        says = say(
            "A setting can’t be used: {why}. Check the command line, the REFEREE_… variables, "
            "and {file}.",
            why=str(error),
            file=str(folder / SETTINGS_FILE),
        )
        raise SettingsError(says) from error
    _check_language(settings.language)
    return msgspec.structs.replace(settings, public_url=settings.public_url.rstrip("/"))


def _why_unusable(settings: Settings) -> Text | None:
    """What is wrong with settings whose types are right, None if nothing is."""
    url = settings.public_url
    found = re.fullmatch("https?://([^/]*)/?", url)
    if url and (found is None or not is_host(found[1])):
        return say("`public_url` should look like https://cards.example.org, not “{url}”", url=url)
    try:
        _ = settings.trusted_proxies
    except ValueError:
        return say(
            "`proxies` should look like 10.0.0.7, 10.1.0.0/24, not “{proxies}”",
            proxies=settings.proxies,
        )
    if settings.database and part_of(settings.database) is None:
        return say("`database`: {why}", why=why_not_opened())
    if settings.database and settings.backup_every:
        return say("`backup_every` is for a book in a file")
    return None


def language_setting(given: str | None = None, environment: Mapping[str, str] = os.environ) -> str:
    """The tag `given`, else that of the environment, else of the settings file if that can be read.

    It is "" if none is set. Raises `SettingsError` for a language without a catalog.
    """
    tag = given or environment.get("REFEREE_LANGUAGE")
    if not tag:
        folder = Path(environment.get("REFEREE_INSTANCE") or default_instance())
        with suppress(SettingsError):
            tag = _settings_file(folder / SETTINGS_FILE).get("language")
    chosen = str(tag or "")
    _check_language(chosen)
    return chosen


def _check_language(tag: str) -> None:
    """Raise `SettingsError` if this language has no catalog that can be read."""
    try:
        known = has_catalog(language(tag))
    except (UnknownLocaleError, ValueError):
        says = say("There’s no language “{tag}”. Name one as in “en” or “pt-BR”.", tag=tag)
        raise SettingsError(says) from None
    except (OSError, struct.error) as error:
        says = say("The catalog for “{tag}” can’t be read: {why}.", tag=tag, why=str(error))
        raise SettingsError(says) from error
    if not known:
        raise SettingsError(say("Referee doesn’t speak “{tag}”: it has no catalog.", tag=tag))


def _settings_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        says = say("{file} can’t be read: {why}.", file=str(path), why=error.strerror or str(error))
        raise SettingsError(says) from error
    except (UnicodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        says = say("{file} isn’t a valid settings file: {why}.", file=str(path), why=str(error))
        raise SettingsError(says) from error
