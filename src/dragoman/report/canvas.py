"""The drawing ground of every plot: style, colours, axes and the bytes that come out.

The same numbers give the same bytes: no date, no random identifiers. Colours are those of Okabe and Ito,
which colour-blind readers can tell apart, on white.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from colorsys import hls_to_rgb
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from dragoman.errors import UsageError, need
from dragoman.identifiers.track.colours import hue
from dragoman.report.narrow import PHONE_WIDTH, for_a_phone

Image = Literal["svg", "png"]
PNG_DPI = 150

BLUE, VERMILION, GREEN, ORANGE, SKY, PURPLE = "#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7"
INK, GREY, PALE = "#222222", "#8A8A8A", "#D9D9D9"
PALETTE = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, "#7F5F3F", "#444444")
MARKERS = "os^DvP<>phX*d"
_STYLE = {
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10,
    "axes.labelsize": 10.5,
    "axes.titlesize": 11.5,
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#666666",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E6E6E6",
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "lines.linewidth": 1.8,
    "lines.markersize": 7,
    "text.color": INK,
    "text.parse_math": False,
    "svg.hashsalt": "dragoman",
    "svg.fonttype": "path",
}


class Drawing(bytes):
    """The bytes of a drawn picture, which can be had as PNG too, whichever it is."""

    #: Draws the same figure again, as the kind asked for.
    again: Callable[[Image], bytes]
    #: Draws it as SVG for a phone; None where that could not be read.
    narrow: Callable[[], bytes | None]

    def png(self) -> bytes:
        """The same picture as PNG."""
        return self.again("png")


@dataclass(slots=True)
class Canvas:
    """A figure being drawn, and its bytes once the drawing is done."""

    figure: Any
    axes: Any
    data: Drawing = field(default_factory=Drawing)

    def save(self, image: Image) -> bytes:
        """The figure as bytes of that kind."""
        out = io.BytesIO()
        stamp = {"Date": None, "Creator": None} if image == "svg" else {"Software": None}
        with _styled():
            self.figure.savefig(out, format=image, dpi=PNG_DPI, metadata=stamp)
        return out.getvalue()

    def save_narrow(self) -> bytes | None:
        """The figure as SVG for a phone; None if it is narrow enough as it is."""
        if self.figure.get_figwidth() <= PHONE_WIDTH:
            return None
        with _styled(), for_a_phone(self.figure):
            return self.save("svg")


@contextmanager
def _styled() -> Iterator[None]:
    with need("plot", "matplotlib").rc_context(_STYLE), warnings.catch_warnings():
        # A URL may hold letters that the font lacks; a box in their place is better than no plot.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        yield


@contextmanager
def canvas_of(width: float, height: float, image: Image, panels: int = 1, phone: bool = True) -> Iterator[Canvas]:
    """A figure to draw on, in inches; its `data` is there once the block ends.

    `phone`: what is drawn can be read when it is drawn narrow, too.
    """
    if image not in ("svg", "png"):
        raise UsageError(f"Unknown kind of picture '{image}'. Known: svg, png.")
    figures = need("plot", "matplotlib.figure")
    with _styled():
        figure = figures.Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots(1, panels, squeeze=False)[0]
        canvas = Canvas(figure, axes if panels > 1 else axes[0])
        yield canvas
    canvas.data = Drawing(canvas.save(image))
    canvas.data.again = canvas.save
    canvas.data.narrow = canvas.save_narrow if phone else lambda: None


def language_colour(language: str) -> tuple[tuple[float, float, float], str]:
    """(colour, ink on it) of a language: the same hue as on the page and in a tracked text."""
    colour = hls_to_rgb(hue(language) / 360, 0.42, 0.5)
    light = sum(weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
                for weight, part in zip((0.2126, 0.7152, 0.0722), colour, strict=True))  # fmt: skip
    return colour, "white" if light < 0.18 else "black"


def floats(values: Sequence[float | None]) -> list[float]:
    """The values with gaps where they are None."""
    return [float("nan") if value is None else value for value in values]


def percent_axis(axis: Any, digits: int = 0) -> None:
    """An axis of shares, ticked in percent."""
    axis.set_major_formatter(lambda value, _: f"{100 * value:.{digits}f} %")


def drawable(text: str, limit: int = 0) -> str:
    """Text that can be drawn: no control characters, and at most `limit` characters when a limit is given."""
    line = "".join(letter if letter.isprintable() or letter == "\n" else "�" for letter in text)
    return line if not limit or len(line) <= limit else line[: limit - 1] + "…"
