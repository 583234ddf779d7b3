"""The reservations desk: a mail comes in, an agent's package comes in, cards come out.

Reading order, from URL to row:

1. config/urls.py, reservations/api/urls.py       the path
2. reservations/api/views/ingest.py               the door: bytes in, summary out
3. reservations/services/ingest/                  one package, one transaction
4. reservations/domain/contract/                  identity, root, events: what the package is (pure)
5. reservations/domain/routing.py, parents.py     which of the routes an event takes (pure)
6. reservations/services/orders.py                which order each card belongs to
7. reservations/models/                           submissions, transitions, orders, tasks
8. reservations/selectors/, api/, admin/          how people and programs see them
9. reservations/services/writes.py, decisions.py  what a person does to a card; domain/fieldcontract/ says what it takes
10. reservations/services/execution.py, opera/    the calls a decided card leads to, made by a worker
"""
