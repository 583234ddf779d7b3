"""The sentence of every contract error, in English and Chinese (R-18)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from reservations.domain.faults import FaultCode


class Sentence(NamedTuple):
    en: str
    zh: str


SENTENCES: Final[Mapping[FaultCode, Sentence]] = MappingProxyType(
    {
        FaultCode.ROUTE_UNRESOLVED: Sentence(
            "No active route fits this type and subtype.", "此类型与子类型没有对应的有效路由。"
        ),
        FaultCode.ROUTE_MISMATCH: Sentence(
            "A result type, task type or route code that was stated differs from what follows from the event.",
            "声明的结果类型、任务类型或路由代码与事件推导结果不一致。",
        ),
        FaultCode.RETIRED_TASK: Sentence(
            "This type or subtype is kept for history and may not be used in new packages.",
            "此类型或子类型仅供历史查看，新数据不得使用。",
        ),
        FaultCode.RETIRED_PARENT_CANCEL_BOOKING: Sentence(
            "Releasing a parent group as a Cancel Booking is retired; it is a Cancel Allotment now.",
            "以取消预订释放母团的方式已停用，请改用取消配额。",
        ),
        FaultCode.EXPLICIT_CONTRACT_ERRORS: Sentence(
            "The agent itself reported contract errors here.", "智能体自身报告了契约错误。"
        ),
        FaultCode.ROOT_MISSING_FIELDS: Sentence(
            "The agent reported missing fields outside of a review.", "智能体在复核之外报告了缺失字段。"
        ),
        FaultCode.MANUAL_REVIEW_INCOMPLETE: Sentence(
            "The nine fields of the review are not complete, or its kind does not fit the event.",
            "人工复核的九个字段不完整，或复核类型与事件不符。",
        ),
        FaultCode.MISSING_FIELDS_POINTER_INVALID: Sentence(
            "A missing field is named by a malformed or repeated pointer.", "缺失字段的指针格式错误或重复。"
        ),
        FaultCode.MISSING_FIELDS_POINTER_UNMAPPED: Sentence(
            "A missing field is not an editable field of this card.", "缺失字段不是此卡可编辑的字段。"
        ),
        FaultCode.FALLBACK_WITHOUT_REVIEW: Sentence(
            "A Fallback event needs a review and has none.", "兜底事件必须带人工复核。"
        ),
        FaultCode.PARENT_KEY_MISSING: Sentence(
            "The parent group has neither a group code nor a block code.", "母团既无团号也无 block 代码。"
        ),
        FaultCode.PARENT_KEY_CONFLICT: Sentence(
            "Group code and block code of the parent group differ.", "母团的团号与 block 代码互相冲突。"
        ),
        FaultCode.PARENT_DUPLICATE: Sentence(
            "An earlier event of this package releases the same parent group.", "同一包中已有事件释放同一母团。"
        ),
        FaultCode.PARENT_SPLIT_INCOMPLETE: Sentence(
            "The relations between the parent group and its children are not whole or not one-to-one.",
            "母团与子团的拆分关系不完整或无法一一对应。",
        ),
        FaultCode.CANCEL_SCOPE_INVALID: Sentence(
            "An allotment can be cancelled as a whole only.", "配额只能整体取消。"
        ),
        FaultCode.FIX_CHARGE_NOT_FROZEN: Sentence(
            "Structured fixed charges are not supported yet.", "结构化固定收费暂不支持。"
        ),
        FaultCode.PREFLIGHT_LOCK_NOT_FROZEN: Sentence(
            "Preflight and lock data are not supported yet.", "预检与锁定数据暂不支持。"
        ),
        FaultCode.MANUAL_RATE_CODE_NOT_FROZEN: Sentence(
            "Rate codes outside the catalogue are not supported yet.", "目录之外的手工房价代码暂不支持。"
        ),
        FaultCode.VOUCHER_FILE_MISSING: Sentence(
            "The voucher names no file of this mail.", "付款凭证未指向本邮件中的文件。"
        ),
        FaultCode.V4_UPDATE_RATE_CODE_FORBIDDEN: Sentence(
            "An update may not carry a rate code.", "变更事件不得携带房价代码。"
        ),
        FaultCode.V4_PAYMENT_ATTACHMENT_UNKNOWN: Sentence(
            "The payment names an attachment that the package does not have.", "付款事件引用了包中不存在的附件。"
        ),
        FaultCode.V4_ORDER_REF_UNKNOWN: Sentence(
            "The event names an order that the package does not have.", "事件引用了包中不存在的订单。"
        ),
        FaultCode.V4_ORDER_REF_DUPLICATE: Sentence(
            "Two orders of the package have the same reference.", "包中两个订单使用了同一引用。"
        ),
        FaultCode.V4_EVENT_TYPE_UNKNOWN: Sentence("The event type is not known.", "事件类型未知。"),
        FaultCode.V4_ROUTE_CODE_INVALID: Sentence(
            "The route code of the package does not fit its content.", "包的路由代码与内容不符。"
        ),
        FaultCode.NOTICE_REVIEW_INVALID: Sentence(
            "The notice has a wrong route code, or its review does not fit it.",
            "通知的路由代码有误，或其复核内容不符。",
        ),
        FaultCode.EVENT_SHAPE_INVALID: Sentence(
            "A required key is missing or a value has a wrong type.", "缺少必需的键，或值的类型有误。"
        ),
    }
)


def sentence(code: FaultCode | str) -> Sentence:
    """The fixed sentences of a code.

    raises  ValueError: no such code
    """
    return SENTENCES[FaultCode(code)]
