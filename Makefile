# Everything runs in environments of its own; only Python >= 3.11, pip, make and git are needed.

PYTHON ?= python3
BIN := .venv/bin

# What decides whether the compiled engine is out of date; `make compiled` packs the rest of the package too.
# Directories count, so that a deleted module is noticed.
ENGINE := $(wildcard src/cuberails/__init__.py src/cuberails/core src/cuberails/titles src/cuberails/bots)
SOURCES := $(shell find $(if $(filter compiled,$(MAKECMDGOALS)),src,$(ENGINE)) -not -path '*/__pycache__*')

# The caller's settings must not choose which cuberails is imported.
unexport PYTHONPATH PYTHONHOME
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

.PHONY: help
help: ## list these commands
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

.PHONY: play
play: .venv/play.stamp ## open the tables in a browser: play against bots or with friends
	@$(start) serve

.PHONY: terminal
terminal: .venv/play.stamp ## play Wabash Cannonball against two bots in the terminal
	@$(start) play wabash

# With the compiled engine if it is there; else interpreted, and it is compiled in the background for the next start.
start = PYTHON='$(PYTHON)' $(BIN)/python scripts/compiled.py start $(BIN)/cuberails

.PHONY: test
test: style ## run every check: style, types, layers, tests, tests of the compiled engine
	@echo "== engine, interpreted, standard library only"
	@PYTHONPATH=src $(BIN)/python -S scripts/engine.py interpreted
	@scripts/browser.sh
	@scripts/postgres.sh
	@scripts/nginx.sh
	@echo "== pytest"
	@$(BIN)/python -m pytest -n 2 --dist worksteal --ignore=tests/browser
	@echo "== pytest, in a browser" # in processes of its own: Playwright leaves an event loop running in them
	@$(BIN)/python -m pytest -n 2 --dist worksteal tests/browser
	@$(MAKE) test-compiled
	@echo "== all checks passed"

.PHONY: quick
quick: style ## style, types, layers and a fast selection of the tests, in less than a minute
	@echo "== pytest, a selection"
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal $(QUICK)

QUICK = tests/core tests/terminal tests/draw/test_text.py tests/titles/test_records.py tests/titles/test_citations.py \
	$(wildcard tests/titles/*/test_*rules.py tests/titles/*/test_board.py) tests/server/test_tables.py

.PHONY: style
style: .venv/test.stamp
	@echo "== ruff"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --output-format concise . || { echo 'not formatted; run: make format'; exit 1; }
	@echo "== mypy"
	@$(BIN)/mypy $(wildcard src/cuberails scripts tests benchmarks examples)
	@echo "== import-linter"
	@$(BIN)/lint-imports --no-logo

.PHONY: compiled
compiled: test-compiled ## compile the engine with mypyc and test it; the wheel is in dist/
	@ls dist/*.whl

.PHONY: test-compiled
test-compiled: build/compiled.stamp
	@echo "== engine, compiled, standard library only"
	@PYTHONPATH=build/compiled $(BIN)/python -S scripts/engine.py compiled
	@echo "== pytest, compiled engine"
	@PYTHONPATH=build/compiled $(BIN)/python -m pytest -n 2 --dist worksteal tests/core tests/titles tests/bots/test_search.py \
		tests/examples
	@PYTHONPATH=build/compiled $(BIN)/python -m pytest -q tests/browser/test_example.py

.PHONY: soak
soak: .venv/test.stamp ## attack the server for ten minutes: 100,000 hostile requests, races, kills, a full disk
	@$(BIN)/python -m tests.hostile.soak $(SOAK)

.PHONY: bench
bench: .venv-bench/bench.stamp build/compiled.stamp ## measure speed side by side with peers
	@.venv-bench/bin/python benchmarks/playouts.py
	@.venv-bench/bin/python benchmarks/search.py
	@$(BIN)/python -m benchmarks.table
	@$(BIN)/python -m benchmarks.simulate

.PHONY: format
format: .venv/test.stamp ## format the code and mend what ruff can mend
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

.PHONY: lock
lock: .venv-lock/lock.stamp ## write requirements/*.txt anew (UPGRADE=1: with the newest versions)
	@$(call compile,play,pyproject.toml)
	@$(call compile,test,pyproject.toml)
	@$(call compile,bench,pyproject.toml)
	@$(call compile,compile)
	@! grep -n '://\|^ *-' requirements/*.txt | grep -v -e '--hash='

.PHONY: clean
clean: ## remove environments, builds and caches
	rm -rf .venv .venv-bench .venv-compile .venv-lock build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- environments: a stamp in each says what was installed there ------------------------------------------

pip = $(PYTHON) -m pip --python $(@D)/bin/python install -qq
# Expanded before the recipe runs, so what is missing is one line and not a traceback.
new_env = $(eval missing := $(shell scripts/missing.sh '$(PYTHON)'))$(if $(missing),$(error $(missing)))\
	[ -x $(@D)/bin/python ] || $(PYTHON) -m venv --without-pip $(@D)

define install
	@$(new_env)
	@echo "== installing $< in $(@D)"
	@$(pip) --require-hashes -r $<
	@$(pip) --no-deps --no-build-isolation -e .
	@touch $@
endef

.venv/%.stamp: requirements/%.txt pyproject.toml
	$(install)

.venv-bench/bench.stamp: requirements/bench.txt pyproject.toml
	$(install)

.venv-compile/compile.stamp: requirements/compile.txt
	@$(new_env)
	@echo "== installing $< in $(@D)"
	@$(pip) --require-hashes -r $<
	@touch $@

.venv-lock/lock.stamp:
	@$(new_env)
	@$(pip) uv==0.13.7
	@touch $@

# Names, versions and hashes for every platform; no address, and nothing of this machine's settings.
compile = UV_CUSTOM_COMPILE_COMMAND='make lock' .venv-lock/bin/uv pip compile --quiet --no-config --universal \
	--python-version 3.11 --generate-hashes $(if $(UPGRADE),--upgrade) \
	$(2) requirements/$(1).in --output-file requirements/$(1).txt

# --- the compiled engine ----------------------------------------------------------------------------------

# The environment that has mypyc. Who only plays has none in .venv; `make play` then names another.
MYPYC := .venv/test.stamp

build/compiled.stamp: $(SOURCES) pyproject.toml | $(MYPYC)
	@echo "== mypyc"
	@scripts/compiler.sh $(dir $(MYPYC))bin/python
	@$(dir $(MYPYC))bin/python scripts/compiled.py build
	@touch $@
