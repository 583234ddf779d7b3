"""The field matrix as frozen values: which fields a card has, and which place a pointer means (R-24, R-31, R-32)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from reservations.domain import pointers
from reservations.domain.conditions import Condition, load_condition
from reservations.domain.jsonvalues import JsonValue

READONLY: Final = "readonly"
REVIEW_ONLY: Final = "manual_review_only"
STATIC_OPTIONS: Final = "static"
MAIL_ATTACHMENTS: Final = "source_message_attachments"
ROUTE_SUBTYPES: Final = "route_catalog_subtypes"
SUBTYPE_OF_TYPE: Final = "subtype_belongs_to_type"


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field of one card. Labels and hints are (English, Chinese)."""

    field_key: str
    order: int
    field_path: str
    field_pointer: str
    legacy_field_path: str | None
    label: tuple[str, str]
    data_type: str
    control_type: str
    edit_scope: str
    write_target: str
    options_source: str | None
    options: tuple[str, ...] | None
    raw_readonly: bool
    control_hint: tuple[str, str] | None
    required: bool
    required_group: str | None
    visible: bool
    display_condition: Condition | None
    path_aliases: tuple[str, ...]
    pointer_aliases: tuple[str, ...]
    derived_value: JsonValue
    minimum: int | None
    max_length: int | None
    connected: bool

    @property
    def editable(self) -> bool:
        """May a person give it a value? Not evidence, not a choice whose catalogue is not connected (R-32)."""
        return self.visible and self.connected and not self.raw_readonly and self.edit_scope != READONLY

    @property
    def pointer_spellings(self) -> tuple[str, ...]:
        """Every pointer that means this field: its own, its aliases, the legacy path."""
        legacy = (pointers.from_path(self.legacy_field_path),) if self.legacy_field_path else ()
        return (self.field_pointer, *self.pointer_aliases, *legacy)

    @property
    def path_spellings(self) -> tuple[str, ...]:
        """Every dotted path that means this field."""
        legacy = (self.legacy_field_path,) if self.legacy_field_path else ()
        return (self.field_path, *self.path_aliases, *legacy)


@dataclass(frozen=True, slots=True)
class RequiredGroup:
    """Fields of which at least one must have a value."""

    name: str
    rule: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DependencyCheck:
    """A rule between two fields, such as `date_before`: a lies before b."""

    rule: str
    a: str
    b: str


# The stay of an order context is in order as that of an event is, though the matrix has no line for it.
STAY_ORDER: Final = DependencyCheck("date_before", "order_context.arrival_date", "order_context.departure_date")


@dataclass(frozen=True, slots=True)
class FieldCard:
    """The fields of one type and subtype, in the order in which they are shown."""

    task_type: str
    task_subtype: str
    card: str
    title: tuple[str, str]
    result_types: tuple[str, ...]
    field_contract_version: str
    rows: tuple[FieldRow, ...]
    required_groups: tuple[RequiredGroup, ...]
    dependency_checks: tuple[DependencyCheck, ...]
    _by_pointer: Mapping[str, FieldRow] = field(init=False, repr=False, compare=False)
    _by_path: Mapping[str, FieldRow] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_pointer", _by_spelling((row, row.pointer_spellings) for row in self.rows))
        object.__setattr__(self, "_by_path", _by_spelling((row, row.path_spellings) for row in self.rows))

    @classmethod
    def without_rows(cls, task_type: str, task_subtype: str) -> FieldCard:
        """The card of what the matrix does not know: history of a retired route, a notice."""
        return cls(task_type, task_subtype, task_type, (task_type, task_type), (), "", (), (), ())

    def row_at(self, pointer: str) -> FieldRow | None:
        """The field a pointer means in any of its spellings."""
        return self._by_pointer.get(pointer)

    def row_of_path(self, path: str) -> FieldRow | None:
        """The field a dotted path means in any of its spellings."""
        return self._by_path.get(path)

    def editable_target(self, pointer: str) -> FieldRow | None:
        """The editable field a pointer means, shown or hidden by its condition; None if there is none."""
        row = self.row_at(pointer)
        return row if row is not None and row.editable else None

    @property
    def decision(self) -> tuple[FieldRow, FieldRow] | None:
        """The fields by which a person decides type and subtype, if the card has them (R-40)."""
        check = next((check for check in self.dependency_checks if check.rule == SUBTYPE_OF_TYPE), None)
        if check is None:
            return None
        task_type, task_subtype = self.row_of_path(check.b), self.row_of_path(check.a)
        return (task_type, task_subtype) if task_type is not None and task_subtype is not None else None

    @property
    def required_file(self) -> FieldRow | None:
        """The field by which this card must name files of the mail, if it has one."""
        return next((row for row in self.rows if row.required and row.options_source == MAIL_ATTACHMENTS), None)


def decided_card(asking: FieldCard, decided: FieldCard) -> FieldCard:
    """The card of a review whose type is decided (R-40): the decision, the decided card, what else the review has.

    No field stands twice; the decided card's row wins. Groups and checks of both hold.
    """
    decision = asking.decision or ()
    taken = {row.field_path for row in (*decision, *decided.rows)}
    rest = tuple(row for row in asking.rows if row.field_path not in taken)
    return replace(
        decided,
        rows=(*decision, *decided.rows, *rest),
        required_groups=(*asking.required_groups, *decided.required_groups),
        dependency_checks=(*asking.dependency_checks, *decided.dependency_checks),
    )


@dataclass(frozen=True, slots=True)
class CatalogOption:
    code: str
    label: tuple[str, str]
    active: bool


@dataclass(frozen=True, slots=True)
class OptionCatalog:
    """One catalogue of choices as the data file knows it; the rows people maintain are loaded from it."""

    name: str
    connected: bool
    dynamic: bool
    options: tuple[CatalogOption, ...]

    @property
    def is_kept(self) -> bool:
        """Do hotels keep its entries? Not before it is connected, nor where they depend on the mail or the card."""
        return self.connected and not self.dynamic


@dataclass(frozen=True, slots=True)
class FieldMatrix:
    """All cards, the Basic Information card, and the catalogues of choices."""

    version: str
    cards: tuple[FieldCard, ...]
    basic_information: FieldCard
    catalogs: Mapping[str, OptionCatalog]
    _by_pair: Mapping[tuple[str, str], FieldCard]

    def card(self, task_type: str, task_subtype: str) -> FieldCard | None:
        return self._by_pair.get((task_type, task_subtype))


def load_matrix(document: Mapping[str, Any]) -> FieldMatrix:
    """Build the frozen matrix from the parsed `field_matrix.json`. A key that is missing is a KeyError."""
    catalogs = {name: _option_catalog(name, row) for name, row in document["catalogs"].items()}
    cards = tuple(_card(row, catalogs) for row in document["cards"])
    return FieldMatrix(
        version=document["matrix_version"],
        cards=cards,
        basic_information=_basic_information(document["v4_basic_information"], catalogs),
        catalogs=MappingProxyType(catalogs),
        _by_pair=MappingProxyType({(card.task_type, card.task_subtype): card for card in cards}),
    )


def _option_catalog(name: str, row: Mapping[str, Any]) -> OptionCatalog:
    options = tuple(CatalogOption(item["code"], _bilingual(item), item["active"]) for item in row["items"])
    return OptionCatalog(name, row["connected"], "dynamic" in row, options)


def _bilingual(text: Mapping[str, Any]) -> tuple[str, str]:
    return (text["en"], text["zh"])


def _card(row: Mapping[str, Any], catalogs: Mapping[str, OptionCatalog]) -> FieldCard:
    groups = (
        RequiredGroup(name, group["rule"], tuple(group["fields"])) for name, group in row["required_groups"].items()
    )
    return FieldCard(
        task_type=row["task_type"],
        task_subtype=row["task_subtype"],
        card=row["card"],
        title=_bilingual(row["title"]),
        result_types=tuple(row["result_types"]),
        field_contract_version=row["field_contract_version"],
        rows=_rows(row["fields"], catalogs),
        required_groups=tuple(groups),
        dependency_checks=tuple(
            DependencyCheck(check["rule"], check["a"], check["b"]) for check in row["dependency_checks"]
        ),
    )


def _basic_information(row: Mapping[str, Any], catalogs: Mapping[str, OptionCatalog]) -> FieldCard:
    return FieldCard(
        task_type=row["card"],
        task_subtype="",
        card=row["card"],
        title=(row["card"], "基本信息"),
        result_types=(),
        field_contract_version=row["field_contract_version"],
        rows=_rows(row["fields"], catalogs),
        required_groups=(),
        dependency_checks=(STAY_ORDER,),
    )


def _by_spelling(rows: Iterable[tuple[FieldRow, tuple[str, ...]]]) -> Mapping[str, FieldRow]:
    return MappingProxyType({spelling: row for row, spellings in rows for spelling in spellings})


def _rows(documents: Iterable[Mapping[str, Any]], catalogs: Mapping[str, OptionCatalog]) -> tuple[FieldRow, ...]:
    return tuple(sorted((_row(document, catalogs) for document in documents), key=lambda row: row.order))


def _row(row: Mapping[str, Any], catalogs: Mapping[str, OptionCatalog]) -> FieldRow:
    source, options, hint = row["options_source"], row["options"], row["control_hint"]
    return FieldRow(
        field_key=row["field_key"],
        order=row["order"],
        field_path=row["field_path"],
        field_pointer=row["field_pointer"],
        legacy_field_path=row["legacy_field_path"],
        label=_bilingual(row["label"]),
        data_type=row["data_type"],
        control_type=row["control_type"],
        edit_scope=row["edit_scope"],
        write_target=row["write_target"],
        options_source=source,
        options=tuple(options) if options is not None else None,
        raw_readonly=row["raw_readonly"],
        control_hint=_bilingual(hint) if hint else None,
        required=row["required"],
        required_group=row["required_group"],
        visible=row["visible"],
        display_condition=load_condition(row["display_condition"]),
        path_aliases=tuple(row.get("path_aliases", ())),
        pointer_aliases=tuple(row.get("pointer_aliases", ())),
        derived_value=row.get("derived_value"),
        minimum=row.get("minimum"),
        max_length=row.get("max_length"),
        connected=source in (None, STATIC_OPTIONS) or (source in catalogs and catalogs[source].connected),
    )
