"""Kill -9 at random moments, resume, compare with what is there: python benchmarks/live/kills.py [PAGES] [KILLS]."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
from warcio.archiveiterator import ArchiveIterator

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.live_web import serve, small_web


def main(pages: int, kills: int, concurrent: int = 16) -> None:
    chance, asked = random.Random(1), Counter[str]()
    with serve(small_web(pages, share=0.1, seed=1)) as web, tempfile.TemporaryDirectory() as name:
        web.seen = lambda host, path: asked.update([f"http://{host}{path}"])
        seeds, folder = Path(name) / "seeds.txt", Path(name) / "crawl"
        seeds.write_text("\n".join(web.seeds), encoding="utf-8")
        command = [
            sys.executable, "-m", "dragoman", "crawl", "--language", "th", "--seeds", str(seeds), "-o", str(folder),
            "--strategy", "bfs", "--concurrent", str(concurrent), "--delay", "0", "--resolve", "*=127.0.0.1",
            "--allow-private",
        ]  # fmt: skip
        done, every = 0, len(web.urls) // (3 * kills + 1)  # more are asked for until it is dead
        while True:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            before = len(asked)  # what was asked for again is no progress
            while done < kills and process.poll() is None and len(asked) < before + every:
                time.sleep(0.005)
            if process.poll() is None and done < kills:
                time.sleep(chance.random() * 0.02)
                process.send_signal(signal.SIGKILL)
                done += 1
            if process.wait() != -signal.SIGKILL:
                break
        rows = Counter(pq.read_table(folder / "catalogue", columns=["url"])["url"].to_pylist())
        kept: Counter[str] = Counter()
        for path in (folder / "warc").glob("*.warc.gz"):
            with path.open("rb") as file:
                for record in ArchiveIterator(file, check_digests="raise"):
                    record.content_stream().read()
                    url = str(record.rec_headers.get_header("WARC-Target-URI"))
                    if record.rec_type == "response" and not url.endswith("/robots.txt"):
                        kept[url] += 1
        again = sum(count - 1 for url, count in asked.items() if not url.endswith("/robots.txt"))
        lost = len(set(web.urls) - set(rows))
        print(f"{len(web.urls)} pages, {done} kills: exit {process.returncode}")
        print(f"catalogue: {len(rows)} URLs, {sum(rows.values()) - len(rows)} twice, {lost} lost")
        print(f"archive: {len(kept)} URLs, {sum(kept.values()) - len(kept)} twice, all digests right")
        print(f"asked for again: {again} ({again / max(done, 1):.1f} per kill; at most {concurrent} are on their way)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, int(sys.argv[2]) if len(sys.argv) > 2 else 20)
