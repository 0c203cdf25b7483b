# make demo, make test: each sets everything up first. Paths are relative, so a folder with a space in its name is fine.
PYTHON ?= python3
BIN = .venv/bin
DATA ?= ../shared/data/urls
TEXTS ?= ../shared/data/text
WORKERS ?= 2
TESTS ?= tests
SYSTEM ?= yes
KERNELS = $(wildcard src/dragoman/kernels/*.[ch])
INSTALL = pip install --quiet --disable-pip-version-check
PIP = $(BIN)/python -m $(INSTALL)

.PHONY: demo docs system-packages test test-slow axe test-core test-lowest test-s3 extras figures lint rooms format check model text-model image wheel clean

.venv/ready: pyproject.toml setup.py constraints.txt $(KERNELS)
	$(PYTHON) -c 'import sys; sys.exit("Dragoman needs Python 3.11 or newer: make PYTHON=python3.12 ..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(PIP) --constraint constraints.txt --editable '.[dev]'
	# only its list of news sites is read; what it asks for is older than what we need
	$(PIP) --constraint constraints.txt --no-deps newscatcher
	# other identifiers, to compare with; one of them needs a C++ compiler, and nothing but comparisons needs them
	-$(PIP) --constraint constraints.txt --editable '.[peers]'
	touch .venv/ready

# What Dragoman does, in a minute, with pictures in the folder demo.
demo: .venv/ready
	$(BIN)/python examples/demo.py

# What only tests need: Spark from its package; a browser and Java from the system's (SYSTEM=no leaves those alone).
# Without them, the tests that talk to them are skipped and say why.
.venv/ready-to-test: .venv/ready
	-$(PIP) --constraint constraints.txt --editable '.[spark]'
	touch .venv/ready-to-test

system-packages: .venv/ready
	@if [ "$(SYSTEM)" != no ]; then $(BIN)/python tools/install_system_packages.py; fi

# All but the slow ones; TESTS=tests/unit/web for a part.
test: .venv/ready-to-test system-packages
	$(BIN)/python -m pytest -n $(WORKERS) -rs -m 'not slow' $(TESTS)

# Whole studies, crawls that are killed again and again, Spark runs: what takes seconds each.
test-slow: .venv/ready-to-test system-packages
	$(BIN)/python -m pytest -n $(WORKERS) -rs -m slow $(TESTS)

# What axe-core says of every view of the page; needs npm, which fetches it into a folder of its own.
axe: .venv/ready-to-test system-packages
	npm install --silent --no-save --prefix build/axe axe-core
	AXE=build/axe/node_modules/axe-core/axe.min.js $(BIN)/python -m pytest -q -m slow tests/browser/test_axe.py

# Where nothing is installed but the core.
.venv-core/ready: pyproject.toml setup.py constraints.txt $(KERNELS)
	$(PYTHON) -m venv .venv-core
	.venv-core/bin/python -m $(INSTALL) --constraint constraints.txt --editable . pytest pytest-timeout hypothesis
	touch .venv-core/ready

test-core: .venv-core/ready
	.venv-core/bin/python -m pytest -p tests.without_extras -m 'not slow' $(TESTS)

# With the lowest version of every package that pyproject.toml allows. Schemathesis is left out: it asks for newer ones; so
# are the pages, which show what the versions of constraints.txt print. Old packages may be warned about by newer ones.
.venv-lowest/ready: pyproject.toml setup.py constraints-lowest.txt $(KERNELS)
	$(PYTHON) tools/lowest_versions.py --check
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m $(INSTALL) --constraint constraints-lowest.txt --editable '.[all,duckdb,polars,remote,spark,test]'
	touch .venv-lowest/ready

test-lowest: .venv-lowest/ready
	.venv-lowest/bin/python -m pytest -n $(WORKERS) -rs -m 'not slow' -W ignore::DeprecationWarning \
		--ignore tests/serve/test_openapi.py --ignore tests/test_docs.py $(TESTS)

# Crawls whose folder is in S3, which moto plays: in an environment of its own over .venv, since botocore and the
# python-dateutil of constraints.txt exclude each other.
.venv-s3/ready: .venv/ready-to-test
	$(PYTHON) -m venv .venv-s3
	.venv-s3/bin/python -m $(INSTALL) s3fs 'moto[server]'
	.venv-s3/bin/python tools/lay_over.py .venv
	touch .venv-s3/ready

test-s3: .venv-s3/ready
	.venv-s3/bin/python -m pytest -rs -m slow -k s3 tests/cli/test_crawl_cluster.py

# Each extra alone, in an environment of its own, with its example of docs/reference/setup.md; EXTRAS="bulk page" for some.
extras: .venv/ready
	$(BIN)/python tools/try_extras.py $(EXTRAS)

# The pages as a site that needs no network: out/docs/index.html. A broken link or anchor, or a stale page, fails.
docs: .venv/ready
	$(BIN)/python tools/make_reference.py --check
	$(BIN)/python -m sphinx --quiet --fail-on-warning --builder html --conf-dir docs --doctree-dir out/doctrees . out/docs
	@echo "out/docs/index.html"

# What README.md and docs quote: speed anew, where there are labelled URLs, then all figures and what examples print.
figures: .venv/ready
	$(BIN)/python benchmarks/speed.py --urls $(DATA)/train.parquet --shipped --output benchmarks/results/speed.json
	$(BIN)/python benchmarks/bulk.py --urls $(DATA)/train.parquet --sample 200000 --rounds 3 --output benchmarks/results/bulk.json
	$(BIN)/python tools/figures.py
	$(BIN)/python tools/refresh_examples.py
	$(BIN)/python tools/make_reference.py

lint: .venv/ready
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/rooms.py
	$(BIN)/python tools/lowest_versions.py --check

# Who imports from whom; an edge against the order fails. Needs nothing but Python.
rooms:
	$(PYTHON) tools/rooms.py

format: .venv/ready
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

# Larger checks on labelled URLs and texts, where there are some: accuracy floors, speed, small runs of the papers' studies.
check: .venv/ready
	$(BIN)/python benchmarks/accuracy/check.py --data $(DATA)
	$(BIN)/python benchmarks/accuracy/text.py --data $(TEXTS)
	$(BIN)/python benchmarks/url_model/judge.py --data $(DATA) --quick
	$(BIN)/python benchmarks/speed.py --urls $(DATA)/train.parquet
	$(BIN)/python benchmarks/bulk.py --sample 200000 --rounds 3
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/markup/mutations.py
	$(BIN)/python benchmarks/tracking/compare.py --data $(TEXTS) --parts accuracy --rounds 1 -o out/tracking
	$(BIN)/python benchmarks/tracking/figure_4.py --data $(TEXTS)
	$(BIN)/python benchmarks/simulate/sizes.py --pages 10000,100000
	$(BIN)/dragoman papers url-2008 --data $(DATA) --scale small -o out/url-2008
	$(BIN)/dragoman papers hayati-2004 --data $(TEXTS) --scale small -o out/hayati-2004
	$(BIN)/dragoman papers hmm-2004 --data $(TEXTS) --scale small -o out/hmm-2004
	$(BIN)/dragoman papers crawling-2007 --scale small -o out/crawling-2007

# The shipped model again, from labelled URLs, texts and words.
model: .venv/ready
	$(BIN)/python tools/make_model.py --urls $(DATA) --texts $(TEXTS)

# The shipped models of text again, from labelled texts: ours first (identifier, tracker), then those of the papers.
text-model: .venv/ready
	$(BIN)/python tools/make_text_model.py --data $(TEXTS)
	$(BIN)/python tools/make_track_model.py --texts $(TEXTS)
	$(BIN)/python tools/make_paper_models.py --data $(TEXTS)

# The image of Containerfile, built and tried where podman or docker is there.
image: .venv/ready
	$(BIN)/python tools/try_image.py

# The wheel, built and tried in an environment of its own.
wheel: .venv/ready
	$(BIN)/python tools/check_wheel.py

clean:
	rm -rf .venv .venv-core .venv-lowest build dist demo out
