"""A metric of another package, installed beside ours, which needs no references; every example of the room."""

from __future__ import annotations

import doctest
import json
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.values import Annotation, Block, Edit

MODULE = '''
from dataclasses import dataclass
from typing import ClassVar

from jperrant.evaluation.metrics.base import Candidate, Scorer, SystemCandidates


@dataclass(frozen=True)
class Kept(Scorer):
    """The share of tokens that a system leaves alone; needs no references."""

    name: ClassVar[str] = "kept"
    main: ClassVar[str] = "kept"
    columns: ClassVar[tuple[str, ...]] = ("kept", "tokens")
    counts: ClassVar[tuple[str, ...]] = ("tokens",)
    needs_references: ClassVar[bool] = False

    def candidates(self, pairs, prepared):
        assert prepared == [None] * len(pairs)
        return [SystemCandidates([self.sentence(b) for b in pair.hypothesis], ("seen",)) for pair in pairs]

    def sentence(self, block):
        return [
            Candidate(a.annotator, None, (size - sum(e.end - e.start for e in a.edits), size))
            for size in [len(block.source)]
            for a in block.annotations
        ]

    def combine(self, candidates):
        return [sentence[0] for sentence in candidates]

    def values(self, totals):
        return {"kept": totals[..., 0] / totals[..., 1]}

'''


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a package with a metric where Python finds installed ones."""
    (tmp_path / "site" / "gec_extra-1.0.dist-info").mkdir(parents=True)
    (tmp_path / "site" / "gec_extra.py").write_text(MODULE)
    info = tmp_path / "site" / "gec_extra-1.0.dist-info"
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gec-extra\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[jperrant.metrics]\nkept = gec_extra:Kept\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.delitem(__import__("sys").modules, "gec_extra", raising=False)


GOES = Edit(1, 2, ("goes",), "R:VERB:SVA")
HYP = [Block(("he", "go"), (Annotation(0, (GOES,)),)), Block(("a", "b", "c"), (Annotation(0),))]


def test_a_metric_without_references_takes_systems_only() -> None:
    one, other = jperrant.score([HYP, HYP], metrics="kept")
    assert one.values == other.values == {"kept": 4 / 5}
    assert one.signature.split("|")[:2] == ["kept", "refs:0"]
    assert one.warnings[-1] == "hypothesis 1: seen"
    assert [c.reference for c in one.combined] == [None, None]


def test_the_command_line_knows_it(tmp_path: Path) -> None:
    path = tmp_path / "hyp.m2"
    with path.open("w", encoding="utf-8") as stream:
        jperrant.write_m2(HYP, stream)
    run = CliRunner().invoke(app, ["score", str(path), "--metric", "kept", "--json"])
    assert json.loads(run.stdout)["values"] == {"kept": pytest.approx(0.8)}


@pytest.mark.parametrize(
    "module",
    ["analysis", "inputs", "scorers", "metrics.score", "metrics.llm_judges", "metrics.reference_free",
     "metrics.uot", "metrics.goto", "metrics.texts", "metrics.cleme.chunks", "metrics.cleme.scorer",
     "metrics.cleme.weights", "metrics.maxmatch", "statistics.correlation", "statistics.shapley"],
)  # fmt: skip
def test_examples_of_docstrings(module: str) -> None:
    found = doctest.testmod(import_module(f"jperrant.evaluation.{module}"))
    assert (found.attempted > 0, found.failed) == (True, 0)
