"""Tables in the layout of Common Crawl's columnar index: its columns, its types, its folders and names of files."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

_INTEGERS = {"url_port": pa.int32(), "fetch_status": pa.int16(), "warc_record_offset": pa.int32(),
             "warc_record_length": pa.int32(), "fetch_time": pa.timestamp("us")}  # fmt: skip
#: The columns of the flat schema, in its order; `crawl` and `subset` are folders.
COLUMNS = (
    "url_surtkey", "url", "url_host_name", "url_host_tld", "url_host_2nd_last_part", "url_host_3rd_last_part",
    "url_host_4th_last_part", "url_host_5th_last_part", "url_host_registry_suffix", "url_host_registered_domain",
    "url_host_private_suffix", "url_host_private_domain", "url_protocol", "url_port", "url_path", "url_query",
    "fetch_time", "fetch_status", "fetch_redirect", "content_digest", "content_mime_type", "content_mime_detected",
    "content_charset", "content_languages", "content_truncated", "warc_filename", "warc_record_offset",
    "warc_record_length", "warc_segment",
)  # fmt: skip
SCHEMA = pa.schema([(name, _INTEGERS.get(name, pa.string())) for name in COLUMNS])
#: What is made here: a URL, the languages of its text (`deu,eng`), the status of its fetch.
Capture = tuple[str | None, str | None, int]


def index_table(captures: Iterable[Capture], segment: str = "1707947473347.0") -> Any:
    """The rows of a part; `warc_record_offset` numbers them."""
    rows = []
    for number, (url, languages, status) in enumerate(captures):
        scheme, _, rest = (url or "").partition("://")
        host, slash, tail = rest.partition("/")
        path, _, query = (slash + tail).partition("?")
        labels = [*reversed(host.split(".")), None, None, None, None, None]
        domain = ".".join(reversed([label for label in labels[:2] if label]))
        row = dict.fromkeys(COLUMNS) | {
            "url_surtkey": ",".join(reversed(host.split("."))) + ")" + path,
            "url": url,
            "url_host_name": host,
            "url_host_tld": labels[0],
            "url_host_2nd_last_part": labels[1],
            "url_host_3rd_last_part": labels[2],
            "url_host_registry_suffix": labels[0],
            "url_host_registered_domain": domain,
            "url_host_private_suffix": labels[0],
            "url_host_private_domain": domain,
            "url_protocol": scheme,
            "url_path": path,
            "url_query": query or None,
            "fetch_time": datetime(2024, 2, 20, 10, 53, 1),
            "fetch_status": status,
            "content_digest": "CH7IV3XAD3M7A42JARKRLJ3T5PGGCGXD",
            "content_mime_type": "text/html",
            "content_mime_detected": "text/html",
            "content_charset": "UTF-8",
            "content_languages": languages,
            "warc_filename": f"crawl-data/CC-MAIN-2024-10/segments/{segment}/warc/CC-MAIN-00000.warc.gz",
            "warc_record_offset": number,
            "warc_record_length": 20_000,
            "warc_segment": segment,
        }
        rows.append(row)
    return pa.Table.from_pylist(rows, SCHEMA)


def part_name(number: int) -> str:
    """The path of a part below the folder of the table."""
    file = f"part-{number:05}-248eba37-08f7-4a53-a4b4-d990640e4be4.c000.gz.parquet"
    return f"crawl=CC-MAIN-2024-10/subset=warc/{file}"


def write_part(table: Any, root: Path, number: int) -> Path:
    """The part, written as the index's are: Spark's timestamps, gzip."""
    path = root / part_name(number)
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, compression="gzip", use_deprecated_int96_timestamps=True)
    return path
