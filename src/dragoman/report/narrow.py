"""A figure drawn for a phone: as narrow as one, with letters of their full size.

Made smaller as a whole, a picture of a report would have letters that nobody can read. So it is drawn again: panels
stand below each other, the legend under them, and names that would meet are turned or cut.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

#: Inches of a phone's screen, at 96 pixels each, less the page's edges.
PHONE_WIDTH = 3.7
#: Inches that a letter of the axes takes, and a line of the legend; letters that a line of text may have.
_LETTER, _LINE, _LETTERS = 0.085, 0.21, 46


@contextmanager
def for_a_phone(figure: Any) -> Iterator[None]:
    """The figure drawn narrow inside the block, and as it was behind it."""
    with ExitStack() as undoing:
        panels = figure.get_axes()
        width, height = figure.get_size_inches()
        per_panel = min(height, max(3.0, 0.8 * height))
        rows = _legend_below(figure, undoing)
        undoing.callback(figure.set_size_inches, width, height)
        figure.set_size_inches(PHONE_WIDTH, per_panel * len(panels) + _LINE * rows)
        if len(panels) > 1:
            column = figure.add_gridspec(len(panels), 1)
            for panel, cell in zip(panels, column, strict=True):
                undoing.callback(panel.set_subplotspec, panel.get_subplotspec())
                panel.set_subplotspec(cell)
        for panel in panels:
            _shorten_texts(panel, undoing)
            _turn_names(panel, undoing)
        yield


def _legend_below(figure: Any, undoing: ExitStack) -> int:
    """Put what the legends say under the figure; the lines that it takes."""
    labels: dict[str, Any] = {}
    for legend in list(figure.legends):
        labels |= {text.get_text(): mark for text, mark in zip(legend.get_texts(), legend.legend_handles, strict=True)}
        undoing.callback(figure.legends.append, legend)
        figure.legends.remove(legend)  # hidden, it would keep its room
    if not labels:
        return 0
    columns = 2 if max(map(len, labels)) <= 16 else 1
    names = [textwrap.shorten(label, _LETTERS - 6, placeholder="…") for label in labels]
    undoing.callback(figure.legend(list(labels.values()), names, loc="outside lower center", ncols=columns).remove)
    return -(-len(labels) // columns)


def _shorten_texts(panel: Any, undoing: ExitStack) -> None:
    for text in panel.texts:
        words = text.get_text()
        if len(words) > _LETTERS:
            undoing.callback(text.set_text, words)
            text.set_text(words[: _LETTERS - 1] + "…")
    title = panel.get_title()
    if title:
        undoing.callback(panel.set_title, title)
        panel.set_title(textwrap.fill(title, 36))


def _turn_names(panel: Any, undoing: ExitStack) -> None:
    """Names under the axis stand upright where they would meet."""
    ticks = panel.get_xticklabels()
    letters = sum(len(tick.get_text()) + 1 for tick in ticks)
    if letters * _LETTER < PHONE_WIDTH - 0.8:
        return
    for tick in ticks:
        undoing.callback(tick.set_rotation, tick.get_rotation())
        tick.set_rotation(90)
