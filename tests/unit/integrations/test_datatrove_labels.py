"""The blocks that label documents and keep all of them."""

from __future__ import annotations

from typing import Any

import pytest

from dragoman.errors import UsageError

data: Any = pytest.importorskip("datatrove.data", reason="datatrove is not installed: pip install datatrove")
pytestmark = pytest.mark.filterwarnings("ignore")


def test_urls_are_labelled_and_all_documents_stay() -> None:
    from dragoman.integrations.datatrove import UrlLanguageLabeller

    urls = ["http://www.beispiel.de/wetter/garten", "http://www.exemple.fr/recettes/cuisine", None]
    documents = [data.Document(text="", id=str(number), metadata={"url": url}) for number, url in enumerate(urls)]
    labelled = list(UrlLanguageLabeller(batch_size=2).run(iter(documents)))
    assert [doc.metadata["url_language"] for doc in labelled] == ["de", "fr", None]


def test_texts_are_labelled_as_others_label_them() -> None:
    from dragoman.integrations.datatrove import TextLanguageLabeller

    texts = [
        "The bridge over the river is open again, and everybody is glad.",
        "Мост через реку снова открыт для всех.",
        "",
    ]
    documents = [data.Document(text=text, id=str(number)) for number, text in enumerate(texts)]
    labelled = [doc.metadata for doc in TextLanguageLabeller("glotlid").run(iter(documents))]
    assert [(one["language"], one["language_script"]) for one in labelled] == [
        ("eng_Latn", "Latn"), ("rus_Cyrl", "Cyrl"), (None, None),
    ]  # fmt: skip
    assert labelled[0]["language_score"] > 0.9
    plain = next(iter(TextLanguageLabeller().run(iter(documents[:1]))))
    assert plain.metadata["language"] == "en"
    with pytest.raises(UsageError, match="bcp47, glotlid"):
        TextLanguageLabeller("iso")
