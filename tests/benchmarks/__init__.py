"""Speed, measured on PostgreSQL: `make bench`, or `python tests/pgtmp.py python -m tests.benchmarks`.

Reading order: `__main__` (what is measured), `timing` (how), `ingest`, `orders`, `cards` and `lists` (the work), `limits`
(the same rows by plain psycopg), `tests.servers` (a server process of our own), `table` (what is printed).
"""
