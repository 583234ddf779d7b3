"""The sentences of the contract errors (R-18)."""

import re

import pytest

from reservations.domain.contract.codes import SENTENCES, sentence
from reservations.domain.faults import FaultCode


def test_every_code_has_one_sentence_in_both_languages():
    """R-18."""
    assert list(SENTENCES) == list(FaultCode)
    assert [code for code, text in SENTENCES.items() if not text.en.endswith(".") or not text.zh.endswith("。")] == []
    assert [code for code, text in SENTENCES.items() if not re.search("[\u4e00-\u9fff]", text.zh)] == []


def test_a_sentence_is_found_by_the_stored_code():
    assert sentence("RETIRED_TASK") == SENTENCES[FaultCode.RETIRED_TASK]


def test_an_unknown_code_has_none():
    with pytest.raises(ValueError, match="NOBODY"):
        sentence("NOBODY")
