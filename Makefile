# Everything runs in .venv, made at need with pinned versions. `make help` lists the targets.

PYTHON ?= python3
WORKERS ?= 3

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input -qq
PYTEST := $(BIN)/python -m pytest
INSTALL_INPUTS := pyproject.toml constraints.txt engine/hatch_build.py

.DEFAULT_GOAL := help
.PHONY: help screenshots contrast demo install test test-failed soak lint format types check wheel clean

help:
	@echo 'make demo    open the workbench on a sample store (plays the story as text where there is no terminal)'
	@echo 'make test    the test suite'
	@echo 'make test-failed  those of it that failed last time, one after the other'
	@echo 'make soak    the races and kills at their full counts'
	@echo 'make lint    ruff, its formatter, and the direction of imports'
	@echo 'make types   mypy, strict'
	@echo 'make check   lint, types and test'
	@echo 'make format  let ruff rewrite what it can'
	@echo 'make screenshots  docs/screenshots/ from the running program'
	@echo 'make contrast  how well every text of every screen can be read in every theme'
	@echo 'make wheel   build dist/*.whl'
	@echo 'make clean   remove .venv and everything built'

demo: $(VENV)/.run
	@$(BIN)/tur-tui demo

install: $(VENV)/.dev

test: $(VENV)/.dev
	$(PYTEST) -n $(WORKERS) --dist loadfile

test-failed: $(VENV)/.dev
	$(PYTEST) --last-failed --last-failed-no-failures none -n 0

soak: $(VENV)/.dev
	$(PYTEST) -m soak

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.dev
	$(BIN)/mypy

check: lint types test

screenshots: $(VENV)/.dev
	$(BIN)/python tools/screenshots.py

contrast: $(VENV)/.dev
	$(BIN)/python tools/contrast.py

wheel: $(VENV)/.dev
	$(BIN)/python -m build --wheel --no-isolation

clean:
	rm -rf $(VENV) build dist .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find tur_tui engine tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# Two stamps: the demo installs what the program needs, the checks add their tools.
$(VENV)/.run: $(INSTALL_INPUTS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  found=$$($(PYTHON) -V 2>&1 || true); \
	  echo "tur-tui needs Python 3.11 or newer; $(PYTHON) says: $${found:-nothing}. Name another, for example: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo 'Making $(VENV)'; rm -rf $(VENV); $(PYTHON) -m venv $(VENV); }
	@echo 'Installing tur-tui and what it needs into $(VENV) (the first time all of it is fetched)'
	@$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	@echo 'Installing the tools of the checks into $(VENV)'
	@$(PIP) install -c constraints.txt -e '.[dev,serve]'
	@touch $@
