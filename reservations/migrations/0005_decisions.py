"""Decisions on cards, how they end, and the operations they lead to.

Constraints make SQLite build the table of tasks anew, and its triggers go with the old one: they are put back.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import config.jsonfield
import reservations.models.ids
from config.accounts.roles import LEAD, READERS, grant
from config.immutable import guard

keep_payloads, let_payloads_go = guard(
    "reservations_task", frozen=["ai_payload_json", "ai_payload_sha256"], purgeable=["ai_payload_json"]
)


def grant_permissions(apps, schema_editor):
    alias = schema_editor.connection.alias
    grant(
        apps,
        alias,
        app_label="reservations",
        model="operaoperation",
        permissions={"view_operaoperation": ("Can view OPERA operation", READERS)},
    )
    grant(
        apps,
        alias,
        app_label="reservations",
        model="task",
        permissions={"take_over_task": ("Can take tasks over from others", (LEAD,))},
    )


class Migration(migrations.Migration):
    dependencies = [
        ("reservations", "0004_rare_verdicts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(let_payloads_go, keep_payloads),
        migrations.CreateModel(
            name="OperaOperation",
            fields=[
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                ("next_try_at", models.DateTimeField(null=True, verbose_name="next try")),
                ("lease_token", models.UUIDField(editable=False, null=True, verbose_name="lease")),
                ("last_error", models.CharField(blank=True, max_length=200, verbose_name="last error")),
                (
                    "id",
                    models.UUIDField(
                        default=reservations.models.ids.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("sequence", models.PositiveSmallIntegerField(verbose_name="sequence")),
                ("external_id", models.CharField(max_length=64, unique=True, verbose_name="external id")),
                ("operation_id", models.CharField(max_length=64, verbose_name="operation")),
                ("role", models.CharField(max_length=16, verbose_name="role")),
                ("spec", models.CharField(max_length=16, verbose_name="specification")),
                ("method", models.CharField(max_length=8, verbose_name="method")),
                ("path", models.CharField(max_length=200, verbose_name="path")),
                ("body_schema", models.CharField(max_length=64, null=True, verbose_name="body")),
                ("request_body", config.jsonfield.ExactJSONField(null=True, verbose_name="request body")),
                ("dry_run", config.jsonfield.ExactJSONField(verbose_name="dry run")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("PENDING", "Pending"),
                            ("SENDING", "Sending"),
                            ("SUCCEEDED", "Succeeded"),
                            ("FAILED", "Failed"),
                            ("UNKNOWN", "Unknown"),
                        ],
                        default="PENDING",
                        max_length=16,
                        verbose_name="status",
                    ),
                ),
                ("receipt", config.jsonfield.ExactJSONField(null=True, verbose_name="receipt")),
                ("created_at", models.DateTimeField(verbose_name="created at")),
                ("finished_at", models.DateTimeField(null=True, verbose_name="finished at")),
            ],
            options={
                "verbose_name": "OPERA operation",
                "verbose_name_plural": "OPERA operations",
            },
        ),
        migrations.CreateModel(
            name="SimulatedCall",
            fields=[
                (
                    "external_id",
                    models.CharField(max_length=64, primary_key=True, serialize=False, verbose_name="external id"),
                ),
                ("operation_id", models.CharField(max_length=64, verbose_name="operation")),
                ("hotel_code", models.CharField(max_length=64, verbose_name="hotel")),
                ("body", config.jsonfield.ExactJSONField(null=True, verbose_name="body")),
                ("answer", config.jsonfield.ExactJSONField(verbose_name="answer")),
                ("times_received", models.PositiveIntegerField(default=1, verbose_name="times received")),
                ("received_at", models.DateTimeField(verbose_name="received at")),
            ],
            options={
                "verbose_name": "call the simulated PMS received",
                "verbose_name_plural": "calls the simulated PMS received",
            },
        ),
        migrations.CreateModel(
            name="SimulatorScript",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("operation_id", models.CharField(blank=True, max_length=64, verbose_name="operation")),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("refusal", "Refused"),
                            ("timeout", "Timed out, nothing done"),
                            ("lost_answer", "Done, the answer was lost"),
                            ("unavailable", "Could not be reached"),
                        ],
                        max_length=16,
                        verbose_name="outcome",
                    ),
                ),
                ("remaining", models.PositiveIntegerField(null=True, verbose_name="remaining")),
            ],
            options={
                "verbose_name": "simulator script",
                "verbose_name_plural": "simulator scripts",
            },
        ),
        migrations.AlterModelOptions(
            name="task",
            options={
                "permissions": [
                    ("decide_task", "Can claim, draft, confirm, resolve and terminate tasks"),
                    ("take_over_task", "Can take tasks over from others"),
                ],
                "verbose_name": "task",
                "verbose_name_plural": "tasks",
            },
        ),
        migrations.AddField(
            model_name="task",
            name="terminated_at",
            field=models.DateTimeField(null=True, verbose_name="terminated at"),
        ),
        migrations.AddField(
            model_name="task",
            name="terminated_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="terminated by",
            ),
        ),
        migrations.AddField(
            model_name="task",
            name="termination_reason",
            field=models.TextField(null=True, verbose_name="reason of the termination"),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("confirmed_payload_json__isnull", True),
                        ("decided_by__isnull", True),
                        ("task_status__in", ("PENDING_CONFIRM", "PENDING_REVIEW", "NOTICE")),
                    ),
                    models.Q(
                        ("confirmed_payload_json__isnull", False),
                        ("decided_by__isnull", False),
                        ("task_status__in", ("READY", "EXECUTING", "FAILED", "DONE")),
                    ),
                    ("task_status", "TERMINATED"),
                    _connector="OR",
                ),
                name="task_decided_with_payload",
            ),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("task_status__in", ("READY", "EXECUTING", "FAILED", "DONE")), _negated=True),
                    ("review_status__isnull", True),
                    ("review_status", "RESOLVED"),
                    _connector="OR",
                ),
                name="task_decided_is_resolved",
            ),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("task_status", "TERMINATED"),
                        ("terminated_at__isnull", False),
                        ("terminated_by__isnull", False),
                        ("termination_reason__isnull", False),
                    ),
                    models.Q(
                        models.Q(("task_status", "TERMINATED"), _negated=True),
                        ("terminated_at__isnull", True),
                        ("terminated_by__isnull", True),
                        ("termination_reason__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="task_terminated_by_and_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("acknowledged_at__isnull", True), ("acknowledged_by__isnull", True)),
                    models.Q(
                        ("acknowledged_at__isnull", False),
                        ("acknowledged_by__isnull", False),
                        ("task_status", "NOTICE"),
                    ),
                    _connector="OR",
                ),
                name="task_acknowledged_by_and_at",
            ),
        ),
        migrations.AddField(
            model_name="operaoperation",
            name="hotel",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="reservations.hotel",
                verbose_name="hotel",
            ),
        ),
        migrations.AddField(
            model_name="operaoperation",
            name="task",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="operations",
                to="reservations.task",
                verbose_name="task",
            ),
        ),
        migrations.AddField(
            model_name="simulatorscript",
            name="hotel",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="reservations.hotel",
                verbose_name="hotel",
            ),
        ),
        migrations.AddIndex(
            model_name="operaoperation",
            index=models.Index(
                condition=models.Q(("next_try_at__isnull", False)), fields=["next_try_at"], name="operation_due"
            ),
        ),
        migrations.AddIndex(
            model_name="operaoperation",
            index=models.Index(fields=["hotel", "created_at", "id"], name="operation_hotel_list"),
        ),
        migrations.AddConstraint(
            model_name="operaoperation",
            constraint=models.UniqueConstraint(fields=("task", "sequence"), name="operation_once_per_place"),
        ),
        migrations.AddConstraint(
            model_name="operaoperation",
            constraint=models.CheckConstraint(
                condition=models.Q(("sequence__in", (1, 2))), name="operation_first_or_second"
            ),
        ),
        migrations.AddConstraint(
            model_name="operaoperation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("finished_at__isnull", False),
                        ("next_try_at__isnull", True),
                        ("status__in", ("SUCCEEDED", "FAILED")),
                    ),
                    models.Q(
                        models.Q(("status__in", ("SUCCEEDED", "FAILED")), _negated=True), ("finished_at__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="operation_finished_or_not",
            ),
        ),
        migrations.RunPython(keep_payloads, let_payloads_go),
        migrations.RunPython(
            *guard(
                "reservations_operaoperation",
                frozen=["id", "task_id", "sequence", "external_id", "operation_id", "request_body"],
                purgeable=["request_body"],
            )
        ),
        migrations.RunPython(grant_permissions, migrations.RunPython.noop),
    ]
