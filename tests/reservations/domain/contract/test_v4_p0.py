"""The V3 and the V4 package of one P0 mail come to the same cards (R-15 to R-17, R-78)."""

import json
from decimal import Decimal

import pytest

from reservations.services.p0 import FOLDER
from tests.reservations.domain import builders, orderpackages


def packages():
    """Every business package and notice of P0 whose mail has an id, by that id."""
    files = (path for path in FOLDER.glob("*/*.json") if not path.stem.endswith((".expected", ".candidates")))
    bodies = (json.loads(path.read_text(), parse_float=Decimal) for path in sorted(files))
    named = ((body.get("source_message", {}).get("source_message_id"), body) for body in bodies)
    return {identity: body for identity, body in named if identity}


PACKAGES = packages()
ORDER_PACKAGES = {identity: body for identity, body in PACKAGES.items() if "order_contexts" in body}


def told(judgement):
    return {
        "routes": [(card.source_event_index, card.route.route_code) for card in judgement.cards],
        "reviews": [(card.manual_review, card.missing_paths) for card in judgement.cards],
        "fields": [card.derived["extracted_fields"] for card in judgement.cards],
        "excerpts": [card.excerpts for card in judgement.cards],
        "relations": [(card.relationships, card.applies_to) for card in judgement.cards],
        "keys": [(card.effective_case_keys, card.order_keys, card.keys_conflict) for card in judgement.cards],
        "faults": [(fault.source_event_index, fault.code) for fault in judgement.faults],
        "intents": judgement.intents,
        "notice": judgement.notice and (judgement.notice.route, judgement.notice.manual_review),
    }


def test_there_is_an_order_package_for_each_of_the_first_twelve_mails():
    assert sorted(identity[:3] for identity in ORDER_PACKAGES) == [f"m{number:02}" for number in range(1, 13)]


@pytest.mark.parametrize("identity", ORDER_PACKAGES)
def test_both_packages_of_a_mail_come_to_the_same(identity):
    judgement = orderpackages.judged(ORDER_PACKAGES[identity])
    assert told(judgement) == told(builders.judged(PACKAGES[identity.replace(".v4@", "@")]))
    assert judgement.faults == ()


@pytest.mark.parametrize("identity", ORDER_PACKAGES)
def test_r56_every_order_of_a_package_is_wanted_and_nothing_disagrees(identity):
    judgement = orderpackages.judged(ORDER_PACKAGES[identity])
    assert [context.context for context in judgement.contexts] == ORDER_PACKAGES[identity]["order_contexts"]
    assert [card.warnings for card in judgement.cards] == [()] * len(judgement.cards)
