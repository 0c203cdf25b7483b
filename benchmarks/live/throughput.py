"""Pages a second of `dragoman crawl` and of plain Scrapy on the same web, interleaved: python throughput.py [PAGES].

Identification, steering, WARC, catalogue and decisions are included on our side; plain Scrapy keeps its disk queue
(JOBDIR), saves bodies and follows every link. Both are timed from their first to their last page by the clock, without
start-up, and by processor time of the whole process.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent


def timed(command: list[str]) -> tuple[float, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - began, cpu


def main(pages: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        seeds = home / "seeds.txt"
        web = subprocess.Popen(
            [sys.executable, str(HERE / "web.py"), str(2 * pages), str(seeds), "0.3", "1"],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert web.stdout is not None
            print(web.stdout.readline().strip())
            print("round  kind        pages  seconds  pages/s  processor seconds")
            rates: dict[str, list[tuple[float, float]]] = {"plain": [], "dragoman": []}
            for number in range(rounds):
                for kind in rates:
                    figures = []
                    for wanted in (max(20, pages // 10), pages):  # the difference leaves start-up out
                        folder = home / f"{kind}-{number}-{wanted}"
                        figures.append(timed(_command(kind, seeds, folder, wanted)))
                    fetched = pages - max(20, pages // 10)
                    seconds, cpu = (figures[1][place] - figures[0][place] for place in (0, 1))
                    rates[kind].append((fetched / seconds, fetched / cpu))
                    print(
                        f"{number:5}  {kind:10} {fetched:6} {seconds:8.1f} {fetched / seconds:8.1f} {cpu:8.1f}",
                        flush=True,
                    )
            for place, unit in enumerate(("second", "processor second")):
                plain, ours = (median(one[place] for one in rates[kind]) for kind in ("plain", "dragoman"))
                print(f"pages per {unit}: plain {plain:.1f}, dragoman {ours:.1f}, ratio {ours / plain:.2f}")
        finally:
            web.terminate()


def _command(kind: str, seeds: Path, folder: Path, pages: int) -> list[str]:
    if kind == "plain":
        return [sys.executable, str(HERE / "plain.py"), str(seeds), str(folder), str(pages), "16"]
    return [
        sys.executable, "-m", "dragoman", "crawl", "--language", "th", "--seeds", str(seeds), "-o", str(folder),
        "--strategy", "soft-focused", "--pages", str(pages), "--concurrent", "16", "--per-host", "8", "--delay", "0",
        "--resolve", "*=127.0.0.1", "--allow-private",
    ]  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3000, int(sys.argv[2]) if len(sys.argv) > 2 else 3)
