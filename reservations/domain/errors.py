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


class SubmissionConflict(Conflict):
    """R-52: the package disagrees with what was accepted; `errors` has one entry per index, ascending."""

    code = "SUBMISSION_CONFLICT"
    sentence = "Events of this mail that were accepted before differ or are left out. Nothing was changed; see errors."


class TaskStateInvalid(Conflict):
    """R-46: the move is not in the table."""

    code = "TASK_STATE_INVALID"
    sentence = "The task does not allow this in its present state. Read it again and decide anew."


# Writes on one card (contracts.md section 7).


class TaskNotFound(Missing):
    """A card of another hotel does not exist for the caller."""

    code = "TASK_NOT_FOUND"
    sentence = "There is no such card for this credential. Check the id."


class NotificationNotFound(Missing):
    """A notification of another hotel does not exist for the caller."""

    code = "NOTIFICATION_NOT_FOUND"
    sentence = "There is no such notification for this credential. Check the id."


class TaskReadonly(Conflict):
    """R-14: a notice, or history of a retired route."""

    code = "TASK_READONLY"
    sentence = "This card is to be read only. A notice can be acknowledged, nothing else."


class TaskClaimed(Conflict):
    """R-44: somebody else holds the card; the detail names who and until when."""

    code = "TASK_CLAIMED"
    sentence = "Somebody else holds this card. Wait until it is released, or ask a lead to take it over."


class TaskReviewAlreadyResolved(Conflict):
    code = "TASK_REVIEW_ALREADY_RESOLVED"
    sentence = "The review of this card is resolved already. Read the card again."


class TaskReviewNotRequired(Conflict):
    code = "TASK_REVIEW_NOT_REQUIRED"
    sentence = "This card asks for no review. Confirm it instead."


class TaskReviewResolutionRequired(Conflict):
    """R-37: a plain confirmation does not do for a pending review."""

    code = "TASK_REVIEW_RESOLUTION_REQUIRED"
    sentence = "This card is in review. Resolve the review instead of confirming."


class TaskBlocked(Conflict):
    """R-27."""

    code = "TASK_BLOCKED"
    sentence = "An earlier card of this order is not finished. Finish or terminate that one first."


class TaskPayloadTampered(Conflict):
    """R-35."""

    code = "TASK_PAYLOAD_TAMPERED"
    sentence = (
        "What the agent sent is no longer what was stored for this card. Nothing was executed; call an administrator."
    )


class TaskFieldPathInvalid(Invalid):
    """R-29, R-36, R-37: not served, read-only, or named twice; see errors."""

    code = "TASK_FIELD_PATH_INVALID"
    sentence = "The card has no such field to write at the moment, or it is named twice. See errors."


class TaskFieldValueInvalid(Invalid):
    code = "TASK_FIELD_VALUE_INVALID"
    sentence = "A value has the wrong type, is not offered, or does not agree with another one. See errors."


class TaskFieldsIncomplete(Invalid):
    """R-37, R-38."""

    code = "TASK_FIELDS_INCOMPLETE"
    sentence = "A required field has no value. Fill the fields named in errors."


class TaskReviewPointerInvalid(Invalid):
    """R-31, R-34, R-39."""

    code = "TASK_REVIEW_POINTER_INVALID"
    sentence = "A pointer or path names no field that this review can write. See errors."


class TaskReviewPointerDuplicate(Invalid):
    code = "TASK_REVIEW_POINTER_DUPLICATE"
    sentence = "A field is overridden twice, in whatever form. Send each field once."


class TaskReviewFieldsIncomplete(Invalid):
    """R-39: a missing field without an override, or a required field without value."""

    code = "TASK_REVIEW_FIELDS_INCOMPLETE"
    sentence = "The review lacks a value it has to give. Override the fields named in errors."


class BasicInformationNotConfirmed(Conflict):
    """R-59."""

    code = "V4_BASIC_INFORMATION_NOT_CONFIRMED"
    sentence = "Confirm the Basic Information of this order task first; then its other cards can be decided."


class TaskReviewOrderInvalid(Invalid):
    """R-28, R-39."""

    code = "TASK_REVIEW_ORDER_INVALID"
    sentence = (
        "The confirmed order is not the one this card may have. Confirm the card's own order, or the one its keys name."
    )


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
