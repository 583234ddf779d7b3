"""Rows, constraints, named transitions."""

from reservations.models.cards import (
    CardKind,
    CardStatusChoice,
    OrderTask,
    OrderTaskStatusChoice,
    SourceNotification,
    TaskCard,
)
from reservations.models.catalog import CatalogEntry, Route, RouteStatus
from reservations.models.hotels import Hotel
from reservations.models.inbox import Attachment, SourceMessage
from reservations.models.operations import (
    OperaOperation,
    OperationStatus,
    SimulatedCall,
    SimulatedOutcome,
    SimulatorScript,
)
from reservations.models.orders import Order, OrderKindChoice, OrderStatus
from reservations.models.submissions import (
    AdapterContractError,
    AiTransition,
    Submission,
    SubmissionOutcome,
    TransitionKind,
)
from reservations.models.tasks import ReviewStatusChoice, Task, TaskStatusChoice

__all__ = [
    "AdapterContractError",
    "AiTransition",
    "Attachment",
    "CardKind",
    "CardStatusChoice",
    "CatalogEntry",
    "Hotel",
    "OperaOperation",
    "OperationStatus",
    "Order",
    "OrderKindChoice",
    "OrderStatus",
    "OrderTask",
    "OrderTaskStatusChoice",
    "ReviewStatusChoice",
    "Route",
    "RouteStatus",
    "SimulatedCall",
    "SimulatedOutcome",
    "SimulatorScript",
    "SourceMessage",
    "SourceNotification",
    "Submission",
    "SubmissionOutcome",
    "Task",
    "TaskCard",
    "TaskStatusChoice",
    "TransitionKind",
]
