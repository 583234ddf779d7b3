from django.apps import AppConfig


class DeliveryConfig(AppConfig):
    name = "config.delivery"
    label = "delivery"
    verbose_name = "Delivery"
