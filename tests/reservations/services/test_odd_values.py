"""R-33, R-54: values that are legal and odd go in and come out as they are, and no card is lost to them."""

import pytest

from config import jsontext
from tests.reservations.board import GUEST, RESOLVE, TASKS, answered, fit, group, note, override, unmapped

pytestmark = pytest.mark.django_db
RATE, REQUESTS = "extracted_fields.rate_amount", "extracted_fields.special_requests"
NUMBERS = [
    "0",
    "0.0",
    "880",
    "880.0",
    "880.10",
    "1e2",
    "1E+308",
    "1e-300",
    "9007199254740993",
    "9" * 39,
    "0." + "1" * 37,
]
TEXTS = [
    "\u202eabc\u202c",
    "ع ربي",
    "客人😀",
    "e\u0301",
    "\u00a0x\u00a0",
    "\x01\x1f",
    "<script>",
    "a\r\nb",
    "'\"\\/",
    "=1+1",
]


def nested(levels):
    value = "deep"
    for level in range(levels):
        value = [value] if level % 2 else {"k": value}
    return value


@pytest.mark.parametrize("number", NUMBERS)
def test_r33_an_amount_keeps_its_digits_from_draft_to_operation(board, number):
    card = board.card(fit())
    body = f'{{"field_values": {{"{RATE}": {number}}}}}'.encode()
    assert answered(board.send(card, "draft", body)) == 200
    confirmed = board.confirm(card)
    assert answered(confirmed) == 200, confirmed.json()
    shown = jsontext.read(board.client.get(f"{TASKS}/{card}").content)
    kept = shown["confirmed_payload"]["field_values"][RATE]
    assert kept == jsontext.read(number.encode())
    assert board.client.get(f"{TASKS}/{card}/opera-operations").status_code == 200


@pytest.mark.parametrize("number", ["1e39", "1e308", "-1", "0.5", "2.50"])
def test_r33_a_number_of_rooms_that_is_none_is_refused(board, number):
    card = board.card(fit())
    for action in ("draft", "confirm"):
        body = f'{{"field_values": {{"extracted_fields.adults": {number}}}}}'.encode()
        assert answered(board.send(card, action, body)) == (422, "TASK_FIELD_VALUE_INVALID")


@pytest.mark.parametrize("number", ["1e308", "1e38"])
def test_r33_a_huge_number_of_the_agent_breaks_no_card(board, number):
    fields = GUEST | {"adults": jsontext.read(number.encode()), "children": jsontext.read(number.encode())}
    card = board.card(fit(extracted_fields=fields))
    assert board.client.get(f"{TASKS}/{card}").status_code == 200
    assert board.confirm(card).status_code in (200, 422)
    assert board.client.get(f"{TASKS}/{card}").status_code == 200


@pytest.mark.parametrize("text", TEXTS)
def test_r33_text_is_kept_as_it_is(board, text):
    card = board.card(unmapped())
    overrides = [override("extracted_fields.pms_room_type_code", "DLX"), override(REQUESTS, text)]
    answer = board.resolve(card, *overrides)
    assert answered(answer) == 200, answer.json()
    assert board.get(card)["field_values"][REQUESTS] == text
    assert board.get(card)["review_resolution"]["field_overrides"][1]["value"] == text


@pytest.mark.parametrize("levels", [1, 20, 28])
def test_what_the_agent_nested_deeply_survives_the_decision_and_the_audit(board, levels):
    card = board.card(fit(extracted_fields=GUEST | {"mood": nested(levels)}))
    assert answered(board.draft(card, {})) == 200
    assert answered(board.confirm(card)) == 200
    assert board.get(card)["effective_payload"]["extracted_fields"]["mood"] == nested(levels)
    assert [line["action"] for line in board.get(card)["history"]] == ["TASK_CREATE", "TASK_DRAFT", "TASK_CONFIRM"]
    assert answered(board.send(card, "terminate", {"reason": "x"})) == 200


@pytest.mark.parametrize("key", ["\ufdfa" * 20, "ß" * 20, "\u0130" * 20, "İ", "％" * 20, "\u1e9e"])
def test_r28_a_key_that_grows_when_it_is_folded_is_kept_and_found_again(board, key):
    card = board.card(group())
    assert answered(board.confirm(card, {"case_keys.group_code": key})) == 200
    assert board.order(card).group_code == key
    refused = board.confirm(board.card(group()), {"case_keys.group_code": key})
    assert answered(refused) == (422, "TASK_FIELD_VALUE_INVALID")


@pytest.mark.parametrize("key", ["\u200b", "\ufeff", "\u0301", "\x01"])
def test_r28_a_key_of_signs_that_are_hardly_seen_gives_no_500(board, key):
    card = board.card(note())
    assert board.confirm(card, {"case_keys.confirmation_number": key}).status_code in (200, 422)


@pytest.mark.parametrize("action", ["draft", "confirm", RESOLVE])
def test_r54_what_is_no_json_of_this_interface_is_400(board, action):
    card = board.card(unmapped())
    for raw in (
        b'{"a":1,"a":2}',
        b'{"a":NaN}',
        b'{"a":"\\u0000"}',
        b'{"a":"\\udc00"}',
        b"\xef\xbb\xbf{}",
        b"[" * 40 + b"]" * 40,
    ):
        refused = board.send(card, action, raw)
        assert (refused.status_code, refused.json()["error_code"] in ("JSON_INVALID", "PAYLOAD_LIMIT_EXCEEDED")) == (
            400,
            True,
        )
