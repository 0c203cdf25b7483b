"""The how-to of several machines, tried: machines.py [head|command|disk|storage ...] [--pages N] [--outage SECONDS].

Two `ray start` play two machines, at 127.0.0.1 and 127.0.0.2 of a network of their own (`unshare`, Linux) that has
nothing but loopback; `dragoman crawl --cluster auto` crawls a small web there, and is disturbed once:

- head: all of Ray on the first machine is killed. command: the command is killed.
- disk: the folder of the crawl is on a small disk that gets full, and is given more room.
- storage: the folder is an address that fails for `--outage` seconds.

Then both machines are started again where they have gone, and the same command is given until the crawl has ended. Kept
in machines.json: what the server saw, catalogue and archive, how long the command took to end, and what it said.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.live_crawls import catalogue, records  # noqa: E402
from tests.live_web import SmallWeb, serve, small_web  # noqa: E402

FIGURES = HERE / "machines.json"
PORT, SHARDS, DELAY, CONCURRENT = 6379, 8, 0.2, 4
#: Set in the processes of a machine, so that all of them can be told from others.
MARK = "DRAGOMAN_MACHINE"


def own_network() -> None:
    """Go on in a network of its own, with nothing but loopback, and with mounts of its own."""
    if MARK not in os.environ:
        os.environ[MARK] = "this"
        os.execvp("unshare", ["unshare", "--map-root-user", "--net", "--mount", sys.executable, *sys.argv])  # noqa: S606
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


class Machine:
    """What `ray start` starts, at an address."""

    def __init__(self, name: str, address: str, folder: Path) -> None:
        self.name, self.address, self.folder = name, address, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.environment = os.environ | {
            MARK: name, "RAY_TMPDIR": str(folder), "RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }  # fmt: skip

    def start(self, head: Machine | None = None) -> None:
        """Start the head, or join it, and wait until it is there."""
        role = ["--address", f"{head.address}:{PORT}"] if head else ["--head", "--port", str(PORT)]
        command = [
            str(Path(sys.executable).with_name("ray")), "start", *role, "--node-ip-address", self.address,
            "--num-cpus", "2", "--object-store-memory", "80000000",
            *([] if head else ["--include-dashboard", "false"]),
        ]  # fmt: skip
        done = subprocess.run(command, env=self.environment, capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            raise SystemExit(f"{self.name}: {done.stdout}{done.stderr}")

    @property
    def processes(self) -> list[int]:
        """All that runs there."""
        pids = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if f"{MARK}={self.name}\0".encode() in (folder / "environ").read_bytes():
                    pids.append(int(folder.name))
        return pids

    def kill(self) -> None:
        """End everything that runs there, at once."""
        while pids := self.processes:
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.2)


class Trial:
    """A crawl by two machines that is disturbed once."""

    def __init__(self, web: SmallWeb, home: Path) -> None:
        self.web, self.home, self.folder = web, home, home / "crawl"
        self.address = str(self.folder)
        self.head, self.other = Machine("first", "127.0.0.1", home / "1"), Machine("second", "127.0.0.2", home / "2")
        self.asked: Counter[str] = Counter()
        lock = threading.Lock()

        def see(host: str, path: str) -> None:
            with lock:
                self.asked[f"http://{host}{path}"] += not path.endswith("/robots.txt")

        web.seen = see
        self.seeds = home / "seeds.txt"
        self.seeds.write_text("\n".join(web.seeds), encoding="utf-8")

    def start(self) -> None:
        """Start the machines that are not there."""
        if not self.head.processes:
            self.other.kill()
            self.head.start()
        if not self.other.processes:
            self.other.start(self.head)

    def command(self) -> subprocess.Popen[str]:
        """The usual command, on the first machine."""
        line = [
            sys.executable, "-m", "dragoman", "crawl", "--language", "th", "--strategy", "bfs",
            "--seeds", str(self.seeds), "-o", self.address, "--cluster", "auto", "--shards", str(SHARDS),
            "--delay", str(DELAY), "--concurrent", str(CONCURRENT), "--resolve", "*=127.0.0.1", "--allow-private",
        ]  # fmt: skip
        environment = self.head.environment | {MARK: "command"}
        return subprocess.Popen(
            line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
        )

    def run(self, disturb: Callable[[subprocess.Popen[str]], None], mend: Callable[[], None]) -> dict[str, Any]:
        """Crawl until a third is there, disturb, mend, go on to the end; what has become of it."""
        self.start()
        figures: dict[str, Any] = {"pages": len(self.web.urls), "commands": 0}
        disturbed = 0.0
        while True:
            command = self.command()
            figures["commands"] += 1
            while not disturbed and command.poll() is None:
                if self.asked.total() > len(self.web.urls) // 3:
                    disturbed = time.monotonic()
                    disturb(command)
                time.sleep(0.05)
            said, _ = command.communicate()
            if figures["commands"] == 1:
                figures["seconds until it ended"] = round(time.monotonic() - disturbed, 1)
                lines = said.replace(str(self.home), "").strip().splitlines()
                figures["said"] = [line for line in lines if line.startswith("dragoman")][-1:]
                figures["exit"] = command.returncode
                figures["asked before"] = self.asked.total()
            print(said, f"exit {command.returncode}, asked {self.asked.total()}", flush=True)
            if command.returncode == 0 or figures["commands"] > 5:
                break
            mend()
            self.start()
        rows, archived = Counter(catalogue(self.folder)["url"]), records(self.folder)
        in_archive = {url: count for (kind, url), count in archived.items() if kind == "response"}
        return figures | {
            "lost": len(set(self.web.urls) - set(rows)), "twice": rows.total() - len(rows),
            "archive equals catalogue": in_archive == dict(rows), "asked again": self.asked.total() - len(+self.asked),
        }  # fmt: skip

    def end(self) -> None:
        """Let nothing run on."""
        for machine in (self.head, self.other):
            machine.kill()


def head(trial: Trial, given: argparse.Namespace) -> dict[str, Any]:
    """Ray dies on the first machine."""
    return trial.run(lambda _: trial.head.kill(), lambda: None)


def command(trial: Trial, given: argparse.Namespace) -> dict[str, Any]:
    """The command dies."""
    return trial.run(lambda process: process.kill(), lambda: None)


def disk(trial: Trial, given: argparse.Namespace) -> dict[str, Any]:
    """The disk gets full: a large file is put beside the crawl, and taken away again."""
    folder, size = trial.folder.parent / "disk", 64_000_000
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    trial.folder = folder / "crawl"
    trial.address, large = str(trial.folder), folder / "large"

    def fill(_: subprocess.Popen[str]) -> None:
        with suppress(OSError), large.open("wb", buffering=0) as stream:
            while True:
                stream.write(bytes(4096))

    try:
        return trial.run(fill, large.unlink)
    finally:
        trial.end()
        subprocess.run(["umount", str(folder)], check=True)


def storage(trial: Trial, given: argparse.Namespace) -> dict[str, Any]:
    """The storage is away for a while: a file stands where its folder was."""
    trial.address = f"file://{trial.folder}"
    away = trial.folder.with_suffix(".away")

    def back() -> None:
        trial.folder.unlink()
        away.rename(trial.folder)

    def fail(_: subprocess.Popen[str]) -> None:
        trial.folder.rename(away)
        trial.folder.touch()
        threading.Timer(given.outage, back).start()

    return trial.run(fail, lambda: None) | {"outage": given.outage}


TRIALS = {"head": head, "command": command, "disk": disk, "storage": storage}


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=list(TRIALS), help="head, command, disk, storage: all, unless given")
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--outage", type=float, default=120.0)
    given = parser.parse_args()
    own_network()
    for name in given.what:
        with serve(small_web(given.pages, share=0.04, seed=1)) as web, tempfile.TemporaryDirectory() as folder:
            trial = Trial(web, Path(folder))
            try:
                figures = TRIALS[name](trial, given)
            finally:
                trial.end()
        print(name, json.dumps(figures, indent=1), flush=True)
        every = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
        every[name] = figures | {"date": time.strftime("%Y-%m-%d")}
        FIGURES.write_text(json.dumps(every, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
