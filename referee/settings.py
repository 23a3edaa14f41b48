"""The one place for configuration: defaults, `instance/referee.toml`, environment, command line.

The later wins. The instance folder holds the database and the settings file: `instance/` in a
checkout, otherwise the user's data folder.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
import platformdirs
from msgspec import Meta

from referee.rules.text import Text, say

DATABASE = "referee.sqlite"
SETTINGS_FILE = "referee.toml"


class SettingsError(Exception):
    """A setting that cannot be used; `says` tells a person which, and where to look."""

    def __init__(self, says: Text) -> None:
        super().__init__(says)
        self.says = says

    def __str__(self) -> str:
        return str(self.says)


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How this program serves.

    `public_url` is the address other phones reach it by, where that is not this machine's own
    (behind a reverse proxy, say); empty, it is found out. No sheet grows beyond `most_entries`
    rows, and no address begins more than `sheets_an_hour`. The links of sheets begun here start
    with `mark`, by which a reverse proxy can tell several machines' sheets apart. So many `workers`
    answer, each on a processor core of its own.
    """

    instance: Path
    host: str = "0.0.0.0"
    port: Annotated[int, Meta(ge=0, le=65535)] = 9999
    public_url: Annotated[str, Meta(pattern=r"^(https?://[^\s/?#]+/?)?$")] = ""
    most_entries: Annotated[int, Meta(ge=1)] = 2000
    sheets_an_hour: Annotated[int, Meta(ge=1)] = 60
    mark: Annotated[str, Meta(pattern=r"^[a-z0-9]{0,8}$")] = ""
    workers: Annotated[int, Meta(ge=1, le=64)] = 1

    @property
    def database(self) -> Path:
        """Where the sheets are kept."""
        return self.instance / DATABASE


def default_instance() -> Path:
    """`instance/` when run from a checkout of the project, else the user's data folder."""
    if Path("instance/.gitignore").is_file() and Path("referee/__init__.py").is_file():
        return Path("instance")
    return platformdirs.user_data_path("referee", appauthor=False)


def load(given: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings in force; `given` are those of the command line, None meaning not given.

    Raises `SettingsError` where a value cannot be used, naming where it came from.
    """
    named = {key: value for key, value in given.items() if value is not None}
    from_environment = {
        field: environment[f"REFEREE_{field.upper()}"]
        for field in Settings.__struct_fields__
        if environment.get(f"REFEREE_{field.upper()}")
    }
    folder = Path(named.get("instance") or from_environment.get("instance") or default_instance())
    from_file = _settings_file(folder / SETTINGS_FILE)
    values = {**from_file, **from_environment, **named, "instance": folder}
    try:
        settings = msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        says = say(
            "A setting can’t be used: {why}. Check the command line, the REFEREE_… variables, "
            "and {file}.",
            why=str(error),
            file=str(folder / SETTINGS_FILE),
        )
        raise SettingsError(says) from error
    return msgspec.structs.replace(settings, public_url=settings.public_url.rstrip("/"))


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
