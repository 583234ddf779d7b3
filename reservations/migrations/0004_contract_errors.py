"""Contract errors are few among all verdicts: their list and their count on the start page find them by themselves."""

from django.db import migrations, models

from config.indexes import AddIndexBesideWrites


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("reservations", "0003_role_permissions")]
    operations = [
        AddIndexBesideWrites(
            model_name="aitransition",
            index=models.Index(
                fields=["hotel", "created_at", "id"],
                condition=models.Q(kind="adapter_contract_error"),
                name="transition_contract_errors",
            ),
        ),
    ]
