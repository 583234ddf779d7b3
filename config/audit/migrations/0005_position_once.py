"""Each position of a chain is given once. All positions are NULL when this is made, so it cannot fail."""

from django.db import migrations, models

from config.indexes import AddUniqueBesideWrites


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("audit", "0004_seal_indexes")]
    operations = [
        AddUniqueBesideWrites(
            model_name="auditevent",
            constraint=models.UniqueConstraint(
                fields=["tenant", "position"],
                condition=models.Q(tenant__isnull=False, position__isnull=False),
                name="audit_position_of_tenant_once",
            ),
        ),
        AddUniqueBesideWrites(
            model_name="auditevent",
            constraint=models.UniqueConstraint(
                fields=["position"],
                condition=models.Q(tenant__isnull=True, position__isnull=False),
                name="audit_position_of_no_tenant_once",
            ),
        ),
    ]
