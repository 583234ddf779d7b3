"""The queue of an order is read by its key."""

from django.db import migrations, models

from config.indexes import AddIndexBesideWrites, RemoveIndexBesideWrites


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("reservations", "0007_order_tasks")]
    operations = [
        AddIndexBesideWrites(
            model_name="task",
            index=models.Index(fields=["order", "received_at", "queue_key"], name="task_queue_key"),
        ),
        RemoveIndexBesideWrites(model_name="task", name="task_queue"),
    ]
