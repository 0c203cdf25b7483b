"""The view of runs: a simulation's figures, and a crawl that goes on while somebody looks."""

from __future__ import annotations

import json
from pathlib import Path

from tests.browser.conftest import Looks, crawl_state, put
from tests.browser.reading import hsl

from dragoman.crawl.live.state.progress import NAME
from dragoman.identifiers.track.colours import hue


def test_a_simulation_shows_the_figures_of_its_summary(look: Looks, runs: Path) -> None:
    page = look.go("runs/simulated")
    page.wait_for_selector("svg.chart path.line", state="attached")
    summary = json.loads((runs / "simulated" / "summary.json").read_text())["strategies"]
    rows = page.eval_on_selector_all(
        ".head + .scroll tbody tr", "rows => rows.map(row => [...row.children].map(one => one.innerText))"
    )
    for row, one in zip(rows, summary, strict=True):
        shown = [
            one["strategy"],
            f"{100 * one['coverage']:.1f} %",
            f"{100 * one['harvest']:.1f} %",
            f"{one['pages']:,}",
        ]
        assert [row[0], *row[2:5]] == shown
    assert page.locator(".charts figure h3").all_inner_texts() == ["Coverage", "Harvest", "Queue", "Servers"]
    lines = page.eval_on_selector_all(
        "svg.chart g[data-name] path", "all => all.map(one => one.getAttribute('d').length)"
    )
    assert len(lines) == 8
    assert min(lines) > 20


def test_a_chart_is_read_by_keys_and_as_a_table(look: Looks) -> None:
    page = look.go("runs/simulated")
    page.wait_for_selector("svg.chart path.line", state="attached")
    chart = page.locator("svg.chart").first
    assert "Arrow keys" in (chart.get_attribute("aria-label") or "")
    chart.focus()
    page.keyboard.press("End")
    assert " pages: " in page.locator(".reading").first.inner_text()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert "scout" in page.locator(".reading").first.inner_text()
    page.locator(".numbers summary").first.click()
    page.wait_for_selector(".numbers tbody tr")  # the table is filled when it opens
    assert page.locator(".numbers").first.locator("tbody tr").count() == 12


def test_a_crawl_is_followed_while_it_runs(look: Looks, runs: Path) -> None:
    put(runs / "going", crawl_state(100))
    page = look.go("runs/going")
    page.wait_for_selector(".tiles")
    tiles = page.locator(".tiles dd:first-of-type")
    assert tiles.all_inner_texts() == ["100", "50", "50.0 %", "≈ 71 %", "40", "75 %"]
    assert page.inner_text(".head .pill") == "running"
    assert page.locator(".bars h3").all_inner_texts() == [
        "Servers by status", "Languages of the pages", "Links, and what was decided", "What came of requests",
        "Servers with most pages",
    ]  # fmt: skip
    assert "<b>seed</b>" in page.inner_text(".columns")
    put(runs / "going", crawl_state(200, "200 pages"))
    page.wait_for_function("() => document.querySelector('.tiles dd').textContent === '200'", timeout=10_000)
    assert page.inner_text(".head .pill") == "ended"
    assert "It ended: 200 pages." in page.inner_text(".head")


def test_the_charts_of_a_crawl_run_along_its_pages_or_its_time(look: Looks, runs: Path) -> None:
    put(runs / "timed", crawl_state(1000, "1,000 pages"))
    page = look.go("runs/timed")
    page.wait_for_selector("svg.chart path.line", state="attached")
    assert page.locator(".charts figure h3").all_inner_texts() == [
        "Wanted pages", "Harvest", "Coverage, estimated", "Queue",
    ]  # fmt: skip
    names = "all => all.map(one => one.textContent)"
    assert page.eval_on_selector_all("svg.chart .axis-name", names) == 4 * ["pages"]
    page.select_option("#runs-along", "seconds")
    assert page.eval_on_selector_all("svg.chart .axis-name", names) == 4 * ["time since the first page"]
    ticks = page.eval_on_selector_all("svg.chart >> nth=0 >> text[text-anchor=middle]", names)
    assert ticks == ["30 min", "1 h", "1 h 30 min", "2 h", "2 h 30 min"]
    outside = """all => all.filter(one => one.getBoundingClientRect().right >
        one.ownerSVGElement.getBoundingClientRect().right).map(one => one.textContent)"""
    assert page.eval_on_selector_all("svg.chart text", outside) == []
    page.locator("svg.chart").first.focus()
    page.keyboard.press("End")
    assert page.locator(".reading").first.inner_text() == "After 2 h 30 min: 500"
    thai = page.locator(".bars li", has_text="Thai").locator(".fill")
    assert thai.evaluate("one => getComputedStyle(one).backgroundColor") == hsl(hue("th"), 0.5, 0.42)


def test_a_broken_folder_is_told_and_does_not_hide_the_others(look: Looks, runs: Path) -> None:
    (runs / "broken").mkdir(exist_ok=True)
    (runs / "broken" / NAME).write_text("{", encoding="utf-8")
    page = look.go("runs/simulated")
    page.wait_for_selector("svg.chart path.line", state="attached")
    entry = page.locator("#runs-list a", has_text="broken")
    assert "is no JSON" in entry.inner_text()
