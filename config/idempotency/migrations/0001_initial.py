import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import config.jsonfield


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                ("scope", models.UUIDField(primary_key=True, serialize=False, verbose_name="scope")),
                ("method", models.CharField(max_length=8, verbose_name="method")),
                ("path", models.TextField(verbose_name="path")),
                ("key", models.CharField(max_length=255, verbose_name="key")),
                ("request_sha256", models.CharField(max_length=64, verbose_name="hash of the request")),
                ("holder", models.UUIDField(verbose_name="holder")),
                ("started_at", models.DateTimeField(verbose_name="started at")),
                ("status", models.PositiveSmallIntegerField(null=True, verbose_name="status")),
                ("headers", config.jsonfield.ExactJSONField(null=True, verbose_name="headers")),
                ("body", models.BinaryField(null=True, verbose_name="body")),
                (
                    "caller",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="caller",
                    ),
                ),
            ],
            options={
                "verbose_name": "idempotency key",
                "verbose_name_plural": "idempotency keys",
                "indexes": [models.Index(fields=["started_at"], name="idempotency_started")],
            },
        ),
    ]
