# Everything runs in .venv, which `make` creates from requirements.lock.
PYTHON ?= python3
# In an activated environment python3 is its own, which has no pip.
BASE = $(shell $(PYTHON) -c "import sys; print(sys._base_executable)")
# macOS has no nproc.
CORES ?= $(shell nproc 2>/dev/null || $(PYTHON) -c "import os; print(os.cpu_count())")
VENV := .venv
# With the plugin every start of Snakemake asks for a controller: it has an environment of its own.
SLURM := .venv-slurm
DOCS := .venv-docs
OLDEST := .venv-oldest
BIN := $(VENV)/bin
PIN := $(BIN)/uv pip compile pyproject.toml --python-version 3.11 --upgrade --quiet --generate-hashes \
	--no-emit-index-url --no-header --no-annotate
pip = $(BASE) -m pip --python $(1)/bin/python install --quiet --disable-pip-version-check
install = $(1)/bin/uv pip install --compile-bytecode --quiet --python $(1)/bin/python $(2) || $(pip) $(2)
SPHINX := $(DOCS)/bin/sphinx-build -W --keep-going --quiet -d docs/generated/doctrees
# Several processes share the processors: threads of the linear algebra would wait for each other.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/pytest
# What suits a run, and is not in its lock.
BESIDE = --extra pipeline --constraints requirements.lock $$(sed -n 's/==.*//p' requirements.lock | sed 's/^/--no-emit-package /')
SNAKEMAKE := $(BIN)/snakemake --cores $(CORES)
CONFIGURATIONS := config/config.yaml config/test.yaml config/full.yaml
# The lowest version of each dependency of the library, such as numpy==2.0.
FLOORS = $(shell sed -n '/^dependencies/,/^]/s/^ *"\(.*\)>=\(.*\)",$$/\1==\2/p' pyproject.toml)

.PHONY: all env dev dry-run test tests test-all test-oldest test-slurm lint format lock docs report clean distclean

all: env ## set everything up and regenerate every figure
	$(SNAKEMAKE)

env: $(VENV)/.ready ## only set up what a run needs

dev: $(VENV)/.dev ## and what tests, lint and types need

# `--without-pip` and `pip --python` need neither ensurepip nor a second pip: Debian's
# python3 comes without the former. uv installs in a tenth of the time of pip, which installs uv, and
# all the rest where uv finds no registry: it does not read pip's configuration.
%/.ready: requirements.lock pyproject.toml
	$(BASE) -m venv --clear --without-pip $*
	sed -n '/^uv==/,/[^\]$$/p' requirements-dev.lock > $*/uv.lock
	$(call pip,$*) --require-hashes --requirement=$*/uv.lock
	$(call install,$*,--require-hashes $(addprefix --requirement=,$(filter %.lock,$^)))
	$(call install,$*,--no-deps --no-build-isolation --editable .)
	touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.ready
	$(call install,$(VENV),--require-hashes --no-deps --requirement=requirements-dev.lock)
	touch $@

$(SLURM)/.ready: requirements-dev.lock requirements-slurm.lock

$(DOCS)/.ready: requirements-docs.lock

dry-run: dev ## what each configuration would run; the rules and their style
	$(foreach file,$(CONFIGURATIONS),$(BIN)/snakemake --dry-run --quiet all --configfile $(file) &&) true
	$(BIN)/snakemake --lint
	$(BIN)/snakefmt --check Snakefile workflow/Snakefile workflow/rules

# Types are checked by one process, so that tests run beside it.
test: dev ## lint, types and every test, the tiny sweep and the dry run of the default included
	$(MAKE) --no-print-directory --jobs=2 lint tests

tests: dev ## every test, without lint and types
	$(PYTEST) -n $(CORES) --dist worksteal

test-all: lint ## all tests, with as many random problems as docs/trust.md counts: half an hour
	KPCA_PROBLEMS=10000 $(PYTEST) -m 'slow or not slow' -n $(CORES) --dist worksteal
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/coverage run -m pytest -q tests/kpca/certificates tests/kpca/persistence
	$(BIN)/coverage report # every branch of the certificates and of the model files

# The study, its readers and the command need the extra `study`, which needs newer versions.
test-oldest: ## the core of the library with the lowest versions of what it needs
	$(BASE) -m venv --clear --without-pip $(OLDEST)
	$(call pip,$(OLDEST)) $(FLOORS) --editable . "dask[array]" distributed filelock \
		hypothesis "pandas<3" pyarrow pytest-xdist pyyaml
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(OLDEST)/bin/python -m pytest -q \
		$(foreach room,study reading command,--ignore=kpca/$(room) --ignore=tests/kpca/$(room)) \
		tests/kpca kpca

test-slurm: $(SLURM)/.ready ## the profile for Slurm, on one node: Debian or Ubuntu, as root
	tests/slurm/single_node.sh $(SLURM)/bin/pytest tests/slurm

lint: dev ## what CI checks before the tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow/Snakefile workflow/rules
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: dev ## rewrite the code in the one style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile workflow/Snakefile workflow/rules

lock: dev ## pin the dependencies of pyproject.toml again
	$(PIN) --extra pipeline --output-file requirements.lock
	$(PIN) $(BESIDE) --extra dev --extra dask --output-file requirements-dev.lock
	$(PIN) $(BESIDE) --extra docs --output-file requirements-docs.lock
	$(PIN) $(BESIDE) --extra slurm --output-file requirements-slurm.lock
	$(BIN)/python -m tests.test_environment

docs: all $(DOCS)/.ready dev ## site/: results, tutorial, examples (all run), how-to, reference; any warning is an error
	$(SPHINX) docs site
	$(SPHINX) -b doctest docs docs/generated/doctest
	$(DOCS)/bin/python docs/extensions/links.py site
	$(PYTEST) -q tests/test_default_run.py # findings of the README are those of the run
	$(PYTEST) -q tests/workflow/page/test_browser.py -k site # if there is Chromium

report: all ## results/report.html: every figure with its caption
	$(SNAKEMAKE) --report results/report.html

clean: ## remove results and the site
	rm -rf results .snakemake site docs/generated

distclean: clean ## and the environment
	rm -rf $(VENV) $(SLURM) $(DOCS) $(OLDEST)
