"""The one list of work, and counts by state and route: each finds its rows by an index of its own (R-63)."""

from django.db import migrations, models
from django.db.models import Q

from config.indexes import AddIndexBesideWrites

INDEXES = (
    (
        "task",
        models.Index(
            fields=["hotel", "received_at", "id"], condition=Q(order_task__isnull=True), name="task_hotel_desk"
        ),
    ),
    ("task", models.Index(fields=["received_at", "id"], condition=Q(order_task__isnull=True), name="task_desk")),
    ("task", models.Index(fields=["hotel", "route_code", "received_at", "id"], name="task_hotel_route")),
    (
        "order",
        models.Index(
            fields=["hotel", "status", "created_at", "id"], condition=Q(hidden=False), name="order_hotel_status"
        ),
    ),
    (
        "order",
        models.Index(fields=["hotel", "kind", "created_at", "id"], condition=Q(hidden=False), name="order_hotel_kind"),
    ),
    (
        "submission",
        models.Index(
            fields=["hotel", "created_at", "id"], condition=Q(outcome="CONFLICT"), name="submission_conflicts"
        ),
    ),
    (
        "sourcenotification",
        models.Index(
            fields=["hotel", "received_at", "id"],
            condition=Q(acknowledged_at__isnull=True),
            name="notification_waiting",
        ),
    ),
    (
        "sourcenotification",
        models.Index(fields=["hotel", "route_code", "received_at", "id"], name="notification_hotel_route"),
    ),
    (
        "aitransition",
        models.Index(
            fields=["hotel", "created_at", "id"], condition=Q(kind="source_notification"), name="transition_notices"
        ),
    ),
)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("reservations", "0008_queue_key")]
    operations = [AddIndexBesideWrites(model_name=model, index=index) for model, index in INDEXES]
