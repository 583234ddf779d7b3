"""The back-office of the reservations desk: lists and details, and work on cards. Each module registers its pages."""

from reservations.admin import catalog, mails, operations, orders, routes, submissions, tasks, transitions

__all__ = ["catalog", "mails", "operations", "orders", "routes", "submissions", "tasks", "transitions"]
