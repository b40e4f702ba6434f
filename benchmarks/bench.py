#!/usr/bin/env python3
"""Every benchmark in one table: a question, jperrant's figure, the figure compared with it, and their ratio.

    make bench                               # ERRANT's environment is made in build/errant-venv, if it is missing
    python benchmarks/bench.py [NAME ...]    # of these benchmarks only

Each other file of this folder answers one question in detail, with options; its ``rows()`` are its part of this
table. For times the ratio is the other's CPU seconds divided by jperrant's, in one run; for counts it is the share
of the whole. The row of a benchmark that lacks a folder or a program says what it needs.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CONLL = ROOT / "tests" / "data" / "conll14"
#: The Python of the environment that ``make bench`` makes; ERRANT is never a dependency of jperrant.
ERRANT = ROOT / "build" / "errant-venv" / "bin" / "python"
WIDTHS = (78, 16, 16, 8)


class Row(NamedTuple):
    """One answer.

    Attributes:
        question: What is measured, on what.
        ours: jperrant's figure, with its unit.
        other: The figure it is compared with.
        ratio: How they relate, or None where nothing was measured.
    """

    question: str
    ours: str
    other: str
    ratio: float | None


class Needs(Exception):
    """Raised when something that a benchmark needs is missing; its text says what."""


def faster(question: str, ours: float, other: float) -> Row:
    """Return the row of two times, in seconds."""
    return Row(question, _seconds(ours), _seconds(other), other / ours)


def share(question: str, right: float, of: float) -> Row:
    """Return the row of a count and the whole that it is part of."""
    return Row(question, f"{right:,}", f"of {of:,}", right / of)


def errant_python() -> Path:
    """Return the Python that has ERRANT.

    Raises:
        Needs: There is none.
    """
    if not ERRANT.exists():
        raise Needs("ERRANT in build/errant-venv: make bench")
    return ERRANT


def best(work: Callable[[], object], rounds: int = 3) -> float:
    """Return the least CPU seconds of some rounds, since other work on the machine only adds to them."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def parser_of(text: str | None) -> argparse.ArgumentParser:
    """Return a parser of options whose help is the docstring of a benchmark."""
    return argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)


def main() -> None:
    """Print the table, each row as soon as it is measured."""
    names = sorted(p.stem for p in Path(__file__).parent.glob("*.py") if p.stem != "bench")
    parser = parser_of(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default: all of {', '.join(names)}")
    chosen = parser.parse_args().names or names
    print(_line("question", "jperrant", "other", "ratio"))
    for name in chosen:
        start = time.perf_counter()
        try:
            module = importlib.import_module(name)
            if not hasattr(module, "rows"):
                raise Needs(f"arguments: python benchmarks/{name}.py --help")
            found: Iterable[Row] = module.rows()
            for question, ours, other, ratio in found:
                print(_line(question, ours, other, f"{ratio:.3g}" if ratio is not None else ""), flush=True)
        except Needs as needs:
            print(f"{name}: skipped, needs {needs}", flush=True)
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)


def _line(*cells: str) -> str:
    right = [f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True)]
    return cells[0].ljust(WIDTHS[0]) + "".join(right[1:])


def _seconds(value: float) -> str:
    return f"{value:.1f} s" if value >= 1 else f"{value * 1000:.3g} ms"


if __name__ == "__main__":
    sys.modules["bench"] = sys.modules["__main__"]  # the benchmarks import this module by its name
    main()
