# Each target does its own set-up: on a fresh Debian machine with Python >= 3.11 and make, `make demo` is enough.
PYTHON ?= python3
VENV := .venv
BENCH_VENV := .venv-bench
REPLAY_VENV := .venv-replay
BIN := $(VENV)/bin
PYTEST_FLAGS ?= -n 3 --dist loadfile --no-loadscope-reorder
# Compiled modules are kept, whatever the machine says elsewhere: a crawl starts two programs, a test run a thousand.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo test suite test-slow lint format types clean
.PHONY: bench bench-kill bench-frontier bench-frontier-redis bench-forum bench-render bench-sinks bench-watched
.DEFAULT_GOAL := help

help:  ## show this help
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

# -- set-up -----------------------------------------------------------------------------------------------------------

$(VENV)/ready: pyproject.toml hatch_build.py $(wildcard nephila/native/*.c) scripts/make-venv
	scripts/make-venv $(PYTHON) $(VENV)
	$(BIN)/pip install -q -e . && touch $@

$(VENV)/ready-dev: $(VENV)/ready
	scripts/system-packages chromium-headless-shell redis-server zookeeper \
		postgresql mariadb-server openssh-server prometheus & packages=$$!; \
	$(BIN)/pip install -q -e '.[cluster]' --group dev; installed=$$?; \
	wait $$packages && [ $$installed -eq 0 ] && touch $@

$(BENCH_VENV)/ready: benchmarks/requirements.txt $(VENV)/ready
	scripts/make-venv $(PYTHON) $(BENCH_VENV)
	$(BENCH_VENV)/bin/pip install -q -r benchmarks/requirements.txt && touch $@

# pywb wants older libraries than Nephila does.
$(REPLAY_VENV)/ready:
	scripts/make-venv $(PYTHON) $(REPLAY_VENV)
	$(REPLAY_VENV)/bin/pip install -q 'pywb>=2.10' && touch $@

# Grafana's own description of a board; where there is no npm, its test is left out.
.node/ready:
	mkdir -p .node
	if command -v npm >/dev/null; then npm install --silent --no-audit --no-fund --prefix .node @grafana/schema typescript; fi
	touch $@

# -- for everybody ----------------------------------------------------------------------------------------------------

demo: $(VENV)/ready  ## crawl the sample sites over loopback and show what came out
	$(BIN)/nephila demo

# The types beside the suite: its tests wait often, for programs to start and hosts to be ready.
test: $(VENV)/ready-dev lint  ## lint, type check, and the whole suite but for the slow part
	@$(MAKE) --no-print-directory -j 2 types suite

suite: $(VENV)/ready-dev
	$(BIN)/pytest -m "not slow" $(PYTEST_FLAGS)

test-slow: $(VENV)/ready-dev $(REPLAY_VENV)/ready .node/ready  ## the checks that take minutes
	$(BIN)/pytest -m slow

lint: $(VENV)/ready-dev  ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready-dev  ## mypy, strict
	$(BIN)/mypy

format: $(VENV)/ready-dev  ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# -- measurements -----------------------------------------------------------------------------------------------------

bench: $(VENV)/ready-dev $(BENCH_VENV)/ready  ## the crawl beside its peers, interleaved (about 20 minutes)
	scripts/system-packages nginx-light redis-server wget2
	$(BENCH_VENV)/bin/python -m benchmarks.crawl

bench-kill: $(VENV)/ready-dev $(BENCH_VENV)/ready  ## kill workers and the whole program at random: is every page there once?
	scripts/system-packages nginx-light
	$(BENCH_VENV)/bin/python -m benchmarks.crawl.kill

bench-render: $(VENV)/ready-dev $(BENCH_VENV)/ready  ## pages drawn by a browser, beside Playwright alone and scrapy-playwright
	$(BENCH_VENV)/bin/pip install -q playwright scrapy-playwright
	$(BIN)/python -m benchmarks.render --peers $(BENCH_VENV)/bin/python
	$(BIN)/python -m benchmarks.render.endurance

bench-frontier: $(VENV)/ready-dev  ## ten million URLs through the embedded frontier
	$(BIN)/python benchmarks/frontier.py

bench-frontier-redis: $(VENV)/ready-dev $(BENCH_VENV)/ready  ## five million URLs through the shared frontier, beside scrapy-redis
	$(BIN)/python -m benchmarks.frontier_redis

bench-forum: $(VENV)/ready-dev  ## a forum whose addresses flip: valid, duplicate, uninformative pages, beside HTTrack and wget2
	scripts/system-packages httrack wget2 wget
	$(BIN)/pip install -q matplotlib
	$(BIN)/python -m benchmarks.forum_peers

bench-sinks: $(VENV)/ready-dev  ## every output: is each record there once after ten kills, and how fast?
	$(BIN)/pip install -q matplotlib
	$(BIN)/python -m benchmarks.sinks

bench-watched: $(VENV)/ready-dev  ## what the dashboard and the metrics cost a crawl (about 20 minutes)
	scripts/system-packages nginx-light
	$(BIN)/python -m benchmarks.crawl.watched

clean:  ## remove the virtual environments and caches
	rm -rf $(VENV) $(BENCH_VENV) $(REPLAY_VENV) .node .mypy_cache .ruff_cache .pytest_cache .hypothesis
