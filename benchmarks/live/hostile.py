"""Hosts that want to end, starve or fill a crawl, beside good ones: hostile.py [PAGES] [SECONDS].

Told are the seconds by the clock, the most memory, and how many pages of the good hosts are there in the end; all of
them must be, within the time that `--time` allows and a few seconds to write everything, and under 600 MB.
"""

from __future__ import annotations

import gzip
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.live_web import PORT, SmallWeb, sentences, serve, small_web

HTML = {"Content-Type": "text/html; charset=utf-8"}
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def with_hostile_hosts(web: SmallWeb) -> list[str]:
    """Add hosts of all kinds; their first pages."""
    thai = "".join(f"<p>{one}</p>" for one in sentences("th")[:12])

    def page(name: str, path: str = "") -> str:
        return f"http://{name}.test:{PORT}/{path}"

    web.endless.add(page("endless-body"))
    web.raw[page("endless-head")] = HEAD, b"X-More: " + b"y" * 60_000 + b"\r\n"
    web.raw[page("endless-line")] = b"HTTP/1.1 200 ", b"z" * 60_000
    web.raw[page("odd-status")] = b"HTTP/1.1 999999 No\r\nContent-Length: 0\r\n\r\n", b""
    web.raw[page("silent")] = b" ", b""
    web.raw[page("slow")] = HEAD + b"Content-Length: 1000000\r\n\r\n", b"."
    web.raw[page("continue")] = b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n" * 500
    web.special[page("busy")] = (429, {"Retry-After": "3600"}, b"")
    web.special[page("often-busy")] = (503, {}, b"")
    web.special[page("bomb")] = (200, HTML | {"Content-Encoding": "gzip"}, gzip.compress(b"<p>boom</p>" * 5_000_000))
    web.special[page("around")] = (302, {"Location": page("around", "again")}, b"")
    web.special[page("around", "again")] = (302, {"Location": page("around")}, b"")
    many = thai + "".join(f"<a href=/m/{one}>x</a>" for one in range(50_000))
    web.special[page("links")] = (200, HTML, many.encode())
    web.special |= {
        page("calendar", f"?day={day}"): (200, HTML, f"{thai}<a href='/?day={day + 1}'>x</a>".encode())
        for day in range(20_000)
    }
    web.robots["endless-rules.test"] = b"User-agent: *\n" + b"Disallow: /no/such/place/\n" * 400_000
    web.special[page("endless-rules")] = (200, HTML, thai.encode())
    return [*web.endless, *web.raw, *(url for url in web.special if url.count("/") == 3 and "?" not in url),
            page("calendar", "?day=0")]  # fmt: skip


def main(pages: int, seconds: int) -> None:
    web = small_web(pages, share=0.3, seed=2)
    hostile = with_hostile_hosts(web)
    with serve(web) as there, tempfile.TemporaryDirectory() as name:
        port = there.urls[0].split(":")[2].split("/")[0]
        seeds, folder = Path(name) / "seeds.txt", Path(name) / "crawl"
        seeds.write_text("\n".join([*(url.replace(f":{PORT}/", f":{port}/") for url in hostile), *there.seeds]))
        command = [
            sys.executable, "-m", "dragoman", "crawl", "--language", "th", "--seeds", str(seeds), "-o", str(folder),
            "--strategy", "bfs", "--delay", "0.05", "--time", f"{seconds}s", "--timeout", "20", "--resolve",
            "*=127.0.0.1", "--allow-private", "--pages-per-host", "300",
        ]  # fmt: skip
        began = time.monotonic()
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        took = time.monotonic() - began
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
        rows = pq.read_table(folder / "catalogue", columns=["url", "reason"]).to_pylist()
    found = {row["url"] for row in rows if row["reason"] is None}
    bad = Counter(row["reason"] for row in rows if row["reason"])
    print(f"exit {done.returncode} after {took:.0f} s of {seconds} allowed; {memory:.0f} MB at most")
    print(f"good pages: {len(found & set(there.urls))} of {len(there.urls)}; hostile hosts: {len(hostile)}")
    print(", ".join(f"{reason} {count}" for reason, count in bad.most_common()))


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    main(given[0] if given else 400, given[1] if len(given) > 1 else 120)
