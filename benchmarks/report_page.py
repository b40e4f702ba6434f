"""Size of the report page, and how long it takes to make and to open it.

    python benchmarks/report_page.py

The systems are those of tests/data/conll14 (1,312 sentences, two references); more than four are made of them by
leaving out edits of one and adding edits of another at random. Opening is measured in a headless Chromium, from the
address to the first page of sentences, where there is one.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import jperrant
from jperrant.core.values import Block

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "conll14"
NAMES = ("AMU", "CAMB", "IITB", "INPUT")


def systems(count: int) -> dict[str, Sequence[Block]]:
    """Return real systems, and after them made ones."""
    real = {name: list(jperrant.read_m2(str(DATA / f"conll14-{name}.errant"))) for name in NAMES}
    made = {f"made {n}": mixed(real["AMU"], real["CAMB"], random.Random(n)) for n in range(count - len(real))}
    return dict(list({**real, **made}.items())[:count])


def mixed(first: Sequence[Block], second: Sequence[Block], draw: random.Random) -> list[Block]:
    """Return most edits of one system, and some of another where they do not meet."""
    blocks = []
    for ours, theirs in zip(first, second, strict=True):
        kept = [edit for edit in ours.annotations[0].edits if draw.random() < 0.8]
        for edit in theirs.annotations[0].edits:
            apart = all(edit.end < other.start or edit.start > other.end for other in kept)
            if apart and draw.random() < 0.5:
                kept.append(edit)
        edits = tuple(sorted(kept, key=lambda edit: (edit.start, edit.end)))
        blocks.append(replace(ours, annotations=(replace(ours.annotations[0], edits=edits),)))
    return blocks


def opened(path: Path) -> float | None:
    """Return the seconds until the first sentences are there; None without a browser."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto("about:blank")
        start = time.perf_counter()
        page.goto(path.as_uri())
        page.wait_for_selector("body[data-ready]")
        seconds = time.perf_counter() - start
        browser.close()
    return seconds


def main() -> None:
    """Print one line for each number of systems."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    print("systems  metrics          kB  seconds to make  seconds to open")
    for count, metrics in ((4, ["errant", "cleme2"]), (13, ["errant", "cleme2"])):
        named = systems(count)
        start = time.perf_counter()
        page = jperrant.report(
            named,
            str(DATA / "conll14.errant"),
            metrics=metrics,
            lang="en",
        )
        seconds = time.perf_counter() - start
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.html"
            page.save(path)
            size, waited = path.stat().st_size, opened(path)
        shown = f"{waited:.2f}" if waited is not None else "no browser"
        print(f"{count:7d}  {' '.join(metrics):14s}  {size / 1000:5.0f}  {seconds:15.1f}  {shown:>15s}")


if __name__ == "__main__":
    main()
