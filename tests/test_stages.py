"""The lists of tests that commands leave out name tests that are there, and CI leaves out none of them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from .stages import CI, SLOW

ROOT = Path(__file__).parent.parent


def names() -> set[str]:
    """Return every test module, and every test as ``module::test``."""
    found = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        found.add(path.stem)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.add(f"{path.stem}::{node.name}")
    return found


def test_the_lists_name_tests_that_are_there() -> None:
    assert sorted((SLOW | CI) - names()) == []


def test_ci_runs_what_make_test_leaves_out() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = dict(re.findall(r"^(test[a-z-]*):.*\n((?:\t.*\n)+)", makefile, re.MULTILINE))
    assert '$(if $(ALL),,-m "not ci and not faults" --hypothesis-profile=short)' in recipes["test"]
    assert "not ci" in recipes["test-fast"]
    assert recipes["test-all"] == "\t$(MAKE) test ALL=1\n"
    assert re.search(r"^make test ALL=1 ", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
