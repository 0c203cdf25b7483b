"""A strategy that another package adds, in one file and without C, used at once by `simulate` and `crawl`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.added_packages import added_package
from tests.live_crawls import catalogue, crawl, pages
from tests.live_web import serve, small_web

MINE = '''
from dragoman.crawl.strategies import LinkStrategy
from dragoman.types import Decision, Decisions


class HomeFirst(LinkStrategy):
    """Links within a server first, those to other servers only from relevant pages."""

    name = "home-first"

    def __init__(self, languages=()):
        self.languages = languages

    def decide(self, page, links):
        return Decisions(tuple(self.decision(page, link) for link in links))

    def decision(self, page, link):
        home = link.server == page.server
        if home or page.relevant:
            return Decision(link.key, ("server", str(link.server)), 2.0 * home + link.score / 100, "home or relevant")
        return Decision(link.key, ("server", str(link.server)), None, "away from a page that is not relevant")


class Nameless(HomeFirst):
    name = ""


class Greedy(HomeFirst):
    name = "greedy"

    def __init__(self, appetite):
        self.appetite = appetite


class Silent(HomeFirst):
    name = "silent"

    def decide(self, page, links):
        return Decisions(super().decide(page, links).links[:1])


class Breaking(HomeFirst):
    name = "breaking"

    def decide(self, page, links):
        return links[7]


class Twin(HomeFirst, twin="breadth-first"):
    name = "twin"


class Unfinished(LinkStrategy):
    name = "unfinished"


class Other:
    name = "other"
'''
BROKEN = {
    "nameless": "its class is called '': `name` must be the name that it is registered by",
    "greedy": "its constructor asks for 'appetite', which is no option",
    "silent": "it decided about [1] where the links are [1, 2]: one decision per link, in their order",
    "breaking": "it fails on a page with two links: IndexError: list index out of range",
    "twin": "it names a compiled loop",
    "unfinished": "Unfinished lacks decide",
    "other": "Other is no subclass of LinkStrategy",
    "nowhere": "has no attribute 'Nowhere'",
}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    points = {name: name.capitalize() for name in BROKEN} | {"home_first": "HomeFirst"}
    return added_package(tmp_path_factory.mktemp("added"), "my_strategies", MINE, "dragoman.strategies", **points)


def simulate(folder: Path, environment: dict[str, str], *more: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "dragoman", "simulate", "--synth", "--pages", "3000", "--no-plots", *more]
    return subprocess.run(
        [*line, "-o", str(folder)], env=environment, capture_output=True, encoding="utf-8", check=False
    )


def test_an_added_strategy_is_simulated_beside_the_others(tmp_path: Path, environment: dict[str, str]) -> None:
    asked = ("--strategy", "home-first", "--strategy", "bfs", "--tolerance", "3", "--tolerance", "9")
    done = simulate(tmp_path, environment, *asked)
    assert (done.returncode, done.stderr) == (0, "")
    mine, bfs = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["strategies"]
    assert mine["strategy"] == "home-first"
    assert list(mine["reasons"]) == ["home or relevant", "away from a page that is not relevant"]
    assert 0 < mine["pages"] < bfs["pages"]
    assert mine["harvest"] > bfs["harvest"]


@pytest.mark.slow
def test_an_added_strategy_steers_a_live_crawl(tmp_path: Path, environment: dict[str, str]) -> None:
    with serve(small_web(60, seed=5)) as web:
        wanted = ("--language", "th", "--allow-private", "--concurrent", "1", "--strategy", "home-first")
        done = crawl(tmp_path / "crawl", web, *wanted, env=environment)
        assert (done.returncode, done.stderr) == (0, "")
        again = crawl(tmp_path / "crawl", web, *wanted, env=environment)
        assert again.returncode == 0, again.stderr
        assert again.stderr.startswith("Resumed: ")
    fetched = pages(tmp_path / "crawl")
    assert set(web.seeds) <= set(fetched) <= set(web.urls)
    assert any(catalogue(tmp_path / "crawl")["relevant"])


@pytest.mark.parametrize("name", BROKEN)
def test_a_strategy_that_breaks_the_contract_is_refused_in_one_line(
    tmp_path: Path, environment: dict[str, str], name: str
) -> None:
    done = simulate(tmp_path, environment, "--strategy", name)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"The strategy '{name}' of the package 'my_strategies' cannot be used: " in done.stderr
    assert BROKEN[name] in done.stderr


def test_a_crawl_refuses_it_as_well_before_anything_is_fetched(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "seeds").write_text("http://127.0.0.1:9/", encoding="utf-8")
    line = [sys.executable, "-m", "dragoman", "crawl", "--language", "th", "--seeds", str(tmp_path / "seeds")]
    line += ["--strategy", "breaking", "-o", str(tmp_path / "crawl")]
    done = subprocess.run(line, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert not (tmp_path / "crawl").exists()


def test_a_name_that_nobody_registered_is_answered_with_the_added_ones_too(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    done = simulate(tmp_path, environment, "--strategy", "home-fist")
    assert done.returncode == 2
    assert "Did you mean 'home-first'?" in done.stderr
