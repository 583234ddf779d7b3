"""Contract errors and unhandled intents are few among all verdicts: their lists and counts find them by themselves."""

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
        AddIndexBesideWrites(
            model_name="aitransition",
            index=models.Index(
                fields=["hotel", "created_at", "id"],
                condition=models.Q(kind="UNHANDLED_CURRENT_INTENT"),
                name="transition_unhandled",
            ),
        ),
    ]
