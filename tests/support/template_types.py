"""Type checking of templates: finds names and attributes that don't exist.

A page's struct has the names of its template. An attribute has to exist on its value's type, or on
one of a union. Names are followed into loops, macros with their arguments, included and extended
templates. Those of a game are read with its own types. A value without a type, such as `Any`, is
not checked.
"""

import collections.abc
import functools
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import or_
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from flask import Request
from jinja2 import Environment, nodes
from jinja2.runtime import LoopContext

from referee.rules.core.entries import Entry
from referee.rules.core.game import AnyGame, Game
from referee.rules.core.table import Options, State
from referee.rules.registry import GAMES
from referee.web.answers.pages import Shown

Env = dict[str, Any]


@dataclass(frozen=True)
class Known:
    """A value that is known, not only its type: a function, a module, a template's name."""

    value: Any


@dataclass(frozen=True, eq=False)
class Macro:
    """A macro, or the block of a call, with the names around it."""

    node: nodes.Macro | nodes.CallBlock
    around: Env
    template: str


@dataclass(frozen=True, eq=False)
class Module:
    """The names of an imported template."""

    names: Env


EXTRAS = ("referee.extras.", "tests.")
#: In these elements numbers are coordinates, with a decimal point in every language.
DRAWINGS = {"_chart.html"}
SAME = {"sort", "reverse", "unique", "select", "reject", "list", "selectattr", "rejectattr"}
ONE = {"first", "last", "min", "max", "random"}
TEXT = {"join", "trim", "upper", "lower", "string", "replace", "urlencode", "escape", "striptags"}
OF_TEXT = {"split": list[str], "partition": tuple[str, str, str], "encode": bytes}


def names_of(shown: type[Shown]) -> Env:
    """The names that a page's templates can use, each with its type."""
    found: Env = {}
    for name, kind in get_type_hints(shown).items():
        if typing.get_origin(kind) is typing.ClassVar:
            continue
        found |= (
            names_of(kind) if isinstance(kind, type) and issubclass(kind, Shown) else {name: kind}
        )
    return found


class TemplateReader:
    """Checks the templates of an environment; `faults` has a line for each fault."""

    def __init__(self, environment: Environment, beside: Env | None = None) -> None:
        """`beside` are names that every template has besides the globals."""
        self.environment = environment
        self.globals: Env = {name: Known(value) for name, value in environment.globals.items()}
        self.globals |= {"super": Any, "self": Any, "caller": Any, "varargs": Any, **(beside or {})}
        self.faults: dict[str, None] = {}
        self._template = ""
        self._game: AnyGame | None = None
        self._in_place = False  # in an extra's template, whose types go beyond the base's protocol
        self._blocks: dict[str, tuple[str, nodes.Block]] = {}
        self._called: set[object] = set()

    def read(self, template: str, names: Env) -> None:
        """Check a template with these names."""
        self._blocks = {}
        self._called = set()
        self._run(template, {**self.globals, **names})

    # --- statements

    @functools.cache  # noqa: B019 - as long as the reader
    def _tree(self, template: str) -> nodes.Template:
        assert self.environment.loader is not None
        source, _, _ = self.environment.loader.get_source(self.environment, template)
        return self.environment.parse(source, template)

    def _run(self, template: str, env: Env) -> None:
        """Check this template with those it extends, then continue with the one before."""
        before, self._template = self._template, template
        tree, parent = self._tree(template), _parent(self._tree(template))
        if parent is None:
            self._walk(tree.body, env)
        else:
            for block in tree.find_all(nodes.Block):
                self._blocks.setdefault(block.name, (template, block))
            own = [one for one in tree.body if not isinstance(one, nodes.Block | nodes.Output)]
            self._walk(own, env)
            names = ["base.html"] if not isinstance(parent, nodes.Const) else [parent.value]
            for name in names:
                self._run(name, env)
        self._template = before

    def _walk(self, body: Sequence[nodes.Node], env: Env) -> None:
        for node in body:
            step = getattr(self, f"_on_{type(node).__name__.lower()}", None)
            if step is not None:
                step(node, env)
            elif isinstance(node, nodes.Expr):
                self._type(node, env)
            else:
                self._walk(list(node.iter_child_nodes()), env)

    def _on_output(self, node: nodes.Output, env: Env) -> None:
        for one in node.nodes:
            decimal = float in self._kinds(self._type(one, env))
            if decimal and self._template not in DRAWINGS:
                self._wrong(one, "a number needs a filter to be written as the language does")

    def _on_for(self, node: nodes.For, env: Env) -> None:
        rounds, before = [self._element(self._type(node.iter, env))], self._in_place
        if isinstance(node.iter, nodes.Call) and getattr(node.iter.node, "name", "") == "places":
            place = node.iter.args[0].as_const()
            rounds = [Known(name) for name in self.environment.globals["places"](place)]  # type: ignore[operator]
            self._in_place = True
        for kind in rounds:
            inside = {**env, "loop": LoopContext}
            self._assign(node.target, kind, inside)
            if node.test:
                self._type(node.test, inside)
            self._walk(node.body, inside)
        self._in_place = before
        self._walk(node.else_, dict(env))

    def _on_if(self, node: nodes.If, env: Env) -> None:
        for test in (node.test, *(one.test for one in node.elif_)):
            self._check_truth_test(test, env)
        self._type(node.test, env)
        branches = [node.body, *(one.body for one in node.elif_), node.else_]
        for one in node.elif_:
            self._type(one.test, env)
        after = []
        for branch in branches:
            inside = dict(env)
            self._walk(branch, inside)
            after.append(inside)
        changed = (
            name
            for one in after
            for name, kind in one.items()
            if env.get(name, _MISSING) is not kind
        )
        for name in list(dict.fromkeys(changed)):
            env[name] = _union([one[name] for one in after if name in one])

    def _on_with(self, node: nodes.With, env: Env) -> None:
        inside = dict(env)
        for target, value in zip(node.targets, node.values, strict=True):
            self._assign(target, self._type(value, env), inside)
        self._walk(node.body, inside)

    def _on_assign(self, node: nodes.Assign, env: Env) -> None:
        self._assign(node.target, self._type(node.node, env), env)

    def _on_assignblock(self, node: nodes.AssignBlock, env: Env) -> None:
        self._walk(node.body, dict(env))
        self._assign(node.target, str, env)

    def _assign(self, target: nodes.Node, kind: Any, env: Env) -> None:
        if isinstance(target, nodes.Name):
            env[target.name] = kind
        elif isinstance(target, nodes.Tuple):
            for place, one in enumerate(target.items):
                self._assign(one, self._item(kind, place), env)

    def _on_macro(self, node: nodes.Macro, env: Env) -> None:
        env[node.name] = Macro(node, env, self._template)

    def _on_callblock(self, node: nodes.CallBlock, env: Env) -> None:
        self._call(node.call, env, Macro(node, env, self._template))

    def _on_block(self, node: nodes.Block, env: Env) -> None:
        before = self._template
        self._template, block = self._blocks.get(node.name, (self._template, node))
        self._walk(block.body, dict(env))
        self._template = before

    def _on_extends(self, node: nodes.Extends, env: Env) -> None:
        self._type(node.template, env)

    def _on_include(self, node: nodes.Include, env: Env) -> None:
        for name, game in self._named(node.template, env, optional=node.ignore_missing):
            before, self._game = self._game, game or self._game
            self._run(name, dict(env))
            self._game = before

    def _on_import(self, node: nodes.Import, env: Env) -> None:
        env[node.target] = self._module(node, env)

    def _on_fromimport(self, node: nodes.FromImport, env: Env) -> None:
        module = self._module(node, env)
        for name in node.names:
            old, new = name if isinstance(name, tuple) else (name, name)
            env[new] = self._attribute(module, old, node)

    def _module(self, node: nodes.Import | nodes.FromImport, env: Env) -> Any:
        around = dict(env if node.with_context else self.globals)
        named = [name for name, _ in self._named(node.template, env)]
        for name in named:
            self._run(name, around)
        return Module(around) if named else Any

    def _named(
        self, node: nodes.Expr, env: Env, *, optional: bool = False
    ) -> Iterator[tuple[str, AnyGame | None]]:
        """Yield the templates that an expression names, each with its game, if it is a game's."""
        parts = [node] if not isinstance(node, nodes.List) else node.items
        for part in parts:
            if isinstance(part, nodes.Concat):
                for slug, game in GAMES.items():
                    texts = [
                        one.value if isinstance(one, nodes.Const) else slug for one in part.nodes
                    ]
                    if self._exists("".join(texts)):
                        yield "".join(texts), game
                for one in part.nodes:
                    self._type(one, env)
            elif isinstance(part, nodes.CondExpr):
                self._type(part.test, env)
                yield from self._named(part.expr1, env)
                yield from self._named(part.expr2 or nodes.Const(""), env)
            elif isinstance(part, nodes.Const):
                yield part.value, None
            elif isinstance(kind := self._type(part, env), Known):
                yield kind.value, None

    def _exists(self, template: str) -> bool:
        return template in self._all

    @functools.cached_property
    def _all(self) -> frozenset[str]:
        return frozenset(self.environment.list_templates())

    # --- expressions

    def _type(self, node: nodes.Node, env: Env) -> Any:  # noqa: PLR0911, PLR0912 - a case a node
        match node:
            case nodes.Name():
                if node.name not in env:
                    self._wrong(node, f"nothing is called {node.name}")
                return env.get(node.name, Any)
            case nodes.Const():
                return type(node.value)
            case nodes.TemplateData():
                return str
            case nodes.Getattr():
                return self._attribute(self._type(node.node, env), node.attr, node)
            case nodes.Getitem():
                return self._subscript(node, env)
            case nodes.Call():
                return self._call(node, env)
            case nodes.Filter():
                return self._filter(node, env)
            case nodes.Test():
                if node.name not in ("defined", "undefined"):
                    self._all_types([node.node, *node.args], env)
                return bool
            case nodes.CondExpr():
                self._check_truth_test(node.test, env)
                self._type(node.test, env)
                inside = self._where(node.test, env)
                found = [self._type(node.expr1, inside)] if inside is not None else []
                return _union(found + ([self._type(node.expr2, env)] if node.expr2 else []))
            case nodes.And() | nodes.Or() | nodes.Add():
                if not isinstance(node, nodes.Add):
                    self._check_truth_test(node.left, env)
                return _union(self._all_types([node.left, node.right], env))
            case nodes.Tuple():
                return _of(tuple, *self._all_types(node.items, env))
            case nodes.List():
                return _of(list, _union(self._all_types(node.items, env)))
            case nodes.Dict():
                self._all_types([pair.key for pair in node.items], env)
                values = [self._type(pair.value, env) for pair in node.items]
                return _of(dict, str, _union(values))
            case nodes.Concat():
                self._all_types(node.nodes, env)
                return str
            case nodes.Not() | nodes.Compare():
                if isinstance(node, nodes.Not):
                    self._check_truth_test(node.node, env)
                self._walk(list(node.iter_child_nodes()), env)
                return bool
        self._walk(list(node.iter_child_nodes()), env)
        return Any

    def _check_truth_test(self, test: nodes.Node, env: Env) -> None:
        """Report a truth test of a list’s item: of an empty list it is an error, not false."""
        if isinstance(test, nodes.Filter) and test.name in ONE:
            self._wrong(test, f"the {test.name} of an empty list is an error: test the list")
        if isinstance(test, nodes.Getitem) and isinstance(getattr(test.arg, "value", ""), int):
            of = self._kinds(self._type(test.node, env))
            if any(get_origin(one) is list or Ellipsis in get_args(one) for one in of):
                self._wrong(test, "an index beyond the list is an error: test the list")

    def _where(self, test: nodes.Expr, env: Env) -> Env | None:
        """The names and types where a test is true, None if it never is."""
        if isinstance(test, nodes.Test) and isinstance(test.node, nodes.Name):
            if test.name == "defined" and test.node.name not in env:
                return None
            if test.name == "string":
                return {**env, test.node.name: str}
        return env

    def _on_operand(self, node: nodes.Operand, env: Env) -> None:
        self._type(node.expr, env)

    def _all_types(self, found: Sequence[nodes.Node], env: Env) -> list[Any]:
        return [self._type(one, env) for one in found]

    def _subscript(self, node: nodes.Getitem, env: Env) -> Any:
        kind = self._type(node.node, env)
        if isinstance(node.arg, nodes.Slice):
            self._walk(list(node.arg.iter_child_nodes()), env)
            return kind
        self._type(node.arg, env)
        return self._item(kind, node.arg.value if isinstance(node.arg, nodes.Const) else None)

    def _call(self, node: nodes.Call, env: Env, caller: Macro | None = None) -> Any:
        called = self._type(node.node, env)
        given = self._all_types(node.args, env)
        by_name = {one.key: self._type(one.value, env) for one in node.kwargs}
        for rest in (node.dyn_args, node.dyn_kwargs):
            if rest is not None:
                self._type(rest, env)
        if isinstance(called, Macro):
            self._call_macro(node, called, given, by_name, caller)
            return str
        if isinstance(called, Known):
            if isinstance(called.value, type) and issubclass(called.value, msgspec.Struct):
                for name in set(by_name) - set(called.value.__struct_fields__):
                    self._wrong(node, f"{called.value.__name__} has no {name}")
            return self._result(called.value)
        return get_args(called)[1] if get_origin(called) is collections.abc.Callable else Any

    def _call_macro(
        self, node: nodes.Call, macro: Macro, given: list[Any], by_name: Env, caller: Macro | None
    ) -> None:
        inside = dict(macro.around)
        if isinstance(macro.node, nodes.Macro):
            inside.pop("caller", None)
        if caller is not None:
            inside["caller"] = caller
        wanted = [one.name for one in macro.node.args]
        for name in by_name:
            if name not in wanted:
                self._wrong(node, f"{getattr(macro.node, 'name', 'caller')} has no {name}")
        defaults = macro.node.defaults
        for one, value in zip(wanted[len(wanted) - len(defaults) :], defaults, strict=True):
            inside[one] = self._type(value, macro.around)
        arguments = {**dict(zip(wanted, given, strict=False)), **by_name}
        for one in wanted:
            if one not in arguments and one not in wanted[len(wanted) - len(defaults) :]:
                self._wrong(node, f"{getattr(macro.node, 'name', 'caller')} is not given {one}")
        inside |= {**dict.fromkeys(set(wanted) - set(inside), Any), **arguments}
        what = (
            id(macro.around),
            id(macro.node),
            self._game,
            repr(sorted(map(repr, arguments.items()))),
        )
        if (what, id(caller and caller.node)) in self._called:
            return
        self._called.add((what, id(caller and caller.node)))
        before, self._template = self._template, macro.template
        self._walk(macro.node.body, inside)
        self._template = before

    def _filter(self, node: nodes.Filter, env: Env) -> Any:  # noqa: PLR0911 - by filter
        assert node.node is not None
        optional = node.name == "default" and isinstance(node.node, nodes.Name)
        is_there = not optional or getattr(node.node, "name", "") in env
        kind = self._type(node.node, env) if is_there else None
        given = self._all_types(node.args, env)
        by_name = {str(one.key): one.value for one in node.kwargs}
        self._all_types(list(by_name.values()), env)
        element = self._element(kind)
        path = by_name.get("attribute") or (
            node.args[0] if node.name.endswith("attr") or node.name == "groupby" else None
        )
        if isinstance(path, nodes.Const):
            for step in str(path.value).split("."):
                place = int(step) if step.isdecimal() else None
                element = (
                    self._attribute(element, step, node)
                    if place is None
                    else self._item(element, place)
                )
        if node.name == "map":
            return _of(list, element if path is not None else Any)
        if node.name in SAME:
            return _of(list, self._element(kind))
        if node.name in ONE:
            return self._element(kind)
        if node.name == "default":
            return _union([*([kind] if is_there else []), *given])
        if node.name in TEXT:
            return str
        if node.name in ("length", "count", "int", "abs"):
            return int
        return self._result(self.environment.filters[node.name])

    # --- types

    def _result(self, called: Any) -> Any:
        """The type of a call: the function's return type, or the class."""
        if isinstance(called, type) and _is_ours(called):
            return called
        if not (isinstance(called, types.FunctionType) and _is_ours(called)):
            return Any
        return _returned(called)

    def _kinds(self, kind: Any) -> list[Any]:  # noqa: PLR0911 - by type
        """The members of a union without None; a game's own types in its templates."""
        origin = get_origin(kind)
        if origin in (Union, types.UnionType):
            return [one for part in get_args(kind) for one in self._kinds(part)]
        if origin in (typing.Annotated, typing.Final):
            return self._kinds(get_args(kind)[0])
        if origin is typing.Literal:
            return list({type(value) for value in get_args(kind)})
        if isinstance(kind, TypeVar):
            return self._kinds(kind.__bound__) if kind.__bound__ is not None else [Any]
        if self._game is not None:
            cls = origin or kind
            if cls is Game:
                return [type(self._game)]
            if cls is State:
                return [self._game.state]
            if cls is Options:
                return [self._game.house_rules]
            if cls is Entry:
                return [one.entry for one in self._game.entries.values()]
        if kind is None or kind is types.NoneType:
            return []
        if self._in_place and getattr(kind, "_is_protocol", False):
            return [*_of_extras(kind)] or [Any]
        return [kind]

    def _attribute(self, kind: Any, name: str, node: nodes.Node) -> Any:
        kinds = self._kinds(kind)
        found = [got for one in kinds if (got := self._attribute_of(one, name)) is not _MISSING]
        if kinds and not found:
            self._wrong(node, f"{' | '.join(_called(one) for one in kinds)} has no {name}")
        return _union(found)

    def _attribute_of(self, kind: Any, name: str) -> Any:  # noqa: PLR0911 - by type
        """The type of an attribute, `_MISSING` if the type has none of this name."""
        if isinstance(kind, Module):
            return kind.names.get(name, _MISSING)
        if isinstance(kind, Known):
            value = getattr(kind.value, name, _MISSING)
            if value is _MISSING and isinstance(kind.value, Mapping):
                value = kind.value.get(name, _MISSING)
            return value if value is _MISSING else _known(value)
        cls = get_origin(kind) or kind
        if cls in (Any, object, type) or isinstance(cls, Macro) or not isinstance(cls, type):
            return Any
        if issubclass(cls, Mapping) and not issubclass(cls, msgspec.Struct):
            return self._of_mapping(kind, name)
        hint = _hint(kind, name) if _is_ours(cls) else _MISSING
        if hint is not _MISSING:
            return hint
        if not hasattr(cls, name):  # attributes of libraries' classes often exist on instances only
            known = _is_ours(cls) or cls.__module__ in ("builtins", LoopContext.__module__)
            return _MISSING if known else Any
        return _callable_of(OF_TEXT.get(name, Any)) if cls is str else Any

    def _of_mapping(self, kind: Any, name: str) -> Any:
        key, value = (*get_args(kind), Any, Any)[:2] if get_args(kind) else (Any, Any)
        if (get_origin(kind) or kind).__name__ == "MultiDict":
            value = str
        given = {
            "items": _of(list, _of(tuple, key, value)),
            "values": _of(list, value),
            "keys": _of(list, key),
            "get": value,
        }
        if name in given:
            return _callable_of(given[name])
        return Any if hasattr(get_origin(kind) or kind, name) else value

    def _element(self, kind: Any) -> Any:
        """The type of an item in a loop over this type."""
        found = []
        for one in self._kinds(kind):
            if isinstance(one, Known):
                found.append(_union([_known(part) for part in one.value]))
                continue
            args = [part for part in get_args(one) if part is not Ellipsis]
            whole = get_origin(one) is tuple
            found.append(
                _union(args if whole else args[:1]) if args else str if one is str else Any
            )
        return _union(found)

    def _item(self, kind: Any, place: object) -> Any:
        """The type of the value at an index or key."""
        found = []
        for one in self._kinds(kind):
            cls, args = get_origin(one) or one, get_args(one)
            if isinstance(one, Known):
                found.append(_union([_known(part) for part in _values(one.value)]))
            elif cls is tuple and isinstance(place, int) and Ellipsis not in args and args:
                found.append(args[place] if -len(args) <= place < len(args) else Any)
            elif isinstance(cls, type) and issubclass(cls, Mapping) and args:
                found.append(args[1] if len(args) > 1 else Any)
            elif isinstance(place, str):
                found.append(self._attribute(one, place, nodes.Const(place, lineno=0)))
            else:
                found.append(self._element(one))
        return _union(found)

    def _wrong(self, node: nodes.Node, says: str) -> None:
        self.faults[f"{self._template}:{node.lineno}: {says}"] = None


_MISSING = object()


@functools.cache
def _parent(tree: nodes.Template) -> nodes.Expr | None:
    """The template that this one extends, None if none."""
    found = tree.find(nodes.Extends)
    return found.template if found else None


def _values(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []


def _known(value: Any) -> Any:
    """The type of a value, or the value itself if that matters."""
    keep = isinstance(value, types.FunctionType | types.ModuleType | type | Mapping | list | tuple)
    return Known(value) if keep else type(value)


def _union(kinds: list[Any]) -> Any:
    """The union of these types."""
    if not kinds:
        return Any
    others = list(dict.fromkeys(map(id, kinds)))
    if len(others) == 1:
        return kinds[0]
    if any(isinstance(one, Known | Macro | Module) for one in kinds):
        return next((one for one in kinds if isinstance(one, Macro)), Any)
    return Any if Any in kinds else functools.reduce(or_, kinds)


def _returned(function: Any) -> Any:
    """The return type of a function of ours."""
    returned = {"return": function.__annotations__.get("return", Any)}
    only = types.SimpleNamespace(__annotations__=returned)
    return get_type_hints(only, function.__globals__)["return"]


def _is_ours(one: type | types.FunctionType) -> bool:
    """Whether its annotations can be evaluated; those of libraries may exist for a checker only."""
    own = one.__module__.startswith(("referee.", "tests."))
    return own and not (isinstance(one, type) and issubclass(one, Request))


def _of(container: Any, *kinds: Any) -> Any:
    """This container type with these arguments."""
    return container[kinds]


def _callable_of(kind: Any) -> Any:
    """The type of a method that returns this type."""
    return collections.abc.Callable[..., kind]


def _of_extras(protocol: type, among: type = msgspec.Struct) -> Iterator[Any]:
    """The structs of extras and tests that satisfy a protocol."""
    asked = [name for name in vars(protocol) if not name.startswith("_")]
    derived: list[type] = among.__subclasses__()
    for one in derived:
        if one.__module__.startswith(EXTRAS) and all(hasattr(one, name) for name in asked):
            yield one
        yield from _of_extras(protocol, one)


def _called(kind: Any) -> str:
    return getattr(kind, "__name__", "the template" if isinstance(kind, Module) else str(kind))


@functools.cache  # a page asks for the same few thousands of times
def _hint(kind: Any, name: str) -> Any:
    """The type of a field, a property or a method by its annotation; `_MISSING` without one."""
    for cls, bound in _bases(kind, {}):
        held = vars(cls).get(name, _MISSING)
        if name in vars(cls).get("__annotations__", {}):
            return _filled(get_type_hints(cls)[name], bound)
        if isinstance(held, property) and held.fget is not None:
            return _filled(_returned(held.fget), bound)
        if isinstance(held, functools.cached_property):
            return _filled(_returned(held.func), bound)
        function = held.__func__ if isinstance(held, staticmethod | classmethod) else held
        if isinstance(function, types.FunctionType):
            return _callable_of(_filled(_returned(function), bound))
    return _MISSING


def _bases(kind: Any, bound: Env) -> Iterator[tuple[type, dict[Any, Any]]]:
    """A class and its bases, each with the types of its type variables."""
    cls = get_origin(kind) or kind
    parameters = getattr(cls, "__parameters__", ())
    own = dict(zip(parameters, [_filled(one, bound) for one in get_args(kind)], strict=False))
    yield cls, own
    for base in getattr(cls, "__orig_bases__", cls.__bases__):
        if get_origin(base) is not typing.Generic and (get_origin(base) or base) is not object:
            yield from _bases(base, own)


def _filled(kind: Any, bound: Mapping[Any, Any]) -> Any:
    """A type with its type variables replaced."""
    if get_origin(kind) is typing.ClassVar:
        return _filled(get_args(kind)[0], bound)
    if isinstance(kind, TypeVar):
        return bound.get(kind, kind)
    parameters = getattr(kind, "__parameters__", ())
    if not parameters or isinstance(kind, type):
        return kind
    return kind[tuple(bound.get(one, one) for one in parameters)]
