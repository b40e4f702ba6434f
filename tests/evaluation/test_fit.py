"""The search for factors: the same scores as the scorer's, held-out sets, and who is who."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import InputError, UsageError
from jperrant.core.values import Block
from jperrant.evaluation.meta.files import read_human, systems_of
from jperrant.evaluation.meta.fit import Fit, factor_grid, fit, grid_scores, tried_scores
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.cleme.scorer import PAPER, TABLE12, Cleme2Scorer
from jperrant.evaluation.metrics.score import evaluate, prepare_references
from jperrant.evaluation.statistics.correlation import CORRELATIONS, correlation, ranks
from tests.m2_cases import load_pairs
from tests.stages import mostly_for_ci

CONLL14 = Path(__file__).parents[1] / "data" / "conll14"
FILES = [str(CONLL14 / f"conll14-{s}.errant") for s in ("AMU", "CAMB", "IITB", "INPUT")]
REFERENCES = str(CONLL14 / "conll14.errant")
#: Expected Wins of Grundkiewicz et al. (2015), table 3, but for INPUT's rank, which is of no account here.
HUMAN = {"AMU": 0.628, "CAMB": 0.561, "IITB": 0.485, "INPUT": 0.456}


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return load_pairs(FILES, REFERENCES)


@pytest.mark.parametrize("level", mostly_for_ci(["corpus", "sentence"], "sentence"))
@pytest.mark.parametrize("assumption", ["dependent", "independent"])
def test_scores_on_the_grid_are_those_of_the_scorer(pairs: list[Pair], assumption: Any, level: Any) -> None:
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


def fit_to_human(sets: dict[str, list[Pair]], scorer: Cleme2Scorer) -> Fit:
    tried = {name: tried_scores(own, scorer) for name, own in sets.items()}
    return fit(tried, np.array(list(HUMAN.values())), list(HUMAN), scorer.level)


@pytest.mark.ci
def test_fitting_finds_the_best_of_the_grid(pairs: list[Pair]) -> None:
    scorer = Cleme2Scorer()
    found = fit_to_human({"both": pairs}, scorer)
    assert found.folds == ()
    best = found.fitted["both"]
    theirs = np.array(list(HUMAN.values()))
    grid = factor_grid()
    systems = scorer.candidates(pairs, prepare_references(scorer, pairs))
    scores = np.stack([grid_scores(s.sentences, grid, "corpus") for s in systems], axis=-1)
    assert best == pytest.approx(np.nanmax(correlation("pearson", scores, theirs)))
    assert found.paper["both"] <= best
    with pytest.raises(UsageError, match="'EW': nothing to fit to"):
        fit({"both": tried_scores(pairs, scorer)}, np.ones(4), list(HUMAN), "corpus", human="EW")


def test_reference_sets_are_held_out(pairs: list[Pair]) -> None:
    def only(annotator: int) -> list[Pair]:
        blocks = [Block(b.source, (b.annotations[annotator],)) for b in pairs[0].references]
        return [Pair(pair.hypothesis, blocks, pair.name) for pair in pairs]

    sets, scorer = {"0": only(0), "1": only(1)}, Cleme2Scorer(level="sentence")
    found = fit_to_human(sets, scorer)
    assert [fold.held_out for fold in found.folds] == ["0", "1"]
    alone = fit_to_human({"1": sets["1"]}, scorer)
    assert found.folds[0].factors == alone.factors, "factors of the fold come from the other set"
    assert found.folds[0].correlation <= max(found.fitted["0"], 1)


def test_human_scores_and_the_files_of_systems(tmp_path: Path) -> None:
    path = tmp_path / "human.tsv"
    path.write_text("system\tEW\tTS\nAMU\t0.6\t0.3\nGECToR-BERT\t0.5\t0.1\nBERT\t1\t2\n", encoding="utf-8")
    human = read_human(str(path))
    assert human["EW"] == {"AMU": 0.6, "GECToR-BERT": 0.5, "BERT": 1}
    assert human["TS"]["AMU"] == 0.3
    judged = list(human["EW"])
    names = systems_of(["a/conll14-AMU.errant", "out_GECToR-BERT.m2", "BERT.m2"], judged)
    assert list(names) == ["AMU", "GECToR-BERT", "BERT"]
    with pytest.raises(InputError, match=r"CAMB\.m2: its name is none of the judged systems \(AMU, "):
        systems_of(["CAMB.m2"], judged)
    with pytest.raises(InputError, match="second file of the system 'AMU'"):
        systems_of(["AMU.m2", "x-AMU.m2"], judged)


@pytest.fixture
def human(tmp_path: Path) -> str:
    path = tmp_path / "human.tsv"
    path.write_text("system\tEW\n" + "".join(f"{n}\t{v}\n" for n, v in HUMAN.items()), encoding="utf-8")
    return str(path)


def run(*args: str) -> Any:
    edits = [word for file in FILES for word in ("--edits", file)]
    return CliRunner().invoke(app, ["meta", *args, *edits, "--ref", REFERENCES])


@pytest.mark.ci
def test_command(human: str) -> None:
    found = run(human, "-m", "cleme2", "--fit", "pearson")
    assert found.exit_code == 0
    assert "best of 969 on 4 systems" in found.stdout
    assert "nothing to hold out" in found.stdout
    values = json.loads(run(human, "-m", "cleme2:level=sentence", "--fit", "spearman", "--json").stdout)
    [fitted] = values["fit"]
    assert (fitted["human"], fitted["correlation"], fitted["systems"]) == ("EW", "spearman", list(HUMAN))
    assert sum(fitted["factors"]) == pytest.approx(1)
    # With its factors the metric correlates as it says.
    factors = ",".join(map(str, fitted["factors"]))
    spec = f"cleme2:level=sentence,factors={factors}"
    [system] = json.loads(run(human, "-m", spec, "--analysis", "system", "--json").stdout)["system"]
    assert system["values"]["spearman"] == pytest.approx(fitted["fitted"]["references"])


def test_m2_files_and_a_table_are_a_data_set(human: str) -> None:
    [found] = json.loads(run(human, "-m", "errant", "--analysis", "system", "--json").stdout)["system"]
    scores = jperrant.score(FILES, REFERENCES)
    expected = np.corrcoef([score.values["f"] for score in scores], list(HUMAN.values()))[0, 1]
    assert found["values"]["pearson"] == pytest.approx(expected)
