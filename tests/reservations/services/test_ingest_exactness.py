"""What is stored and hashed is what was received; what cannot be kept exactly is refused (R-35, R-54)."""

import hashlib

import pytest

from config import jsontext
from config.errors import JsonInvalid, PayloadLimitExceeded
from reservations.domain.errors import AdapterContractRefused
from reservations.models import AiTransition, Submission, Task
from tests.reservations.domain.builders import MESSAGE_ID, event, item, notice, old_package, package
from tests.reservations.services.desk import TEXT, accepted, nothing_written, task_of

pytestmark = pytest.mark.django_db
NUMBERS = [
    "1",
    "1.0",
    "12345678901234567890",
    "0.10",
    "1e-7",
    "1E+30",
    "-0.0",
    "9" * 40,
    f"0.{'3' * 38}",
    "1e308",
    "1e-308",
]


def text_with(value, build=package):
    """A package as text with `value` written into an event just so."""
    return jsontext.write(build(event(extracted_fields={"x": "VALUE"}))).replace('"VALUE"', value)


def refused(desk, body, kind, media_type="application/json"):
    with nothing_written(), pytest.raises(kind) as refusal:
        desk.post(body, media_type)
    return refusal.value


def x_of(event_text):
    return jsontext.read(event_text.encode())["extracted_fields"]["x"]


# Kept


@pytest.mark.parametrize("number", NUMBERS)
def test_r54_a_number_survives_in_payload_transition_and_task(desk, mail, number):
    sent = text_with(number)
    task = task_of(desk.post(sent))
    expected = jsontext.read(number.encode())
    assert Submission.objects.get().payload == sent
    for stored in (x_of(task.transition.event), x_of(task.ai_payload_json)):
        assert (stored, type(stored), str(stored)) == (expected, type(expected), str(expected))


def test_r54_1_and_1_0_stay_two_spellings_of_one_value(desk, mail):
    assert task_of(desk.post(text_with("[1,1.0]"))).ai_payload_json.count("[1,1.0]") == 1


def test_r54_the_payload_is_kept_byte_for_byte(desk, mail):
    sent = (
        f' {{ "source_message" :{{"source_message_id":"{MESSAGE_ID}"}},\n\t"message_events":[ ] ,"x":"\\u5ba2\\/" }}\n'
    )
    desk.post(sent)
    assert Submission.objects.get().payload == sent


def test_r35_the_hash_of_a_task_is_that_of_its_payload_text(desk, mail):
    task = task_of(desk.post(text_with("1.0")))
    assert task.ai_payload_sha256 == hashlib.sha256(task.ai_payload_json.encode()).hexdigest()


def test_r51_the_hash_of_a_submission_is_that_of_its_canonical_form(desk, mail):
    sent = text_with("1.0")
    desk.post(sent)
    assert Submission.objects.get().canonical_sha256 == jsontext.digest(jsontext.read(sent.encode()))


def test_r22_nothing_derived_is_written_back_into_the_event(desk, mail):
    sent = event("Cancel Allotment", "cancel_allotment_control_block", case_keys={"block_code": "A"})
    assert jsontext.read(task_of(desk.send(sent)).ai_payload_json.encode()) == sent


@pytest.mark.parametrize(
    "text", ["客人 \U0001f600", "\u202e", "e\u0301", "\ufeff inside", "\u2028", '"\\/', "\x7f\x85", "\t\n"]
)
def test_r54_texts_survive_letter_by_letter(desk, mail, text):
    task = task_of(desk.send(event(relevant_message_excerpt=text)))
    assert jsontext.read(task.ai_payload_json.encode())["relevant_message_excerpt"] == text


def test_r54_unknown_keys_are_kept(desk, mail):
    task = task_of(desk.send(event(**{"": 1, "a/b~c": {"deep": [None]}})))
    stored = jsontext.read(task.ai_payload_json.encode())
    assert (stored[""], stored["a/b~c"]) == (1, {"deep": [None]})


def test_r54_a_contract_error_keeps_its_event_exactly(desk, mail):
    desk.post(text_with("12345678901234567890.50").replace("Trace Reservation Notes", "Note"))
    row = AiTransition.objects.get()
    assert (row.kind, str(x_of(row.event))) == ("adapter_contract_error", "12345678901234567890.50")


def test_r54_a_notice_keeps_its_answer_as_received(desk, mail):
    sent = jsontext.write(notice()) + "\n"
    desk.post(sent)
    assert (Task.objects.get().ai_payload_json, AiTransition.objects.get().event) == (sent, sent)


def test_r12_a_text_is_kept_as_received(desk, mail):
    desk.post(f" S000,{MESSAGE_ID}\r\n", TEXT)
    assert Submission.objects.get().payload == f" S000,{MESSAGE_ID}\r\n"


def test_r54_a_v2_item_keeps_its_number(desk, mail):
    sent = jsontext.write(old_package(item(extracted_fields={"x": "VALUE"}))).replace('"VALUE"', "1.00")
    assert str(x_of(task_of(desk.post(sent)).ai_payload_json)) == "1.00"


# Refused


@pytest.mark.parametrize(
    "value",
    [
        *("NaN", "Infinity", "-Infinity", "1" * 41, f"-{'1' * 40}", f"1.{'0' * 39}", "1e309", "1e-309", "1E+0309"),
        *('{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '"\\ud800"', '"\\udc00x"', '"\\ude00\\ud83d"', '"\\u0000"'),
        *(
            '{"\\u0000":1}',
            '{"\\ud800":1}',
            "01",
            "+1",
            ".5",
            "1.",
            "0x1",
            "'a'",
            "[1,]",
            "{,}",
            '"\x01"',
            '"\n"',
            "tru",
        ),
        *("[1 2]", '{"a" 1}', "{a:1}", "/**/1", "undefined", '"\\x41"', '"\\u12"', "1_000", "１"),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_r54_what_is_no_strict_json_is_refused_and_nothing_is_written(desk, mail, value):
    assert refused(desk, text_with(value), JsonInvalid).code == "JSON_INVALID"


@pytest.mark.parametrize(
    "body",
    [
        *(
            b"",
            b" ",
            b"\x00",
            b"{",
            b"\xef\xbb\xbf{}",
            b"\xff\xfe{\x00}\x00",
            b'{"a":"\xff"}',
            b'{"a":"\xc3"}',
            b"{}{}",
        ),
        *(
            b'{"a":"\xed\xa0\x80"}',
            b'{"a":"\xc0\x80"}',
            b'{"a":"\x00"}',
            b"\xe2\x80\x83{}",
            b"\x0c{}",
            b"{}\x00",
            b"%PDF-1.7",
        ),
    ],
    ids=repr,
)
def test_r54_bytes_that_are_no_json_are_refused(desk, mail, body):
    refused(desk, body, JsonInvalid)


def test_r54_a_pair_of_surrogates_is_one_letter(desk, mail):
    assert x_of(task_of(desk.post(text_with('"\\ud83d\\ude00"'))).ai_payload_json) == "\U0001f600"


def test_r54_an_escaped_backslash_before_u0000_is_no_u0000(desk, mail):
    assert x_of(task_of(desk.post(text_with('"\\\\u0000"'))).ai_payload_json) == "\\u0000"


def nested(levels):
    """A value that is itself so many levels deep."""
    return "[" * levels + "]" * levels


def test_r54_32_levels_are_taken_and_33_are_not(desk, mail):
    # the package, its list, the event and its extracted fields are four levels
    assert accepted(desk.post(text_with(nested(28)))) == [1]
    assert refused(desk, text_with(nested(29)), PayloadLimitExceeded).code == "PAYLOAD_LIMIT_EXCEEDED"


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 200_000, nested(100_000)])
def test_r54_bottomless_bodies_are_refused_quickly(desk, text):
    refused(desk, text, PayloadLimitExceeded)


def test_r54_brackets_inside_texts_are_no_depth(desk, mail):
    assert accepted(desk.post(text_with('"' + "[{" * 100 + '\\""'))) == [1]


def test_r54_500_events_are_taken_and_501_are_not(desk, mail):
    refused(desk, package(*[5] * 501), PayloadLimitExceeded)
    assert len(desk.send(*[5] * 500)["adapter_contract_errors"]) == 500


@pytest.mark.parametrize("key", ["unhandled_current_intents"])
def test_r54_intents_are_bounded_like_events(desk, mail, key):
    refused(desk, package(**{key: [1] * 501}), PayloadLimitExceeded)


def test_r54_v2_items_are_bounded_like_events(desk, mail):
    refused(desk, old_package(*[item()] * 501), PayloadLimitExceeded)


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        (b"S000,\xff", "utf-8"),
        (b"S000,m1", "no-such-charset"),
        (b"S000,m1", "rot13"),
        (b"S000,m1", "punycode"),
        (b"S000,m1", "a\0b"),
        (b"S000,+2AA-", "utf-7"),
        (b"S000,\\ud800", "unicode_escape"),
        (b"S000,\x80", "ascii"),
        (b"\xd8\x00", "utf-16-be"),
    ],
)
def test_r54_a_text_that_cannot_be_read_in_its_charset_is_refused(desk, mail, body, charset):
    refused(desk, body, JsonInvalid, f'text/plain; charset="{charset}"')


def test_r54_a_text_with_u0000_is_refused(desk, mail):
    refused(desk, f"S000,{MESSAGE_ID}\x00", AdapterContractRefused, TEXT)
