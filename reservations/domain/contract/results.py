"""Verdicts gathered into one judgement."""

from __future__ import annotations

from collections.abc import Sequence

from reservations.domain.contract.cards import make_card
from reservations.domain.contract.events import Accepted, Verdict
from reservations.domain.contract.verdicts import ContractFault, Generation, Intent, Judgement, RootKind


def business_judgement(generation: Generation, verdicts: Sequence[Verdict], intents: tuple[Intent, ...]) -> Judgement:
    """Cards and faults in array order, and the intents."""
    return Judgement(
        generation=generation,
        root_kind=RootKind.BUSINESS,
        cards=tuple(make_card(verdict) for verdict in verdicts if isinstance(verdict, Accepted)),
        faults=tuple(verdict for verdict in verdicts if isinstance(verdict, ContractFault)),
        intents=intents,
    )
