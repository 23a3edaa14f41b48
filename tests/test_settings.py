"""Sources of settings, their precedence, and messages for bad ones."""

from pathlib import Path

import pytest

from referee.settings import Settings, SettingsError, default_instance, load


def test_each_source_of_settings_overrides_the_ones_before(tmp_path: Path) -> None:
    """Defaults, settings file, environment, command line; also for the instance folder."""
    found = load({}, {"REFEREE_INSTANCE": str(tmp_path)})
    assert found.of(Settings) == Settings(tmp_path, "0.0.0.0", 9999, "")
    (tmp_path / "referee.toml").write_text(
        'host = "192.0.2.1"\nport = 7001\npublic_url = "http://file.test/"\n', encoding="utf-8"
    )
    found = load({"instance": tmp_path}, {})
    assert found.of(Settings) == Settings(tmp_path, "192.0.2.1", 7001, "http://file.test")
    assert found.file == tmp_path / "referee.sqlite"
    found.file.symlink_to(tmp_path / "elsewhere.sqlite")
    assert found.file == tmp_path / "elsewhere.sqlite", "the log lies beside the file itself"
    environment = {
        "REFEREE_INSTANCE": str(tmp_path), "REFEREE_PORT": "7002", "REFEREE_HOST": "",
        "REFEREE_MOOD": "good", "PORT": "1",
    }  # fmt: skip
    found = load({}, environment)
    assert found.of(Settings) == Settings(tmp_path, "192.0.2.1", 7002, "http://file.test")
    environment["REFEREE_INSTANCE"] = str(tmp_path / "other")
    given = {"instance": tmp_path, "port": 7003, "host": None, "public_url": "http://given.test"}
    found = load(given, environment)
    assert found.of(Settings) == Settings(tmp_path, "192.0.2.1", 7003, "http://given.test")
    assert found.backups == tmp_path / "backups"
    assert load({"instance": tmp_path, "backup_folder": "far"}, {}).backups == Path("far")


@pytest.mark.parametrize(
    "address", ["http://a.test:8080", "https://[2001:db8::1]:8080", "https://[::1]", "http://B_1"]
)
def test_a_public_url_may_have_a_port_or_an_ip_address(tmp_path: Path, address: str) -> None:
    """The public URL may have a port, and an IP address as its host."""
    assert load({"public_url": address}, {"REFEREE_INSTANCE": str(tmp_path)}).public_url == address


@pytest.mark.parametrize(
    "name", ["REFEREE_PORT=nine", "REFEREE_PORT=70000", "REFEREE_PORT=-1",
             "REFEREE_PUBLIC_URL=referee.test", "REFEREE_PUBLIC_URL=http://a.test/path",
             "REFEREE_PUBLIC_URL=ftp://a.test", "REFEREE_PUBLIC_URL=http://a b",
             "REFEREE_PUBLIC_URL=http://[::1", "REFEREE_PUBLIC_URL=http://[:::::]",
             "REFEREE_PUBLIC_URL=http://a:99999", "REFEREE_PUBLIC_URL=http://::1",
             "REFEREE_PUBLIC_URL=http://:80", "REFEREE_PUBLIC_URL=http://ann@a.test",
             "REFEREE_PUBLIC_URL=http://[::1]a", "REFEREE_DATABASE=mysql://a.test/book",
             "REFEREE_DATABASE=referee.sqlite", "REFEREE_PROXIES=proxy.test",
             "REFEREE_PROXIES=10.0.0.7 10.0.0.0/99"],
)  # fmt: skip
def test_an_invalid_variable_is_refused(tmp_path: Path, name: str) -> None:
    """The message names the setting and where it may be set."""
    variable, _, value = name.partition("=")
    field = variable.removeprefix("REFEREE_").lower()
    with pytest.raises(SettingsError, match=rf"{field}.*REFEREE_… variables, and .*referee\.toml"):
        load({"instance": tmp_path}, {variable: value})


def test_proxies_are_trusted_only_with_a_public_address(tmp_path: Path) -> None:
    """By default those of this machine, else the addresses and networks named."""
    there = {"instance": tmp_path, "public_url": "https://cards.test"}
    assert load({"instance": tmp_path}, {}).trusted_proxies == []
    assert [str(one) for one in load(there, {}).trusted_proxies] == ["127.0.0.1/32", "::1/128"]
    named = load({**there, "proxies": "10.0.0.7,10.1.0.9/24 fd00::/8"}, {})
    assert [str(one) for one in named.trusted_proxies] == ["10.0.0.7/32", "10.1.0.0/24", "fd00::/8"]
    assert load({**there, "proxies": " "}, {}).trusted_proxies == []


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
def test_an_invalid_settings_file_is_refused(tmp_path: Path, written: bytes, told: str) -> None:
    """The message names the file and its fault."""
    (tmp_path / "referee.toml").write_bytes(written)
    with pytest.raises(SettingsError, match=told) as refused:
        load({"instance": tmp_path}, {})
    assert "referee.toml" in str(refused.value)
    assert "\n" not in str(refused.value)
    (tmp_path / "referee.toml").unlink()
    (tmp_path / "referee.toml").mkdir()
    with pytest.raises(SettingsError, match=r"referee\.toml can’t be read: Is a directory\.$"):
        load({"instance": tmp_path}, {})


def test_a_checkout_keeps_its_data_beside_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In `instance`; an installed program uses the user's data folder."""
    monkeypatch.chdir(tmp_path)
    assert default_instance().is_absolute()
    assert tmp_path not in default_instance().parents
    for name in ("instance/.gitignore", "referee/__init__.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    assert default_instance() == Path("instance")
