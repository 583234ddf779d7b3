"""What an agent sent is never changed: the database refuses it (R-35). A purge may empty a payload text, nothing else."""

from django.db import migrations

from config.immutable import guard

EVENT_TEXT = ["event"]
TRANSITION_COLUMNS = [
    "id",
    "hotel_id",
    "submission_id",
    "source_message_id",
    "kind",
    "source_event_index",
    "array_index",
    "ai_result_type",
    "ai_task_type",
    "ai_task_subtype",
    "route_code",
    "system_process_category",
    "event",
    "event_sha256",
    "adapter_error_code",
    "adapter_error_message",
    "adapter_error_detail",
    "created_at",
]


class Migration(migrations.Migration):
    dependencies = [("reservations", "0001_initial")]
    operations = [
        migrations.RunPython(*guard("reservations_aitransition", frozen=TRANSITION_COLUMNS, purgeable=EVENT_TEXT)),
        migrations.RunPython(
            *guard(
                "reservations_submission",
                frozen=["payload", "canonical_sha256", "source_message_id", "response", "outcome"],
                purgeable=["payload", "response"],
            )
        ),
        migrations.RunPython(
            *guard("reservations_task", frozen=["ai_payload_json", "ai_payload_sha256"], purgeable=["ai_payload_json"])
        ),
    ]
