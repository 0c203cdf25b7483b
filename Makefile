# make demo, make test: each sets everything up first. Paths are relative, so a folder with a space in its name is fine.
PYTHON ?= python3
BIN = .venv/bin
DATA ?= ../shared/data/urls
TEXTS ?= ../shared/data/text

.PHONY: demo docs test lint rooms format check model text-model wheel clean

.venv/ready: pyproject.toml setup.py constraints.txt $(wildcard src/dragoman/kernels/*.[ch])
	$(PYTHON) -c 'import sys; sys.exit("Dragoman needs Python 3.11 or newer: make PYTHON=python3.12 ..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	# only its list of news sites is read; what it asks for is older than what we need
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --no-deps newscatcher
	# other identifiers, to compare with; one of them needs a C++ compiler, and nothing but comparisons needs them
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[peers]'
	touch .venv/ready

# What Dragoman does, in a minute, with pictures in the folder demo.
demo: .venv/ready
	$(BIN)/python examples/demo.py

# What only tests need: Spark from its package, a browser, Redis and Java from the system's. Without them, the tests that
# talk to them are skipped and say why.
.venv/ready-to-test: .venv/ready tools/install_system_packages.py
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[spark]'
	$(BIN)/python tools/install_system_packages.py
	touch .venv/ready-to-test

test: .venv/ready-to-test
	$(BIN)/python -m pytest -n 2

# The pages as a site that needs no network: out/docs/index.html. A broken link or anchor, or a stale page, fails.
docs: .venv/ready
	$(BIN)/python tools/make_reference.py --check
	$(BIN)/python -m sphinx --quiet --fail-on-warning --builder html --conf-dir docs --doctree-dir out/doctrees . out/docs
	@echo "out/docs/index.html"

lint: .venv/ready
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/rooms.py

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
	$(BIN)/python benchmarks/simulate/sizes.py --pages 10000,100000
	$(BIN)/dragoman papers url-2008 --data $(DATA) --scale small -o out/url-2008
	$(BIN)/dragoman papers hayati-2004 --data $(TEXTS) --scale small -o out/hayati-2004
	$(BIN)/dragoman papers hmm-2004 --data $(TEXTS) --scale small -o out/hmm-2004
	$(BIN)/dragoman papers crawling-2007 --scale small -o out/crawling-2007

# The shipped model again, from labelled URLs.
model: .venv/ready
	$(BIN)/python tools/make_model.py --urls $(DATA)

# The shipped models of text again, from labelled texts: ours first (identifier, tracker), then those of the papers.
text-model: .venv/ready
	$(BIN)/python tools/make_text_model.py --data $(TEXTS)
	$(BIN)/python tools/make_track_model.py --texts $(TEXTS)
	$(BIN)/python tools/make_paper_models.py --data $(TEXTS)

# The wheel, built and tried in an environment of its own.
wheel: .venv/ready
	$(BIN)/python tools/check_wheel.py

clean:
	rm -rf .venv build dist demo out
