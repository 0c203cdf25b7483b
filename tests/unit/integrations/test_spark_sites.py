"""What Spark's processes make of a column of URLs: the same as Python makes of each. No Spark is needed for that."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.crawl.live.state.targets import read_known_sites, read_seeds
from dragoman.integrations.spark.sites import _count, _placed
from dragoman.web.addresses import server_and_directory

SCHEMES = st.sampled_from(["http://", "https://", "HTTP:", "//", "ftp://", ""])
PARTS = st.sampled_from(
    ["a.example", "B.example:80", "[::1]", "ü.example", "th", "a b", "..", "x?y", "%41", "#", "@", ":", "\\"]
)
SEVERAL = st.lists(st.one_of(PARTS, st.text(max_size=5)), max_size=4)
URLS = st.one_of(st.text(max_size=30), st.builds(lambda scheme, parts: scheme + "/".join(parts), SCHEMES, SEVERAL))


def test_usual_addresses_are_read_as_the_one_splitter_reads_them() -> None:
    urls = ["http://a.example/th/x", "https://a.example/x", "http://a.example/", "https://a.example/th/?q=/x/",
            "http://a.example/th#x/", "http://a.example/a?b/c/", "http://a.example//x"]  # fmt: skip
    placed = _placed(pa.array(urls)).to_pydict()
    assert list(zip(placed["server"], placed["directory"], strict=True)) == [server_and_directory(url) for url in urls]
    assert placed["https"] == [url.startswith("https") for url in urls]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(st.none(), URLS), max_size=8))
def test_whatever_is_counted_is_taken_by_a_crawl(urls: list[str | None]) -> None:
    column = pa.array([None if url is None else url.encode("utf-8", "surrogatepass") for url in urls], pa.binary())
    text = pa.Array.from_buffers(pa.string(), len(column), column.buffers(), column.null_count)
    batch = pa.RecordBatch.from_arrays([text, pa.array(["tha"] * len(urls))], names=["url", "language"])
    for counts in _count(iter([batch])):
        counts.validate(full=True)
        for row in counts.to_pylist():
            assert row["language"] == "th"
            for site in (row["server"], row["directory"]):
                (known,) = read_known_sites([f"{site}\tth\t1"], "sites", ["th"])
                assert known.host == row["server"]
                assert read_seeds([f"http://{site}/\tth"], "seeds")
