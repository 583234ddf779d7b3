"""The queue's own page is not offered: what people follow is the work itself, not the rows that carry it to a worker."""

from __future__ import annotations

import django_tasks_db.admin  # noqa: F401  # registers a page that is taken away below
from django.contrib import admin
from django_tasks_db.models import DBTaskResult

admin.site.unregister(DBTaskResult)
