# `make play` and `make test` set up all they need; they are the README's two commands.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# All that is installed; the stub of the core is made by the build itself.
INSTALL := $(BIN)/python -m pip install --disable-pip-version-check
STRICT := --config-settings=cmake.define.TESUJI_WERROR=ON
SOURCES := $(shell find cpp src -type f ! -name '*.pyc' ! -name '_core.pyi') CMakeLists.txt pyproject.toml

.PHONY: play screenshots visitor test test-slow coverage lint format docs package sanitize fuzz soak golden lock bench clean

play: $(VENV)/.play
	@# Ctrl-C is how people close the board: no error line of make after it.
	@trap 'exit 0' INT; $(BIN)/tesuji play

# Browsers and processes that are killed depend on the machine's other work: what failed is tried once more, alone, and
# only what fails again fails.
test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 -m "not slow" || $(BIN)/python -m pytest --last-failed --last-failed-no-failures none

test-slow: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2
	$(BIN)/python -m tests.go.replay_all

coverage: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 -m "not slow" --cov --cov-report=term:skip-covered

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

# A scripted visitor of the page: games in a row with edits, reviews and reloads.
GAMES ?= 50
visitor: $(VENV)/.test
	$(BIN)/python -m tests.interfaces.visitor --games $(GAMES)

# The documentation as a site of files; a warning or a dead link is an error.
docs: $(VENV)/.dev
	$(BIN)/zensical build --strict
	@echo "build/site/index.html; with its search: $(BIN)/python -m http.server --bind 127.0.0.1 --directory build/site"

# Source distribution, a wheel of nothing but that, installed apart and looked through.
package: $(VENV)/.dev
	$(BIN)/python tools/package_check.py

sanitize:
	bash cpp/drivers/sanitize.sh

# Writes the transcripts of tests/golden anew; read the difference before you commit it.
golden: $(VENV)/.test
	$(BIN)/python -m tests.golden.talks

# Coverage-guided fuzzing of everything that reads strangers' bytes, each for SECONDS.
SECONDS ?= 60
fuzz: $(VENV)/.fuzz
	bash cpp/drivers/libfuzzer.sh $(SECONDS)
	$(BIN)/python -m tests.fuzzing.run --seconds $(SECONDS)
	$(BIN)/python -m tests.fuzzing.api --seconds $(SECONDS)

# Engines, server, tournament and self-play for MINUTES, with kills; goes on where it stopped in build/soak.
MINUTES ?= 60
soak: $(VENV)/.test
	$(BIN)/python -m benchmarks.soak --minutes $(MINUTES) --out build/soak

# Pins what development and CI install, with hashes; no registry is named in it.
lock: $(VENV)/.dev
	$(BIN)/python tools/lock.py

$(VENV)/bin/python:
	@$(PYTHON) tools/toolchain.py
	@echo "Making a virtual environment in $(VENV), a few seconds"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip

$(VENV)/.play: $(VENV)/bin/python $(SOURCES)
	@echo "Installing Tesuji and the board's packages: about 150 MB to fetch, and the C++ core to compile, a minute or two of each"
	$(INSTALL) '.[web]'
	@touch $@

# PyTorch for processors where there is no GPU: a fifth of the one with everything for NVIDIA cards.
TORCH := $(BIN)/python tools/torch_build.py

$(VENV)/.test: $(VENV)/bin/python $(SOURCES)
	@echo "Installing Tesuji and all that the tests need, PyTorch among it: several minutes the first time"
	@$(TORCH)
	$(INSTALL) $(STRICT) '.[test]'
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python $(SOURCES)
	@echo "Installing Tesuji and the tools of its developers, PyTorch and Ray among them: several minutes the first time"
	@$(TORCH)
	$(INSTALL) $(STRICT) '.[dev]'
	@touch $@

$(VENV)/.fuzz: $(VENV)/.dev
	$(INSTALL) '.[fuzz]'
	@touch $@

clean:
	rm -rf $(VENV) build
