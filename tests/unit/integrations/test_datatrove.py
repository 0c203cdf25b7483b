from __future__ import annotations

from typing import Any

import pytest

data: Any = pytest.importorskip("datatrove.data", reason="datatrove is not installed: pip install datatrove")
pytestmark = pytest.mark.filterwarnings("ignore")

URLS = ["http://www.beispiel.de/wetter/garten", "http://www.exemple.fr/recettes/cuisine", None, "mailto:a@b.c"]


def documents() -> list[Any]:
    return [
        data.Document(text="", id=str(i), metadata={} if url is None else {"url": url}) for i, url in enumerate(URLS)
    ]


def test_documents_stay_or_go_by_their_urls() -> None:
    from dragoman.integrations.datatrove import UrlLanguageFilter

    assert [doc.id for doc in UrlLanguageFilter("de").run(iter(documents()))] == ["0"]
    kept = list(UrlLanguageFilter(["German", "fr"], unknown=True, batch_size=3).run(iter(documents())))
    assert [doc.id for doc in kept] == ["0", "1", "2", "3"]
    assert [doc.metadata["url_language"] for doc in kept] == ["de", "fr", None, None]
    assert UrlLanguageFilter("fr").filter(documents()[0]) == (False, "other_language")
