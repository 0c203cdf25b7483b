"""`dragoman crawl` on a small web on loopback: the simulator's order, kills, traps, archives, refusals."""

from __future__ import annotations

import resource
import signal
import socket
import subprocess
import threading
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from tests.live_crawls import catalogue, command, crawl, pages, records
from tests.live_web import SmallWeb, hostile_web, serve, small_web
from tests.refusals import refused

from dragoman.cli.main import cli
from dragoman.crawl.live.driver.scoring import UrlScorer
from dragoman.crawl.live.state.targets import Target
from dragoman.crawl.records import ServerRule
from dragoman.crawl.simulate import simulate

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # fastwarc warns about names of its own
    from fastwarc.warc import ArchiveIterator as FastIterator

WANTED = ("--language", "th", "--tolerance", "3")
STRATEGIES = ("bfs", "conservative-server", "scout")


@pytest.fixture(scope="module")
def web() -> Iterator[SmallWeb]:
    with serve(small_web(180, share=0.04, seed=5)) as there:
        yield there


@pytest.fixture(scope="module")
def crawls(web: SmallWeb, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One finished crawl per strategy, one request at a time."""
    home = tmp_path_factory.mktemp("crawls")
    usual = (*WANTED, "--allow-private", "--concurrent", "1", "--strategy")
    started = [
        subprocess.Popen(
            command(home / name, web, *usual, name), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
        )
        for name in STRATEGIES
    ]
    for process in started:
        told, wrong = process.communicate(timeout=300)
        assert process.returncode == 0, wrong
        assert not wrong, wrong
        assert "nothing waits any more" in told
    return {name: home / name for name in STRATEGIES}


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_live_crawl_takes_the_pages_in_the_order_of_the_simulator(
    web: SmallWeb, crawls: dict[str, Path], name: str
) -> None:
    score = np.array([score for score, _ in UrlScorer(["th"])(web.urls)], np.float32)
    strategy = Target(("th",), strategy=name, rule=ServerRule(3)).new_strategy()
    run = simulate(web.graph, web.relevant("th"), strategy, score=score, compiled=False)
    assert pages(crawls[name]) == [web.urls[place] for place in run.order]
    reasons = Counter(pq.read_table(crawls[name] / "decisions")["reason"].to_pylist())
    reasons.pop("seed")
    assert reasons == run.reasons


def test_steered_crawls_find_nearly_everything_with_far_fewer_pages(web: SmallWeb, crawls: dict[str, Path]) -> None:
    everything = catalogue(crawls["bfs"])
    assert len(everything["url"]) == len(web.urls)
    assert sum(everything["relevant"]) == int(web.relevant("th").sum())
    for name in STRATEGIES[1:]:
        found = catalogue(crawls[name])
        assert len(found["url"]) < 0.6 * len(web.urls)
        assert sum(found["relevant"]) >= 0.95 * sum(everything["relevant"])


def test_catalogue_archive_and_report_say_the_same(web: SmallWeb, crawls: dict[str, Path]) -> None:
    folder = crawls["scout"]
    rows, kept = catalogue(folder), records(folder)
    assert {kind for kind, _ in kept} == {"warcinfo", "request", "response"}
    assert Counter(rows["url"]) == Counter({url: count for (kind, url), count in kept.items() if kind == "response"})
    with (folder / "warc" / rows["warc"][3]).open("rb") as file:
        file.seek(rows["warc_offset"][3])
        assert next(iter(FastIterator(file))).headers["WARC-Target-URI"] == rows["url"][3]
    assert set(rows["language"]) >= {"th", "en"}
    assert (rows["depth"][0], rows["parent"][0]) == (0, None)
    assert rows["parent"][-1] in web.urls
    page = (folder / "report.html").read_text(encoding="utf-8")
    decided = Counter(pq.read_table(folder / "decisions")["reason"].to_pylist())
    for told in ("Harvest", decided.most_common(1)[0][0], "Thai"):
        assert told in page


def test_a_finished_crawl_stays_as_it_is_when_the_command_is_given_again(
    web: SmallWeb, crawls: dict[str, Path]
) -> None:
    before = catalogue(crawls["scout"])
    done = crawl(crawls["scout"], web, *WANTED, "--allow-private", "--strategy", "scout")
    assert done.returncode == 0, done.stderr
    assert "Resumed" in done.stderr
    assert catalogue(crawls["scout"]) == before


@pytest.mark.slow
def test_a_crawl_that_is_killed_again_and_again_is_complete_in_the_end(web: SmallWeb, tmp_path: Path) -> None:
    asked: Counter[str] = Counter()
    lately = threading.Event()

    def seen(host: str, path: str) -> None:
        asked[f"http://{host}{path}"] += 1
        if sum(asked.values()) % 40 == 0:
            lately.set()

    web.seen = seen
    folder, chance, kills = tmp_path / "killed", np.random.default_rng(3), 0
    while True:
        lately.clear()
        process = subprocess.Popen(
            command(folder, web, *WANTED, "--allow-private", "--strategy", "bfs"),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        while kills < 4 and process.poll() is None and not lately.wait(0.02):
            pass
        if process.poll() is None and kills < 4:
            time.sleep(float(chance.random()) * 0.05)
            process.send_signal(signal.SIGKILL)
            kills += 1
        _, errors = process.communicate(timeout=200)
        if process.returncode != -signal.SIGKILL:
            break
    web.seen = None
    assert process.returncode == 0, errors.decode()
    assert kills >= 3
    assert sorted(pages(folder)) == sorted(web.urls)
    kept = records(folder)
    assert {url: count for (kind, url), count in kept.items() if kind == "response"} == dict.fromkeys(web.urls, 1)
    twice = [url for url, count in asked.items() if count > 1 and not url.endswith("robots.txt")]
    assert len(twice) <= 16 * kills, "only what was on its way is asked for again"


def test_traps_end_and_the_rest_of_the_site_is_complete(tmp_path: Path) -> None:
    with serve(hostile_web()) as web:
        done = crawl(
            tmp_path / "hostile", web, *WANTED, "--strategy", "bfs", "--allow-host", "hostile.test", "--allow-host",
            "huge-robots.test", "--timeout", "3", "--pages-per-host", "30", "--max-body", "4M",
            "--links-per-page", "50",
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr
    rows = catalogue(tmp_path / "hostile")
    reasons = dict(zip([url.split("/", 3)[3] or url.split(":")[1] for url in rows["url"]], rows["reason"], strict=True))
    assert set(web.urls) <= set(pages(tmp_path / "hostile"))
    assert reasons["loop/a"] == "redirect loop"
    assert reasons["hop/0"] == "too many redirects"
    assert reasons["to-private"] == reasons["to-metadata"] == "redirect refused: address is private"
    assert reasons["to-file"] == "redirect refused: not http or https"
    assert reasons["//inside.test"] == "address is private"
    assert reasons["//huge-robots.test"] is None
    assert reasons["bomb"] == "body is too large when decompressed"
    assert reasons["endless"] in ("no answer in time", "body is too large")
    assert reasons["forbidden/x"] == "robots.txt forbids it"
    assert reasons["wrong-type"] == "no text"
    assert reasons["wrong-charset"] is None
    assert reasons["hidden.html"] is None, "only the sitemap knows of it"
    assert len(pages(tmp_path / "hostile")) <= 31
    page = (tmp_path / "hostile" / "report.html").read_text(encoding="utf-8")
    for reason in ("URL is too long", "path repeats itself", "host has given its share", "too many links on the page"):
        assert reason in page, reason


def test_quotas_and_budgets_end_a_crawl_and_a_larger_budget_lets_it_go_on(web: SmallWeb, tmp_path: Path) -> None:
    some = ("--language", "th", "--allow-private", "--strategy", "soft-focused", "--quota", "th=20")
    done = crawl(tmp_path / "one", web, *some, "--pages", "5")
    assert "the budget of 5 pages is used up" in done.stdout, done.stderr
    assert len(pages(tmp_path / "one")) == 5
    done = crawl(tmp_path / "one", web, *some, "--pages", "5000")
    assert "every quota is full" in done.stdout, done.stderr
    assert 20 <= sum(catalogue(tmp_path / "one")["relevant"]) <= 20 + 16


@pytest.mark.slow
def test_a_resumed_crawl_keeps_to_the_tolerance_of_its_servers(web: SmallWeb, tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    some = (*WANTED, "--allow-private", "--strategy", "conservative-server", "--pages")
    for budget in ("20", "5000"):
        assert crawl(folder, web, *some, budget).returncode == 0
    rows = catalogue(folder)
    fetched, wanted = Counter[str](), Counter[str]()
    for server, relevant, reason in zip(rows["server"], rows["relevant"], rows["reason"], strict=True):
        fetched[server] += reason is None
        wanted[server] += bool(relevant)
    # T + 1 pages of a server without any wanted page, however much of it was in hand when the crawl was stopped
    assert {server: number for server, number in fetched.items() if not wanted[server] and number > 4} == {}


def test_the_pages_of_a_crawl_are_examples_for_a_url_model(crawls: dict[str, Path], tmp_path: Path) -> None:
    model = tmp_path / "mine.dragoman"
    done = CliRunner().invoke(cli, ["train", "--from-crawl", str(crawls["bfs"]), "-o", str(model), "--held-out", "0.4"])
    assert done.exit_code == 0, done.output
    assert model.exists()
    assert set(pq.read_table(crawls["bfs"] / "labelled.parquet")["lang"].to_pylist()) >= {"th", "en"}
    assert "has no catalogue" in refused(CliRunner().invoke(cli, ["train", "--from-crawl", "x", "-o", str(model)]), 2)


def test_a_full_disk_is_told_in_one_line_and_loses_nothing(web: SmallWeb, tmp_path: Path) -> None:
    def small_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))

    arguments = (*WANTED, "--allow-private", "--strategy", "bfs", "--pages", "40")
    done = crawl(tmp_path / "full", web, *arguments, preexec_fn=small_files)
    assert done.returncode == 1, done.stdout
    assert done.stderr.startswith("dragoman: "), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    done = crawl(tmp_path / "full", web, *arguments)
    assert done.returncode == 0, done.stderr
    assert len(pages(tmp_path / "full")) == 40
    assert max(records(tmp_path / "full").values()) == 1


def test_a_port_that_answers_nothing_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # connections are taken, and that is all
        web = hostile_web().at(silent.getsockname()[1])
        done = crawl(tmp_path / "silent", web, *WANTED, "--allow-private", "--timeout", "0.5")
    assert done.returncode == 1
    assert done.stderr == "dragoman: None of the seeds gave a page: no answer in time (1)\n"
    assert catalogue(tmp_path / "silent")["reason"] == ["no answer in time"]
    assert pq.read_table(tmp_path / "silent" / "decisions")["reason"].to_pylist() == ["seed"]


def test_what_cannot_be_is_refused_in_one_line(tmp_path: Path, crawls: dict[str, Path]) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("http://a.example/\n", encoding="utf-8")

    def said(*arguments: str, code: int = 2) -> str:
        return refused(CliRunner().invoke(cli, ["crawl", *arguments]), code)

    usual = ("--language", "th", "--seeds", str(seeds), "-o", str(tmp_path / "new"))
    assert "Unknown language 'thaaai'" in said("--language", "thaaai", *usual[2:])
    assert "Unknown strategy 'magic'" in said(*usual, "--strategy", "magic")
    assert "no regular expression" in said(*usual, "--include", "(")
    assert "which is not among the wanted" in said(*usual, "--quota", "lo=5")
    assert "--quota is 'th=0'" in said(*usual, "--quota", "th=0")
    assert "in Klingon (tlh): `dragoman models text" in said("--language", "klingon", *usual[2:])
    for size in ("many", "-1", "0", "nan"):
        assert f"'{size}' is no size" in said(*usual, "--bytes", size)
    for duration in ("tomorrow", "-5m", "0", "nan"):
        assert f"'{duration}' is no time" in said(*usual, "--time", duration)
    for option in ("--pages", "--hosts", "--pages-per-host", "--links-per-page"):
        assert f"{option} is 0; give 1 or more" in said(*usual, option, "0")
    assert "--timeout is -1; give seconds" in said(*usual, "--timeout", "-1")
    assert f"'{seeds}' has no progress.json" in said("--status", str(seeds))
    assert "holds another crawl" in said(*usual[:4], "-o", str(crawls["bfs"]))
    nowhere = said(*usual[:4], "-o", "/proc/nope", code=1)
    assert nowhere == "dragoman: The folder '/proc/nope' cannot be made: No such file or directory\n"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "diary.txt").touch()
    assert "holds other things than a crawl" in said(*usual[:4], "-o", str(tmp_path / "full"))
    seeds.write_text("http://a.example/\nno such thing\n", encoding="utf-8")
    assert "line 2: 'no such thing' is no URL" in said(*usual)
    seeds.write_text("http://a.example/  Thai\n", encoding="utf-8")
    assert "line 1: 'http://a.example/ Thai' needs a tab between" in said(*usual)
    seeds.write_text("# nothing\n", encoding="utf-8")
    assert "has no seeds" in said(*usual)
    seeds.unlink()
    assert "No such file" in said(*usual)
    assert not (tmp_path / "new").exists()
    assert [one.name for one in (tmp_path / "full").iterdir()] == ["diary.txt"]
