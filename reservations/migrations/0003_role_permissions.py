"""What each role may do at the reservations desk (R-67, R-77)."""

from django.db import migrations

from config.accounts.roles import AGENT, GATEWAY, LEAD, READERS, REVIEWER, grant

READABLE = (
    "hotel",
    "sourcemessage",
    "attachment",
    "submission",
    "aitransition",
    "adaptercontracterror",
    "route",
    "order",
    "task",
    "catalogentry",
)
DOORS = {
    "sourcemessage": {"add_sourcemessage": ("Can add source message", (GATEWAY,))},
    "submission": {"ingest_package": ("Can submit packages of an agent", (AGENT,))},
    "task": {"decide_task": ("Can claim, draft, confirm, resolve and terminate tasks", (REVIEWER, LEAD))},
}
NAMES = {
    "sourcemessage": "source message",
    "aitransition": "transition",
    "adaptercontracterror": "contract error",
    "catalogentry": "catalogue entry",
}


def grant_permissions(apps, schema_editor):
    alias = schema_editor.connection.alias
    for model in READABLE:
        permissions = {f"view_{model}": (f"Can view {NAMES.get(model, model)}", READERS)}
        grant(apps, alias, app_label="reservations", model=model, permissions=permissions | DOORS.get(model, {}))


class Migration(migrations.Migration):
    dependencies = [("reservations", "0002_immutable"), ("accounts", "0002_roles")]
    operations = [migrations.RunPython(grant_permissions, migrations.RunPython.noop)]
