"""The sealer finds what is not sealed by itself; an object is found by its id alone."""

from django.db import migrations, models

from config.indexes import AddIndexBesideWrites, RemoveIndexBesideWrites


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("audit", "0003_seal")]
    operations = [
        AddIndexBesideWrites(
            model_name="auditevent",
            index=models.Index(fields=["tenant", "id"], condition=models.Q(position=None), name="audit_unsealed"),
        ),
        AddIndexBesideWrites(
            model_name="auditevent",
            index=models.Index(fields=["object_id", "object_type", "id"], name="audit_object_id"),
        ),
        RemoveIndexBesideWrites(model_name="auditevent", name="audit_object"),
    ]
