"""Tasks: a row of the list, and the whole card."""

from reservations.api.serializers.tasks.details import TaskSerializer
from reservations.api.serializers.tasks.rows import TaskRowSerializer

__all__ = ["TaskRowSerializer", "TaskSerializer"]
