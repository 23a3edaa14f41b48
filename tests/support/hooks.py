"""What a game says that nobody asks it: a method or a value of which the name may be misspelt."""

import ast
import difflib
import inspect
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from jinja2 import Environment, nodes

from referee.rules.core.game import AnyGame, Game
from referee.rules.core.table import Options

ROOT = Path(__file__).parents[2]
_TEMPLATES = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)


def never_asked(game: AnyGame) -> Iterator[str]:
    """The public names of the game and of its house rules that nobody asks for, a sentence each.

    Asked for is what `Game` or `Options` has, what the game's own modules name anywhere else than
    where they define it, and what a template names.
    """
    for own, base in ((type(game), Game), (game.house_rules, Options)):
        known = {*dir(base), *inspect.get_annotations(base), *_fields(own)}
        theirs = [one for one in own.__mro__ if issubclass(one, base) and one is not base]
        called = _named({path for one in theirs for path in modules_of(one)}) | _in_templates()
        for name in dict.fromkeys(name for one in theirs for name in vars(one)):
            if not name.startswith("_") and name not in known | called:
                yield f"Nothing asks for `{name}` of {own.__name__}{_or_rather(name, known)}"


def _fields(struct: type) -> Iterable[str]:
    return getattr(struct, "__struct_fields__", ())


def _or_rather(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.75)
    return f": is it meant to be `{close[0]}`?" if close else "."


def modules_of(kind: type) -> list[Path]:
    """The module of a class of a game, or all modules of its package."""
    module = Path(inspect.getfile(kind))
    in_package = (module.parent / "__init__.py").exists() and module.parent.parent.name == "games"
    return sorted(module.parent.glob("*.py")) if in_package else [module]


def _named(modules: Iterable[Path]) -> set[str]:
    """Every name that is asked for in these modules."""
    return {
        name
        for path in modules
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in _asked_for(node)
    }


def _asked_for(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield node.id


@cache
def _in_templates() -> frozenset[str]:
    """Every attribute that a template names."""
    return frozenset(
        found.attr
        for path in (ROOT / "templates").rglob("*.html")
        for found in _TEMPLATES.parse(path.read_text(encoding="utf-8")).find_all(nodes.Getattr)
    )
