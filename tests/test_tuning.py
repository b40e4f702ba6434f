"""The search for factors: the same scores as the scorer's, held-out sets, and who is who."""

from __future__ import annotations

import doctest
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.evaluation.load import load_pairs
from jperrant.evaluation.meta.human_judgements import match_systems, read_human
from jperrant.evaluation.meta.tuning import factor_grid, grid_scores, tune
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.cleme.cleme2 import PAPER, TABLE12, Cleme2Scorer
from jperrant.evaluation.metrics.score import evaluate, prepare_references
from jperrant.evaluation.statistics import correlation as correlation_module
from jperrant.evaluation.statistics.correlation import CORRELATIONS, correlation, ranks

CONLL14 = Path(__file__).parent / "data" / "conll14"
FILES = [str(CONLL14 / f"conll14-{s}.errant") for s in ("AMU", "CAMB", "IITB", "INPUT")]
REFERENCES = str(CONLL14 / "conll14.errant")
#: Expected Wins of Grundkiewicz et al. (2015), table 3, but for INPUT's rank, which is of no account here.
HUMAN = {"AMU": 0.628, "CAMB": 0.561, "IITB": 0.485, "INPUT": 0.456}


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return load_pairs(FILES, REFERENCES)


@pytest.mark.parametrize("level", ["corpus", "sentence"])
@pytest.mark.parametrize("assumption", ["dependent", "independent"])
def test_scores_on_the_grid_are_those_of_the_scorer(pairs: list[Pair], assumption: str, level: str) -> None:
    some = np.array([PAPER[level], TABLE12, (0.05, 0.05, 0.85, 0.05), (0.85, 0.05, 0.05, 0.05)])
    scorer = Cleme2Scorer(assumption, level)
    for at in (0, 2):
        [system] = scorer.candidates([pairs[at]], prepare_references(scorer, [pairs[at]]))
        candidates = system.sentences
        found = grid_scores(candidates, some, level)
        for factors, value in zip(some, found, strict=True):
            text = ",".join(map(repr, factors.tolist()))
            [own] = evaluate(Cleme2Scorer(assumption, level, factors=text), [pairs[at]])
            assert value == pytest.approx(own.values["score"], abs=1e-12)


def test_grid() -> None:
    grid = factor_grid()
    assert grid.shape == (969, 4)
    assert len({tuple(row) for row in grid.tolist()}) == 969
    assert np.allclose(grid.sum(axis=1), 1)
    assert grid.min() == 0.05
    assert any(np.allclose(row, PAPER["corpus"]) for row in grid)
    assert sorted(map(tuple, factor_grid(4).tolist())) == [(0.25, 0.25, 0.25, 0.25)]


def test_correlations() -> None:
    ours, theirs = np.array([1.0, 3.0, 2.0, 5.0]), np.array([2.0, 1.0, 4.0, 8.0])
    assert correlation("pearson", ours, theirs) == pytest.approx(np.corrcoef(ours, theirs)[0, 1])
    assert ranks(np.array([5.0, 1.0, 5.0, 7.0])).tolist() == [2.5, 1, 2.5, 4]
    assert np.isnan(correlation("pearson", np.ones(4), theirs))
    for kind in CORRELATIONS:
        assert np.isnan(correlation(kind, np.array([1.0, math.nan, 2.0, 5.0]), theirs))
    with pytest.raises(UsageError, match="found 2 systems, a correlation needs"):
        correlation("pearson", ours[:2], theirs[:2])
    with pytest.raises(UsageError, match=r"'spearmann' \(did you mean 'spearman'\?\)"):
        correlation("spearmann", ours, theirs)
    assert doctest.testmod(correlation_module).failed == 0


def test_tuning_finds_the_best_of_the_grid(pairs: list[Pair]) -> None:
    scorer = Cleme2Scorer()
    found = tune({"both": pairs}, list(HUMAN.values()), scorer)
    assert found.folds == ()
    best = found.fitted["both"]
    theirs = np.array(list(HUMAN.values()))
    grid = factor_grid()
    systems = scorer.candidates(pairs, prepare_references(scorer, pairs))
    scores = np.stack([grid_scores(s.sentences, grid, "corpus") for s in systems], axis=-1)
    assert best == pytest.approx(np.nanmax(correlation("pearson", scores, theirs)))
    assert found.paper["both"] <= best


def test_reference_sets_are_held_out(pairs: list[Pair]) -> None:
    def only(annotator: int) -> list[Pair]:
        from jperrant.core.values import Block

        blocks = [Block(b.source, (b.annotations[annotator],)) for b in pairs[0].references]
        return [Pair(pair.hypothesis, blocks, pair.name) for pair in pairs]

    sets = {"0": only(0), "1": only(1)}
    human = list(HUMAN.values())
    found = tune(sets, human, Cleme2Scorer(level="sentence"))
    assert [fold.held_out for fold in found.folds] == ["0", "1"]
    alone = tune({"1": sets["1"]}, human, Cleme2Scorer(level="sentence"))
    assert found.folds[0].factors == alone.factors, "factors of the fold come from the other set"
    assert found.folds[0].others == pytest.approx(alone.fitted["1"])
    assert found.folds[0].correlation <= max(found.fitted["0"], 1)


def test_judgements(tmp_path: Path) -> None:
    path = tmp_path / "human.tsv"
    path.write_text("system\tEW\tTS\nAMU\t0.6\t0.3\nGECToR-BERT\t0.5\t0.1\nBERT\t1\t2\n", encoding="utf-8")
    assert read_human(str(path)) == {"AMU": 0.6, "GECToR-BERT": 0.5, "BERT": 1}
    assert read_human(str(path), "TS")["AMU"] == 0.3
    with pytest.raises(UsageError, match="no column 'XX'; columns: EW, TS"):
        read_human(str(path), "XX")
    names = match_systems(["a/conll14-AMU.errant", "out_GECToR-BERT.m2", "BERT.m2"], read_human(str(path)))
    assert names == ["AMU", "GECToR-BERT", "BERT"]
    with pytest.raises(InputError, match=r"CAMB\.m2: its name is none of the judged systems \(AMU, "):
        match_systems(["CAMB.m2"], read_human(str(path)))
    with pytest.raises(InputError, match="second file of the system 'AMU'"):
        match_systems(["AMU.m2", "x-AMU.m2"], read_human(str(path)))
    path.write_text("system\tEW\nAMU\tx\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"human\.tsv:2: found 'x', expected a number"):
        read_human(str(path))
    path.write_text("system\tEW\nAMU\t1\nAMU\t1\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"human\.tsv:3: system 'AMU' is given twice"):
        read_human(str(path))
    path.write_text("system\tEW\n", encoding="utf-8")
    with pytest.raises(FormatError, match="no systems"):
        read_human(str(path))


@pytest.fixture
def human(tmp_path: Path) -> str:
    path = tmp_path / "human.tsv"
    path.write_text("system\tEW\n" + "".join(f"{n}\t{v}\n" for n, v in HUMAN.items()), encoding="utf-8")
    return str(path)


def run(*args: str) -> Any:
    return CliRunner().invoke(app, ["tune", "cleme2", *args])


def test_command(human: str) -> None:
    found = run(*FILES, "--ref", REFERENCES, "--human", human)
    assert found.exit_code == 0
    assert "best of 969 on 4 systems" in found.stdout
    assert "nothing to hold out" in found.stdout
    values = json.loads(run(*FILES, "--ref", REFERENCES, "--human", human, "--json").stdout)
    assert values["systems"] == list(HUMAN)
    assert sum(values["factors"]) == pytest.approx(1)
    table = run(*FILES, "--ref", REFERENCES, "--human", human, "--format", "tsv")
    assert len(table.stdout.splitlines()) == 2
    assert "best of 969" in table.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--ref", "conll14.errant"], "a reference set is given twice"),
        (["--correlation", "tau"], "unknown correlation 'tau'"),
    ],
)
def test_bad_commands(
    human: str, args: list[str], message: str, short_conll: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(short_conll)
    systems = [Path(file).name for file in FILES]
    found = run(*systems, "--ref", "conll14.errant", "--human", human, *args)
    assert isinstance(found.exception, UsageError)
    assert message in str(found.exception)
