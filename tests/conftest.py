"""What all tests share. Made-up URLs are in tests/made_urls.py."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

# Tests are imported by file, not from a package: this is what lets them say `from tests.made_urls import ...`.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.made_urls import Labelled, labelled_urls

# A runner in the background of a shell ignores Ctrl-C, and every process that it starts would too: the tests that
# interrupt a command would wait for ever.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def six_languages() -> Labelled:
    """Labelled URLs of six languages, Russian among them."""
    return labelled_urls(("de", "en", "es", "fr", "it", "ru"), per_language=60)


@pytest.fixture(scope="session")
def three_languages() -> Labelled:
    """Labelled URLs of three languages whose spelling dictionaries load within a second or so."""
    return labelled_urls(("af", "en", "vi"), per_language=60)
