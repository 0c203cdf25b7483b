"""What axe-core finds wrong with any view. It is not ours, so the tests do not install it: `make axe` does and runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.browser.test_everywhere import FILLED
from tests.serve.started import Started

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif("AXE" not in os.environ, reason="AXE does not name a copy of axe.min.js: make axe"),
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("view", FILLED)
def test_axe_finds_nothing(browser: Browser, service: Started, view: str, width: int, scheme: str) -> None:
    dark = scheme == "dark"
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light", bypass_csp=True
    )
    page = context.new_page()
    page.goto(f"{service.address}#{view}")
    page.wait_for_selector(f"#view-{view.partition('/')[0]}:not([hidden])")
    FILLED[view](page)
    page.add_script_tag(content=Path(os.environ["AXE"]).read_text(encoding="utf-8"))
    violations = page.evaluate("async () => (await axe.run()).violations.map(one => [one.id, one.nodes[0].html])")
    context.close()
    assert violations == []
