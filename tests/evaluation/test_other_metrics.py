"""Metrics of another package, installed beside ours: without references, from texts, and over all references."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.score import evaluate
from jperrant.evaluation.scorers import make_scorer
from jperrant.evaluation.statistics.ranking import rank_systems
from jperrant.evaluation.statistics.significance import intervals, paired_tests

MODULE = '''
from dataclasses import dataclass
from typing import ClassVar, Literal

from jperrant.core.option import option
from jperrant.evaluation.metrics.base import Candidate, Scorer, SystemCandidates
from jperrant.evaluation.metrics.texts import corrected_texts


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


@dataclass(frozen=True)
class Words(Scorer):
    """Words that are not in the reference, a word; needs texts, and averages over references."""

    unit: Literal["words", "letters"] = option("words", "What is compared.")
    weight: float = option(1.0, "What a word weighs.", above=0)

    name: ClassVar[str] = "strange"
    main: ClassVar[str] = "strange"
    columns: ClassVar[tuple[str, ...]] = ("strange", "units")
    lower_is_better: ClassVar[bool] = True
    prepared_files: ClassVar[list] = []

    def prepare(self, references):
        self.prepared_files.append(references)
        texts = corrected_texts(references, "references")
        return [[set(self.units(text)) for _, text in sentence] for sentence in texts]

    def units(self, tokens):
        return tokens if self.unit == "words" else "".join(tokens)

    def candidates(self, pairs, prepared):
        return [
            SystemCandidates([self.sentence(*both) for both in zip(texts, known)])
            for pair, known in zip(pairs, prepared)
            for texts in [corrected_texts(pair.hypothesis, pair.name)]
        ]

    def sentence(self, texts, references):
        [(number, text)] = texts
        units = self.units(text)
        return [
            Candidate(number, index, (self.weight * sum(u not in known for u in units), len(units)))
            for index, known in enumerate(references)
        ]

    def combine(self, candidates):
        return [
            Candidate(
                sentence[0].hypothesis,
                None,
                tuple(sum(column) / len(sentence) for column in zip(*(c.row for c in sentence))),
            )
            for sentence in candidates
        ]

    def values(self, totals):
        return {"strange": totals[..., 0] / totals[..., 1]}
'''


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a package with two metrics where Python finds installed ones."""
    (tmp_path / "site" / "gec_extra-1.0.dist-info").mkdir(parents=True)
    (tmp_path / "site" / "gec_extra.py").write_text(MODULE)
    info = tmp_path / "site" / "gec_extra-1.0.dist-info"
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gec-extra\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[jperrant.metrics]\nkept = gec_extra:Kept\nstrange = gec_extra:Words\n"
    )
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.delitem(__import__("sys").modules, "gec_extra", raising=False)


GOES = Edit(1, 2, ("goes",), "R:VERB:SVA")
HYP = [Block(("he", "go"), (Annotation(0, (GOES,)),)), Block(("a", "b", "c"), (Annotation(0),))]
REF = [
    Block(("he", "go"), (Annotation(0, (GOES,)), Annotation(1, (Edit(1, 2, ("went",), "R:VERB:TENSE"),)))),
    Block(("a", "b", "c"), (Annotation(0, (Edit(2, 3, (), "U:NOUN"),)), Annotation(1))),
]


def test_a_metric_without_references_takes_systems_only() -> None:
    one, other = jperrant.score([HYP, HYP], metrics="kept")
    assert one.values == other.values == {"kept": 4 / 5}
    assert one.signature.split("|")[:2] == ["kept", "refs:0"]
    assert one.warnings[-1] == "hypothesis 1: seen"
    assert [c.reference for c in one.combined] == [None, None]


def test_references_that_a_metric_does_not_need_do_not_reach_it() -> None:
    [found] = evaluate(make_scorer("kept"), [Pair(HYP, REF)])
    assert found.signature.split("|")[1] == "refs:0"


def test_a_metric_over_texts_combines_references() -> None:
    [found] = jperrant.score(HYP, REF, metrics="strange")
    # he goes: 0 and 1 of 2 words; a b c: 1 and 0 of 3.
    assert found.values == {"strange": pytest.approx((0.5 + 0.5) / 5)}
    assert found.signature.split("|")[1] == "refs:2"
    [letters] = jperrant.score(HYP, REF, metrics="strange:unit=letters,weight=2")
    assert letters.values["strange"] == pytest.approx(2 * (3 / 2 + 1 / 2) / (6 + 3))
    with pytest.raises(
        UsageError, match=r"unknown unit 'word' .did you mean 'words'\?.; expected one of words, letters"
    ):
        make_scorer("strange", unit="word")


def test_references_are_prepared_once_for_all_systems() -> None:
    scorer = make_scorer("strange")
    evaluate(scorer, [Pair(HYP, REF, "a"), Pair(HYP, REF, "b"), Pair(HYP, list(REF), "c")])
    assert len(scorer.prepared_files) == 2  # type: ignore[attr-defined]


def test_statistics_know_what_is_better() -> None:
    scores = jperrant.score([HYP, [Block(b.source, (Annotation(0),)) for b in HYP]], REF, metrics="strange")
    first, second = rank_systems(scores)
    assert first.trueskill > second.trueskill, "fewer strange words are better"
    assert intervals(scores[0], 10)["strange"].low <= scores[0].values["strange"]
    assert paired_tests(scores, samples=10)[0].differences["strange"].value > 0


def test_the_command_line_knows_them(tmp_path: Path) -> None:
    paths = []
    for name, blocks in (("hyp", HYP), ("ref", REF)):
        paths.append(str(tmp_path / f"{name}.m2"))
        with open(paths[-1], "w", encoding="utf-8") as stream:  # noqa: PTH123
            jperrant.write_m2(blocks, stream)
    run = CliRunner().invoke(
        app, ["score", *paths[:-1], "--ref", paths[-1], "--metric", "strange:unit=words", "--json"]
    )
    assert json.loads(run.stdout)["values"] == {"strange": pytest.approx(0.2)}
    run = CliRunner().invoke(app, ["score", paths[0], "--metric", "kept", "--json"])
    assert json.loads(run.stdout)["values"] == {"kept": pytest.approx(0.8)}
