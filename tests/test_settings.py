"""Where a setting comes from, which one wins, and how a bad one is told."""

from pathlib import Path
from typing import Any

import pytest

from referee.settings import Settings, SettingsError, default_instance, load


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An instance folder whose settings file names host, port and address."""
    (tmp_path / "referee.toml").write_text(
        'host = "192.0.2.1"\nport = 7001\npublic_url = "http://file.test/"\n', encoding="utf-8"
    )
    return tmp_path


def test_the_defaults_need_nothing(tmp_path: Path) -> None:
    """Without any setting it serves every phone in the house on port 9999."""
    settings = load({}, {"REFEREE_INSTANCE": str(tmp_path)})
    assert settings == Settings(tmp_path, "0.0.0.0", 9999, "")
    assert settings.database == tmp_path / "referee.sqlite"


def test_the_file_wins_over_the_defaults(folder: Path) -> None:
    """What the settings file names holds, and a closing slash does not matter."""
    settings = load({"instance": folder}, {})
    assert settings == Settings(folder, "192.0.2.1", 7001, "http://file.test")


def test_the_environment_wins_over_the_file(folder: Path) -> None:
    """A variable beats the file; one that is empty is as good as none."""
    environment = {"REFEREE_INSTANCE": str(folder), "REFEREE_PORT": "7002", "REFEREE_HOST": ""}
    assert load({}, environment) == Settings(folder, "192.0.2.1", 7002, "http://file.test")


def test_the_command_line_wins_over_everything(folder: Path, tmp_path_factory: Any) -> None:
    """What is given on the command line beats the variable and the file, the folder too."""
    environment = {
        "REFEREE_INSTANCE": str(tmp_path_factory.mktemp("other")),
        "REFEREE_PORT": "7002",
        "REFEREE_PUBLIC_URL": "http://environment.test",
    }
    given = {"instance": folder, "port": 7003, "host": None, "public_url": None}
    expected = Settings(folder, "192.0.2.1", 7003, "http://environment.test")
    assert load(given, environment) == expected


@pytest.mark.parametrize(
    "address", ["http://a.test:8080", "https://[2001:db8::1]:8080", "https://[::1]", "http://B_1"]
)
def test_an_address_with_a_port_or_a_number(tmp_path: Path, address: str) -> None:
    """The pages may be anywhere."""
    assert load({"public_url": address}, {"REFEREE_INSTANCE": str(tmp_path)}).public_url == address


def test_variables_of_others_do_not_matter(tmp_path: Path) -> None:
    """A variable that names no setting is somebody else's."""
    assert load({"instance": tmp_path}, {"REFEREE_MOOD": "good", "PORT": "1"}).port == 9999


@pytest.mark.parametrize(
    "name", ["REFEREE_PORT=nine", "REFEREE_PORT=70000", "REFEREE_PORT=-1", "REFEREE_PORT=1.5",
             "REFEREE_PUBLIC_URL=referee.test", "REFEREE_PUBLIC_URL=http://a.test/path",
             "REFEREE_PUBLIC_URL=ftp://a.test", "REFEREE_PUBLIC_URL=http://a b",
             "REFEREE_PUBLIC_URL=http://[::1", "REFEREE_PUBLIC_URL=http://[:::::]",
             "REFEREE_PUBLIC_URL=http://a:99999", "REFEREE_PUBLIC_URL=http://::1",
             "REFEREE_PUBLIC_URL=http://:80", "REFEREE_PUBLIC_URL=http://ann@a.test",
             "REFEREE_PUBLIC_URL=http://[::1]a"],
)  # fmt: skip
def test_a_variable_that_cannot_be_used_is_told(tmp_path: Path, name: str) -> None:
    """The message names the setting and the places to look for it."""
    variable, _, value = name.partition("=")
    field = variable.removeprefix("REFEREE_").lower()
    with pytest.raises(SettingsError, match=rf"{field}.*REFEREE_… variables, and .*referee\.toml"):
        load({"instance": tmp_path}, {variable: value})


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (b"port = ", "isn’t a valid settings file"),
        (b"\xff\xfe", "isn’t a valid settings file"),
        (b"a = " + b"[" * 5000, "isn’t a valid settings file"),
        (b"prot = 9999", "prot"),
        (b"port = 99999", "port"),
        (b"port = true", "port"),
        (b"port = 1979-05-27", "port"),
        (b"host = 5", "host"),
        (b"[host]\nname = 'a'", "host"),
        (b"[[host]]", "host"),
    ],
)
def test_a_settings_file_that_cannot_be_used_is_told(
    tmp_path: Path, written: bytes, told: str
) -> None:
    """The message names the file, and what is wrong in it."""
    (tmp_path / "referee.toml").write_bytes(written)
    with pytest.raises(SettingsError, match=told) as refused:
        load({"instance": tmp_path}, {})
    assert "referee.toml" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_settings_file_that_is_a_folder_is_told(tmp_path: Path) -> None:
    """A folder in its place cannot be read."""
    (tmp_path / "referee.toml").mkdir()
    with pytest.raises(SettingsError, match=r"referee\.toml can’t be read: Is a directory\.$"):
        load({"instance": tmp_path}, {})


def test_a_checkout_keeps_its_data_beside_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run from a checkout the data lie in `instance`; elsewhere in the user's data folder."""
    monkeypatch.chdir(tmp_path)
    assert default_instance().is_absolute()
    assert tmp_path not in default_instance().parents
    for name in ("instance/.gitignore", "referee/__init__.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    assert default_instance() == Path("instance")
