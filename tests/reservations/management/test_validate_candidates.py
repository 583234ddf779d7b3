"""`manage.py validate_candidates FILE` (R-07; contracts.md section 10)."""

import json

import pytest
from django.core.management import CommandError, call_command

SOUND = {
    "source_message": {"source_message_id": "m1@x"},
    "candidate_events": [{"candidate_id": "C1", "event_type_hint": "Payment", "evidence_excerpt": "定金"}],
}


@pytest.fixture
def written(tmp_path):
    def write(content):
        file = tmp_path / "candidates.json"
        file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return file

    return write


def test_a_sound_package_is_valid(written, capsys):
    call_command("validate_candidates", written(SOUND))
    assert json.loads(capsys.readouterr().out) == {"valid": True, "errors": []}


def test_an_unsound_package_names_its_places_and_exits_with_1(written, capsys):
    body = {**SOUND, "candidate_events": [{"candidate_id": "", "evidence_excerpt": "x", "event_type_hint": "Note"}]}
    with pytest.raises(SystemExit) as stop:
        call_command("validate_candidates", written(body))
    assert stop.value.code == 1
    assert json.loads(capsys.readouterr().out) == {
        "valid": False,
        "errors": ["candidate_events.0.candidate_id", "candidate_events.0.event_type_hint"],
    }


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b'{"a":1,"a":2}', b"[" * 5000])
def test_what_is_no_json_is_refused_in_a_sentence(written, content):
    with pytest.raises(CommandError, match=r"candidates\.json holds no usable JSON: .+\."):
        call_command("validate_candidates", written(content))


def test_a_file_that_is_not_there_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(CommandError, match=r"nothing\.json cannot be read: No such file or directory\."):
        call_command("validate_candidates", tmp_path / "nothing.json")
