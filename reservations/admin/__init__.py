"""The back-office of the reservations desk: lists and details to read. Each module registers its pages."""

from reservations.admin import catalog, mails, orders, routes, submissions, tasks, transitions

__all__ = ["catalog", "mails", "orders", "routes", "submissions", "tasks", "transitions"]
