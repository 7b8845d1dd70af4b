# Every verb sets up what it needs in .venv and leaves the rest of the machine alone.
PYTHON ?= python3
OLDEST_PYTHON ?= python3.10
VENV := .venv
BIN := $(VENV)/bin
PIP := python -m pip install --quiet --disable-pip-version-check
UV = uv pip install --quiet --python $(dir $@)bin/python

.PHONY: demo test test-slow fuzz test-oldest test-lenskit wheel readme hosts studies check lint types layers docs linkcheck format clean

demo: $(VENV)/.irpref
	$(BIN)/irpref demo

# By file: the blocks of a page of the documentation go on from each other. The tests of the built site
# come with its build: make docs.
PYTEST := python -m pytest -n auto --dist loadfile --ignore=tests/docs

# Five minutes on two processors.
test: $(VENV)/.test
	$(BIN)/$(PYTEST) -m "not slow"

# Four and a half more: what opens a browser, starts processes, has ranx compiled, or reads whole collections.
test-slow: $(VENV)/.test
	$(BIN)/$(PYTEST) -m slow

# Files and frames at random, of new seeds, for so many minutes; the first that fails is shown, made small.
# IN=.venv-oldest takes the oldest Python and the oldest of everything.
MINUTES ?= 10
IN ?= $(VENV)
fuzz: $(IN)/.test
	end=$$(($$(date +%s) + 60 * $(MINUTES))); while [ $$(date +%s) -lt $$end ]; do \
	  seed=$$(date +%s); echo "seed $$seed"; \
	  IRPREF_FUZZ=1 $(IN)/bin/python -m pytest -q -n auto tests/fuzz --hypothesis-seed=$$seed || exit 1; \
	done

# With the oldest Python and the oldest of everything that pyproject.toml allows.
test-oldest: $(VENV)-oldest/.test
	$(VENV)-oldest/bin/$(PYTEST) -m "not slow" tests

# LensKit brings PyTorch, so it has environments of its own: with the oldest of everything that pyproject.toml
# allows, and with the newest. PyTorch is installed first, as TORCH says: a build for the CPU only spares
# gigabytes, such as TORCH="torch --index-url https://download.pytorch.org/whl/cpu".
TORCH ?= torch
LENSKIT_OLDEST_PYTHON ?= python3.11
LENSKIT_PYTHON ?= $(PYTHON)
LENSKIT := adapters/irpref_lenskit tests/adapters/lenskit docs/lenskit.md
test-lenskit: $(VENV)-lenskit-oldest/.test $(VENV)-lenskit/.test
	$(VENV)-lenskit-oldest/bin/python -m pytest -q $(LENSKIT)
	$(VENV)-lenskit/bin/python -m pytest -q $(LENSKIT)

# What is released, wheel and sdist: each is installed without extras into an environment of its own, and tried
# away from the checkout. The wheel is built from the sdist, and pip has kept what it built of the last one.
# Twine comes last: it brings rich, which irpref itself must ask for.
define try
cd / && $(CURDIR)/$(VENV)-wheel/bin/irpref demo > /dev/null
cd scripts/wheel && ../../$(VENV)-wheel/bin/python -m pytest -p no:cacheprovider --noconftest --config-file=/dev/null --rootdir=.
endef

wheel:
	rm -rf dist $(VENV)-wheel
	$(PYTHON) -m venv $(VENV)-wheel
	$(VENV)-wheel/bin/$(PIP) build hatchling pytest
	$(VENV)-wheel/bin/python -m build --no-isolation --outdir dist . > /dev/null
	$(VENV)-wheel/bin/$(PIP) dist/*.whl
	$(try)
	$(VENV)-wheel/bin/$(PIP) --force-reinstall --no-deps --no-cache-dir --no-build-isolation --no-index --find-links dist --no-binary irpref irpref
	$(try)
	$(VENV)-wheel/bin/$(PIP) twine
	$(VENV)-wheel/bin/twine check --strict dist/*

# README's commands, typed in their order; what pip installs is a fresh clone.
readme:
	$(PYTHON) scripts/follow_readme.py

# The tests of ir_measures, PyTerrier and ranx, without and with irpref's adapters; HOSTS is a folder with
# checkouts of them (pip finds the tests of ir_measures only).
hosts: $(VENV)-hosts/.hosts
	$(VENV)-hosts/bin/python tests/hosts/run.py $(HOSTS)

# What the papers' experiments find on the collections in a folder, for docs/what-papers-found.md. SEEDS=4
# judges the claims under seeds 1 to 4 instead, to see which verdicts change: as long again for each.
DATA ?= ../shared/data
studies: $(VENV)/.test
	$(BIN)/python scripts/studies.py $(DATA) $(if $(SEEDS),--seeds $(SEEDS))

check: lint types layers docs

lint: $(VENV)/.check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.check
	$(BIN)/mypy
	$(BIN)/mypy scripts/*.py

layers: $(VENV)/.check
	$(BIN)/lint-imports

# From scratch: pages of names that are gone would stay.
docs: $(VENV)/.check
	rm -rf site docs/reference
	$(BIN)/sphinx-build -n -W --keep-going -q -d build/doctrees docs site
	IRPREF_SITE=site $(BIN)/python -m pytest -q tests/docs

linkcheck: $(VENV)/.check
	$(BIN)/sphinx-build -n -W --keep-going -q -d build/doctrees -b linkcheck docs build/linkcheck

format: $(VENV)/.check
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) $(VENV)-oldest $(VENV)-lenskit-oldest $(VENV)-lenskit $(VENV)-wheel $(VENV)-hosts build dist site docs/reference .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.irpref: pyproject.toml | $(BIN)/python
	$(BIN)/$(PIP) -e .
	touch $@

# uv installs in seconds what takes pip minutes.
$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(BIN)/$(PIP) uv
	$(BIN)/$(UV) -e ".[all,test]"
	touch $@

$(VENV)-oldest/.test: pyproject.toml
	$(OLDEST_PYTHON) -m venv $(VENV)-oldest
	$(VENV)-oldest/bin/$(PIP) uv
	$(VENV)-oldest/bin/$(UV) --resolution lowest-direct -e ".[all,test]"
	touch $@

$(VENV)-lenskit-oldest/.test: pyproject.toml
	$(LENSKIT_OLDEST_PYTHON) -m venv $(VENV)-lenskit-oldest
	$(VENV)-lenskit-oldest/bin/$(PIP) uv $(TORCH)
	$(VENV)-lenskit-oldest/bin/$(UV) --resolution lowest-direct -e ".[lenskit,test-tools]" "pyarrow>=20"
	touch $@

$(VENV)-lenskit/.test: pyproject.toml
	$(LENSKIT_PYTHON) -m venv $(VENV)-lenskit
	$(VENV)-lenskit/bin/$(PIP) uv $(TORCH)
	$(VENV)-lenskit/bin/$(UV) -e ".[lenskit,test-tools]"
	touch $@

$(VENV)-hosts/.hosts: pyproject.toml
	$(PYTHON) -m venv $(VENV)-hosts
	$(VENV)-hosts/bin/$(PIP) -e ".[all]" "pyterrier[java]" "ir_measures[cwl_eval,pyndeval,trectools]" pytest
	touch $@

$(VENV)/.check: pyproject.toml | $(BIN)/python
	$(BIN)/$(PIP) uv
	$(BIN)/$(UV) -e ".[all,test,check]"
	touch $@
