"""CI leaves out no test."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_ci_runs_what_make_test_leaves_out() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = dict(re.findall(r"^(test[a-z-]*):.*\n((?:\t.*\n)+)", makefile, re.MULTILINE))
    assert '$(if $(ALL),,-m "not ci and not faults" --hypothesis-profile=short)' in recipes["test"]
    assert "not ci" in recipes["test-fast"]
    assert recipes["test-all"] == "\t$(MAKE) test ALL=1\n"
    assert re.search(r"^make test ALL=1 ", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
