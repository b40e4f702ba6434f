"""The pages for contributors: their examples run, and what they and the workflow name is there."""

from __future__ import annotations

import json
import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import jperrant
from jperrant.evaluation import metric_names as registry
from tests.commands import printed
from tests.pages import ROOT, run_python


def run_all_python(name: str) -> tuple[int, dict[str, object]]:
    """Run the Python of a page in one namespace; return how many values were compared, and it."""
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "page"}
    blocks = re.findall(r"^```python\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    return sum(run_python(code, names) for code in blocks), names


def test_a_new_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    gold = "S This are gramamtical sentence .\nA 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0\n"
    gold += "A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||0\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
    Path("gold.m2").write_text(gold, encoding="utf-8")
    checked, _ = run_all_python("contributing-format.md")
    assert checked == 6


def test_a_new_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    checked, names = run_all_python("contributing-metric.md")
    assert checked == 8
    # As another package brings it, through the command line.
    mine = EntryPoint("exact-match", "mine:M", registry.GROUP)
    load = registry._load
    monkeypatch.setattr(registry, "entry_points", lambda _: [mine])
    monkeypatch.setattr(registry, "_load", lambda o: names["ExactMatch"] if o == mine.value else load(o))
    system, gold = (ROOT / "tests/data/conll14" / name for name in ("conll14-AMU.errant", "conll14.errant"))
    shown = printed("score", system, "--ref", gold, "-m", "exact-match:ignore_case=yes", "--json")
    [plain] = jperrant.score(system, gold, metrics="exact-match")
    assert json.loads(shown)["values"]["accuracy"] >= plain.values["accuracy"] > 0.1
