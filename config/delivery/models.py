"""Work that leaves the house: an abstract row with its attempts, when it is due, its lease and its last error."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Delivery(models.Model):
    """One piece of work that is tried until it is settled.

    `next_try_at` says when somebody may take it; null: there is nothing to do. Taking it moves that moment to the end
    of the lease, so work whose worker was killed becomes due again by itself. `lease_token` tells the present attempt
    from one that was overtaken.
    """

    attempt_task: ClassVar[str]  # dotted path of the background task that makes one attempt, given the row's key

    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_try_at = models.DateTimeField(_("next try"), null=True)
    lease_token = models.UUIDField(_("lease"), null=True, editable=False)
    last_error = models.CharField(_("last error"), max_length=200, blank=True)

    class Meta:
        abstract = True
