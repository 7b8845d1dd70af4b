# Every verb sets up what it needs in .venv and leaves the rest of the machine alone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-pandas2 check lint types layers docs linkcheck format clean

demo: $(VENV)/.irpref
	$(BIN)/irpref demo

# By file: the blocks of a page of the documentation go on from each other.
test: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist loadfile

# The adapters and all that makes frames, with the pandas before the newest.
test-pandas2: $(VENV)-pandas2/.test
	$(VENV)-pandas2/bin/python -m pytest -n auto --dist loadfile tests/adapters/ir_measures \
		tests/adapters/pyterrier tests/adapters/ranx/test_convert.py tests/read \
		tests/test_comparison.py tests/test_testing.py tests/test_challenge.py

check: lint types layers docs

lint: $(VENV)/.check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.check
	$(BIN)/mypy

layers: $(VENV)/.check
	$(BIN)/lint-imports

# From scratch: pages of names that are gone would stay.
docs: $(VENV)/.docs
	rm -rf site docs/reference
	$(BIN)/sphinx-build -n -W --keep-going -q -d build/doctrees docs site

linkcheck: $(VENV)/.docs
	$(BIN)/sphinx-build -n -W --keep-going -q -d build/doctrees -b linkcheck docs build/linkcheck

format: $(VENV)/.check
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) $(VENV)-pandas2 build dist site docs/reference .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.irpref: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[all,test]"
	touch $@

$(VENV)-pandas2/.test: pyproject.toml
	$(PYTHON) -m venv $(VENV)-pandas2
	$(VENV)-pandas2/bin/python -m pip install --quiet --disable-pip-version-check -e ".[all,test]" "pandas<3"
	touch $@

$(VENV)/.check: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[all,test,check]"
	touch $@

$(VENV)/.docs: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[all,docs]"
	touch $@
