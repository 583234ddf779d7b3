"""Audit events are only ever added: the database refuses UPDATE and DELETE. Leads and auditors read them."""

from django.db import migrations

from config.accounts.roles import AUDITOR, LEAD, grant
from config.immutable import guard


def grant_reading(apps, editor):
    grant(
        apps,
        editor.connection.alias,
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
        migrations.RunPython(*guard("audit_auditevent")),
        migrations.RunPython(grant_reading, migrations.RunPython.noop),
    ]
