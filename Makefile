# `make play` and `make test` set up all they need; they are the README's two commands.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# All that is installed; the stub of the core is made by the build itself.
SOURCES := $(shell find cpp src -type f ! -name '*.pyc' ! -name '_core.pyi') CMakeLists.txt pyproject.toml

.PHONY: play screenshots test test-slow lint format sanitize bench clean

play: $(VENV)/.play
	$(BIN)/tesuji play

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 -m "not slow"

test-slow: $(VENV)/.test
	$(BIN)/python -m pytest -n 2
	$(BIN)/python -m tests.go.replay_all

lint: $(VENV)/.dev
	$(BIN)/ruff check src tests tools benchmarks
	$(BIN)/ruff format --check src tests tools benchmarks
	$(BIN)/mypy
	$(BIN)/mypy tests
	$(BIN)/clang-format --dry-run --Werror $$(find cpp -name '*.cpp' -o -name '*.h')

format: $(VENV)/.dev
	$(BIN)/ruff check --fix src tests tools benchmarks
	$(BIN)/ruff format src tests tools benchmarks
	$(BIN)/clang-format -i $$(find cpp -name '*.cpp' -o -name '*.h')

bench: $(VENV)/.play
	$(BIN)/tesuji bench

screenshots: $(VENV)/.test
	$(BIN)/python -m tests.interfaces.screenshots

sanitize:
	bash cpp/drivers/sanitize.sh

$(VENV)/bin/python:
	@$(PYTHON) tools/toolchain.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.play: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet '.[web]'
	touch $@

$(VENV)/.test: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --config-settings=cmake.define.TESUJI_WERROR=ON '.[test]'
	touch $@

$(VENV)/.dev: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --config-settings=cmake.define.TESUJI_WERROR=ON '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build
