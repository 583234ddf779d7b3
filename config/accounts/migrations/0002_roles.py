"""The six roles as groups (R-77)."""

from django.db import migrations

ROLES = ("gateway", "agent", "reviewer", "lead", "auditor", "developer")


def make_roles(apps, schema_editor):
    groups = apps.get_model("auth", "Group").objects.using(schema_editor.connection.alias)
    for role in ROLES:
        groups.get_or_create(name=role)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial"), ("auth", "0012_alter_user_first_name_max_length")]
    operations = [migrations.RunPython(make_roles, migrations.RunPython.noop)]
