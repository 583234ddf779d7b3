"""The inbound contract, purely: from a parsed body to verdicts.

Reading order: `identity` (which mail), `roots` (which kind of package), `judge` here, then `v3` and `v2` (shape),
`events` (the steps that follow), `review`, `cards`, `verdicts` (the values that come out).
"""

from __future__ import annotations

from reservations.domain.catalog import Catalog
from reservations.domain.contract.events import Rules
from reservations.domain.contract.identity import read_identity
from reservations.domain.contract.notice import judge_notice
from reservations.domain.contract.roots import Root, classify
from reservations.domain.contract.text import TextNotice, judge_text, read_text
from reservations.domain.contract.v2 import judge_v2, read_items
from reservations.domain.contract.v3 import judge_v3
from reservations.domain.contract.v4 import judge_v4, judge_v4_notice
from reservations.domain.contract.verdicts import (
    Card,
    ContractFault,
    Excerpt,
    Generation,
    Intent,
    Judgement,
    MailFacts,
    Notice,
    OrderContext,
    RootKind,
)
from reservations.domain.errors import AdapterContractRefused, AdapterDetail
from reservations.domain.fields import FieldMatrix
from reservations.domain.jsonvalues import JsonValue

__all__ = [
    "Card",
    "ContractFault",
    "Excerpt",
    "Generation",
    "Intent",
    "Judgement",
    "MailFacts",
    "Notice",
    "OrderContext",
    "Root",
    "RootKind",
    "TextNotice",
    "classify",
    "judge",
    "judge_text",
    "read_identity",
    "read_items",
    "read_text",
]


def judge(body: JsonValue, root: Root, *, catalog: Catalog, matrix: FieldMatrix, mail: MailFacts) -> Judgement:
    """Every verdict on one package.

    body     the parsed body, as sent; it is not changed, and the judgement shares its parts
    root     what `classify` said of it
    raises   AdapterContractRefused: V2, the request is refused as a whole; a body that is no object; an infrastructure
             error, which is answered and never judged
    """
    if not isinstance(body, dict) or root.kind is RootKind.INFRASTRUCTURE_ERROR:
        raise AdapterContractRefused("There is nothing to judge.", detail_code=AdapterDetail.ROOT_UNKNOWN)
    if root.kind is RootKind.NOTICE:
        notice = judge_v4_notice if root.generation is Generation.V4 else judge_notice
        return notice(body, catalog=catalog)
    return _BUSINESS[root.generation](body, Rules(catalog, matrix, mail))


_BUSINESS = {Generation.V2: judge_v2, Generation.V3: judge_v3, Generation.V4: judge_v4}
