"""Reading photos imports no games, web or storage, only `rules.text`."""

import ast
from pathlib import Path

from referee.extras.camera import vision

ITS_OWN = "referee.extras.camera.vision"
KNOWN = (ITS_OWN, "referee.extras.camera.settings", "referee.rules.text")
UNKNOWN = ("flask", "granian", "sqlite3", "tests", "torch")


def test_vision_imports_only_texts_and_limits() -> None:
    seen = set()
    for path in Path(*vision.__path__).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                seen.add(name)
                assert name.split(".")[0] not in UNKNOWN, f"{path.name} imports {name}"
                ours = name.split(".")[0] == "referee"
                assert not ours or name.startswith(KNOWN), f"{path.name} imports {name}"
    assert {"numpy", "referee.rules.text"} <= seen
