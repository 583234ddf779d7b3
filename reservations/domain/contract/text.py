"""The old text results `S000,<id>` and `S999,<id>` (R-12)."""

from __future__ import annotations

from dataclasses import dataclass

from reservations.domain.catalog import LEGACY_NOTICE_CODES, Catalog
from reservations.domain.contract.identity import FLAT_PLACE
from reservations.domain.contract.verdicts import Generation, Judgement, Notice, RootKind
from reservations.domain.errors import AdapterContractRefused, AdapterDetail, IdentityMissing


@dataclass(frozen=True, slots=True)
class TextNotice:
    """`route_code` as received; the id trimmed."""

    route_code: str
    source_message_id: str

    @property
    def canonical(self) -> str:
        """What is stored and hashed: white space around text and id does not count."""
        return f"{self.route_code},{self.source_message_id}"


def read_text(text: str) -> TextNotice:
    """Read a text result. Text and id are trimmed, the code is compared exactly.

    raises  AdapterContractRefused ROOT_UNKNOWN: it does not start with one of the two codes and a comma, or it holds
            U+0000, which no database column can
            IdentityMissing: nothing stands after the comma
    """
    route_code, comma, identity = text.strip().partition(",")
    if not comma or route_code not in LEGACY_NOTICE_CODES or "\x00" in text:
        raise AdapterContractRefused("The text is no S000 or S999 result.", detail_code=AdapterDetail.ROOT_UNKNOWN)
    if not identity.strip():
        raise IdentityMissing([FLAT_PLACE])
    return TextNotice(route_code, identity.strip())


def judge_text(notice: TextNotice, *, catalog: Catalog) -> Judgement:
    """A text result is always a notice, shown under the row that took its place."""
    verdict = Notice(
        route_code=notice.route_code,
        route=catalog.notice(notice.route_code),
        agent_assessment=None,
        notification=None,
        manual_review=None,
    )
    return Judgement(Generation.TEXT, RootKind.NOTICE, notice=verdict)
