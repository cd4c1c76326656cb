# Every target sets up what it needs, in .venv. `make help` lists them.
PYTHON ?= python3
GAME   ?= sticheln
JOBS   ?= 2
N      ?= 500

VENV      := .venv
BIN       := $(VENV)/bin
PIP       := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALLED := $(VENV)/.installed
BUILT     := $(VENV)/.built
DEV       := $(VENV)/.dev
BENCH     := $(VENV)/.bench
DOCS      := $(VENV)/.docs
TUI       := $(VENV)/.tui
NODE      := frontend/node_modules/.installed
LOCK      := requirements/dev.txt
STATIC    := src/stichwerk/web/static

# The folders too: their time changes when a file goes.
ENGINE := $(shell find src/stichwerk/engine src/stichwerk/games src/stichwerk/bots/tactics src/stichwerk/envs \
            -name __pycache__ -prune -o \( -type d -o -name '*.py' -o -name '*.p[xy][dx]' \) -print)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play play-terminal test check lint web web-check chromium gallery web-bench docs docs-serve campaign \
  crash-test bench ladder build dist lock upgrade extras licences clean

help: ## this list
	@echo "Stichwerk. Targets:"
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 22
	@echo "Settings: PYTHON=$(PYTHON)  GAME=$(GAME)  JOBS=$(JOBS)"
	@echo "STICHWERK_PURE=1 plain Python, =0 fail if it cannot be compiled; STICHWERK_MARCH=native;"
	@echo "'make clean' before you change one of these two."

play: $(BUILT) ## the table in the browser, for you, your friends and bots (Ctrl+C ends it)
	@$(BIN)/stichwerk serve --open --any-port

play-terminal: $(BUILT) $(TUI) ## a match in the terminal (GAME=stichling, null-nichtig, sticheln, stichtag)
	@$(BIN)/stichwerk play $(GAME)

test: lint web-check chromium ## linters and all tests
	@$(BIN)/pytest -q -n $(JOBS) --durations 30 --durations-min 5 --ignore tests/web
	@$(BIN)/pytest -q -n $(JOBS) --durations 30 --durations-min 5 tests/web
	@echo "make test: everything passed."

check: lint ## the quick loop: linters and the fast tests
	@$(BIN)/pytest -q -n $(JOBS) --ignore tests/web -m "not slow"
	@echo "make check: passed (without the slow tests)."

lint: $(BUILT) $(DEV)
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || \
	  { echo "Not formatted; '$(BIN)/ruff format' does it:"; $(BIN)/ruff format --check; exit 1; }
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

web: $(NODE) ## build the page from frontend/ into src/stichwerk/web/static (to be committed)
	@cd frontend && npm run --silent build
	@$(PYTHON) -m tests.notices

web-check: $(NODE) ## types and tests of the page, and whether the committed build is that of its sources
	@cd frontend && npm run --silent check
	@cd frontend && npm run --silent test
	@cd frontend && npx vite build --logLevel error --outDir ../build/web
	@diff -r build/web $(STATIC) || { echo "The committed build is old: 'make web' makes it anew."; exit 1; }

gallery: $(BUILT) $(DEV) chromium ## screenshots of the page for docs/gallery.md
	@$(BIN)/python -m tests.web.gallery docs

web-bench: $(BUILT) $(DEV) chromium ## how quick the page is on a slow phone
	@$(BIN)/python -m tests.web.bench

chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	  command -v google-chrome >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing Chromium ..." && \
	    apt-get -qq update && DEBIAN_FRONTEND=noninteractive \
	    apt-get -qq install --no-install-recommends chromium fonts-dejavu-core >/dev/null; } || \
	  { echo "The browser tests need Chromium (on Debian and Ubuntu: apt install chromium)."; exit 1; }

docs: $(DOCS) ## the documentation site, into build/site; whatever is wrong with it fails
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "make docs: build/site/index.html"

docs-serve: $(DOCS) ## the documentation site while you write it, on http://127.0.0.1:8000 (Ctrl+C ends it)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --dev-addr 127.0.0.1:8000

campaign: $(BUILT) $(DEV) ## simulate and verify every setting, N=500 matches each (takes a while)
	@$(BIN)/python -m tests.campaign $(N) $(JOBS)

crash-test: $(BUILT) $(DEV) ## kill the table server N=100 times under load: nothing may be lost
	@$(BIN)/python -m tests.server.crash --kills $(if $(filter file,$(origin N)),100,$(N))

bench: $(BUILT) $(BENCH) ## speed, beside OpenSpiel
	@$(BIN)/stichwerk bench

ladder: $(BUILT) ## measure all bots against their goals and write docs/bots.md (takes a while)
	@$(BIN)/python -m stichwerk.arena.ladder run --jobs $(JOBS)
	@$(BIN)/python -m stichwerk.arena.ladder page

build: $(BUILT) ## set up .venv and compile the engine

dist: $(BUILT) $(DEV) ## source archive and wheel into dist/, installed and tried in empty environments (minutes)
	@$(BIN)/python -m tests.packages
	@echo "make dist: proved; the files are in dist/."

lock: ## brings requirements/dev.txt, the developers' packages with their hashes, up to pyproject.toml
	@$(PYTHON) -m tests.lock

upgrade: ## the same with the newest version of everything (takes a while)
	@$(PYTHON) -m tests.lock upgrade

extras: ## whether pip finds everything that each extra asks for
	@$(PYTHON) -m tests.lock extras

licences: $(INSTALLED) $(DEV) ## the packages we stand on, those of all extras too, and their licences
	@$(BIN)/stichwerk licences --extra dev

clean: ## remove .venv and everything built
	@rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	@rm -rf src/*.egg-info frontend/node_modules
	@find src tests \( -name '*.so' -o -name '*.pyd' -o -name '*.py[co]' \) -delete
	@find src tests -name __pycache__ -type d -empty -delete

$(INSTALLED): pyproject.toml setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Stichwerk needs Python 3.11 or newer, '$(PYTHON)' is not. Try: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "'$(PYTHON)' has no venv or no pip (on Debian and Ubuntu: apt install python3-venv)."; exit 1; }
	@echo "Setting up $(VENV) ..."
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@# Not compiled here: pip would hide the warning, and forget the objects it made.
	@STICHWERK_PURE=1 $(PIP) --editable '.[engine]'
	@touch $@

$(BUILT): $(INSTALLED) $(ENGINE)
	@echo "Building the engine ..."
	@$(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

# The package is there already, so pip only adds what the extra asks for: to the letter of the lock,
# where that fits. Who only wants to play needs none of it.
$(DEV): $(INSTALLED) $(wildcard $(LOCK))
	@echo "Installing what the tests need ..."
	@if $(BIN)/python -m tests.lock fits; then $(PIP) --require-hashes --no-deps --requirement $(LOCK); \
	  else $(PIP) 'stichwerk[dev]'; fi
	@touch $@

$(NODE): frontend/package-lock.json
	@node -e 'process.exit(Number(process.versions.node.split(".")[0] < 20))' && npm --version >/dev/null || \
	  { echo "The page is checked and built with Node 20 or newer and npm (https://nodejs.org)."; exit 1; }
	@echo "Installing what builds the page ..."
	@cd frontend && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(TUI): $(INSTALLED)
	@echo "Installing the full screen ..."
	@$(PIP) 'stichwerk[tui]'
	@touch $@

$(DOCS): $(INSTALLED)
	@echo "Installing what the documentation site needs ..."
	@$(PIP) 'stichwerk[docs]'
	@touch $@

$(BENCH): $(INSTALLED)
	@echo "Installing OpenSpiel for comparison ..."
	@$(PIP) 'stichwerk[bench]'
	@touch $@
