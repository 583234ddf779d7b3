"""V4: order tasks, their cards, source notifications. The place of a task in its queue gets a column of its own."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import config.jsonfield
import reservations.models.ids
from config.accounts.roles import READERS, grant
from config.immutable import guard

READABLE = {"ordertask": "order task", "taskcard": "card", "sourcenotification": "source notification"}
BATCH = 2000


def fill_queue_keys(apps, schema_editor):
    Task = apps.get_model("reservations", "Task")
    rows = Task.objects.using(schema_editor.connection.alias).only("id", "submission_id", "array_index")
    batch = []
    for row in rows.iterator(chunk_size=BATCH):
        row.queue_key = f"{row.submission_id.hex}{row.array_index or 0:06d}"
        batch.append(row)
        if len(batch) == BATCH:
            Task.objects.bulk_update(batch, ["queue_key"])
            batch = []
    Task.objects.bulk_update(batch, ["queue_key"])


def grant_permissions(apps, schema_editor):
    alias = schema_editor.connection.alias
    for model, name in READABLE.items():
        permissions = {f"view_{model}": (f"Can view {name}", READERS)}
        grant(apps, alias, app_label="reservations", model=model, permissions=permissions)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_roles"),
        ("reservations", "0006_claim_ends"),
    ]

    operations = [
        migrations.AddField(
            model_name="task",
            name="queue_key",
            field=models.CharField(editable=False, max_length=40, null=True, verbose_name="place in the queue"),
        ),
        migrations.CreateModel(
            name="OrderTask",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=reservations.models.ids.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("order_ref", models.TextField(verbose_name="order reference")),
                ("order_context_index", models.PositiveIntegerField(verbose_name="place of the context")),
                ("order_type", models.CharField(max_length=16, verbose_name="order type")),
                ("order_context", config.jsonfield.ExactJSONField(verbose_name="order context")),
                ("display_name", models.TextField(blank=True, verbose_name="name")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("PENDING_CONFIRM", "Basic Information to confirm"),
                            ("PENDING_REVIEW", "Basic Information to review"),
                            ("IN_PROGRESS", "In progress"),
                            ("DONE", "Done"),
                        ],
                        max_length=20,
                        verbose_name="status",
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1, verbose_name="version")),
                ("received_at", models.DateTimeField(verbose_name="received at")),
                ("created_at", models.DateTimeField(verbose_name="created at")),
                (
                    "hotel",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reservations.hotel",
                        verbose_name="hotel",
                    ),
                ),
                (
                    "order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="order_tasks",
                        to="reservations.order",
                        verbose_name="order",
                    ),
                ),
                (
                    "source_message",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="order_tasks",
                        to="reservations.sourcemessage",
                        verbose_name="source message",
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="order_tasks",
                        to="reservations.submission",
                        verbose_name="submission",
                    ),
                ),
            ],
            options={
                "verbose_name": "order task",
                "verbose_name_plural": "order tasks",
            },
        ),
        migrations.AddField(
            model_name="task",
            name="order_task",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tasks",
                to="reservations.ordertask",
                verbose_name="order task",
            ),
        ),
        migrations.CreateModel(
            name="SourceNotification",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=reservations.models.ids.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("route_code", models.CharField(max_length=120, verbose_name="route")),
                ("route_display_code", models.CharField(max_length=120, verbose_name="shown code")),
                ("agent_assessment", config.jsonfield.ExactJSONField(null=True, verbose_name="assessment")),
                ("notification", config.jsonfield.ExactJSONField(null=True, verbose_name="notification")),
                ("manual_review", config.jsonfield.ExactJSONField(null=True, verbose_name="manual review")),
                ("acknowledged_at", models.DateTimeField(null=True, verbose_name="acknowledged at")),
                ("version", models.PositiveIntegerField(default=1, verbose_name="version")),
                ("received_at", models.DateTimeField(verbose_name="received at")),
                ("created_at", models.DateTimeField(verbose_name="created at")),
                (
                    "acknowledged_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="acknowledged by",
                    ),
                ),
                (
                    "hotel",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reservations.hotel",
                        verbose_name="hotel",
                    ),
                ),
                (
                    "source_message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notifications",
                        to="reservations.sourcemessage",
                        verbose_name="source message",
                    ),
                ),
                (
                    "submission",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notification",
                        to="reservations.submission",
                        verbose_name="submission",
                    ),
                ),
                (
                    "transition",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notification",
                        to="reservations.aitransition",
                        verbose_name="transition",
                    ),
                ),
            ],
            options={
                "verbose_name": "source notification",
                "verbose_name_plural": "source notifications",
            },
        ),
        migrations.CreateModel(
            name="TaskCard",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=reservations.models.ids.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("SOURCE_MESSAGE", "Source message"),
                            ("BASIC_INFORMATION", "Basic Information"),
                            ("BUSINESS", "Business"),
                        ],
                        max_length=20,
                        verbose_name="kind",
                    ),
                ),
                ("source_event_index", models.PositiveIntegerField(default=0, verbose_name="event")),
                (
                    "card_status",
                    models.CharField(
                        choices=[
                            ("PENDING_CONFIRM", "To confirm"),
                            ("PENDING_REVIEW", "To review"),
                            ("CONFIRMED", "Confirmed"),
                        ],
                        max_length=20,
                        null=True,
                        verbose_name="status",
                    ),
                ),
                ("review_status", models.CharField(max_length=16, null=True, verbose_name="review status")),
                ("review_resolution", config.jsonfield.ExactJSONField(null=True, verbose_name="review resolution")),
                ("draft_payload_json", config.jsonfield.ExactJSONField(null=True, verbose_name="draft")),
                ("draft_at", models.DateTimeField(null=True, verbose_name="draft at")),
                (
                    "confirmed_payload_json",
                    config.jsonfield.ExactJSONField(null=True, verbose_name="confirmed payload"),
                ),
                ("decided_at", models.DateTimeField(null=True, verbose_name="decided at")),
                ("warnings", config.jsonfield.ExactJSONField(default=list, verbose_name="warnings")),
                ("version", models.PositiveIntegerField(default=1, verbose_name="version")),
                ("created_at", models.DateTimeField(verbose_name="created at")),
                (
                    "decided_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="decided by",
                    ),
                ),
                (
                    "draft_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="draft by",
                    ),
                ),
                (
                    "hotel",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reservations.hotel",
                        verbose_name="hotel",
                    ),
                ),
                (
                    "order_task",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cards",
                        to="reservations.ordertask",
                        verbose_name="order task",
                    ),
                ),
                (
                    "task",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="card",
                        to="reservations.task",
                        verbose_name="task",
                    ),
                ),
            ],
            options={
                "verbose_name": "card",
                "verbose_name_plural": "cards",
            },
        ),
        migrations.AddIndex(
            model_name="ordertask",
            index=models.Index(fields=["hotel", "received_at", "id"], name="order_task_hotel_list"),
        ),
        migrations.AddIndex(
            model_name="ordertask",
            index=models.Index(fields=["received_at", "id"], name="order_task_list"),
        ),
        migrations.AddIndex(
            model_name="ordertask",
            index=models.Index(fields=["hotel", "status", "received_at", "id"], name="order_task_hotel_status"),
        ),
        migrations.AddConstraint(
            model_name="ordertask",
            constraint=models.UniqueConstraint(
                fields=("source_message", "order_ref"), name="order_task_once_per_reference"
            ),
        ),
        migrations.AddIndex(
            model_name="sourcenotification",
            index=models.Index(fields=["hotel", "received_at", "id"], name="notification_hotel_list"),
        ),
        migrations.AddIndex(
            model_name="sourcenotification",
            index=models.Index(fields=["received_at", "id"], name="notification_list"),
        ),
        migrations.AddConstraint(
            model_name="sourcenotification",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("acknowledged_at__isnull", True), ("acknowledged_by__isnull", True)),
                    models.Q(("acknowledged_at__isnull", False), ("acknowledged_by__isnull", False)),
                    _connector="OR",
                ),
                name="notification_acknowledged_by_and_at",
            ),
        ),
        migrations.AddConstraint(
            model_name="taskcard",
            constraint=models.UniqueConstraint(
                fields=("order_task", "kind", "source_event_index"), name="card_once_per_place"
            ),
        ),
        migrations.AddConstraint(
            model_name="taskcard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "BUSINESS"), ("source_event_index__gt", 0), ("task__isnull", False)),
                    models.Q(
                        models.Q(("kind", "BUSINESS"), _negated=True), ("source_event_index", 0), ("task__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="card_business_has_task",
            ),
        ),
        migrations.AddConstraint(
            model_name="taskcard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("card_status__isnull", False), ("kind", "BASIC_INFORMATION")),
                    models.Q(
                        models.Q(("kind", "BASIC_INFORMATION"), _negated=True),
                        ("card_status__isnull", True),
                        ("review_status__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="card_basic_information_is_decided",
            ),
        ),
        migrations.AddConstraint(
            model_name="taskcard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("card_status", "CONFIRMED"),
                        ("decided_at__isnull", False),
                        ("decided_by__isnull", False),
                        ("confirmed_payload_json__isnull", False),
                    ),
                    models.Q(
                        models.Q(
                            models.Q(("card_status", "CONFIRMED"), _negated=True),
                            ("card_status__isnull", True),
                            _connector="OR",
                        ),
                        ("confirmed_payload_json__isnull", True),
                        ("decided_at__isnull", True),
                        ("decided_by__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="card_decided_by_and_at",
            ),
        ),
        migrations.AddConstraint(
            model_name="taskcard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("review_resolution__isnull", True), ("review_status__isnull", True)),
                    models.Q(
                        ("card_status", "PENDING_REVIEW"),
                        ("review_resolution__isnull", True),
                        ("review_status", "PENDING"),
                    ),
                    models.Q(
                        ("card_status", "CONFIRMED"),
                        ("review_resolution__isnull", False),
                        ("review_status", "RESOLVED"),
                    ),
                    _connector="OR",
                ),
                name="card_review_resolved_or_not",
            ),
        ),
        migrations.AddConstraint(
            model_name="taskcard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("draft_at__isnull", True), ("draft_by__isnull", True), ("draft_payload_json__isnull", True)
                    ),
                    models.Q(
                        ("draft_at__isnull", False), ("draft_by__isnull", False), ("draft_payload_json__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="card_draft_by_and_at",
            ),
        ),
        migrations.RunPython(
            *guard(
                "reservations_ordertask",
                frozen=["id", "source_message_id", "order_ref", "order_context"],
                purgeable=["order_context"],
            )
        ),
        migrations.RunPython(fill_queue_keys, migrations.RunPython.noop),
        migrations.RunPython(grant_permissions, migrations.RunPython.noop),
    ]
