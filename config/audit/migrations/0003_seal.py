"""Events get the columns of their seal. The database lets each be set once, and lets a purge empty what may hold
personal data; everything else of an event stays as it was written.

The old triggers go first: on SQLite they would not survive a table that is made anew.
"""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Coalesce

from config.immutable import guard

WRITTEN = [
    "id",
    "tenant_id",
    "actor_id",
    "door",
    "action",
    "object_type",
    "object_id",
    "before",
    "after",
    "reason",
    "request_id",
    "at",
]
SEAL = ["position", "previous_hash", "nonce", "content_sha256", "hash"]
PURGEABLE = ["before", "after", "reason", "nonce"]

install_old, remove_old = guard("audit_auditevent", frozen=WRITTEN)


class Migration(migrations.Migration):
    dependencies = [("audit", "0002_append_only")]
    operations = [
        migrations.RunPython(remove_old, install_old),
        migrations.AddField(
            model_name="auditevent",
            name="position",
            field=models.BigIntegerField(editable=False, null=True, serialize=False, verbose_name="position"),
        ),
        migrations.AddField(
            model_name="auditevent",
            name="previous_hash",
            field=models.CharField(
                editable=False, max_length=64, null=True, serialize=False, verbose_name="previous hash"
            ),
        ),
        migrations.AddField(
            model_name="auditevent",
            name="nonce",
            field=models.CharField(editable=False, max_length=32, null=True, serialize=False, verbose_name="nonce"),
        ),
        migrations.AddField(
            model_name="auditevent",
            name="content_sha256",
            field=models.CharField(
                editable=False, max_length=64, null=True, serialize=False, verbose_name="content hash"
            ),
        ),
        migrations.AddField(
            model_name="auditevent",
            name="hash",
            field=models.CharField(editable=False, max_length=64, null=True, serialize=False, verbose_name="hash"),
        ),
        migrations.RunPython(
            *guard("audit_auditevent", frozen=[*WRITTEN, *SEAL], purgeable=PURGEABLE, set_once=SEAL),
        ),
        migrations.CreateModel(
            name="AuditChain",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("length", models.BigIntegerField(default=0, verbose_name="length")),
                (
                    "head_hash",
                    models.CharField(default="0" * 64, max_length=64, verbose_name="hash of the last event"),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.tenant",
                        verbose_name="tenant",
                    ),
                ),
            ],
            options={
                "verbose_name": "audit chain",
                "verbose_name_plural": "audit chains",
                "default_permissions": (),
                "constraints": [models.UniqueConstraint(Coalesce("tenant", 0), name="audit_chain_once")],
            },
        ),
        migrations.RunPython(*guard("audit_auditchain", frozen=["id", "tenant_id"])),
    ]
