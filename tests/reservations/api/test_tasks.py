"""GET /tasks: the cards of the caller's hotels, and the notices beside them."""

import json
from datetime import timedelta

import pytest

from config.audit.services import Change, Door, record_many
from reservations.models import SubmissionOutcome, TaskStatusChoice, TransitionKind
from tests import factories
from tests.reservations.api.rules import DESK, SESSION_STATEMENTS, HotelDetail, HotelList

LIST = f"{DESK}/tasks"
R21 = "R21_CANCEL_ALLOTMENT_CANCEL_ALLOTMENT_CONTROL_BLOCK_NORMAL"
R22 = "R22_CANCEL_ALLOTMENT_CANCEL_ALLOTMENT_CONTROL_BLOCK_REVIEW"
R37 = "R37_CANCEL_BOOKING_LINKED_PARENT_RELEASE_AFTER_CHILD_SPLIT_NORMAL"
R38 = "R38_CANCEL_BOOKING_LINKED_PARENT_RELEASE_AFTER_CHILD_SPLIT_REVIEW"
RETIRED = {
    "ai_task_type": "Cancel Booking",
    "ai_task_subtype": "linked_parent_release_after_child_split",
    "route_code": R37,
    "route_display_code": "HISTORY.cancel_allotment_control_block",
}
SPLIT = "linked_parent_release_after_child_split"


def _relation(kind, role, *, parent=None, children=()):
    """One relation as the cards keep it."""
    return {
        "relationship_type": kind,
        "role": role,
        "parent_event_index": parent,
        "child_event_indexes": list(children),
        "parent_group_code": None,
    }


def detail(client, task):
    return client.get(f"{LIST}/{task.pk}").json()


class TestList(HotelList):
    def make(self, hotel):
        factories.card(hotel)
        return LIST

    def test_a_row_shows_all_three_layers(self, desk, reviewer_client):
        """R-19"""
        factories.task(desk.order, desk.package)
        row = self.rows(reviewer_client, LIST)[0]
        shown = ("result_type", "ai_task_type", "task_subtype", "route_code", "route_display_code")
        assert [row[key] for key in (*shown, "system_process_category")] == [
            "normal_task",
            "New Booking",
            "new_fit_booking",
            "R01_NEW_BOOKING_NEW_FIT_BOOKING_NORMAL",
            "TASK.new_fit_booking",
            "BUSINESS_TASK",
        ]

    def test_ids_are_texts_and_times_end_in_z(self, desk, reviewer_client):
        task = factories.task(desk.order, desk.package)
        row = self.rows(reviewer_client, LIST)[0]
        assert (row["id"], row["order_id"]) == (str(task.pk), str(desk.order.pk))
        assert (row["received_at"], row["source_message_id"]) == ("2026-07-20T12:00:00Z", "m1@mail.example")

    def test_a_notice_has_no_order(self, desk, reviewer_client):
        """R-10"""
        factories.notice(desk.package)
        row = self.rows(reviewer_client, LIST)[0]
        assert (row["order_id"], row["order_number"], row["task_status"]) == (None, None, "NOTICE")

    def test_rows_carry_no_payload(self, desk, reviewer_client):
        factories.task(desk.order, desk.package, ai_payload_json='{"secret": 1}')
        assert b"secret" not in reviewer_client.get(LIST).content

    def test_rows_come_by_time_of_receipt_then_id(self, hotel, reviewer_client):
        late = factories.card(hotel, received_at=factories.NOON + timedelta(hours=1))
        early = factories.card(hotel, received_at=factories.NOON - timedelta(hours=1))
        ties = sorted(str(factories.card(hotel).pk) for _ in range(3))
        ids = [row["id"] for row in self.rows(reviewer_client, LIST)]
        assert ids == [str(early.pk), *ties, str(late.pk)]

    @pytest.mark.parametrize(
        ("asked", "found"),
        [
            ("S10", ["S000", "S10"]),
            ("S99", ["S99", "S999"]),
            (R21, [R21, R37]),
            (R22, [R22, R38]),
            ("R01_NEW_BOOKING_NEW_FIT_BOOKING_NORMAL", ["R01_NEW_BOOKING_NEW_FIT_BOOKING_NORMAL"]),
        ],
    )
    def test_the_route_filter_finds_what_is_shown_under_the_code(self, asked, found, hotel, reviewer_client):
        """R-12"""
        for code in (R21, R22, R37, R38, "R01_NEW_BOOKING_NEW_FIT_BOOKING_NORMAL"):
            factories.card(hotel, route_code=code)
        for code in ("S10", "S000", "S99", "S999"):
            factories.notice(factories.package(hotel), route_code=code)
        rows = self.rows(reviewer_client, f"{LIST}?route={asked}")
        assert sorted(row["route_code"] for row in rows) == found

    @pytest.mark.parametrize("code", ["S000", "S999", R37, R38, "r01", "linked_parent_release_after_child_split"])
    def test_only_active_codes_are_options_of_the_route_filter(self, code, reviewer_client):
        """R-12, R-21"""
        response = reviewer_client.get(LIST, {"route": code})
        assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "route")

    def test_other_filters_find_exactly_their_rows(self, hotel, other_hotel, lead, client_of):
        both = client_of(factories.user("reviewer", hotel, other_hotel))
        held = factories.card(hotel, claimed_by=lead, claim_expires_at=factories.NOON)
        review = factories.card(
            other_hotel, task_status="PENDING_REVIEW", review_status="PENDING", ai_result_type="manual_review"
        )
        for query, task in [
            ({"hotel": "HOTEL1"}, held),
            ({"claimed_by": lead.username}, held),
            ({"order": held.order_id}, held),
            ({"task_status": "PENDING_REVIEW"}, review),
            ({"review_status": "PENDING"}, review),
            ({"result_type": "manual_review"}, review),
        ]:
            assert [row["id"] for row in both.get(LIST, query).json()["results"]] == [str(task.pk)], query

    def test_the_order_filter_finds_no_hidden_order(self, desk, reviewer_client):
        """R-10"""
        notice = factories.notice(desk.package)
        assert self.rows(reviewer_client, f"{LIST}?order={notice.order_id}") == []

    @pytest.mark.parametrize(
        ("name", "value"),
        [("task_status", "OPEN"), ("order", "7"), ("task_status", ""), ("claimed_by", "a\x00b"), ("hotel", "")],
    )
    def test_a_value_that_does_not_fit_is_refused(self, name, value, reviewer_client):
        response = reviewer_client.get(LIST, {name: value})
        assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, name)


class TestDetail(HotelDetail):
    statements = SESSION_STATEMENTS + 6

    def make(self, hotel):
        return f"{LIST}/{factories.card(hotel).pk}"

    def test_it_shows_the_stored_keys(self, desk, reviewer_client):
        """reservations-domain.md 2.7"""
        payload = '{"case_keys":{"booking_code":"B1"},"n":1.0,"big":12345678901234567890}'
        task = factories.task(
            desk.order,
            desk.package,
            ai_payload_json=payload,
            case_keys={"booking_code": "B1"},
            event_type="New Booking",
        )
        card = detail(reviewer_client, task)
        assert (card["source_event_index"], card["array_index"], card["event_type"]) == (1, 0, "New Booking")
        assert (card["ai_result_type"], card["ai_task_type"]) == ("normal_task", "New Booking")
        assert (card["case_keys"], card["manual_review"]) == ({"booking_code": "B1"}, None)
        assert (card["review_status"], card["review_resolution"]) == (None, None)
        assert (card["field_contract_version"], card["catalog_code"], card["skill_id"]) == ("20260711-p0", None, None)

    def test_the_payload_goes_out_as_it_stands(self, desk, reviewer_client):
        """R-35: 1, 1.0 and a number of twenty digits stay different."""
        payload = '{"n": 1.0, "m": 1, "big": 12345678901234567890123}'
        task = factories.task(desk.order, desk.package, ai_payload_json=payload)
        assert f'"ai_payload_json":{payload},'.encode() in reviewer_client.get(f"{LIST}/{task.pk}").content

    def test_a_purged_payload_is_null(self, desk, reviewer_client):
        task = factories.task(desk.order, desk.package, ai_payload_json="")
        assert detail(reviewer_client, task)["ai_payload_json"] is None

    def test_numbers_of_stored_values_stay_numbers(self, desk, reviewer_client):
        review = {"confidence": 0.25, "missing_fields": []}
        task = factories.task(
            desk.order, desk.package, manual_review=review, task_status="PENDING_REVIEW", review_status="PENDING"
        )
        assert b'"manual_review":{"confidence":0.25,"missing_fields":[]}' in (
            reviewer_client.get(f"{LIST}/{task.pk}").content
        )

    def test_a_retired_pair_is_shown_as_the_one_that_took_its_place(self, desk, reviewer_client):
        """R-21: what the agent said stays."""
        card = detail(reviewer_client, factories.task(desk.order, desk.package, **RETIRED))
        assert (card["task_type"], card["task_subtype"]) == ("Cancel Allotment", "cancel_allotment_control_block")
        assert (card["ai_task_type"], card["ai_task_subtype"]) == ("Cancel Booking", SPLIT)

    def test_effective_case_keys_are_the_derived_ones(self, desk, reviewer_client):
        """R-22"""
        task = factories.task(
            desk.order,
            desk.package,
            case_keys={"block_code": "A"},
            derived_case_keys={"block_code": "A", "group_code": "A"},
        )
        card = detail(reviewer_client, task)
        assert card["case_keys"] == {"block_code": "A"}
        assert card["effective_payload"] == {"case_keys": {"block_code": "A", "group_code": "A"}}

    def test_the_mail_is_named_with_its_files(self, desk, reviewer_client):
        factories.attachment(desk.message, "att-1", size=3)
        mail = detail(reviewer_client, factories.task(desk.order, desk.package))["source_message"]
        assert (mail["id"], mail["subject"]) == (str(desk.message.pk), "Two rooms")
        assert [(file["external_id"], file["size"], file["stored"]) for file in mail["attachments"]] == [
            ("att-1", 3, False)
        ]

    def test_what_the_agent_was_unsure_of_is_shown_with_the_card(self, desk, agent, reviewer_client):
        """R-08"""
        package = factories.submission(
            desk.message, agent, case_candidates=[{"value": "A"}], extraction_warnings=[{"code": "table"}]
        )
        card = detail(reviewer_client, factories.task(desk.order, package))
        assert (card["case_candidates"], card["extraction_warnings"]) == ([{"value": "A"}], [{"code": "table"}])

    def test_contract_errors_of_the_package_are_shown_in_both_languages(self, desk, agent, reviewer_client):
        """R-18; those of another package of the mail are not."""
        task = factories.task(desk.order, desk.package)
        fault = {
            "kind": TransitionKind.CONTRACT_ERROR,
            "adapter_error_code": "RETIRED_TASK",
            "adapter_error_message": "Retired.",
            "adapter_error_detail": "type and subtype",
            "source_event_index": 2,
            "array_index": 1,
            "event": '{"event_type":"Note"}',
        }
        mine = factories.transition(desk.package, **fault)
        factories.transition(factories.submission(desk.message, agent), **fault)
        errors = detail(reviewer_client, task)["adapter_contract_errors"]
        assert [(row["transition_id"], row["source_event_index"]) for row in errors] == [(str(mine.pk), 2)]
        assert errors[0]["event"] == {"event_type": "Note"}
        assert errors[0]["adapter_error_message_zh"] == "此类型或子类型仅供历史查看，新数据不得使用。"
        assert errors[0]["adapter_error_detail"] == "type and subtype"

    def test_unhandled_intents_of_the_mail_are_shown_whatever_their_shape(self, desk, reviewer_client):
        """R-09"""
        task = factories.task(desk.order, desk.package)
        for place, intent in enumerate(['"send a taxi"', '{"intent":"x"}', "null"]):
            factories.transition(desk.package, kind=TransitionKind.UNHANDLED_INTENT, array_index=place, event=intent)
        intents = detail(reviewer_client, task)["unhandled_intents"]
        assert [row["intent"] for row in intents] == ["send a taxi", {"intent": "x"}, None]

    def test_the_history_names_who_did_what_through_which_door(self, desk, lead, reviewer_client):
        task = factories.task(desk.order, desk.package)
        record_many(
            tenant_id=desk.hotel.pk,
            actor_id=lead.pk,
            door=Door.ADMIN,
            changes=[Change("TASK_CLAIM", "task", str(task.pk))],
            at=factories.NOON,
        )
        assert detail(reviewer_client, task)["history"] == [
            {
                "action": "TASK_CLAIM",
                "actor": lead.username,
                "door": "admin",
                "reason": "",
                "at": "2026-07-20T12:00:00Z",
            }
        ]

    def test_a_business_card_carries_fields_and_no_notice(self, desk, reviewer_client):
        card = detail(reviewer_client, factories.task(desk.order, desk.package))
        assert (card["fields"] != [], card["source_message_only_result"]) == (True, None)


class TestLinks:
    """R-22: cards of one mail that belong together know each other."""

    @pytest.fixture
    def family(self, desk):
        """A parent (3) that names its children (1, 2); of these only the first names the parent."""
        to_parent = [_relation(SPLIT, "child", parent=3)]
        to_children = [_relation(SPLIT, "parent", children=[1, 2])]
        return [
            factories.task(desk.order, desk.package, source_event_index=1, relationships=to_parent),
            factories.task(desk.order, desk.package, source_event_index=2),
            factories.task(desk.order, desk.package, source_event_index=3, relationships=to_children),
        ]

    def linked(self, client, task):
        return [
            (link["relationship_type"], link["role"], [card["task_id"] for card in link["tasks"]])
            for link in detail(client, task)["relationships"]
        ]

    def test_the_parent_is_linked_to_both_children(self, family, reviewer_client):
        first, second, parent = family
        assert self.linked(reviewer_client, parent) == [(SPLIT, "parent", [str(first.pk), str(second.pk)])]

    def test_a_link_both_sides_name_is_shown_once(self, family, reviewer_client):
        first, _, parent = family
        assert self.linked(reviewer_client, first) == [(SPLIT, "child", [str(parent.pk)])]

    def test_a_link_only_the_other_side_names_is_shown_too(self, family, reviewer_client):
        _, second, parent = family
        assert self.linked(reviewer_client, second) == [(SPLIT, "child", [str(parent.pk)])]

    def test_the_parent_warns_while_a_child_is_not_done(self, family, reviewer_client):
        first, second, parent = family
        factories.move(first, TaskStatusChoice.DONE)
        assert detail(reviewer_client, parent)["warnings"] == [
            {"code": "CHILD_TASK_NOT_DONE", "detail": "Not done yet: event 2."}
        ]
        factories.move(second, TaskStatusChoice.DONE)
        assert detail(reviewer_client, parent)["warnings"] == []

    def test_a_reference_that_leads_nowhere_is_kept(self, desk, reviewer_client):
        far = 10**30
        task = factories.task(
            desk.order,
            desk.package,
            relationships=[_relation("note", None, children=[far])],
        )
        link = detail(reviewer_client, task)["relationships"][0]
        assert (link["source_event_indexes"], link["tasks"]) == ([far], [])


class TestNewerReading:
    """R-52: a later package that read the mail otherwise leaves a mark on the cards."""

    WARNING = {"code": "NEWER_READING", "detail": "A later package reads this mail otherwise. It changed nothing here."}

    def later(self, desk, agent, outcome):
        at = factories.NOON + timedelta(minutes=1)
        factories.submission(desk.message, agent, outcome=outcome, created_at=at)

    def test_stored_warnings_come_first(self, desk, agent, reviewer_client):
        stored = {"code": "EVIDENCE_NOT_FOUND", "detail": "Not found."}
        task = factories.task(desk.order, desk.package, warnings=[stored])
        self.later(desk, agent, SubmissionOutcome.CONFLICT)
        assert detail(reviewer_client, task)["warnings"] == [stored, self.WARNING]

    def test_a_correction_of_other_events_is_no_newer_reading_of_a_card(self, desk, agent, reviewer_client):
        task = factories.task(desk.order, desk.package)
        self.later(desk, agent, SubmissionOutcome.ACCEPTED)
        assert detail(reviewer_client, task)["warnings"] == []

    def test_any_later_package_is_a_newer_reading_of_a_notice(self, desk, agent, reviewer_client):
        task = factories.notice(desk.package)
        self.later(desk, agent, SubmissionOutcome.ACCEPTED)
        assert detail(reviewer_client, task)["warnings"] == [self.WARNING]


class TestNoticeDetail(HotelDetail):
    """R-10: a notice is read, not worked on."""

    statements = SESSION_STATEMENTS + 5
    ROOT = {
        "result_type": "source_message_review_notification",
        "route_code": "S10",
        "agent_assessment": "Thanks only.",
        "notification": {"title": "Nothing to do", "weight": 0.5},
        "manual_review": None,
    }

    def make(self, hotel):
        return f"{LIST}/{factories.notice(factories.package(hotel)).pk}"

    def test_it_is_read_only_outside_the_queue_and_without_fields(self, desk, reviewer_client):
        card = detail(reviewer_client, factories.notice(desk.package))
        keys = ("system_task_type", "queue_participation", "readonly", "fields", "order_id")
        assert [card[key] for key in keys] == ["SOURCE_MESSAGE_ONLY", False, True, [], None]

    def test_it_shows_what_the_agent_said(self, desk, reviewer_client):
        task = factories.notice(desk.package, ai_payload_json=json.dumps(self.ROOT))
        assert detail(reviewer_client, task)["source_message_only_result"] == {
            "result_type": "source_message_review_notification",
            "route_code": "S10",
            "agent_assessment": "Thanks only.",
            "notification": {"title": "Nothing to do", "weight": 0.5},
            "manual_review": None,
            "raw_answer": self.ROOT,
        }

    def test_an_old_text_is_shown_as_the_text_it_is(self, hotel, reviewer_client):
        """R-12"""
        package = factories.package(hotel, generation="TEXT", payload="S000,m1@mail.example")
        card = detail(
            reviewer_client, factories.notice(package, route_code="S000", ai_payload_json="S000,m1@mail.example")
        )
        result = card["source_message_only_result"]
        assert (card["route_code"], card["route_display_code"]) == ("S000", "NOTICE.S10")
        assert (result["route_code"], result["raw_answer"]) == ("S000", "S000,m1@mail.example")
        assert (result["agent_assessment"], result["notification"]) == (None, None)

    @pytest.mark.parametrize("route_code", ["S10", "S000"])
    def test_a_purged_notice_shows_nulls(self, route_code, desk, reviewer_client):
        task = factories.notice(desk.package, route_code=route_code, ai_payload_json="")
        result = detail(reviewer_client, task)["source_message_only_result"]
        assert (result["raw_answer"], result["agent_assessment"]) == (None, None)
