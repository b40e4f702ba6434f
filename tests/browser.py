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
#: How the addresses begin that a page may ask for.
LOCAL = ("file:", "data:", "blob:", "about:")


def violations(page: Any) -> list[str]:
    """Return what axe-core finds against WCAG and good practice: the rule and the elements, a line each."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {[node['html'] for node in one['nodes']]}" for one in found]


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
        page.on(
            "console", lambda one: problems.append(one.text) if one.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda one: None if one.url.startswith(LOCAL) else problems.append(one.url))
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


@pytest.fixture(scope="module")
def browser(pytestconfig: pytest.Config) -> Browser:
    """A browser, one for all modules of a process; tests are skipped where there is none."""
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
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
