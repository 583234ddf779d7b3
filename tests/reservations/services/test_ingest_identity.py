"""Which mail a package speaks of (R-01 to R-04, R-06)."""

import pytest

from reservations.domain.errors import (
    IdentityMissing,
    InputErrorEchoed,
    SourceMessageAmbiguous,
    SourceMessageNotFound,
)
from reservations.models import Submission
from tests import factories
from tests.reservations.domain.builders import MESSAGE_ID, event, item, notice, old_package, package
from tests.reservations.services.desk import JSON, TEXT, Desk, nothing_written

NESTED, FLAT = ["source_message.source_message_id"], ["source_message_id"]
NO_ID = [None, "", " ", "\u3000\t\n", 5, True, ["m"], {"id": "m"}]
pytestmark = pytest.mark.django_db


def missing_answer(desk, body, media_type=JSON):
    with nothing_written(), pytest.raises(IdentityMissing) as refusal:
        desk.post(body, media_type)
    return refusal.value.answer


def typed(places):
    return {
        "result_type": "infrastructure_input_error",
        "error_code": "missing_source_message_id",
        "retryable": True,
        "missing_fields": places,
    }


@pytest.mark.parametrize("identity", NO_ID, ids=repr)
def test_r02_a_source_message_without_a_usable_id_gets_the_typed_answer_and_nothing_is_written(desk, mail, identity):
    body = package(event(), source_message={"source_message_id": identity})
    assert missing_answer(desk, body) == typed(NESTED)


@pytest.mark.parametrize("source_message", [..., None, {}, [], "m1@lakeside.example", 1], ids=repr)
def test_r02_a_source_message_that_is_no_object_names_no_mail(desk, mail, source_message):
    assert missing_answer(desk, package(event(), source_message=source_message)) == typed(NESTED)


@pytest.mark.parametrize("identity", NO_ID, ids=repr)
def test_r02_a_v2_package_without_id_names_the_flat_place(desk, mail, identity):
    assert missing_answer(desk, {"source_message_id": identity, "ai_task_results": [item()]}) == typed(FLAT)
    assert missing_answer(desk, {"ai_task_results": [item()]}) == typed(FLAT)


def test_r02_a_body_with_items_and_a_source_message_is_asked_for_the_nested_id(desk, mail):
    body = {"source_message_id": MESSAGE_ID, "ai_task_results": [item()], "source_message": {}}
    assert missing_answer(desk, body) == typed(NESTED)


@pytest.mark.parametrize("text", ["S000,", "S999,", "S000, \r\n", " S999,\u3000"])
def test_r02_a_text_without_an_id_after_the_comma_names_the_flat_place(desk, mail, text):
    assert missing_answer(desk, text, TEXT) == typed(FLAT)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"candidate_events": []},
        {"message_events": "no array", "order_contexts": [], "case_candidates": {}},
        {"result_type": "infrastructure_input_error", "error_code": "x", "retryable": False, "missing_fields": []},
        {"message_events": [{}] * 501},
    ],
    ids=["empty", "candidates", "ambiguous", "input error", "too many"],
)
def test_r02_the_identity_is_asked_for_before_anything_else_is_read(desk, mail, body):
    assert missing_answer(desk, body) == typed(NESTED)


@pytest.mark.parametrize(
    "body",
    [package(event()), notice(), old_package(item())],
    ids=["V3", "notice", "V2"],
)
def test_r03_an_unknown_mail_is_not_found_and_may_be_tried_again(desk, body):
    with nothing_written(), pytest.raises(SourceMessageNotFound) as refusal:
        desk.post(body)
    assert refusal.value.retryable is True


def test_r03_an_unknown_mail_of_a_text_is_not_found(desk):
    with nothing_written(), pytest.raises(SourceMessageNotFound):
        desk.post("S000,nobody@mail.example", TEXT)


def test_r03_two_mails_with_one_outer_id_are_ambiguous_and_none_is_picked(desk, mail):
    desk.mail(provider="other")
    with nothing_written(), pytest.raises(SourceMessageAmbiguous) as refusal:
        desk.send(event())
    assert refusal.value.retryable is False


def test_r03_three_mails_are_no_less_ambiguous_than_two(desk, mail):
    desk.mail(channel="fax")
    desk.mail(provider="other")
    with nothing_written(), pytest.raises(SourceMessageAmbiguous):
        desk.post(f"S999,{MESSAGE_ID}", TEXT)


@pytest.mark.parametrize("spelling", [f" {MESSAGE_ID}", f"{MESSAGE_ID} ", MESSAGE_ID.upper(), f"<{MESSAGE_ID}>"])
def test_r01_the_id_is_looked_up_exactly_as_sent(desk, mail, spelling):
    with nothing_written(), pytest.raises(SourceMessageNotFound):
        desk.send(event(), message_id=spelling)


@pytest.mark.parametrize("identity", ["  padded  ", "客人/酒店@例.example", "a%_b'\"\\", "x" * 512, "ＣＮ①", "𝕏\u202e"])
def test_r01_any_id_that_the_inbox_holds_is_found(desk, identity):
    desk.mail(identity)
    assert desk.send(event(), message_id=identity)["source_message_id"] == identity


def test_r01_an_id_longer_than_any_in_the_inbox_is_just_unknown(desk, mail):
    with pytest.raises(SourceMessageNotFound):
        desk.send(event(), message_id="x" * 200_000)


def test_r01_what_the_payload_says_of_provider_and_channel_is_ignored(desk, mail):
    source = {"source_message_id": MESSAGE_ID, "source_channel": "Fax", "provider": "nobody", "channel": 7}
    desk.send(event(), source_message=source)
    assert Submission.objects.get().source_message == mail


def test_r04_a_mail_of_another_hotel_does_not_exist_for_the_caller(desk, other_hotel):
    factories.message(other_hotel, MESSAGE_ID)
    with nothing_written(), pytest.raises(SourceMessageNotFound):
        desk.send(event())


def test_r04_the_same_id_in_two_hotels_is_not_ambiguous(desk, mail, other_hotel, user_of):
    theirs = factories.message(other_hotel, MESSAGE_ID)
    Desk(other_hotel, user_of("agent", other_hotel)).send(event())
    assert Submission.objects.get().source_message == theirs


ECHO = {
    "result_type": "infrastructure_input_error",
    "error_code": "mail_unreadable",
    "retryable": False,
    "missing_fields": ["source_message.text", "source_message.html"],
}


@pytest.mark.parametrize("extra", [{}, {"message_events": [event()]}, {"order_contexts": []}, {"note": "kept out"}])
def test_r06_a_posted_input_error_is_answered_with_its_own_four_keys_and_stores_nothing(desk, mail, extra):
    with nothing_written(), pytest.raises(InputErrorEchoed) as refusal:
        desk.post({**ECHO, "source_message": {"source_message_id": MESSAGE_ID}, **extra})
    assert refusal.value.answer == ECHO


def test_r06_the_mail_of_an_input_error_need_not_be_known(desk):
    with pytest.raises(InputErrorEchoed):
        desk.post({**ECHO, "source_message": {"source_message_id": "nobody"}})
