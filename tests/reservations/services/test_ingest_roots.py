"""Which kind of package a body is, and what is refused as a whole (R-05, R-07, R-12, R-20)."""

import pytest

from reservations.domain.errors import AdapterContractRefused
from reservations.models import Submission, Task
from tests.reservations.domain.builders import MESSAGE_ID, event, item, notice, old_package, package
from tests.reservations.services.desk import TEXT, nothing_written

pytestmark = pytest.mark.django_db
SOURCE = {"source_message_id": MESSAGE_ID}
V4 = {"route_code": None, "source_message": SOURCE, "order_contexts": [], "message_events": []}


def refused(desk, body, media_type="application/json"):
    """The detail code of a request that is refused as a whole, which writes nothing."""
    with nothing_written(), pytest.raises(AdapterContractRefused) as refusal:
        desk.post(body, media_type)
    return str(refusal.value.detail_code)


@pytest.mark.parametrize("body", ["[]", '"S000,m1"', "5", "null", "true"])
def test_r05_json_that_is_no_object_has_an_unknown_root(desk, mail, body):
    assert refused(desk, body) == "ROOT_UNKNOWN"


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"candidate_events": []},
        {"message_events": None},
        {"ai_task_results": None},
        {"unhandled_current_intents": [{"intent": "quote"}]},
        {"result_type": "normal_task"},
        {"result_type": "SOURCE_MESSAGE_REVIEW_NOTIFICATION", "route_code": "R41"},
        {"route_code": "S000"},
        {"message_event": [event()]},
    ],
    ids=repr,
)
def test_r05_a_body_without_a_marker_has_an_unknown_root(desk, mail, members):
    assert refused(desk, {"source_message": SOURCE, **members}) == "ROOT_UNKNOWN"


@pytest.mark.parametrize(
    "body",
    [
        package(event(), ai_task_results=[]),
        package(event(), ai_task_results="x"),
        package(event(), order_contexts=[]),
        {**V4, "case_candidates": []},
        {**V4, "extraction_warnings": []},
        {**V4, "ai_task_results": []},
        {"source_message": SOURCE, "ai_task_results": [item()]},
        {**old_package(item()), "message_events": []},
        {**old_package(item()), "case_candidates": []},
        {**old_package(item()), "order_contexts": []},
        notice(message_events=[event()]),
        notice(ai_task_results=[]),
        notice("R41", message_events=[event()]),
    ],
    ids=lambda body: "+".join(key for key in body if key != "source_message"),
)
def test_r05_markers_of_two_generations_are_ambiguous_even_when_empty(desk, mail, body):
    if "source_message" not in body:
        assert body["source_message_id"] == MESSAGE_ID
    assert refused(desk, body) == "ROOT_AMBIGUOUS"


def test_r05_a_marker_that_is_null_is_no_marker(desk, mail):
    assert desk.send(event(), order_contexts=None, ai_task_results=None)["generation"] == "V3"


def test_r05_a_notice_with_an_empty_list_of_events_is_a_notice(desk, mail):
    assert desk.post(notice(message_events=[]))["notices"][0]["route_code"] == "S10"


@pytest.mark.parametrize(
    ("body", "generation"),
    [(package(event()), "V3"), (package(), "V3"), (notice(), "V3"), (old_package(item()), "V2"), (old_package(), "V2")],
    ids=["V3", "V3 without events", "notice", "V2", "V2 without items"],
)
def test_r05_the_generation_is_stored_and_answered(desk, mail, body, generation):
    assert desk.post(body)["generation"] == generation
    assert Submission.objects.get().generation == generation


@pytest.mark.parametrize(
    "text",
    ["", " ", "S000", "S999", "S10,m1@lakeside.example", "s000,m1@lakeside.example", "S000;m1", "S000 ,m1", "hello"],
)
def test_r05_a_text_that_is_no_old_result_has_an_unknown_root(desk, mail, text):
    assert refused(desk, text, TEXT) == "ROOT_UNKNOWN"


def test_r05_a_package_posted_as_text_has_an_unknown_root(desk, mail):
    assert refused(desk, '{"message_events": []}', TEXT) == "ROOT_UNKNOWN"


@pytest.mark.parametrize("code", ["S000", "S999"])
def test_r12_an_old_text_is_stored_with_its_code_and_shown_as_its_successor(desk, mail, code):
    shown = {"S000": "NOTICE.S10", "S999": "NOTICE.S99"}[code]
    (line,) = desk.post(f"{code},{MESSAGE_ID}", TEXT)["notices"]
    assert (line["route_code"], line["route_display_code"]) == (code, shown)
    task = Task.objects.get(id=line["task_id"])
    assert (task.route_code, task.route_display_code, task.transition.route_code) == (code, shown, code)
    assert Submission.objects.get().generation == "TEXT"


@pytest.mark.parametrize("text", ["S000,{}\r\n", "  S000,{}", "S000,  {}\t", "\u3000S000, {} \n\n"])
def test_r12_white_space_around_text_and_id_does_not_count(desk, mail, text):
    assert desk.post(text.format(MESSAGE_ID), TEXT)["source_message_id"] == MESSAGE_ID


def test_r12_an_id_may_hold_commas(desk):
    desk.mail("a,b,,c")
    assert desk.post("S000,a,b,,c", TEXT)["source_message_id"] == "a,b,,c"


@pytest.mark.parametrize("charset", ["gb18030", "GBK", "big5", "utf-16", "shift_jis", '"utf-8"'])
def test_r12_a_text_is_read_in_the_charset_it_states(desk, charset):
    desk.mail("客人@例.example")
    body = "S000,客人@例.example".encode(charset.strip('"'))
    assert desk.post(body, f"text/plain; charset={charset}; format=flowed")["source_message_id"] == "客人@例.example"


@pytest.mark.parametrize("value", [0, "", "x", False])
def test_r20_v2_items_that_are_no_list_refuse_the_request(desk, mail, value):
    assert refused(desk, {**old_package(), "ai_task_results": value}) == "ITEM_INVALID"


PAIR = ("Cancel Booking", "linked_parent_release_after_child_split")
RETIRED = [
    (PAIR, "RETIRED_PARENT_CANCEL_BOOKING"),
    (("Note", "note"), "RETIRED_TASK"),
    (("Allotment Maintenance", "anything"), "RETIRED_TASK"),
    (("Update Booking", "update_allotment_control_block"), "RETIRED_TASK"),
]


@pytest.mark.parametrize(("names", "code"), RETIRED)
def test_r20_one_retired_item_refuses_the_whole_v2_request(desk, mail, names, code):
    assert refused(desk, old_package(item(), item(*names))) == code


def test_r20_the_schema_of_v2_items_is_checked_before_retired_names(desk, mail):
    body = old_package(item(*PAIR), item(case_keys=...), item(unknown=1))
    with nothing_written(), pytest.raises(AdapterContractRefused) as refusal:
        desk.post(body)
    assert refusal.value.detail_code == "ITEM_INVALID"
    assert [fault.pointer for fault in refusal.value.errors] == [
        "/ai_task_results/1/case_keys",
        "/ai_task_results/2/unknown",
    ]


@pytest.mark.parametrize(("names", "code"), RETIRED)
def test_r20_a_retired_event_of_v3_is_a_contract_error_of_that_event_alone(desk, mail, names, code):
    answer = desk.send(event(), event(*names), event("Payment", "record_deposit_payment"))
    assert [line["adapter_error_code"] for line in answer["adapter_contract_errors"]] == [code]
    assert [line["source_event_index"] for line in answer["tasks"]] == [1, 3]


def test_r07_candidate_events_beside_a_package_make_no_task(desk, mail):
    desk.send(event(), candidate_events=[event(), event()])
    assert Task.objects.count() == 1
