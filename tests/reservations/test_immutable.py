"""What is never changed is held by the database, on both engines (reservations.md section 1, R-35)."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import DatabaseError, connection, models, transaction

from config.audit.models import SEAL, AuditEvent
from reservations.models import AiTransition, OperaOperation, Submission, Task
from tests import factories
from tests.background import operation
from tests.reservations.domain.builders import MESSAGE_ID, event, package
from tests.reservations.services.desk import Desk

pytestmark = pytest.mark.django_db
OPERATION_COLUMNS = ("id", "task_id", "sequence", "external_id", "operation_id", "request_body")
FROZEN = [
    *[(AuditEvent, field.attname) for field in AuditEvent._meta.concrete_fields if field.attname not in SEAL],
    *[(AiTransition, field.attname) for field in AiTransition._meta.concrete_fields],
    *[(Submission, name) for name in ("payload", "canonical_sha256", "response", "outcome", "source_message_id")],
    *[(Task, name) for name in ("ai_payload_json", "ai_payload_sha256")],
    *[(OperaOperation, name) for name in OPERATION_COLUMNS],
]
GUARDED = [AuditEvent, AiTransition, Submission, Task, OperaOperation]
PURGEABLE = [
    (AiTransition, "event"),
    (Submission, "payload"),
    (Submission, "response"),
    (Task, "ai_payload_json"),
    (OperaOperation, "request_body"),
]


@pytest.fixture
def rows(hotel, agent):
    """One row of each, of a package that was taken."""
    factories.message(hotel, MESSAGE_ID)
    Desk(hotel, agent).post(package(event()))
    operation(Task.objects.get())


def other(value, field):
    """Another value of the same column."""
    if isinstance(value, UUID):
        return UUID(int=value.int ^ 1)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(field, models.DateTimeField):
        return (value or factories.NOON) + timedelta(seconds=1)
    return 7 if value is None and field.get_internal_type() != "TextField" else "changed"


def names(pairs):
    return [f"{model._meta.model_name}.{column}" for model, column in pairs]


def refused(change):
    with pytest.raises(DatabaseError), transaction.atomic():
        change()


@pytest.mark.parametrize(("model", "column"), FROZEN, ids=names(FROZEN))
def test_the_database_refuses_to_change(rows, model, column):
    row = model.objects.order_by("pk").last()
    field = next(field for field in model._meta.concrete_fields if field.attname == column)
    changed = other(getattr(row, column), field)
    refused(lambda: model.objects.filter(pk=row.pk).update(**{column: changed}))
    assert getattr(model.objects.get(pk=row.pk), column) == getattr(row, column)


@pytest.mark.parametrize("model", GUARDED)
def test_the_database_refuses_to_delete(rows, model):
    before = model.objects.count()
    refused(lambda: model.objects.all()._raw_delete(using="default"))
    assert model.objects.count() == before > 0


@pytest.mark.parametrize("model", GUARDED)
def test_the_database_refuses_to_replace(rows, model):
    if connection.vendor != "sqlite":
        pytest.skip("REPLACE is SQLite's")
    table = model._meta.db_table
    refused(lambda: run(f"REPLACE INTO {table} SELECT * FROM {table}"))


def run(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize(("model", "column"), PURGEABLE, ids=names(PURGEABLE))
def test_a_payload_text_may_be_emptied_and_stays_empty(rows, model, column):
    row, text = model.objects.get(), models.TextField()
    model.objects.filter(pk=row.pk).update(**{column: models.Value("", text)})
    refused(lambda: model.objects.filter(pk=row.pk).update(**{column: getattr(row, column)}))
    assert model.objects.values_list(models.functions.Cast(column, text), flat=True).get() == ""


@pytest.mark.parametrize(("model", "column"), [(Task, "ai_payload_sha256"), (Submission, "canonical_sha256")])
def test_a_hash_may_not_be_emptied(rows, model, column):
    refused(lambda: model.objects.update(**{column: ""}))


def test_what_people_do_with_a_task_may_change(rows):
    assert Task.objects.update(system_task_type="OTHER", version=2) == 1


def test_saving_a_row_as_it_stands_is_no_change(rows):
    AiTransition.objects.get().save()
    Task.objects.get().save()
    assert AiTransition.objects.count() == 1
