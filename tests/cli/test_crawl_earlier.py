"""`dragoman crawl --earlier` and seeds with languages, on a small web on loopback."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.live_crawls import catalogue, crawl, pages
from tests.live_web import SmallWeb, serve, small_web
from tests.refusals import refused

from dragoman.cli.main import cli

USUAL = ("--language", "th", "--tolerance", "3", "--allow-private", "--strategy")


@pytest.fixture(scope="module")
def web() -> Iterator[SmallWeb]:
    with serve(small_web(150, share=0.04, seed=5)) as there:
        yield there


@pytest.fixture(scope="module")
def first(web: SmallWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl that ended in the middle."""
    folder = tmp_path_factory.mktemp("earlier") / "first"
    done = crawl(folder, web, *USUAL, "bfs", "--pages", "50")
    assert done.returncode == 0, done.stderr
    return folder


def asked_for(web: SmallWeb) -> Counter[str]:
    found: Counter[str] = Counter()

    def seen(host: str, path: str) -> None:
        found[f"http://{host}{path}"] += not path.endswith("robots.txt")

    web.seen = seen
    return found


def test_a_second_crawl_goes_on_after_the_first(web: SmallWeb, first: Path, tmp_path: Path) -> None:
    asked = asked_for(web)
    done = crawl(tmp_path / "second", web, *USUAL, "bfs", "--earlier", str(first), seeds=False)
    web.seen = None
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("Earlier crawl: 50 URLs, 50 pages whose language is known, "), done.stderr
    assert done.stderr.count("\n") == 1
    both = pages(first), pages(tmp_path / "second")
    assert len(both[0]) == 50
    assert not set(both[0]) & {url for url, count in asked.items() if count}
    assert sorted(both[0] + both[1]) == sorted(web.urls)
    page = (tmp_path / "second" / "report.html").read_text(encoding="utf-8")
    assert "earlier" in page


@pytest.mark.slow
def test_a_second_crawl_visits_wanted_pages_again_and_counts_only_those(
    web: SmallWeb, first: Path, tmp_path: Path
) -> None:
    wanted = {url for url, yes in zip(catalogue(first)["url"], catalogue(first)["relevant"], strict=True) if yes}
    assert wanted
    more = ("scout", "--quota", f"th={len(wanted)}", "--concurrent", "1", "--earlier", str(first))
    done = crawl(tmp_path / "again", web, *USUAL, *more, "--revisit", seeds=False)
    assert done.returncode == 0, done.stderr
    assert "every quota is full" in done.stdout
    found = catalogue(tmp_path / "again")
    assert sum(found["relevant"]) == len(wanted)
    assert wanted & set(found["url"])
    full = crawl(tmp_path / "full", web, *USUAL, *more, seeds=False)
    assert "every quota is full" in full.stdout, "without --revisit the earlier pages count"
    assert not (tmp_path / "full" / "catalogue").exists() or not catalogue(tmp_path / "full")["url"]


def test_seeds_have_languages_and_the_wanted_ones_are_asked_first(web: SmallWeb, tmp_path: Path) -> None:
    of = dict(zip(web.urls, (web.graph.languages[one] for one in web.graph.language), strict=True))
    thai = [url for url in web.urls if of[url] == "th"][:3]
    other = [url for url in web.urls if of[url] == "en"][:3]
    (tmp_path / "thai.txt").write_text("\n".join(thai))
    (tmp_path / "more.tsv").write_text("\n".join([*(f"{url}\tEnglish" for url in other), thai[0]]))
    done = crawl(
        tmp_path / "new", web, *USUAL, "scout", "--pages", "3", "--concurrent", "1", "--seeds",
        str(tmp_path / "more.tsv"), "--seeds", f"th={tmp_path / 'thai.txt'}", seeds=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = catalogue(tmp_path / "new")["url"]
    assert found[0] in thai
    assert not set(found) & set(other)
    page = (tmp_path / "new" / "report.html").read_text(encoding="utf-8")
    assert "said to be" in page


def test_what_cannot_be_an_earlier_crawl_is_refused_in_one_line(first: Path, tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("http://a.example/\tthaaai\n", encoding="utf-8")

    def said(*arguments: str, code: int = 2) -> str:
        new = ("-o", str(tmp_path / "new")) if "-o" not in arguments else ()
        return refused(CliRunner().invoke(cli, ["crawl", "--language", "th", *new, *arguments]), code)

    assert "unknown language 'thaaai'" in said("--seeds", str(seeds))
    assert "Unknown language 'xx-nope'" in said("--seeds", f"xx-nope={seeds}")
    assert "give --seeds" in said()
    seeds.write_text("http://a.example/\n", encoding="utf-8")
    assert "give --earlier" in said("--seeds", str(seeds), "--revisit")
    assert "There is no" in said("--earlier", str(tmp_path / "nothing"))
    assert "is no WARC" in said("--earlier", str(seeds))
    assert "is the earlier crawl itself" in said("--earlier", str(first), "-o", str(first))
    assert not (tmp_path / "new").exists()
