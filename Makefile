# Countersign. `make` lists the targets; `make run` and `make test` need nothing but Python 3.11 or later.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help setup run test lint bench lock clean

# The first that runs and is new enough builds the environment; `make setup PYTHON=...` chooses another.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3.11 python3 python3.14 python3.13 python3.12; do \
	$$p -c '$(NEW_ENOUGH)' 2>/dev/null && { echo $$p; break; }; done)
PY := .venv/bin/python
PORT ?= 8000
UV ?= uv==0.13.9

# Commands of `make lint` see the settings of the tests; the deployment checks see those of a server.
MANAGE = DJANGO_SETTINGS_MODULE=config.settings_test $(PY) manage.py
AS_DEPLOYED = SECRET_KEY=$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(64))') HTTPS=true DEBUG=false DEMO=false

# Whatever the environment or .env say about the database.
ON_SQLITE = DATABASE_URL='sqlite:///$(CURDIR)/var/db.sqlite3'

# What `make test` runs: PYTEST_ARGS goes to every run, BROWSER_DATABASES names where the browser tests run.
PYTEST_ARGS ?= -q -m "not slow"
SIDE_BY_SIDE ?= -n auto --dist loadgroup
BROWSER_DATABASES ?= sqlite
CHROMIUM = $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST)

setup: ## build .venv and install the pinned dependencies
	@test -n '$(PYTHON)' || { \
		echo 'No Python 3.11 or later found. Install one, or name it: make $@ PYTHON=/path/to/python3'; exit 1; }
	@$(PY) -c '$(NEW_ENOUGH); import pip' 2>/dev/null || { \
		$(PYTHON) -c '$(NEW_ENOUGH)' || { echo '$(PYTHON) is older than Python 3.11. Name another: PYTHON='; exit 1; }; \
		$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
			echo '$(PYTHON) has no venv module. On Debian or Ubuntu: apt-get install python3-venv'; \
			echo '(python3.11-venv for python3.11), or name another interpreter: PYTHON='; exit 1; }; \
		echo 'Building .venv with $(PYTHON)'; \
		$(PYTHON) -m venv --clear .venv; }
	@cmp -s requirements-dev.txt .venv/installed.txt || { \
		echo 'Installing the pinned dependencies into .venv (about a minute)'; \
		$(PY) -m pip install --quiet --disable-pip-version-check --no-input --root-user-action=ignore \
			--only-binary :all: --require-hashes -r requirements-dev.txt && \
		cp requirements-dev.txt .venv/installed.txt; }

run: setup ## serve the demo on 127.0.0.1 (PORT=8000); Ctrl-C stops everything
	@$(PY) -m config.demo_env
	@$(PY) manage.py serve --port $(PORT)

test: setup ## the whole suite on SQLite and on PostgreSQL, then the browser tests
	$(ON_SQLITE) $(PY) -m pytest $(SIDE_BY_SIDE) $(PYTEST_ARGS)
	$(PY) tests/pgtmp.py $(PY) -m pytest $(SIDE_BY_SIDE) $(PYTEST_ARGS)
ifneq ($(CHROMIUM)$(REQUIRE_BROWSER),)
ifneq ($(filter postgres,$(BROWSER_DATABASES)),)
	$(PY) tests/pgtmp.py $(PY) -m pytest $(PYTEST_ARGS) tests/browser
endif
ifneq ($(filter sqlite,$(BROWSER_DATABASES)),)
	$(ON_SQLITE) $(PY) -m pytest $(PYTEST_ARGS) tests/browser
endif
else
	@echo 'The browser tests were SKIPPED: no chromium on the PATH. All other tests passed.'
endif

lint: setup ## style, types, layers, migrations, deployment checks, generated files
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -c 'from importlinter.cli import lint_imports_command as lint; lint()'
	$(MANAGE) makemigrations --check --dry-run
	$(PY) tests/pgtmp.py env $(MANAGE) lintmigrations
	$(AS_DEPLOYED) $(MANAGE) check --deploy --fail-level WARNING --settings config.settings
	$(MANAGE) spectacular --validate --fail-on-warn --file /dev/null
	$(MANAGE) write_docs --check
	$(PY) -m pytest -q tests/test_requirements.py

bench: setup ## measure on PostgreSQL and print the table
	$(PY) tests/pgtmp.py $(PY) -m tests.benchmarks

lock: setup ## compile the requirement files from pyproject.toml, with hashes and without addresses
	@uv=.venv/bin/uv; test -x $$uv || { \
		scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && $(PY) -m venv "$$scratch" && \
		"$$scratch/bin/python" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore '$(UV)' && \
		uv=$$scratch/bin/uv; } && \
	compile="$$uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate" && \
	$$compile pyproject.toml -o requirements.txt && \
	$$compile pyproject.toml --group dev -o requirements-dev.txt
	$(PY) -m pytest -q tests/test_requirements.py

clean: ## remove caches and what tests left; keeps .venv, .env and var
	rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .schemathesis test-results
	rm -rf var/test-*
	find . -name __pycache__ -type d -not -path './.venv/*' -prune -exec rm -rf {} +
