# The only commands: make check, test, audit, bench, docs. Each first sets up what it needs.
# Needed beforehand: git, make, and Python 3.11 or newer with venv (PYTHON=… names one, VENV=… another place than .venv).

SHELL := /bin/sh
VENV ?= .venv
RUN := $(VENV)/bin/
PACKAGE := $(VENV)/.package-installed
TOOLS := $(VENV)/.tools-installed

.PHONY: help check test audit bench docs

help:
	@sed -n '1,2s/^# //p' Makefile

check: $(TOOLS)
	$(RUN)ruff check .
	$(RUN)ruff format --check .
	$(RUN)mypy
	$(RUN)lint-imports
	UV=$(RUN)uv sh tools/lock.sh --check
	$(RUN)python -m tools.reference --check

test: $(TOOLS)
	@sh tools/system-packages.sh
	$(RUN)python -m pytest -n auto --maxprocesses 8

audit: $(PACKAGE)
	$(RUN)earned audit examples/trials --out build/audit

bench: $(TOOLS)
	$(RUN)python bench/run.py

docs: $(TOOLS)
	$(RUN)python -m tools.reference
	$(RUN)mkdocs build --strict --site-dir build/docs
	@echo "The site: build/docs/index.html"

$(PACKAGE): requirements/package.txt pyproject.toml tools/install.sh
	@sh tools/install.sh $(VENV) $<
	@touch $@

# The tools' list holds the package's own requirements too.
$(TOOLS): requirements/tools.txt pyproject.toml tools/install.sh
	@sh tools/install.sh $(VENV) $<
	@touch $(PACKAGE) $@
