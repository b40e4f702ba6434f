"""Review M2 files in a browser: accept every edit by keyboard, save, import, and compare the bytes.

    python benchmarks/review_round_trips.py FILE.m2...

It needs Chromium and Playwright. It prints how large the page is, how long it takes to open, how long one decision
takes until the page shows it, and how long the import takes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jperrant.core.tables import Cell, Table, render
from jperrant.m2tools.convert import convert_m2
from jperrant.reporting.html.review import review

HEADER = ("file", "sentences", "edits", "page kB", "opens in s", "ms for a decision", "import in s", "bytes")
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
#: Decisions that are timed one by one; all others are made by sentence.
TIMED = 200
PRESS = """([key, times]) => {
  const start = performance.now();
  const event = () => new KeyboardEvent("keydown", { key, bubbles: true });
  for (let n = 0; n < times; n += 1) document.body.dispatchEvent(event());
  return (performance.now() - start) / times;
}"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE.m2")
    from playwright.sync_api import sync_playwright

    program = os.environ.get("CHROMIUM") or next((p for name in NAMES if (p := shutil.which(name))), None)
    rows = []
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        for file in parser.parse_args().files:
            rows.append(reviewed(browser, file, Path(folder)))
        browser.close()
    print(render([Table(HEADER, tuple(rows))], "text"), end="")
    return 0 if all(row[-1] == "same" for row in rows) else 1


def reviewed(browser: Any, file: str, folder: Path) -> tuple[Cell, ...]:
    """Return what happened to one file."""
    made = review(file)
    made.save(folder / "review.html")
    page = browser.new_page(accept_downloads=True)
    start = time.perf_counter()
    page.goto((folder / "review.html").as_uri())
    page.fill("#name", "A")
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-ready]")
    opened = time.perf_counter() - start
    decision = page.evaluate(PRESS, ["a", TIMED])
    page.evaluate(PRESS, ["d", made.sentences])
    with page.expect_download() as download:
        page.click("#save")
    download.value.save_as(folder / "saved.review.json")
    edits = page.inner_text("#progress").split()[2]
    page.close()
    start = time.perf_counter()
    done = convert_m2(str(folder / "saved.review.json"), str(folder / "out.m2"), "review", "m2")
    took = time.perf_counter() - start
    same = (folder / "out.m2").read_bytes() == Path(file).read_bytes() and not done.notes
    size = len(made.html.encode()) // 1000
    name = Path(file).name
    return name, made.sentences, int(edits), size, opened, decision, took, "same" if same else "differ"


if __name__ == "__main__":
    sys.exit(main())
