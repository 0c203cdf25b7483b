from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from colorsys import rgb_to_hls

import pytest

from dragoman.errors import MissingExtra, UsageError
from dragoman.identifiers.track.colours import hue
from dragoman.measures import Interval
from dragoman.report import plots
from dragoman.report.canvas import Drawing, Image, drawable, language_colour
from dragoman.report.narrow import PHONE_WIDTH
from dragoman.report.plots import Series

pytest.importorskip("matplotlib")


SHARES = [0.001, 0.01, 0.1, 1.0]
MATRIX = {"en": {"en": 93.0, "de": 4.0}, "de": {"en": 26.0, "de": 78.0}}


def lines(image: Image) -> bytes:
    points = [Interval(y, y - 0.1, y + 0.1) for y in (0.4, 0.6, 0.7, 0.9)]
    gap = Series("with a gap", SHARES, [0.1, 0.2, None, 0.4], "#123456", "s")
    published = Series("as published", [0.01, 1.0], [0.81, 0.9], hollow=True)
    ticks = {share: f"{100 * share:g} %" for share in SHARES}
    return plots.line_plot(
        [Series.of("words", SHARES, points), gap, published],
        xlabel="share",
        ylabel="F",
        ticks=ticks,
        log_x=True,
        percent=1,
        marked={"used here": 0.1},
        between=(0, 1),
        image=image,
    )


def bars(image: Image) -> bytes:
    ours = [Interval(0.85, 0.8, 0.9), Interval(0.7, 0.7, 0.7)]
    return plots.theirs_and_ours_bars(["en", "de"], [0.8, 0.75], ours, ylabel="F", bottom=0.5, image=image)


def confusion(image: Image) -> bytes:
    return plots.confusion_matrices({"theirs": MATRIX, "ours": MATRIX}, title="Confusion", image=image)


def probabilities(image: Image) -> bytes:
    urls = ["http://a.de/$x$y_{", "http://例え.jp/\x00\x07" + "a" * 5000]
    return plots.probability_bars(urls, [{"de": 0.9, "en": 0.1}, {"ja": 0.5}], image=image)


EVERY = pytest.mark.parametrize("draw", [lines, bars, confusion, probabilities])


@EVERY
def test_every_plot_is_sound_svg_that_refers_to_nothing_outside(draw: Callable[[Image], bytes]) -> None:
    data = draw("svg")
    root = ElementTree.fromstring(data)  # noqa: S314  (our own output)
    assert root.tag.endswith("svg")
    links = [v for e in root.iter() for k, v in e.attrib.items() if k.endswith("href")]
    assert all(link.startswith(("#", "data:")) for link in links)


@EVERY
def test_the_same_numbers_give_the_same_bytes(draw: Callable[[Image], bytes]) -> None:
    first = draw("svg")
    assert first == draw("svg")
    assert b"dc:date" not in first


def test_a_plot_can_be_png() -> None:
    assert lines("png").startswith(b"\x89PNG")
    assert lines("png") == lines("png")


def test_another_kind_of_picture_is_refused() -> None:
    with pytest.raises(UsageError, match="svg, png"):
        lines("gif")  # type: ignore[arg-type]


def test_numbers_and_labels_must_agree() -> None:
    with pytest.raises(UsageError, match="one number per label"):
        plots.theirs_and_ours_bars(["en"], [0.1, 0.2], [Interval(0.1, 0.1, 0.1)], ylabel="F")
    with pytest.raises(UsageError, match="must be equal"):
        plots.probability_bars(["a"], [])
    with pytest.raises(UsageError, match="No confusion matrix"):
        plots.confusion_matrices({})


def many(languages: int, letters: int) -> bytes:
    names = [chr(ord("a") + number) * letters for number in range(languages)]
    return plots.confusion_matrices({"ours": {row: dict.fromkeys(names, 9.0) for row in names}})


@pytest.mark.parametrize(("languages", "letters"), [(5, 7), (12, 9), (20, 10), (20, 40)])
def test_long_names_of_columns_stand_upright(languages: int, letters: int) -> None:
    assert many(languages, letters).count(b"rotate(-90)") == languages + 1  # and the label of the axis


@pytest.mark.parametrize("languages", [5, 12, 20])
def test_tags_of_languages_lie_flat(languages: int) -> None:
    assert many(languages, 2).count(b"rotate(-90)") == 1


@pytest.mark.parametrize("letters", [2, 10])
def test_a_heat_map_grows_so_that_a_cell_holds_its_number(letters: int) -> None:
    width = ElementTree.fromstring(many(20, letters)).attrib["width"]  # noqa: S314  (our own output)
    assert float(width.removesuffix("pt")) > 20 * 24


def test_series_of_one_plot_have_colours_and_markers_of_their_own() -> None:
    series = [Series.of(str(number), [1.0], [Interval(0.5, 0.4, 0.6)], number) for number in range(8)]
    assert len({one.colour for one in series}) == len({one.marker for one in series}) == 8


def width_and_parts(image: bytes) -> tuple[float, int]:
    """The width of an SVG in points, and how many elements it has."""
    root = ElementTree.fromstring(image)  # noqa: S314
    return float(root.get("width", "").removesuffix("pt")), len(list(root.iter()))


@pytest.mark.parametrize("draw", [lines, bars, confusion, probabilities], ids=lambda draw: draw.__name__)
def test_a_picture_is_drawn_for_a_phone_and_stays_as_it_was(draw: Callable[[Image], bytes]) -> None:
    drawing = draw("svg")
    assert isinstance(drawing, Drawing)
    narrow, again = drawing.narrow(), drawing.again("svg")
    assert narrow is not None
    assert width_and_parts(narrow)[0] <= 72 * PHONE_WIDTH
    assert width_and_parts(again) == width_and_parts(drawing)


def test_a_heat_map_of_many_languages_is_not_squeezed() -> None:
    many = {str(row): {str(column): 1.0 for column in range(12)} for row in range(12)}
    drawing = plots.confusion_matrices({"ours": many})
    assert isinstance(drawing, Drawing)
    assert drawing.narrow() is None


def test_a_language_has_the_hue_of_the_page_and_an_ink_that_can_be_read() -> None:
    colour, ink = language_colour("de")
    assert round(360 * rgb_to_hls(*colour)[0]) == hue("de")
    assert ink == "white"
    assert language_colour("ja")[0] != colour


def test_text_is_made_drawable() -> None:
    assert drawable("a\x00b") == "a\ufffdb"
    assert drawable("abcdef", 4) == "abc…"


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"dragoman\[plot\]"):
        lines("svg")
