import os
import subprocess
import sys
from contextlib import nullcontext
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from reservations.management.commands import write_fixtures as command

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder(settings, tmp_path, monkeypatch):
    """An empty folder for fixtures, and the database of the test as the scratch one."""
    settings.FIXTURE_DIRS = [tmp_path]
    monkeypatch.setattr(command, "scratch_database", nullcontext)
    return tmp_path


def write_fixtures(*arguments):
    output = StringIO()
    call_command("write_fixtures", *arguments, stdout=output)
    return output.getvalue()


@pytest.mark.django_db
def test_both_files_are_written_once(folder):
    assert write_fixtures() == "Written: reference.json, p0.json.\n"
    assert write_fixtures() == "Up to date.\n"


@pytest.mark.django_db
def test_check_names_the_stale_file_and_writes_nothing(folder):
    write_fixtures()
    (folder / "p0.json").write_text("[]")
    with pytest.raises(CommandError, match=r"^Out of date: p0\.json\."):
        write_fixtures("--check")
    assert (folder / "p0.json").read_text() == "[]"


def test_the_fixtures_in_the_repository_are_up_to_date_whatever_database_is_served(tmp_path):
    """The packages are handed in on a scratch database: the one that is served is not even migrated."""
    served = tmp_path / "served.sqlite3"
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{served}",
        "DJANGO_SETTINGS_MODULE": "config.settings_test",
    }
    check = [sys.executable, "manage.py", "write_fixtures", "--check"]
    done = subprocess.run(check, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "Up to date.\n"), done.stderr
    assert not served.exists() or served.stat().st_size == 0
