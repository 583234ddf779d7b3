"""The declared shape of an ingest: what goes in is a package of one of the generations, what comes out the summary."""

from __future__ import annotations

from rest_framework import serializers


class TaskLineSerializer(serializers.Serializer):
    """A card that was made, or had been made for this index before."""

    task_id = serializers.CharField()
    source_event_index = serializers.IntegerField(min_value=1)
    route_code = serializers.CharField()
    result_type = serializers.CharField()
    ai_task_type = serializers.CharField()
    ai_task_subtype = serializers.CharField()
    task_status = serializers.CharField()
    review_status = serializers.CharField(allow_null=True)
    order_id = serializers.CharField()
    order_task_id = serializers.CharField(allow_null=True)


class OrderTaskLineSerializer(serializers.Serializer):
    order_task_id = serializers.CharField()
    order_ref = serializers.CharField()
    order_context_index = serializers.IntegerField(min_value=0)


class NoticeLineSerializer(serializers.Serializer):
    route_code = serializers.CharField(help_text="As received: S10, S99, S000 or S999.")
    route_display_code = serializers.CharField()
    task_id = serializers.CharField(allow_null=True)
    notification_id = serializers.CharField(allow_null=True)


class ContractErrorLineSerializer(serializers.Serializer):
    source_event_index = serializers.IntegerField(min_value=0, help_text="0: the whole package, or the notice.")
    adapter_error_code = serializers.CharField()
    adapter_error_message = serializers.CharField()
    adapter_error_detail = serializers.CharField(
        allow_blank=True, help_text="Which key or what exactly is wrong, without any value of the mail."
    )
    transition_id = serializers.CharField()


class SummarySerializer(serializers.Serializer):
    """The verdict on every event of the package."""

    accepted = serializers.BooleanField()
    generation = serializers.CharField()
    submission_id = serializers.CharField()
    source_message_id = serializers.CharField()
    replayed = serializers.BooleanField(help_text="True: this package was taken before; nothing new was written.")
    tasks = TaskLineSerializer(many=True)
    order_tasks = OrderTaskLineSerializer(many=True)
    notices = NoticeLineSerializer(many=True)
    adapter_contract_errors = ContractErrorLineSerializer(many=True)
    unhandled_intents = serializers.IntegerField(min_value=0)


class InputErrorSerializer(serializers.Serializer):
    """The one refusal that is no problem document: the package names no source message."""

    result_type = serializers.CharField()
    error_code = serializers.CharField()
    retryable = serializers.BooleanField()
    missing_fields = serializers.ListField(child=serializers.CharField())
