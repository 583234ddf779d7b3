"""The audit of the hotels."""

from __future__ import annotations

from config.audit.api import AuditEventViewSet
from reservations.api.access import HOTEL


class HotelAuditEventViewSet(AuditEventViewSet):
    tenant_kind = HOTEL
