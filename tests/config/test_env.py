"""Values of the environment that cannot be read stop the start in one sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config import env

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def given(monkeypatch):
    """given(text): the variable GIVEN holds it."""
    return lambda value: monkeypatch.setenv("GIVEN", value)


@pytest.mark.parametrize(
    ("value", "read"), [("TRUE", True), ("on", True), ("1", True), ("no", False), ("0", False), ("", True)]
)
def test_a_flag_is_read(value, read, given):
    given(value)
    assert env.flag("GIVEN", default=True) is read


@pytest.mark.parametrize("value", ["maybe", "2", "truefalse"])
def test_what_is_neither_yes_nor_no_is_refused(value, given):
    given(value)
    with pytest.raises(env.BadSetting, match="GIVEN takes true or false"):
        env.flag("GIVEN", default=True)


@pytest.mark.parametrize("value", ["zero", "-1", "0", "1.5"])
def test_what_is_no_whole_number_from_1_is_refused(value, given):
    given(value)
    with pytest.raises(env.BadSetting, match="GIVEN takes a whole number"):
        env.number("GIVEN", default=5)


def test_a_choice_is_read_in_any_case_and_others_are_refused(given):
    given("info")
    assert env.choice("GIVEN", ("DEBUG", "INFO"), default="DEBUG") == "INFO"
    given("loud")
    with pytest.raises(env.BadSetting, match="GIVEN takes one of DEBUG, INFO"):
        env.choice("GIVEN", ("DEBUG", "INFO"), default="DEBUG")


@pytest.mark.parametrize("value", ["foo", "mysql://root:geheim@host/name", "postgres:name"])
def test_another_database_is_refused_without_its_password(value, given):
    given(value)
    with pytest.raises(env.BadSetting) as refusal:
        env.database("GIVEN", default="sqlite:///x")
    assert str(refusal.value) == "GIVEN takes postgres://user:password@host:5432/name or sqlite:///path."


def test_a_socket_directory_is_an_option_of_the_database(given):
    given("postgres://me@/desk?host=/run/postgresql")
    assert env.database("GIVEN", default="sqlite:///x")["OPTIONS"] == {"host": "/run/postgresql"}


def test_the_command_line_names_the_variable_and_shows_no_traceback():
    command = [sys.executable, "manage.py", "check"]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "x" * 60, "DEBUG": "maybe"}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr.splitlines()[-1]) == (1, "DEBUG takes true or false.")
    assert "Traceback" not in ended.stderr
