from django.apps import AppConfig


class IdempotencyConfig(AppConfig):
    name = "config.idempotency"
    label = "idempotency"
    verbose_name = "Idempotency keys"
