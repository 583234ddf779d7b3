"""The same package again (R-51)."""

import json

import pytest

from config import jsontext
from reservations.models import Submission, Task
from tests import factories
from tests.reservations.domain.builders import MESSAGE_ID, event, item, notice, old_package, package
from tests.reservations.services.desk import TEXT, Desk, accepted, nothing_written, with_keys

pytestmark = pytest.mark.django_db


def with_amount(number, **members):
    """A package as text, with a number written just so."""
    sent = jsontext.write(package(event(extracted_fields={"rate_amount": "NUMBER"}), **members))
    return sent.replace('"NUMBER"', number)


def replayed(desk, body, media_type="application/json"):
    with nothing_written():
        answer = desk.post(body, media_type)
    return answer["replayed"]


@pytest.mark.parametrize(
    "body",
    [
        package(with_keys(booking_code="B"), event("Note", "note"), unhandled_current_intents=[5]),
        package(),
        package(event(), missing_fields=["x"]),
        notice(),
        notice("S99"),
        old_package(item()),
    ],
    ids=["V3", "no events", "package fault", "S10", "S99", "V2"],
)
def test_r51_the_same_bytes_again_give_the_stored_first_answer_marked_as_replayed(desk, mail, body):
    first = desk.post(body)
    assert first["replayed"] is False
    with nothing_written():
        again, third = desk.post(body), desk.post(body)
    assert again == third == {**first, "replayed": True}


@pytest.mark.parametrize("spelling", ["880", "880.0", "880.00", "8.8e2", "8.80E+2", "88e1", "88000e-2"])
def test_r51_numbers_count_by_their_exact_value(desk, mail, spelling):
    desk.post(with_amount("880"))
    assert replayed(desk, with_amount(spelling)) is True


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("9007199254740992", "9007199254740993"),
        ("0.1", "0.10000000000000001"),
        ("1", "true"),
        ("0", "false"),
        ("1", '"1"'),
        ("0", "null"),
        ("1e300", "1e301"),
        ("18446744073709551615", "18446744073709551616"),
        ("1e-300", "0"),
    ],
)
def test_r51_values_that_differ_are_two_packages(desk, mail, one, other):
    desk.post(with_amount(one))
    mail_2 = desk.mail("m2@lakeside.example")
    source = {"source_message_id": mail_2.external_message_id}
    desk.post(with_amount(one, source_message=source))
    hashes = set(Submission.objects.values_list("canonical_sha256", flat=True))
    digest = jsontext.digest(jsontext.read(with_amount(other).encode()))
    assert digest not in hashes
    assert len(hashes) == 2


@pytest.mark.parametrize(
    ("one", "other"), [("0", "-0"), ("0", "0.0"), ("0", "-0.0e5"), ("1e2", "100"), ("1E-2", "0.01")]
)
def test_r51_zero_and_exponents_have_one_value(desk, mail, one, other):
    desk.post(with_amount(one))
    assert replayed(desk, with_amount(other)) is True


def test_r51_key_order_and_white_space_do_not_count(desk, mail):
    body = package(event(), unhandled_current_intents=[{"b": 1, "a": [1, 2]}])
    desk.post(body)
    turned = json.dumps(reverse_keys(body), indent=3, default=str).replace("\n", "\r\n\t")
    assert replayed(desk, turned) is True


def reverse_keys(value):
    if isinstance(value, dict):
        return {key: reverse_keys(value[key]) for key in reversed(value)}
    return [reverse_keys(entry) for entry in value] if isinstance(value, list) else value


def test_r51_escapes_do_not_count(desk, mail):
    desk.post(package(event(relevant_message_excerpt="é/客")))
    body = jsontext.write(package(event(relevant_message_excerpt="MARK"))).replace("MARK", "\\u00e9\\/\\u5ba2")
    assert replayed(desk, body) is True


def test_r51_the_order_of_a_list_counts(desk, mail):
    desk.send(event(), unhandled_current_intents=[1, 2])
    assert desk.send(event(), unhandled_current_intents=[2, 1])["replayed"] is False


def test_r51_texts_are_compared_without_unicode_folding(desk, mail):
    desk.send(event("Note", "é"))
    assert desk.send(event("Note", "e\u0301"))["replayed"] is False


@pytest.mark.parametrize("text", ["S000,{}\r\n", " S000, {} ", "S000,{}"])
def test_r51_a_text_notice_is_trimmed_before_it_is_hashed(desk, mail, text):
    desk.post(f"S000,{MESSAGE_ID}", TEXT)
    assert replayed(desk, text.format(MESSAGE_ID), TEXT) is True


def test_r51_a_text_notice_is_the_same_in_another_charset(desk):
    desk.mail("客人@例.example")
    desk.post("S999,客人@例.example", TEXT)
    assert replayed(desk, "S999,客人@例.example".encode("gb18030"), "text/plain; charset=gb18030") is True


def test_r51_the_stored_answer_is_given_although_the_task_moved_on(desk, mail):
    first = desk.send(event())
    for task in Task.objects.all():
        factories.move(task, "READY")
    assert desk.send(event()) == {**first, "replayed": True}


def test_r51_an_answer_that_quotes_the_word_replayed_is_marked_once(desk):
    odd = 'x","replayed":false,"y'
    desk.mail(odd)
    desk.send(event(), message_id=odd)
    again = desk.send(event(), message_id=odd)
    assert (again["source_message_id"], again["replayed"]) == (odd, True)


def test_r51_the_same_package_for_another_mail_is_another_package(desk, mail):
    first = desk.send(event())
    assert desk.another(event())["submission_id"] != first["submission_id"]


def test_r51_the_same_bytes_in_another_hotel_are_another_package(desk, mail, other_hotel, user_of):
    first = desk.send(event())
    factories.message(other_hotel, MESSAGE_ID)
    theirs = Desk(other_hotel, user_of("agent", other_hotel)).send(event())
    assert (theirs["replayed"], accepted(theirs)) == (False, [1])
    assert theirs["submission_id"] != first["submission_id"]
    assert theirs["tasks"][0]["order_id"] != first["tasks"][0]["order_id"]


def test_r51_another_agent_of_the_hotel_gets_the_same_answer(desk, mail, user_of):
    first = desk.send(event())
    assert Desk(desk.hotel, user_of("agent", desk.hotel)).send(event()) == {**first, "replayed": True}


def test_r51_an_older_package_is_answered_as_it_was_after_a_correction(desk, mail):
    first = desk.send(event(), event("Note", "note"))
    desk.send(event(), event("Payment", "record_deposit_payment"))
    assert desk.send(event(), event("Note", "note")) == {**first, "replayed": True}
