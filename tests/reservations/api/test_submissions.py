"""GET /submissions: the packages as received."""

import pytest

from reservations.models import SubmissionOutcome
from tests import factories
from tests.reservations.api.rules import DESK, SESSION_STATEMENTS, HotelDetail, HotelList

LIST = f"{DESK}/submissions"


class TestList(HotelList):
    def make(self, hotel):
        factories.package(hotel)
        return LIST

    def test_rows_carry_neither_payload_nor_answer(self, desk, agent, reviewer_client):
        factories.submission(desk.message, agent, payload='{"secret":1}', response='{"secret":2}')
        assert b"secret" not in reviewer_client.get(LIST).content

    def test_a_row_names_its_mail_and_caller(self, desk, agent, reviewer_client):
        row = self.rows(reviewer_client, LIST)[0]
        assert (row["source_message_id"], row["source_message"]["id"]) == ("m1@mail.example", str(desk.message.pk))
        assert (row["caller"], row["generation"], row["outcome"]) == (agent.username, "V3", "ACCEPTED")

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ({"source_message_id": "m1@mail.example"}, [0]),
            ({"source_message_id": "M1@mail.example"}, []),
            ({"generation": "V2"}, [1]),
            ({"outcome": "CONFLICT"}, [1]),
            ({"since": "2026-07-20T12:00:01Z"}, []),
        ],
    )
    def test_filters_find_exactly_their_rows(self, query, found, desk, reviewer_client):
        other = factories.package(desk.hotel, generation="V2", outcome=SubmissionOutcome.CONFLICT)
        packages = [str(desk.package.pk), str(other.pk)]
        rows = reviewer_client.get(LIST, query).json()["results"]
        assert [row["id"] for row in rows] == [packages[place] for place in found]


class TestDetail(HotelDetail):
    statements = SESSION_STATEMENTS + 2

    def make(self, hotel):
        return f"{LIST}/{factories.package(hotel).pk}"

    def test_payload_and_answer_go_out_as_they_stand(self, desk, agent, reviewer_client):
        payload = '{"b": 1.0, "a": 1e2,\n "big": 12345678901234567890123}'
        package = factories.submission(desk.message, agent, payload=payload, response='{"accepted": true}')
        content = reviewer_client.get(f"{LIST}/{package.pk}").content
        assert f'"payload":{payload},"response":{{"accepted": true}},'.encode() in content

    def test_an_old_text_is_shown_as_text(self, desk, agent, reviewer_client):
        """R-12"""
        package = factories.submission(desk.message, agent, generation="TEXT", payload="S000,m1@mail.example\r\n")
        assert reviewer_client.get(f"{LIST}/{package.pk}").json()["payload"] == "S000,m1@mail.example\r\n"

    @pytest.mark.parametrize("generation", ["TEXT", "V3"])
    def test_what_was_purged_is_null(self, generation, desk, agent, reviewer_client):
        package = factories.submission(desk.message, agent, generation=generation, payload="", response="")
        shown = reviewer_client.get(f"{LIST}/{package.pk}").json()
        assert (shown["payload"], shown["response"]) == (None, None)

    def test_it_shows_diagnostics_and_verdicts(self, desk, agent, reviewer_client):
        """R-08"""
        package = factories.submission(
            desk.message, agent, case_candidates=[1.50], extraction_warnings=["w"], mapping_diagnostics={"m": []}
        )
        verdict = factories.transition(package)
        shown = reviewer_client.get(f"{LIST}/{package.pk}").json()
        assert (shown["case_candidates"], shown["extraction_warnings"]) == ([1.5], ["w"])
        assert (shown["mapping_diagnostics"], shown["canonical_sha256"]) == ({"m": []}, package.canonical_sha256)
        assert [row["id"] for row in shown["transitions"]] == [str(verdict.pk)]
