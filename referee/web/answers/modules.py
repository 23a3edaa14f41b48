"""ES modules, ready to send: those that a page needs together as one file.

Over plain http each file costs a round trip, and small ones compress badly: sent one by one, the
modules of a score sheet would be fourteen requests more, and its first visit 8 KB heavier. Nothing
is built beforehand: the files in the repository are modules that browsers could load as they are.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname, join, normpath, relpath

_IMPORT = re.compile(r'^import (?:\{ ([\w, ]+) \} from )?"([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function) (\w+))", re.MULTILINE)


def linked(sources: Mapping[str, str], bundles: Sequence[str], tag: str) -> dict[str, str]:
    """The files to send, by name, for the modules in `sources`, whose addresses end in `?v=tag`.

    Each of `bundles` has all the modules that it imports, directly or not, except those of an
    earlier one. Every other script is a file of its own, unchanged except for the addresses of its
    imports.
    """
    sent_in: dict[str, str] = {}  # a module comes after those that it imports
    for file in (*bundles, *sources):
        for name in _with_its_imports(file, sources):
            sent_in.setdefault(name, file if file in bundles else name)

    def address(file: str, module: str) -> str:
        return f"{join('.', relpath(sent_in[module], dirname(file)))}?v={tag}"

    def alone(file: str) -> str:
        def rewritten(found: re.Match[str]) -> str:
            return found[0].replace(found[2], address(file, _imported(file, found[2])))

        return _IMPORT.sub(rewritten, sources[file])

    def bundle(file: str) -> str:
        members = [name for name, sent in sent_in.items() if sent == file]
        wanted: dict[str, set[str]] = {}  # names by the address of another file
        for member in members:
            for names, path in _IMPORT.findall(sources[member]):
                module = _imported(member, path)
                if sent_in[module] != file:
                    wanted.setdefault(address(file, module), set()).update(names.split(", "))
        exported = [name for member in members for name in _EXPORT.findall(sources[member])]
        return "".join(
            (
                *(f'import {_in_braces(sorted(wanted[of]))} from "{of}";\n' for of in wanted),
                *(_enclosed(sources[member]) for member in members),
                f"export {_in_braces(exported)};\n",
            )
        )

    return {file: bundle(file) if file in bundles else alone(file) for file in sent_in.values()}


def _with_its_imports(name: str, sources: Mapping[str, str]) -> Iterator[str]:
    """The modules that this one imports, directly or not, each after its own; last, itself."""
    for _, path in _IMPORT.findall(sources[name]):
        yield from _with_its_imports(_imported(name, path), sources)
    yield name


def _imported(by: str, path: str) -> str:
    return normpath(join(dirname(by), path))


def _enclosed(text: str) -> str:
    """A module in a function of its own, so that only its exports are seen by the others."""
    body = _EXPORT.sub("", _IMPORT.sub("", text))
    exports = _in_braces(_EXPORT.findall(text))
    return f"const {exports} = (() => {{\n{body}return {exports};\n}})();\n"


def _in_braces(names: Sequence[str]) -> str:
    return f"{{ {', '.join(names)} }}"
