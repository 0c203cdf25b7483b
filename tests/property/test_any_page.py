"""Any bytes are a page: plain and compiled agree, nothing raises, and positions stay inside."""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.identifiers.text.charset import decode
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.markup.tokenise import tokenise
from dragoman.identifiers.text.markup.visible import read_markup

ROOT = Path(__file__).resolve().parents[2]


def _mutations() -> ModuleType:
    path = ROOT / "benchmarks" / "markup" / "mutations.py"
    spec = importlib.util.spec_from_file_location("mutations", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MUTATIONS = _mutations()
PIECES = st.one_of(
    st.sampled_from(MUTATIONS.PIECES),
    st.sampled_from(
        ["</script>", "</title>", "</textarea>", "</template>", "</svg>", "</pre>", "</xmp>", "<xmp>", "--!>"]
    ),
    st.text(max_size=4),
    st.text(alphabet="<>&/!-'\"=;# \n\ra", max_size=6),
)
ANY_HTML = st.lists(PIECES, max_size=25).map("".join)


@settings(max_examples=600, deadline=None)
@given(source=ANY_HTML, xml=st.booleans(), every=st.booleans())
def test_plain_and_compiled_tokens_are_the_same(source: str, xml: bool, every: bool) -> None:
    expected, found = tokenise(source, xml, every), read_markup(source, xml, every)
    where = found.map
    assert found.text == expected.text
    columns = (where.text_starts, where.source_starts, where.source_lengths, where.kinds)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected.segments
    assert [tuple(row) for row in found.tag_rows.tolist()] == expected.tags
    assert [tuple(row) for row in found.attribute_rows.tolist()] == expected.attributes


@settings(max_examples=300, deadline=None)
@given(
    data=st.one_of(st.binary(max_size=200), ANY_HTML.map(lambda text: text.encode("utf-8", "replace"))), said=st.text()
)
def test_any_bytes_are_a_page(data: bytes, said: str) -> None:
    MUTATIONS.check(read_page(data, said, "http://a.example/", said))
    assert isinstance(decode(data, said, strict=True).text, str)


@pytest.mark.parametrize("seed", [11, 12])
def test_damaged_pages_are_read_quickly_with_positions_inside(seed: int) -> None:
    for data, content_type in MUTATIONS.pages(seed, 150):
        start = time.process_time()
        MUTATIONS.check(read_page(data, content_type, "http://a.example/"))
        assert time.process_time() - start < 2


def test_the_same_seed_damages_the_same_way() -> None:
    assert list(MUTATIONS.pages(3, 20)) == list(MUTATIONS.pages(3, 20))


@settings(max_examples=100, deadline=None)
@given(source=ANY_HTML, cut=st.tuples(st.integers(-3, 60), st.integers(-3, 60)))
def test_any_span_of_the_text_is_a_span_of_the_source(source: str, cut: tuple[int, int]) -> None:
    found = read_markup(source)
    start, end = found.map.source_span(*cut)
    assert 0 <= start <= end <= len(source)


@pytest.mark.parametrize(
    "piece",
    ["<", "<a ", "<a href='", "</", "<!--", "<!", "&", "&#", "&#x", "&amp", "<script>", "<![CDATA[", "<svg>", "-", "\0",
     "<a b=c ",
     "<title>", "</script", "<!-- --", "<pre>", "<?", "]]>", "<textarea>", "<a href=x>", "&nGt; "],
)  # fmt: skip
def test_the_cost_grows_with_the_length_and_nothing_else(piece: str) -> None:
    source = piece * (400_000 // len(piece))
    start = time.process_time()
    read_markup(source)
    assert time.process_time() - start < 1
