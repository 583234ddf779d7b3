"""Idempotency-Key at the doors of the desk: what is kept, what is given back, what is not."""

import itertools
import json
import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.errors import Unavailable
from config.idempotency import api as door
from config.idempotency.models import IdempotencyKey
from config.idempotency.services import claim, purge_expired
from reservations.api.views import ingest as view
from reservations.models import SourceMessage, Submission
from tests import packages
from tests.reservations.services.desk import nothing_written, written
from tests.reservations.services.test_ingest_statements import FIND_MAIL, PLACE, WRITE, changed

pytestmark = pytest.mark.django_db
INGEST = "/api/reservation/superagent/task-results"
INBOX = "/api/reservation/source-messages"
JSON = "application/json"
ECHO = {
    "result_type": "infrastructure_input_error",
    "error_code": "missing_source_message_id",
    "retryable": True,
    "missing_fields": ["source_message.source_message_id"],
}
MAIL = {
    "external_message_id": "m1@mail.example",
    "provider": "agentbus",
    "channel": "reservations",
    "subject": "Two rooms",
    "sender": "ops@lakeside-travel.example",
    "recipients": ["desk@hotel.example"],
    "received_at": "2026-07-20T12:00:00Z",
    "body_text": "Please book.",
}


@pytest.fixture
def post(hotel, agent_client):
    """post(body, key): the answer to a package of the agent of HOTEL1, who has the mails "first" and "second"."""
    packages.mail(hotel, "first")
    packages.mail(hotel, "second")
    agent_client.raise_request_exception = False

    def post(body=None, key="k-1", content_type=JSON, **headers):
        keyed = {} if key is None else {"idempotency-key": key}
        content = packages.package("first") if body is None else body
        return agent_client.generic("POST", INGEST, content, content_type=content_type, headers=keyed | headers)

    return post


def whole(response):
    """Status, headers and bytes."""
    return response.status_code, dict(response.items()), response.content


def is_replay(answer, first):
    """Byte for byte the first answer, and marked."""
    status, headers, content = whole(answer)
    return (status, headers, content) == (
        first.status_code,
        {**first.headers, "Idempotency-Replayed": "true"},
        first.content,
    )


def refusal(response):
    return response.status_code, response.json()["error_code"], response.headers.get("Retry-After")


# What is kept


def test_r53_the_same_key_and_body_give_back_the_first_bytes(post):
    first = post()
    before = written()
    assert is_replay(post(), first)
    assert (first.status_code, first.json()["replayed"], "Idempotency-Replayed" in first) == (200, False, False)
    assert written() == before


@pytest.mark.parametrize("key", [None, "k-2"])
def test_r53_another_key_or_none_leaves_it_to_r51(key, post):
    first = post()
    again = post(key=key)
    assert again.json() == first.json() | {"replayed": True}
    assert "Idempotency-Replayed" not in again


def test_r53_a_replayed_answer_is_kept_as_it_was(post):
    post(key=None)
    first = post()
    assert first.json()["replayed"] is True
    assert is_replay(post(), first)


def test_r12_the_headers_of_an_answer_are_kept(post):
    text = f"S000,{packages.message_id('first')}"
    first = post(text, content_type="text/plain")
    again = post(text, content_type="text/plain")
    assert (first.status_code, set(first.headers) >= {"Deprecation", "Link"}) == (200, True)
    assert is_replay(again, first)


@pytest.mark.parametrize(("body", "code"), [(b"{", "JSON_INVALID"), (b"[]", "ADAPTER_CONTRACT_ERROR")])
def test_a_400_is_kept(body, code, post):
    first = post(body)
    assert refusal(first) == (400, code, None)
    assert is_replay(post(body), first)


def test_a_201_and_its_409_stand_apart(gateway_client):
    def send(key, **changes):
        return gateway_client.post(INBOX, MAIL | changes, format="json", headers={"idempotency-key": key})

    first = send("k-1")
    conflict = [send("k-2", body_text="Something else.") for _ in range(2)]
    assert first.status_code == 201
    assert is_replay(send("k-1"), first)
    assert [refusal(one) for one in conflict] == [(409, "SOURCE_MESSAGE_CONFLICT", None)] * 2
    assert list(IdempotencyKey.objects.values_list("key", "status", "path")) == [("k-1", 201, INBOX)]


def test_a_field_that_is_refused_is_kept(gateway_client):
    first, again = (gateway_client.post(INBOX, {}, format="json", headers={"idempotency-key": "k"}) for _ in range(2))
    assert refusal(first) == (400, "FIELD_INVALID", None)
    assert is_replay(again, first)


# What is not kept


@pytest.mark.parametrize("body", [b"{}", json.dumps(ECHO).encode()])
def test_r02_the_typed_answer_is_not_kept(body, post):
    with nothing_written():
        answers = [post(body), post(body)]
    assert [(one.status_code, one.json(), "Idempotency-Replayed" in one) for one in answers] == [(400, ECHO, False)] * 2
    assert IdempotencyKey.objects.count() == 0


def test_r06_the_echo_is_not_kept(post):
    body = json.dumps(ECHO | {"source_message": {"source_message_id": packages.message_id("first")}}).encode()
    assert (post(body).status_code, post(body).status_code, IdempotencyKey.objects.count()) == (400, 400, 0)


def test_r03_a_mail_that_comes_later_is_found_under_the_same_key(post, hotel):
    body = packages.package("late")
    assert refusal(post(body)) == (404, "SOURCE_MESSAGE_NOT_FOUND", None)
    packages.mail(hotel, "late")
    assert (post(body).status_code, post(body)["Idempotency-Replayed"]) == (200, "true")


def test_r52_a_conflict_is_not_kept_and_what_it_wrote_is(post):
    post(key=None)
    other = changed(packages.package("first"), 0)
    answers = [post(other), post(other)]
    assert [refusal(one)[:2] for one in answers] == [(409, "SUBMISSION_CONFLICT")] * 2
    assert list(Submission.objects.order_by("created_at").values_list("outcome", flat=True)) == ["ACCEPTED", "CONFLICT"]
    assert IdempotencyKey.objects.count() == 0


def test_a_refused_caller_leaves_no_key(client, reviewer_client, post):
    asked = {"data": packages.package("first"), "content_type": JSON, "headers": {"idempotency-key": "k-1"}}
    answers = [one.post(INGEST, **asked).status_code for one in (client, reviewer_client)]
    assert (answers, IdempotencyKey.objects.count()) == ([401, 403], 0)


def test_too_large_and_wrongly_typed_bodies_leave_no_key(post):
    large, form = post(b"[" + b" " * 1024 * 1024), post(b"a=1", content_type="application/x-www-form-urlencoded")
    assert (large.status_code, form.status_code, IdempotencyKey.objects.count()) == (413, 415, 0)


def test_an_empty_body_is_a_body(post):
    first = post(b"")
    assert refusal(first) == (400, "JSON_INVALID", None)
    assert is_replay(post(b""), first)
    assert refusal(post())[:2] == (422, "IDEMPOTENCY_KEY_REUSED")


def failing(fault):
    def ingest(**arguments):
        SourceMessage.objects.update(subject="half done")
        raise fault

    return ingest


def test_a_failure_of_ours_frees_the_key_and_undoes_the_work(post, monkeypatch):
    with monkeypatch.context() as broken_service:
        broken_service.setattr(view, "ingest_package", failing(RuntimeError("no")))
        assert refusal(post()) == (500, "INTERNAL_ERROR", None)
    assert (IdempotencyKey.objects.count(), SourceMessage.objects.filter(subject="half done").count()) == (0, 0)
    assert post().status_code == 200


class Away(Unavailable):
    code = "AWAY_IN_A_TEST"
    sentence = "Not there."


def test_a_503_is_not_kept_and_what_stands_beside_it_is(post, monkeypatch):
    with monkeypatch.context() as broken_service:
        broken_service.setattr(view, "ingest_package", failing(Away()))
        assert refusal(post())[:2] == (503, "AWAY_IN_A_TEST")
    assert SourceMessage.objects.filter(subject="half done").count() == 2
    assert (IdempotencyKey.objects.count(), post().status_code) == (0, 200)


# Whose key it is


def test_another_body_under_the_same_key_is_refused_and_nothing_is_done(post):
    post()
    with nothing_written():
        assert refusal(post(packages.package("second"))) == (422, "IDEMPOTENCY_KEY_REUSED", None)


def test_the_same_value_in_other_bytes_is_another_body(post):
    post(b"[]")
    assert refusal(post(b"[ ]"))[:2] == (422, "IDEMPOTENCY_KEY_REUSED")


def test_the_same_bytes_read_in_another_way_are_another_body(post):
    text = f"S000,{packages.message_id('first')}"
    post(text, content_type="text/plain; charset=utf-8")
    assert refusal(post(text, content_type="text/plain; charset=gbk"))[:2] == (422, "IDEMPOTENCY_KEY_REUSED")


def test_a_key_belongs_to_one_caller(post, hotel, user_of, client_of):
    post()
    other = client_of(user_of("agent", hotel))
    asked = {"content_type": JSON, "headers": {"idempotency-key": "k-1"}}
    assert other.generic("POST", INGEST, packages.package("second"), **asked).status_code == 200


def test_a_key_belongs_to_one_path(post, agent, user_of, hotel, client_of):
    headers = {"idempotency-key": "k-1"}
    user = user_of("gateway", hotel)
    user.groups.add(*agent.groups.all())
    both = client_of(user)
    assert both.post(INBOX, MAIL, format="json", headers=headers).status_code == 201
    assert (
        both.generic("POST", INGEST, packages.package("first"), content_type=JSON, headers=headers).status_code == 200
    )


def test_a_key_counts_for_post_only(agent_client, reviewer_client):
    listed = reviewer_client.get(INBOX, headers={"idempotency-key": "k-1"})
    assert (listed.status_code, IdempotencyKey.objects.count()) == (200, 0)


@pytest.mark.parametrize("key", ["", " ", "a b", "k" * 256, "k\x7f", "schlüssel", "k\t", " k"])
def test_a_key_that_is_none_is_refused_before_anything_is_read(key, post):
    with nothing_written():
        assert refusal(post(key=key)) == (400, "IDEMPOTENCY_KEY_INVALID", None)
    assert IdempotencyKey.objects.count() == 0


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=255))
def test_any_visible_characters_are_a_key(post, key):
    assert (post(b"[]", key=key).status_code, post(b"[]", key=key)["Idempotency-Replayed"]) == (400, "true")


# A first request without an answer


def died(*_):
    raise SystemExit


def mark(post, name, *, ago):
    """The marker of a request that began so many seconds ago and has no answer."""
    moment = timezone.now() - timedelta(seconds=ago)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(door.Idempotent, "_work", died)
        patched.setattr(door.timezone, "now", lambda: moment)
        with pytest.raises(SystemExit):
            post(packages.package(name))


def test_while_the_first_is_running_the_second_waits(post):
    mark(post, "first", ago=55)
    with nothing_written():
        answer = post()
    assert refusal(answer) == (409, "IDEMPOTENCY_IN_FLIGHT", "2")
    assert answer.json()["retryable"] is True


def test_while_the_first_is_running_another_body_is_refused(post):
    mark(post, "first", ago=55)
    assert refusal(post(packages.package("second"))) == (422, "IDEMPOTENCY_KEY_REUSED", None)


@pytest.mark.parametrize("name", ["first", "second"])
def test_a_key_whose_request_died_is_free_after_a_minute_for_any_body(name, post):
    mark(post, "first", ago=61)
    first = post(packages.package(name))
    assert (first.status_code, first.json()["replayed"]) == (200, False)
    assert is_replay(post(packages.package(name)), first)


@pytest.mark.parametrize("body", ["first", "nowhere"])
def test_a_request_that_was_overtaken_does_nothing(body, post, monkeypatch):
    def overtaken(**arguments):
        hold = claim(**arguments)
        IdempotencyKey.objects.update(holder=uuid4())
        return hold

    monkeypatch.setattr(door, "claim", overtaken)
    with nothing_written():
        assert refusal(post(packages.package(body))) == (409, "IDEMPOTENCY_IN_FLIGHT", "2")
    assert IdempotencyKey.objects.get().status is None


# What it costs

TARGET = re.compile(r'\(?(SELECT|INSERT|UPDATE|DELETE)\b(?:.*?(?:FROM|INTO))? "[a-z]+_([a-z]+)"', re.DOTALL)
ACCESS = ["SELECT authtoken", "SELECT permission"]
WORK = [*FIND_MAIL, *PLACE, *WRITE]


def statements(post, **arguments):
    """Verb and table of every statement; an INSERT that SQLite splits counts once."""
    with CaptureQueriesContext(connection) as captured:
        post(**arguments)
    found = [" ".join(match.groups()) for query in captured if (match := TARGET.match(query["sql"]))]
    return [name for name, _ in itertools.groupby(found)]


def test_r50_a_key_costs_a_package_two_statements(post):
    assert statements(post, body=packages.package("first"), key=None) == [*ACCESS, *WORK]
    keyed = statements(post, body=packages.package("second"))
    assert keyed == [*ACCESS, "INSERT idempotencykey", *WORK, "UPDATE idempotencykey"]


def test_r53_a_replay_costs_two_statements(post):
    post()
    assert statements(post) == [*ACCESS, "INSERT idempotencykey", "SELECT idempotencykey"]


def test_r03_a_refusal_that_is_not_kept_costs_two_statements(post):
    refused = statements(post, body=packages.package("nowhere"))
    assert refused == [*ACCESS, "INSERT idempotencykey", FIND_MAIL[0], "DELETE idempotencykey"]


def test_keys_are_kept_for_thirty_days(post):
    post()
    answered = IdempotencyKey.objects.get().started_at
    assert purge_expired(at=answered + timedelta(days=30)) == 0
    assert purge_expired(at=answered + timedelta(days=30, seconds=1)) == 1
    assert "Idempotency-Replayed" not in post()
