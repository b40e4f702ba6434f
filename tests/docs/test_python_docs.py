"""docs/python.md, run."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_the_page_runs() -> None:
    page = Path(__file__).parents[2] / "docs" / "python.md"
    results = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.attempted > 10
    assert results.failed == 0
