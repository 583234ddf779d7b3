"""Audit events are only ever added: the database refuses every change of a value, and DELETE. Leads and auditors read
them.

Every column is named, so that an UPDATE with the values that are there passes: a fixture that is loaded twice does that.
"""

from django.db import migrations

from config.accounts.roles import AUDITOR, LEAD, grant
from config.immutable import guard

COLUMNS = [
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


def grant_reading(apps, schema_editor):
    grant(
        apps,
        schema_editor.connection.alias,
        app_label="audit",
        model="auditevent",
        permissions={"view_auditevent": ("Can view audit event", (LEAD, AUDITOR))},
    )


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0001_initial"),
        ("accounts", "0002_roles"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [
        migrations.RunPython(*guard("audit_auditevent", frozen=COLUMNS)),
        migrations.RunPython(grant_reading, migrations.RunPython.noop),
    ]
