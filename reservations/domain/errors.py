"""Refusals of the reservations desk. A code is public and never reused: programs branch on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from config.errors import Conflict, Invalid, Malformed, Missing, Unavailable

INPUT_ERROR_RESULT: Final = "infrastructure_input_error"
MISSING_ID_ERROR: Final = "missing_source_message_id"


class AdapterDetail(StrEnum):
    """`detail_code` of a request that is refused as a whole."""

    ROOT_UNKNOWN = "ROOT_UNKNOWN"
    ROOT_AMBIGUOUS = "ROOT_AMBIGUOUS"
    RETIRED_PARENT_CANCEL_BOOKING = "RETIRED_PARENT_CANCEL_BOOKING"
    RETIRED_TASK = "RETIRED_TASK"
    ITEM_INVALID = "ITEM_INVALID"


class IdentityMissing(Malformed):
    """No outer message id (R-02). REST answers with `answer`, exactly; MCP with the code."""

    code = "MISSING_SOURCE_MESSAGE_ID"
    sentence = "The package names no source message. Send its id and try again."
    retryable = True

    def __init__(self, missing_fields: Sequence[str]) -> None:
        super().__init__(missing_fields=tuple(missing_fields))
        self.missing_fields = tuple(missing_fields)

    @property
    def answer(self) -> dict[str, object]:
        """The typed body: four keys, no more (R-02)."""
        return {
            "result_type": INPUT_ERROR_RESULT,
            "error_code": MISSING_ID_ERROR,
            "retryable": True,
            "missing_fields": list(self.missing_fields),
        }


class SourceMessageNotFound(Missing):
    """R-03. Retryable, because the mail may arrive a moment later."""

    code = "SOURCE_MESSAGE_NOT_FOUND"
    sentence = (
        "No mail with this id is in the inbox of the hotel. Check the id, or try again when the mail has arrived."
    )
    retryable = True


class SourceMessageAmbiguous(Conflict):
    """R-03. Nothing is picked."""

    code = "SOURCE_MESSAGE_AMBIGUOUS"
    sentence = (
        "Several mails of the hotel have this id, so none was chosen. A person has to find out which one is meant."
    )


class SourceMessageConflict(Conflict):
    """The same inbox identity with other content."""

    code = "SOURCE_MESSAGE_CONFLICT"
    sentence = "This mail is in the inbox already, with other content. Give another mail an id of its own."


class MailUnreadable(Malformed):
    """R-79. Nothing there to keep; `facts["reason"]` is EMPTY or NO_HEADERS."""

    code = "MAIL_UNREADABLE"
    sentence = "This is not a mail: it is empty or has no mail header."


class AdapterContractRefused(Malformed):
    """The whole request is refused (R-05, R-20); `detail_code` is one of AdapterDetail. Nothing is written."""

    code = "ADAPTER_CONTRACT_ERROR"
    sentence = "The request does not follow the contract and was refused as a whole. See detail_code and errors."


class GenerationNotSupported(Invalid):
    """The root is recognised, but packages of its generation are not taken."""

    code = "GENERATION_NOT_SUPPORTED"
    sentence = "Packages of this generation are not taken yet. Send one of generation V3 (message_events)."


class SubmissionConflict(Conflict):
    """R-52: the package disagrees with what was accepted; `errors` has one entry per index, ascending."""

    code = "SUBMISSION_CONFLICT"
    sentence = "Events of this mail that were accepted before differ or are left out. Nothing was changed; see errors."


class TaskStateInvalid(Conflict):
    """R-46: the move is not in the table."""

    code = "TASK_STATE_INVALID"
    sentence = "The task does not allow this in its present state. Read it again and decide anew."


class OrdersContended(Unavailable):
    """Other packages kept taking the keys of this one's new orders."""

    code = "ORDERS_CONTENDED"
    sentence = "Other packages are writing the same orders at the moment. Send the package again."


class InputErrorEchoed(Malformed):
    """R-06: a posted infrastructure error is answered with its own four typed keys; nothing is stored."""

    code = "INPUT_ERROR_ECHOED"
    sentence = "The package says that its input could not be read. Correct the input and send it again."

    def __init__(self, answer: Mapping[str, object]) -> None:
        super().__init__()
        self.answer = dict(answer)
