"""What can be measured of a page that is shown: contrast, names of controls, headings, overflow."""

from __future__ import annotations

import colorsys
import math
from collections import Counter
from itertools import pairwise
from typing import Any

from playwright.sync_api import Page

_CONTRAST = """() => {
  const parse = (text) => {
    const found = text.match(/[\\d.]+/g).map(Number);
    return [found[0], found[1], found[2], found.length > 3 ? found[3] : 1];
  };
  const over = (top, under) =>
    top.slice(0, 3).map((value, place) => value * top[3] + under[place] * (1 - top[3])).concat(1);
  const light = (colour) => {
    const part = colour.slice(0, 3).map((value) => value / 255)
      .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
  };
  const ground = (node) => {
    const layers = [];
    for (let one = node; one; one = one.parentElement) layers.push(parse(getComputedStyle(one).backgroundColor));
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const node = walker.currentNode.parentElement;
    if (!text || !node.checkVisibility({ visibilityProperty: true })) continue;
    if (node.closest(".sr, :disabled, .skip, noscript, option")) continue;
    const style = getComputedStyle(node);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const under = ground(node);
    const ink = node instanceof SVGElement ? style.fill : style.color;
    const [one, other] = [light(over(parse(ink), under)), light(under)].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < (large ? 3 : 4.5)) found.push(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  for (const node of document.querySelectorAll("button, textarea, select, input:not([type=file], [type=range])")) {
    if (!node.checkVisibility() || node.disabled || node.closest(".quiet, .legend")) continue;
    const style = getComputedStyle(node);
    const [one, other] = [light(parse(style.borderTopColor)), light(ground(node.parentElement))].sort((a, b) => b - a);
    if ((one + 0.05) / (other + 0.05) < 3) found.push(`border of ${node.id || node.textContent}`);
  }
  return found;
}"""

_NAMELESS = """() => [...document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex='0'], [role]")]
  .filter((node) => node.checkVisibility())
  .filter((node) => !["status", "alert"].includes(node.getAttribute("role")))
  .filter((node) => {
    const by = (node.getAttribute("aria-labelledby") ?? "").split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "").join("");
    const label = [...(node.labels ?? [])].map((one) => one.textContent).join("");
    const own = node.matches("input, select, textarea") ? "" : node.textContent;
    return !(node.getAttribute("aria-label") || by || label || own).trim();
  }).map((node) => node.outerHTML.slice(0, 100))"""

_HEADINGS = """() => [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
  .filter((node) => node.checkVisibility() || node.classList.contains("sr"))
  .filter((node) => !node.closest("[hidden]")).map((node) => Number(node.tagName[1]))"""

_WIDE = """() => [...document.querySelectorAll("body *")]
  .filter((node) => node.checkVisibility() && !node.closest(".scroll, .skip, .sr"))
  .filter((node) => node.getBoundingClientRect().right > innerWidth + 1).map((node) => node.outerHTML.slice(0, 80))"""


def faint(page: Page) -> list[str]:
    """Texts, and edges of controls, whose contrast is below what WCAG's level AA asks for."""
    found: list[str] = page.evaluate(_CONTRAST)
    return found


def nameless(page: Page) -> list[str]:
    """Controls that a screen reader could not name."""
    found: list[str] = page.evaluate(_NAMELESS)
    return found


def skipped_headings(page: Page) -> bool:
    """True unless there is one h1, first, and no level is left out on the way down."""
    levels: list[int] = page.evaluate(_HEADINGS)
    steps = pairwise(levels)
    return levels[:1] != [1] or levels.count(1) != 1 or any(after > before + 1 for before, after in steps)


def too_wide(page: Page) -> list[str]:
    """What stands beyond the right edge; something if the page can be scrolled sideways."""
    over: Any = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    found: list[str] = page.evaluate(_WIDE)
    return found + ([f"{over} pixels"] if over else [])


def repeated_ids(page: Page) -> list[str]:
    """Identifiers that occur more than once."""
    ids: list[str] = page.evaluate("() => [...document.querySelectorAll('[id]')].map((node) => node.id)")
    return [one for one, number in Counter(ids).items() if number > 1]


def hsl(hue: float, saturation: float, lightness: float) -> str:
    """A colour as a browser computes it.

    >>> hsl(210, 0.8, 0.9)
    'rgb(209, 230, 250)'
    """
    parts = colorsys.hls_to_rgb(hue / 360, lightness, saturation)
    return f"rgb({', '.join(str(int(255 * part + 0.5 + 1e-9)) for part in parts)})"


def percent(share: float) -> str:
    """A share as the page writes it."""
    text = f"{math.floor(1000 * round(share, 6) + 0.5) / 10:.1f}"  # halves go up, as in the browser
    if share > 0 and float(text) == 0:
        return "< 0.1 %"
    return "> 99.9 %" if text == "100.0" and share < 1 else f"{text} %"
