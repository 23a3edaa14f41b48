"""The effect of card keys on a field: one table of cases for script and server."""

import tomllib
from pathlib import Path
from typing import Any

CASES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).parents[1].joinpath("web/forms/keys.toml").read_text(encoding="utf-8")
)
