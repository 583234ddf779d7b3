"""Tasks: a row of the list, the whole card, and what people do with it."""

from reservations.api.serializers.tasks.details import TaskSerializer
from reservations.api.serializers.tasks.rows import TaskRowSerializer
from reservations.api.serializers.tasks.writes import OperationListSerializer

__all__ = ["OperationListSerializer", "TaskRowSerializer", "TaskSerializer"]
