"""Build the wheel: with compiled catalogs, as reading them as text takes a tenth of a second."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledCatalogs(BuildHookInterface):
    """Compiles catalogs into a wheel. A checkout keeps none, so they can't be stale."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add them to the files of the wheel, unless it only leads to a checkout."""
        if version == "editable":
            return
        self.compiled = TemporaryDirectory()  # is deleted with this object
        for source in Path(self.root).glob("referee/**/LC_MESSAGES/*.po"):
            place = source.relative_to(self.root).with_suffix(".mo")
            target = Path(self.compiled.name, place)
            target.parent.mkdir(parents=True)
            with source.open("rb") as written, target.open("wb") as compiled:
                write_mo(compiled, read_po(written))
            build_data["force_include"][str(target)] = str(place)
