"""The `.env` of the demo."""

import environ

from config.demo_env import demo_text, write_once


def test_the_file_is_readable_by_its_owner_only(tmp_path):
    write_once(tmp_path / ".env", demo_text())
    assert (tmp_path / ".env").stat().st_mode & 0o777 == 0o600


def test_an_existing_file_is_left_as_it_is(tmp_path):
    (tmp_path / ".env").write_text("SECRET_KEY=mine\n")
    assert write_once(tmp_path / ".env", demo_text()) is False
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {".env": "SECRET_KEY=mine\n"}


def test_two_files_share_no_secret(tmp_path):
    first, second = (dict(line.split("=", 1) for line in demo_text().splitlines()[1:]) for _ in range(2))
    same = {name for name in first if first[name] == second[name]}
    assert same == {"DEMO", "HTTPS", "LOG_FORMAT", "LOG_LEVEL"}


def test_the_settings_reader_finds_every_value_as_it_was_written(tmp_path):
    text = demo_text()
    write_once(tmp_path / ".env", text)
    read: dict[str, str] = {}
    reader = type("Reader", (environ.Env,), {"ENVIRON": read})
    reader.read_env(str(tmp_path / ".env"))
    assert read == dict(line.split("=", 1) for line in text.splitlines()[1:])
