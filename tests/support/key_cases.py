"""What a key does to the cards in a field: one table for forms with script and without."""

import tomllib
from pathlib import Path
from typing import Any

CASES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).parents[1].joinpath("web/forms/keys.toml").read_text(encoding="utf-8")
)
