"""Pages in a real browser: a test fails on any error of the console and on anything the page's policy forbids."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

#: Where systems have it; CHROMIUM names another one.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")


def find_browser() -> str | None:
    """Return the path of an installed Chromium, or None."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


#: Texts that stand out too little from what is behind them (WCAG 2.2, 1.4.3: 4.5 to 1), by element.
FAINT_TEXTS = """() => {
  const channel = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const parse = (text) => {
    const numbers = text.replace(/^[^(]*\\((srgb )?/, "").split(/[ ,/)]+/).filter(Boolean).map(Number);
    const scale = text.startsWith("rgb") ? 255 : 1;
    return [numbers[0] / scale, numbers[1] / scale, numbers[2] / scale, numbers[3] ?? 1];
  };
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const color = parse(getComputedStyle(node).backgroundColor);
      if (color[3] > 0.9) return color;
    }
    return [1, 1, 1];
  };
  const faint = {};
  for (const node of document.querySelectorAll("body *")) {
    const texts = [...node.childNodes].filter((n) => n.nodeType === 3 && n.textContent.trim());
    if (!node.offsetParent || !texts.length || node.disabled) continue;
    const pair = [parse(getComputedStyle(node).color), behind(node)].map(luminance).sort();
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    if (ratio < 4.5) faint[node.tagName + "." + node.className] = ratio;
  }
  return faint;
}"""
#: Controls that a screen reader has no name for.
NAMELESS = """() => [...document.querySelectorAll("input, select, button, textarea")]
  .filter((e) => !(e.labels && e.labels.length) && !e.getAttribute("aria-label") && !e.textContent.trim())
  .map((e) => e.outerHTML)"""


class Browser:
    """A headless Chromium.

    Import :func:`browser` into a test module to use it; a page is opened by ``with browser.page(path) as page``,
    which is a page of Playwright's. Wait by ``page.wait_for_selector``: pages of ours evaluate no strings, which
    ``wait_for_function`` would.
    """

    def __init__(self, chromium: Any) -> None:
        self._chromium = chromium

    @contextmanager
    def page(self, path: Path | str, **options: Any) -> Iterator[Any]:
        """Open a file, or an address, and fail if the page complains while it is open.

        Args:
            path: The file.
            options: Of Playwright's contexts: ``viewport``, ``color_scheme``, ``java_script_enabled`` …
        """
        context = self._chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        context.set_default_timeout(15_000)
        problems: list[str] = []
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text) if _is_problem(message) else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda request: problems.append(request.url) if _is_remote(request) else None)
        page.add_init_script(
            "addEventListener('securitypolicyviolation',"
            " e => console.error('forbidden: ' + [e.violatedDirective, e.blockedURI, e.sample].join(' ')));"
        )
        try:
            page.goto(path.absolute().as_uri() if isinstance(path, Path) else path)
            yield page
        finally:
            context.close()
        if problems:
            pytest.fail("the page complains: " + " | ".join(problems))


def _is_problem(message: Any) -> bool:
    return message.type in ("error", "warning")


def _is_remote(request: Any) -> bool:
    return not str(request.url).startswith(("file:", "data:", "blob:", "about:"))


@pytest.fixture(scope="module")
def browser(pytestconfig: pytest.Config) -> Browser:
    """A browser, one for all modules of a process; tests are skipped where there is none."""
    program = find_browser()
    if program is None:
        pytest.skip("no Chromium on this system; apt-get install chromium, or set CHROMIUM")
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    return _launched(program, pytestconfig)


@cache
def _launched(program: str, config: pytest.Config) -> Browser:
    """Start a browser that ends with the tests."""
    from playwright.sync_api import sync_playwright

    # Containers have no sandbox for processes of root, and little shared memory.
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    playwright = sync_playwright().start()
    config.add_cleanup(playwright.stop)
    chromium = playwright.chromium.launch(
        executable_path=program, args=[*arguments, "--disable-dev-shm-usage", "--disable-gpu"]
    )
    config.add_cleanup(chromium.close)  # before Playwright stops: the last one is called first
    return Browser(chromium)
