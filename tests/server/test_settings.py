"""Settings: command line over environment over file, and a sentence for whatever cannot be used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cuberails.cli import main
from cuberails.server.settings import KNOWN, Settings, SettingsError, read_settings

DOCS = Path(__file__).parents[2] / "docs" / "hosting.md"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "cuberails.toml"
    file.write_text('port = 9000\npace = 0\ntrusted_proxies = ["10.0.0.0/8", "::1"]\naccess_log = true\n')
    return file


def test_nothing_said_means_the_usual() -> None:
    assert read_settings({}) == Settings()


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(file: Path) -> None:
    environment = {"CUBERAILS_PORT": "9001", "CUBERAILS_METRICS": "nobody", "PATH": "/bin"}
    found = read_settings(environment, str(file), host="::", metrics=None)
    assert (found.host, found.port, found.metrics, found.pace, found.access_log) == ("::", 9001, "nobody", 0.0, True)
    assert found.trusted_proxies == ("10.0.0.0/8", "::1")
    assert read_settings(environment, str(file), port=9002).port == 9002


def test_the_environment_can_name_the_file(file: Path) -> None:
    assert read_settings({"CUBERAILS_SETTINGS": str(file)}).port == 9000


def test_lists_in_the_environment_have_commas() -> None:
    found = read_settings({"CUBERAILS_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8,"})
    assert found.trusted_proxies == ("127.0.0.1", "10.0.0.0/8")


def test_an_unknown_name_gets_the_known_ones(file: Path) -> None:
    with pytest.raises(SettingsError, match=r"CUBERAILS_PROT.*did you mean CUBERAILS_PORT.*CUBERAILS_HOST, "):
        read_settings({"CUBERAILS_PROT": "1"})
    file.write_text("colour = 1")
    with pytest.raises(SettingsError, match=r"cuberails.toml, colour: there is no such setting.*host, port"):
        read_settings({}, str(file))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("port = 70000", "between 0 and 65535"),
        ('port = "many"', "a whole number"),
        ("port = true", "a whole number"),
        ("host = 1", "a text"),
        ('pace = "slow"', "a number"),
        ("pace = -1", "between 0 and 3600"),
        ("pace = nan", "between 0 and 3600"),
        ('access_log = "perhaps"', "true or false"),
        ('metrics = "me"', "one of loopback, everybody, nobody"),
        ('trusted_proxies = ["*"]', r"addresses or networks such as 10.0.0.0/8, which '\*' is not"),
        ("trusted_proxies = [1]", "a list of texts"),
        ('public_url = "play.example.org"', "an address such as https://play.example.org"),
        ('public_url = "https://play.example.org/path"', "an address such as https://play.example.org"),
        ('smtp_security = "ssl"', "one of starttls, tls, none"),
        ('mail_from = "Cube rails"', "an address such as play@example.org"),
        ('oidc_issuer = "id.example.org"', "an address such as https://id.example.org"),
        ('oidc_issuer = "https://id.example.org"', "needs oidc_client_id, oidc_client_secret and public_url"),
        ('smtp_host = "mail"', "needs mail_from .* and public_url"),
        ("port = ", "is not TOML"),
        (f"a = {'[' * 5000}", "is not TOML"),
    ],
)
def test_a_value_that_cannot_be_used_is_named(file: Path, line: str, sentence: str) -> None:
    file.write_text(line)
    with pytest.raises(SettingsError, match=sentence):
        read_settings({}, str(file))


def test_links_lead_to_the_public_url_or_the_first_host_name() -> None:
    assert Settings().home == ""
    assert Settings(host_names=("play.example.org", "b")).home == "https://play.example.org"
    assert (
        Settings(host_names=("b",), public_url="http://play.example.org:8000/").home == "http://play.example.org:8000"
    )


def test_a_secret_is_never_shown() -> None:
    with pytest.raises(SettingsError, match="32 random letters") as refused:
        read_settings({"CUBERAILS_SECRET": "hunter2"})
    assert "hunter2" not in str(refused.value)


def test_the_command_complains_in_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["serve", "--no-open", "--settings", "/nowhere/cuberails.toml"]) == 2
    assert capsys.readouterr().err == ("cuberails: settings file /nowhere/cuberails.toml: No such file or directory\n")
    monkeypatch.setenv("CUBERAILS_METRIX", "everybody")
    assert main(["serve", "--no-open"]) == 2
    assert "did you mean CUBERAILS_METRICS?" in capsys.readouterr().err


def test_every_setting_is_documented() -> None:
    text = DOCS.read_text("utf-8")
    for name in KNOWN:
        assert re.search(rf"^\| [^|]*`{name}`[^|]* \|", text, re.MULTILINE), name
