"""Verdicts, and contract errors as a list of their own (R-18, R-75)."""

from __future__ import annotations

import pytest

from reservations.domain.contract.codes import SENTENCES
from reservations.models import TransitionKind
from tests import factories
from tests.reservations.admin.pages import a_contract_error, a_submission, a_verdict, list_of, main_of, page_of, text_of


@pytest.mark.parametrize("code", SENTENCES)
def test_every_code_is_shown_with_its_meaning(code, hotel, desk):
    error = a_contract_error(hotel, adapter_error_code=code)
    context = desk.get(page_of(error)).context
    assert (context["meaning"].en, context["meaning"].zh) == SENTENCES[code]


def test_a_code_that_is_no_longer_known_is_shown_with_what_was_stored(hotel, desk):
    error = a_contract_error(hotel, adapter_error_code="GONE", adapter_error_message="Was said then.")
    assert "Was said then." in text_of(desk.get(page_of(error)))


def test_an_error_shows_its_event_and_its_mail_and_no_control(hotel, desk):
    """R-18: never fields or a confirm button."""
    error = a_contract_error(hotel, event='{"event_type":"<b>"}')
    page = main_of(desk.get(page_of(error)))
    assert ("&lt;b&gt;" in page, page_of(error.source_message) in page) == (True, True)
    assert [tag in page for tag in ("<form", "<button", "<input", "<textarea")] == [False] * 4


def test_an_error_says_which_keys_are_wrong(hotel, desk):
    error = a_contract_error(hotel, adapter_error_detail="case_keys, source_row")
    assert "case_keys, source_row" in text_of(desk.get(page_of(error)))


def test_the_code_filter_narrows(hotel, desk):
    wanted = a_contract_error(hotel, adapter_error_code="RETIRED_TASK")
    a_contract_error(hotel)
    query = {"adapter_error_code": "RETIRED_TASK"}
    assert desk.get(list_of("reservations_adaptercontracterror"), query).context["cl"].result_list == [wanted]


def test_the_page_of_a_contract_error_has_no_other_verdict(hotel, desk):
    verdict = a_verdict(hotel)
    address = page_of(verdict).replace("/aitransition/", "/adaptercontracterror/")
    assert desk.get(address).status_code == 404


def test_a_package_level_error_leads_to_the_package(hotel, desk):
    error = a_contract_error(hotel, source_event_index=0, array_index=None, event="null")
    assert "The verdict is on the whole package." in text_of(desk.get(page_of(error)))


def test_the_route_filter_of_verdicts_takes_shown_codes(hotel, desk):
    """R-12."""
    verdict = factories.transition(a_submission(hotel), kind=TransitionKind.SOURCE_NOTIFICATION, route_code="S000")
    a_verdict(hotel)
    assert desk.get(list_of("reservations_aitransition"), {"route": "S10"}).context["cl"].result_list == [verdict]


def test_a_verdict_leads_to_its_card(hotel, desk):
    task = factories.task(factories.order(hotel), a_submission(hotel))
    assert page_of(task) in text_of(desk.get(page_of(task.transition)))
