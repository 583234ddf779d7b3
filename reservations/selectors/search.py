"""Full-text search over subject and sender of a mail and over number, name and keys of an order.

Every word of the search has to stand in the mail, or every word in the order. On PostgreSQL words are found by their
beginning, Chinese, Japanese and Korean by any run of characters (migration 0010 says how texts are cut); SQLite finds
any part of a text. Hidden orders are never found (R-10).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from django.contrib.postgres.search import SearchQuery, SearchVectorField
from django.db import connection
from django.db.models import F, Func, Model, Q, QuerySet

from reservations.models import Order, SourceMessage

Rows = TypeVar("Rows", bound=QuerySet[Any, Any])
LONGEST: Final = 200
FEW: Final = 1_000
MAIL_COLUMNS: Final = ("subject", "sender")
ORDER_COLUMNS: Final = ("order_number", "display_name", "group_code", "confirmation_number", "booking_code")
_SEPARATORS: Final = (
    r"\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f\ufe30-\ufe4f"
)
_SINGLE: Final = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_SINGLE}]|[^{_SEPARATORS}{_SINGLE}\s]+")


def in_mails(rows: Rows, text: str) -> Rows:
    """Of a queryset of mails, those with every word."""
    return _having(rows, text, MAIL_COLUMNS, "reservations_mail_words")


def in_orders(rows: Rows, text: str) -> Rows:
    """Of a queryset of orders, those with every word; never hidden ones."""
    return _having(rows.filter(hidden=False), text, ORDER_COLUMNS, "reservations_order_words")


@dataclass(frozen=True, slots=True)
class Matches:
    """Which rows that have a mail and an order have every word in their mail, or in their order."""

    mails: Q
    orders: Q

    @property
    def either(self) -> Q:
        return self.mails | self.orders


def matching(*, hotel_ids: Collection[int], text: str) -> Matches:
    """Two statements look for FEW mails and FEW orders.

    Where there are no more, their rows are found by their ids; what stands nearly everywhere is looked up along the
    list, which fills a page soon.
    """
    mails = in_mails(SourceMessage.objects.filter(hotel_id__in=hotel_ids), text)
    orders = in_orders(Order.objects.filter(hotel_id__in=hotel_ids), text)
    return Matches(Q(source_message_id__in=_ids(mails)), Q(order_id__in=_ids(orders)))


def words_of(text: str) -> list[list[str]]:
    """The words of the search: for every part between spaces, what stands side by side in it."""
    parts = (_WORD.findall(part) for part in unicodedata.normalize("NFKC", text).split())
    return [part for part in parts if part]


def lexemes(text: str) -> str:
    """The search as PostgreSQL writes it: neighbours stand side by side, the last word of a part may go on."""
    return " & ".join(f"({_side_by_side(part)})" for part in words_of(text))


def _side_by_side(part: Sequence[str]) -> str:
    goes_on = "" if re.fullmatch(f"[{_SINGLE}]", part[-1]) else ":*"
    return " <-> ".join(f"'{word}'" for word in part) + goes_on


def _having(rows: Rows, text: str, columns: Sequence[str], function: str) -> Rows:
    if not words_of(text):
        return rows.none()
    if connection.vendor == "postgresql":
        words = Func(*map(F, columns), function=function, output_field=SearchVectorField())
        query = SearchQuery(lexemes(text), config="simple", search_type="raw")
        return rows.alias(searched_words=words).filter(searched_words=query)
    for part in unicodedata.normalize("NFKC", text).split():
        rows = rows.filter(_anywhere(part, columns))
    return rows


def _anywhere(part: str, columns: Sequence[str]) -> Q:
    found = Q()
    for column in columns:
        found |= Q((f"{column}__icontains", part))
    return found


def _ids(rows: QuerySet[Model]) -> Any:
    """The ids themselves where they are few, else the rows as a subquery."""
    few = list(rows.order_by().values_list("pk", flat=True)[: FEW + 1])
    return few if len(few) <= FEW else rows.order_by().values("pk")
