"""The HTTP door of ingest: statuses, media types, headers, and nothing written on a refusal."""

import pytest
from rest_framework.test import APIClient

from reservations.api.views.ingest import NOTICE_EXAMPLE, PACKAGE_EXAMPLE, TEXT_EXAMPLE, V2_EXAMPLE
from reservations.models import Submission
from tests import factories
from tests.reservations.domain.builders import MESSAGE_ID, event, item, notice, old_package, package
from tests.reservations.services.desk import nothing_written, raw

pytestmark = pytest.mark.django_db
PATH = "/api/reservation/superagent/task-results"
JSON, PROBLEM, TEXT = "application/json", "application/problem+json", "text/plain"
MEMBERS = {"type", "title", "status", "error_code", "detail", "instance", "retryable", "errors", "request_id"}


@pytest.fixture
def door(hotel, agent_client):
    """door(body, content_type, headers...): the answer to a POST of the agent of HOTEL1."""
    factories.message(hotel, MESSAGE_ID)
    agent_client.raise_request_exception = False

    def post(body=b"", content_type=JSON, method="POST", **headers):
        return agent_client.generic(method, PATH, raw(body), content_type=content_type, **headers)

    return post


def problem(response):
    """(status, error_code, detail_code) of a problem document, whose form is checked."""
    body = response.json()
    assert response["Content-Type"] == PROBLEM
    assert set(body) - {"detail_code"} == MEMBERS
    assert (body["status"], body["instance"]) == (response.status_code, PATH)
    return response.status_code, body["error_code"], body.get("detail_code")


def refused(door, *args, **kwargs):
    with nothing_written():
        return problem(door(*args, **kwargs))


# Accepted


@pytest.mark.parametrize(
    "example", [PACKAGE_EXAMPLE, NOTICE_EXAMPLE, V2_EXAMPLE, TEXT_EXAMPLE], ids=lambda e: e.summary
)
def test_the_examples_of_the_documentation_are_taken_without_a_contract_error(example, hotel, door):
    for mail in ("m01@lakeside-travel.example", "m10@northline.example", "m10@lakeside-travel.example"):
        factories.message(hotel, mail)
    answer = door(example.value, example.media_type)
    assert (answer.status_code, answer.json()["adapter_contract_errors"]) == (200, [])


@pytest.mark.parametrize(
    "body",
    [
        package(event()),
        package(5),
        package(),
        notice(),
        notice("S99"),
        old_package(item()),
        package(missing_fields=[1]),
    ],
)
def test_a_package_is_answered_200_with_the_summary(door, body):
    response = door(body)
    assert (response.status_code, response["Content-Type"]) == (200, JSON)
    assert set(response.json()) == {
        *("accepted", "generation", "submission_id", "source_message_id", "replayed", "tasks"),
        *("order_tasks", "notices", "adapter_contract_errors", "unhandled_intents"),
    }


def test_a_line_of_the_summary(door):
    response = door(package(event()))
    (line,) = response.json()["tasks"]
    assert {key: value for key, value in line.items() if key not in ("task_id", "order_id")} == {
        "source_event_index": 1,
        "route_code": "R25_TRACE_RESERVATION_NOTES_ADD_RESERVATION_NOTE_NORMAL",
        "result_type": "normal_task",
        "ai_task_type": "Trace Reservation Notes",
        "ai_task_subtype": "add_reservation_note",
        "task_status": "PENDING_CONFIRM",
        "review_status": None,
        "order_task_id": None,
    }
    assert isinstance(line["task_id"], str)
    assert isinstance(line["order_id"], str)


def test_r51_a_second_post_is_200_and_marked(door):
    first, again = door(package(event())), door(package(event()))
    assert again.json() == {**first.json(), "replayed": True}


@pytest.mark.parametrize(
    "content_type",
    [
        *("application/json", "application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"),
        *(" application/json ", 'application/json; profile="x;y"', "application/json;"),
    ],
)
def test_json_is_taken_with_any_parameters(door, content_type):
    assert door(package(event()), content_type).status_code == 200


@pytest.mark.parametrize("accept", ["application/json", "text/html", "*/*", "application/xml", "nonsense", ""])
def test_the_answer_is_json_whatever_is_accepted(door, accept):
    assert door(package(event()), HTTP_ACCEPT=accept)["Content-Type"] == JSON


@pytest.mark.parametrize("query", ["?format=xml", "?format=api", "?x=1"])
def test_a_query_changes_nothing(door, agent_client, query):
    response = agent_client.generic("POST", PATH + query, raw(package(event())), content_type=JSON)
    assert (response.status_code, response["Content-Type"]) == (200, JSON)


# Text


@pytest.mark.parametrize(
    "content_type",
    [
        *("text/plain", "text/plain; charset=utf-8", "TEXT/PLAIN", "text/plain;format=flowed", "text/plain; charset="),
        *(
            'text/plain; charset="UTF-8"; x=y',
            "text/plain ;charset=us-ascii",
            "text/plain; charset=gb18030",
        ),
    ],
)
def test_r12_text_is_taken_with_any_parameters_and_says_that_it_is_deprecated(door, content_type):
    response = door(f"S000,{MESSAGE_ID}\r\n", content_type)
    assert response.status_code == 200
    assert response["Deprecation"] == "@1783728000"
    assert response["Link"].startswith("</api/docs/>; rel=")


def test_r12_a_replayed_text_still_says_that_it_is_deprecated(door):
    door(f"S000,{MESSAGE_ID}", TEXT)
    response = door(f"S000,{MESSAGE_ID}", TEXT)
    assert (response.json()["replayed"], "Deprecation" in response) == (True, True)


def test_r12_json_is_not_deprecated(door):
    response = door(notice())
    assert ("Deprecation" in response, "Link" in response) == (False, False)


def test_r12_a_text_in_another_charset_finds_its_mail(door, hotel):
    factories.message(hotel, "客人@例.example")
    response = door("S999,客人@例.example".encode("gb18030"), "text/plain; charset=gb18030")
    assert (response.status_code, response.json()["source_message_id"]) == (200, "客人@例.example")


@pytest.mark.parametrize("charset", ["none", "utf-16", "rot13", "x" * 2000, "punycode", "idna", "undefined"])
def test_r12_a_charset_that_does_not_fit_is_400(door, charset):
    assert refused(door, f"S000,{MESSAGE_ID}", f"text/plain; charset={charset}")[:2] in [
        (400, "JSON_INVALID"),
        (400, "ADAPTER_CONTRACT_ERROR"),
    ]


@pytest.mark.parametrize("text", ["", "hello", "S10,m1", "S000"])
def test_r05_another_text_is_an_unknown_root(door, text):
    assert refused(door, text, TEXT) == (400, "ADAPTER_CONTRACT_ERROR", "ROOT_UNKNOWN")


# Refusals of the content


@pytest.mark.parametrize(
    ("body", "content_type", "place"),
    [
        ("{}", JSON, "source_message.source_message_id"),
        (package(event(), source_message={"source_message_id": " "}), JSON, "source_message.source_message_id"),
        ({"ai_task_results": []}, JSON, "source_message_id"),
        ("S000,", TEXT, "source_message_id"),
    ],
)
def test_r02_the_typed_body_has_exactly_four_keys_and_is_plain_json(door, body, content_type, place):
    with nothing_written():
        response = door(body, content_type)
    assert (response.status_code, response["Content-Type"]) == (400, JSON)
    assert response.json() == {
        "result_type": "infrastructure_input_error",
        "error_code": "missing_source_message_id",
        "retryable": True,
        "missing_fields": [place],
    }


def test_r06_a_posted_input_error_is_answered_with_its_own_keys(door):
    own = {
        "result_type": "infrastructure_input_error",
        "error_code": "attachment_unreadable",
        "retryable": False,
        "missing_fields": ["source_message.attachments"],
    }
    with nothing_written():
        response = door({**own, "source_message": {"source_message_id": MESSAGE_ID}})
    assert (response.status_code, response["Content-Type"], response.json()) == (400, JSON, own)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (package(source_message={"source_message_id": "nobody"}), (404, "SOURCE_MESSAGE_NOT_FOUND", None)),
        ("[]", (400, "ADAPTER_CONTRACT_ERROR", "ROOT_UNKNOWN")),
        (package(order_contexts=[], case_candidates=[]), (400, "ADAPTER_CONTRACT_ERROR", "ROOT_AMBIGUOUS")),
        (old_package(item("Note", "x")), (400, "ADAPTER_CONTRACT_ERROR", "RETIRED_TASK")),
        (
            old_package(item("Cancel Booking", "linked_parent_release_after_child_split")),
            (400, "ADAPTER_CONTRACT_ERROR", "RETIRED_PARENT_CANCEL_BOOKING"),
        ),
        (old_package({}), (400, "ADAPTER_CONTRACT_ERROR", "ITEM_INVALID")),
        (package(*[1] * 501), (400, "PAYLOAD_LIMIT_EXCEEDED", None)),
        ("[" * 33, (400, "PAYLOAD_LIMIT_EXCEEDED", None)),
        (b"\xef\xbb\xbf{}", (400, "JSON_INVALID", None)),
        (b"", (400, "JSON_INVALID", None)),
        (b"\xff", (400, "JSON_INVALID", None)),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_refusal_is_a_problem_document_and_writes_nothing(door, body, expected):
    assert refused(door, body) == expected


def test_r03_an_unknown_mail_may_be_tried_again_and_an_ambiguous_one_may_not(door, hotel):
    unknown = door(package(source_message={"source_message_id": "nobody"}))
    factories.message(hotel, MESSAGE_ID, provider="other")
    with nothing_written():
        ambiguous = door(package(event()))
    assert problem(ambiguous) == (409, "SOURCE_MESSAGE_AMBIGUOUS", None)
    assert (unknown.json()["retryable"], ambiguous.json()["retryable"]) == (True, False)


def test_r20_the_items_that_are_wrong_are_pointed_at(door):
    response = door(old_package(item(), item("Note", "x"), item("Allotment Maintenance", "x")))
    assert [(fault["pointer"], fault["source_event_index"]) for fault in response.json()["errors"]] == [
        ("/ai_task_results/1", 2),
        ("/ai_task_results/2", 3),
    ]


def test_r52_a_conflict_is_409_with_one_entry_for_each_index_again_and_again(door):
    door(package(event(), event()))
    changed = package(event(relevant_message_excerpt="x"), event(relevant_message_excerpt="y"))
    first, again = door(changed), door(changed)
    assert problem(first) == (409, "SUBMISSION_CONFLICT", None)
    assert [fault["source_event_index"] for fault in first.json()["errors"]] == [1, 2]
    assert again.json()["errors"] == first.json()["errors"]
    assert Submission.objects.filter(outcome="CONFLICT").count() == 1


def test_no_refusal_quotes_the_body(door):
    secret = "SECRET-WORDS"
    for body in (
        f'{{"{secret}": }}',
        old_package(item(case_keys=secret)),
        package(source_message={"source_message_id": secret}),
    ):
        assert secret not in door(body).content.decode()


# Refusals of the request


@pytest.mark.parametrize("size", [2**20 - 1, 2**20])
def test_r54_a_body_of_one_mebibyte_is_read(door, size):
    body = raw(package(event()))
    assert door(body + b" " * (size - len(body))).status_code == 200


@pytest.mark.parametrize("content_type", [JSON, TEXT])
@pytest.mark.parametrize("size", [2**20 + 1, 2**22])
def test_r54_a_larger_body_is_413(door, size, content_type):
    assert refused(door, b" " * size, content_type) == (413, "PAYLOAD_TOO_LARGE", None)


def test_a_body_beyond_what_the_server_keeps_is_413_too(door):
    assert refused(door, b" " * (26 * 2**20)) == (413, "PAYLOAD_TOO_LARGE", None)


@pytest.mark.parametrize(
    "content_type",
    [
        *(
            "application/xml",
            "multipart/form-data; boundary=x",
            "application/x-www-form-urlencoded",
            "text/html",
            "json",
        ),
        *(
            "application/json, text/plain",
            "text/plain, application/json",
            "application/problem+json",
            "",
            "*/*",
            "/",
            ";",
        ),
        *("text/plainx", "application/json/x", "\u5ba2", "application/jsonp"),
    ],
)
def test_another_media_type_is_415(door, content_type):
    assert refused(door, package(event()), content_type) == (415, "UNSUPPORTED_MEDIA_TYPE", None)


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "TRACE"])
def test_another_method_is_405_and_names_post(door, method):
    with nothing_written():
        response = door(package(event()), method=method)
    assert problem(response)[:2] == (405, "METHOD_NOT_ALLOWED")
    assert "POST" in response["Allow"]


def test_options_and_head_write_nothing(door):
    with nothing_written():
        assert door(method="OPTIONS").status_code == 200
        assert door(method="HEAD").status_code == 405


def test_a_path_with_a_slash_is_another_path(door, agent_client):
    assert agent_client.post(f"{PATH}/", {}, format="json").status_code == 404


@pytest.mark.parametrize("role", ["gateway", "reviewer", "lead", "auditor", "developer"])
def test_without_the_role_it_is_403_before_the_body_is_read(door, hotel, user_of, client_of, role):
    client = client_of(user_of(role, hotel))
    with nothing_written():
        response = client.generic("POST", PATH, b"{", content_type=JSON)
    assert problem(response) == (403, "PERMISSION_DENIED", None)


def test_without_a_credential_it_is_401_before_the_body_is_read(door):
    with nothing_written():
        response = APIClient().generic("POST", PATH, b"{", content_type=JSON)
    assert problem(response) == (401, "NOT_AUTHENTICATED", None)
    assert response["WWW-Authenticate"].startswith("Token")


def test_a_credential_without_hotel_is_403(door, user_of, client_of):
    response = client_of(user_of("agent")).generic("POST", PATH, raw(package(event())), content_type=JSON)
    assert problem(response) == (403, "TENANT_UNDETERMINED", None)
