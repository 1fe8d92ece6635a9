# make train   from nothing to a trained, exported and measured agent
# make test    all tests
# Both create .venv once and reuse it. An interrupted training goes on where it stopped; a finished
# one is measured again. Remove runs/quickstart to train anew.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
RUN ?= runs/quickstart

.PHONY: train test slow lint bench clean

train: $(VENV)/.train
	@if [ -e $(RUN)/config.yaml ]; then \
		$(BIN)/python -m train.ppo --resume $(RUN); \
	else \
		$(BIN)/python -m train.ppo configs/quickstart.yaml --run $(RUN); \
	fi

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 -q

slow: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 -q -m slow

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.train
	$(BIN)/durak bench

clean:
	rm -rf $(VENV) build dist *.egg-info

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.train: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[train]'
	touch $@

$(VENV)/.test: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[dev]'
	touch $@
