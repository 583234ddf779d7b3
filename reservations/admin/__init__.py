"""The back-office of the reservations desk: lists and details, and work on cards. Each module registers its pages."""

from reservations.admin import (
    cards,
    catalog,
    mails,
    notifications,
    operations,
    orders,
    ordertasks,
    routes,
    submissions,
    tasks,
    transitions,
)

__all__ = [
    "cards",
    "catalog",
    "mails",
    "notifications",
    "operations",
    "orders",
    "ordertasks",
    "routes",
    "submissions",
    "tasks",
    "transitions",
]
