"""Paths of the reservations desk."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, register_converter
from rest_framework.routers import SimpleRouter

from reservations.api.views.audit import HotelAuditEventViewSet
from reservations.api.views.catalogs import CatalogViewSet, RouteViewSet
from reservations.api.views.inbox import ConversationViewSet, SourceMessageViewSet
from reservations.api.views.ingest import TaskResultsViewSet
from reservations.api.views.notifications import NotificationViewSet
from reservations.api.views.orders import OrderViewSet
from reservations.api.views.ordertasks import OrderTaskViewSet
from reservations.api.views.submissions import SubmissionViewSet, TransitionViewSet
from reservations.api.views.tasks import TaskViewSet
from reservations.api.views.workbench import WorkbenchViewSet


class AnyText:
    """The rest of a path, whatever it holds: ids that come from outside have slashes and line ends."""

    regex = r"[\s\S]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(AnyText, "anytext")

router = SimpleRouter(trailing_slash=False, use_regex_path=False)
router.register("superagent/task-results", TaskResultsViewSet, "task-result")
router.register("source-messages", SourceMessageViewSet, "source-message")
router.register("conversations", ConversationViewSet, "conversation")
router.register("submissions", SubmissionViewSet, "submission")
router.register("transitions", TransitionViewSet, "transition")
router.register("routes", RouteViewSet, "route")
router.register("orders", OrderViewSet, "order")
router.register("tasks", TaskViewSet, "task")
router.register("order-tasks", OrderTaskViewSet, "order-task")
router.register("source-notifications", NotificationViewSet, "source-notification")
router.register("workbench-items", WorkbenchViewSet, "workbench-item")
router.register("catalogs", CatalogViewSet, "catalog")
router.register("audit-events", HotelAuditEventViewSet, "audit-event")

urlpatterns: list[URLPattern | URLResolver] = [*router.urls]
