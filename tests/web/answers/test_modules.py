"""ES modules: imports and exports match, and the modules are sent in few files."""

import inspect
import re
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest
from flask.testing import FlaskClient

from referee.extras import folders
from referee.web.answers import assets, modules
from referee.web.answers.assets import FORMS_SCRIPT, RELOAD, SCRIPT
from referee.web.answers.modules import linked

STATIC = Path(__file__).parents[3] / "static"
IMPORT = re.compile(r'^import (?:\{ ([\w, ]+) \} from )?"([^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:const|function) (\w+)", re.MULTILINE)


def scripts() -> dict[str, str]:
    """Our scripts, by name as static files."""
    found = {path.relative_to(STATIC).as_posix(): path for path in STATIC.glob("js/**/*.js")}
    for extra, folder in folders("static").items():
        found |= {f"{extra}/{path.name}": path for path in folder.glob("*.js")}
    return {name: path.read_text(encoding="utf-8") for name, path in found.items()}


SOURCES = scripts()


def body_of(text: str) -> str:
    """The lines of a module without its imports and the word `export`."""
    return re.sub(r"^import .*\n|^export |^\n", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_what_a_module_imports_is_exported(name: str) -> None:
    """Each imported name is exported there and used here; none is global."""
    text = SOURCES[name]
    said = [line for line in text.splitlines() if line.startswith(("import ", "export "))]
    assert len(said) == len(IMPORT.findall(text)) + len(EXPORT.findall(text)), "in the usual form"
    for names, path in IMPORT.findall(text):
        module = SOURCES[normpath(join(dirname(name), path))]
        for wanted in filter(None, names.split(", ")):
            assert wanted in EXPORT.findall(module), (name, wanted)
            assert len(re.findall(rf"\b{wanted}\b", text)) > 1, f"{name} doesn’t use {wanted}"
    assert "globalThis" not in text
    assert not re.search(r"\bwindow\.\w+ = ", text)


def test_every_export_is_imported() -> None:
    """A name that no other module needs isn't exported."""
    wanted = {
        (normpath(join(dirname(name), path)), one)
        for name, text in SOURCES.items()
        for names, path in IMPORT.findall(text)
        for one in filter(None, names.split(", "))
    }
    exported = {(name, one) for name, text in SOURCES.items() for one in EXPORT.findall(text)}
    assert exported == wanted


def test_every_script_is_sent(client: FlaskClient) -> None:
    """Each is in exactly one file, its own or a bundle, unchanged except for its imports."""
    sent = linked(SOURCES, (SCRIPT, FORMS_SCRIPT), "0")
    asked = {name: client.get(f"/static/{name}").text for name in sent}
    for name, text in SOURCES.items():
        found = [file for file, whole in asked.items() if body_of(text) in body_of(whole)]
        assert len(found) == 1, name
    for name, text in asked.items():
        for _, path in re.findall(r'^import ([^"]*)"([^"?]+)\?v=\w+";$', text, re.MULTILINE):
            assert normpath(join(dirname(name), path)) in asked


def test_modules_come_after_those_they_import() -> None:
    """In whatever order they are named or imported, each is in the bundle once."""
    sources = {
        "a.js": 'import { b } from "./in/b.js";\nimport { c } from "./c.js";\nb(c);\n',
        "c.js": 'import { d } from "./in/d.js";\nexport const c = d();\n',
        "in/b.js": 'import { d } from "./d.js";\nexport function b() {}\nd();\n',
        "in/d.js": "export function d() {}\nlet own = 1;\n",
        "late.js": 'import { c } from "./c.js";\nimport { d } from "./in/d.js";\nc(d);\n',
        "plain.js": "var own = 2;\n",
    }
    sent = linked(sources, ["a.js"], "tag")
    assert sorted(sent) == ["a.js", "late.js", "plain.js"]
    order = [
        sent["a.js"].index(text) for text in ("function d", "function b", "const c =", "b(c);")
    ]
    assert order == sorted(order)
    assert sent["a.js"].count("function d") == 1
    assert sent["a.js"].endswith("export { d, b, c };\n")
    assert sent["late.js"].splitlines() == [
        'import { c } from "./a.js?v=tag";',
        'import { d } from "./a.js?v=tag";',
        "c(d);",
    ]
    assert sent["plain.js"] == sources["plain.js"]


def test_a_bundle_imports_from_an_earlier_one() -> None:
    """One line has all names that its modules need: none may be declared twice."""
    sources = {
        "a.js": 'import "./words.js";\n',
        "in/b.js": 'import { say } from "../words.js";\nimport "./c.js";\nsay();\n',
        "in/c.js": 'import { hear, say } from "../words.js";\nsay(hear);\n',
        "words.js": "export function say() {}\nexport const hear = 1;\n",
    }
    sent = linked(sources, ["a.js", "in/b.js"], "tag")
    assert sent["in/b.js"].startswith('import { hear, say } from "./../a.js?v=tag";\n')
    assert sent["in/b.js"].count("import ") == 1


def test_all_scripts_have_one_version(client: FlaskClient) -> None:
    """A page from before an update reloads instead of mixing two versions."""
    page = client.get("/").text
    versions = set(re.findall(r'/static/js/(?!htmx)[^"]+\?v=(\w+)"', page))
    assert len(versions) == 1
    text = client.get(f"/static/{FORMS_SCRIPT}").text
    assert set(re.findall(r'^import .*\?v=(\w+)";$', text, re.MULTILINE)) == versions
    older = client.get(f"/static/{FORMS_SCRIPT}?v=0123456789ab")
    assert (older.text, older.headers["Cache-Control"]) == (RELOAD, "no-store")


def test_scripts_that_are_sent_otherwise_have_another_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Though each is written as it was: a browser keeps what it has of a version for good."""
    prepare = inspect.unwrap(assets.files_in)  # without what other tests have prepared
    before = prepare(STATIC)[SCRIPT]
    monkeypatch.setattr(modules, "_enclosed", lambda text: f"{{\n{text}}}\n")
    after = prepare(STATIC)[SCRIPT]
    assert after.body != before.body
    assert after.tag != before.tag
