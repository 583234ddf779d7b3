"""`python -m tests.benchmarks [--large]`: measure, and print one table. Needs DATABASE_URL to name a PostgreSQL."""

# ruff: noqa: E402  # models can be imported once Django is set up

from __future__ import annotations

import argparse
import os
import secrets

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.update(SECRET_KEY=secrets.token_urlsafe(64), HTTPS="false", DEBUG="false", LOG_LEVEL="ERROR")

import django

django.setup()

from django.db import connection

from tests.benchmarks import cards, ingest, limits, lists, orders
from tests.benchmarks.desk import fill, open_desk
from tests.benchmarks.table import Table
from tests.servers import serving

SMALL = 10_000
ROUNDS = 150
LIST_ROUNDS = 100
FOOT = """\
p50: median of runs that took turns with the limit beside it, after a warm-up. CPU: of Python and of PostgreSQL for it,
mean of a run. x limit: how many times the limit; aim: must, stretch.
Everything ran on one machine and one PostgreSQL; where `make bench` starts it, with fsync, full_page_writes and
synchronous_commit off, for both sides alike."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("--large", action="store_true", help="compare with 1,000,000 tasks instead of 200,000")
    size = 1_000_000 if parser.parse_args().large else 200_000
    if connection.vendor != "postgresql":
        raise SystemExit("The benchmarks need PostgreSQL: python tests/pgtmp.py python -m tests.benchmarks")
    plain_name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        measure(size).print(FOOT)
    finally:
        connection.creation.destroy_test_db(plain_name, verbosity=0)


def measure(size: int) -> Table:
    table, desk = Table(), open_desk()
    fill(desk, SMALL)
    with limits.connect() as raw, serving(LOG_LEVEL="INFO") as served:
        raw.rollback()
        ingest.measure_package(table, desk, raw, served, rounds=ROUNDS)
        ingest.measure_sizes(table, desk, rounds=16)
        orders.measure_package(table, desk, raw, served, rounds=ROUNDS)
        orders.fill_order_tasks(desk)
        cards.measure_decisions(table, desk, raw, served, rounds=ROUNDS)
        cards.measure_sealing(table)
        small = lists.measure_lists(desk, raw, served, rounds=LIST_ROUNDS)
        small_card = cards.measure_detail(desk, raw, served, rounds=LIST_ROUNDS)
        small_workbench = orders.measure_workbench(desk, raw, served, rounds=LIST_ROUNDS)
        ingest.measure_growth(table, desk, raw, lambda: fill(desk, size), rounds=ROUNDS // 2)
        large = lists.measure_lists(desk, raw, served, rounds=LIST_ROUNDS)
        lists.report(table, desk, small, SMALL, large)
        large_card = cards.measure_detail(desk, raw, served, rounds=LIST_ROUNDS)
        cards.report_detail(table, desk, small_card, SMALL, large_card)
        orders.fill_order_tasks(desk, SMALL + 1)
        large_workbench = orders.measure_workbench(desk, raw, served, rounds=LIST_ROUNDS)
        orders.report_workbench(table, desk, small_workbench, SMALL, large_workbench)
    return table


if __name__ == "__main__":
    main()
