"""Leases that ran out are looked for every few seconds; few tasks are claimed at any time."""

from django.db import migrations, models

from config.indexes import AddIndexBesideWrites


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("reservations", "0005_decisions")]
    operations = [
        AddIndexBesideWrites(
            model_name="task",
            index=models.Index(
                fields=["claim_expires_at"],
                condition=models.Q(claim_expires_at__isnull=False),
                name="task_claim_ends",
            ),
        ),
    ]
