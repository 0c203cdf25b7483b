"""How much of a language a crawl holds itself to have: from what was asked for, which is the best of what was there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dragoman.crawl.live.state.links import LinkEnd
from dragoman.crawl.live.state.progress import progress_of
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import CrawlAnswer, Store
from dragoman.crawl.live.state.targets import CrawlPlan, Target
from dragoman.types import Language

SITE, OFFICE = "http://manual.example", "http://office.example"


def by_code(urls: Sequence[str]) -> list[tuple[float, Language | None]]:
    return [(-3.7, "de") if ".de." in url or url == f"{SITE}/" else (-8.0, "fr") for url in urls]


def by_text(texts: Sequence[str]) -> list[float]:
    return [4.0 if text == "Deutsch" else -4.0 for text in texts]


def steering(folder: Path) -> Steering:
    target = Target(("de",))
    return Steering(Store(folder, target.identity()), CrawlPlan(target, by_code, anchor=by_text))


def crawl(one: Steering, pages: int, urls: Sequence[str]) -> None:
    """Ask for so many pages; the first ones link to all the others."""
    one.start([f"{SITE}/", f"{OFFICE}/"])
    links = [LinkEnd(url, text="Deutsch" if ".de." in url else "another") for url in urls]
    for number in range(pages):
        key = one.pop()
        assert key is not None
        is_german = one.store.score[key] > -5 or one.store.url(key).startswith(OFFICE)
        part = links[number * 500 : (number + 1) * 500]
        one.page(CrawlAnswer(key, key, 0.0, 200, "de", relevant=is_german), part)


def test_what_is_left_on_a_site_in_many_languages_is_not_held_for_wanted_because_the_best_came_first(
    tmp_path: Path,
) -> None:
    """Failed before: nearly all pages in other languages were expected to be German, as those of the other site are."""
    one = steering(tmp_path)
    office = [f"{OFFICE}/{page}.html" for page in range(200)]
    manual = [f"{SITE}/{page}.{code}.html" for page in range(300) for code in ("de", "1", "2", "3", "4", "5")]
    crawl(one, 480, office + manual)
    coverage = progress_of(one, 1.0, None).coverage
    assert coverage is not None
    assert coverage > 0.8, "of about 500 German pages some 20 are left"


def test_names_that_no_page_has_are_hardly_expected_to_be_pages(tmp_path: Path) -> None:
    one = steering(tmp_path)
    crawl(
        one, 100, [f"{SITE}/{page}.de.{kind}" for page in range(110) for kind in ("html", "ly", "lyx", "lytex", "src")]
    )
    coverage = progress_of(one, 1.0, None).coverage
    assert coverage is not None
    assert coverage > 0.4, "it was 18 % when sources of sheet music were held for pages"


def test_a_crawl_that_goes_on_tells_what_it_told_before(tmp_path: Path) -> None:
    """Failed before: the log was replayed with the knowledge of its end."""
    one = steering(tmp_path)
    one.start([f"{SITE}/"])
    for number in range(60):
        key = one.pop()
        assert key is not None
        links = [LinkEnd(f"{SITE}/{number}-{link}.de.html") for link in range(3)]
        one.page(CrawlAnswer(key, key, 0.0, 200, "de", relevant=number % 2 == 0), links)
    before = [point.expected for point in one.curve]
    one.store.close()
    again = steering(tmp_path)
    again.start([])
    assert [point.expected for point in again.curve] == before
    again.store.close()


def test_a_server_that_goes_on_giving_new_urls_is_expected_to_have_more_whatever_others_give(tmp_path: Path) -> None:
    """Failed before: what was new was counted for all servers together, and the last ones had nothing new."""
    one = steering(tmp_path)
    one.start([f"{OFFICE}/0.de.html", f"{SITE}/"])
    site = [f"{SITE}/{page}.de.html" for page in range(300)]
    office = [f"{OFFICE}/{page}.de.html" for page in range(201)]
    for number in range(100):  # two new pages on each, so that there is always one more to ask for
        answer(one, office[number], office[2 * number + 1 : 2 * number + 3])
    for url in site:
        answer(one, url, site)
    assert one.expected > 200, "it was 113: the hundred that are known, and hardly more"
    one.store.close()


def test_what_no_page_was_like_is_not_expected_because_its_server_has_wanted_pages(tmp_path: Path) -> None:
    """Failed before: each of many pages in other languages counted for a little, because none had been asked for."""
    one = steering(tmp_path)
    one.start([f"{SITE}/"])
    others = [f"{SITE}/{page}.{code}.html" for page in range(100) for code in "12345678"]
    for number in range(100):
        answer(one, f"{SITE}/{number}.de.html", others)
    assert one.expected < 20, "it was 424"
    one.store.close()


def test_pages_of_a_folder_are_expected_to_be_what_others_there_are_whatever_their_names_say(tmp_path: Path) -> None:
    """Failed before: those with German names had been asked for first, and less was expected of all the others."""
    target = Target(("de",))
    plan = CrawlPlan(target, lambda urls: [(9.0, "de") if "seite" in url else (1.0, None) for url in urls])
    one = Steering(Store(tmp_path, target.identity()), plan)
    one.start([f"{SITE}/"])
    book = [f"{SITE}/buch/{name}{page}.html" for page in range(60) for name in ("seite", "x")]
    for url in book[::2]:
        answer(one, url, book)
    assert one.expected > 40, "sixty are left, and it was 0.001"
    one.store.close()


def answer(one: Steering, url: str, links: Sequence[str]) -> None:
    """A German page came, with links to others."""
    (key,) = one.numbers([url])
    ends = [LinkEnd(link, text="Deutsch" if ".de." in link else "another") for link in links]
    one.page(CrawlAnswer(key, key, 0.0, 200, "de", relevant=True), ends)
