"""Metrics by name: options from the fields of scorers, what is refused, metrics of other packages."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.errors import UsageError
from jperrant.core.option import options_of
from jperrant.evaluation import scorers as registry
from jperrant.evaluation.metrics.errant import ErrantScorer
from jperrant.evaluation.scorers import make_scorer, metrics, with_encoder


def shown(*command: str) -> str:
    text = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "400", "TERM": "dumb"}).stdout
    return " ".join(text.replace("│", " ").split())


@pytest.mark.parametrize(
    ("metric", "lang", "given", "expected"),
    [
        ("uot", "zh", {}, {"encoder": "hfl/chinese-macbert-base"}),
        ("uot", "uk", {"beta": 1.0}, {"beta": 1.0, "encoder": "google-bert/bert-base-multilingual-cased"}),
        ("uot", "zh", {"encoder": "minilm"}, {"encoder": "minilm"}),
        ("uot", "en", {}, {}),
        ("errant", "zh", {}, {}),
    ],
)
def test_a_language_brings_its_encoder(metric: str, lang: str, given: dict, expected: dict) -> None:
    assert with_encoder(metric, lang, given) == expected


def impossible() -> list[object]:
    """Return every number and choice of every built-in metric with values that it cannot have."""
    cases = []
    for metric in registry.BUILT_IN:
        for declared in options_of(registry.factory_of(metric)):
            values: list[object] = ["nothing-like-it"] if declared.choices else []
            if declared.kind in (int, float) and not declared.several:
                numbers: list[float] = [math.nan, math.inf, -math.inf, 10**400]
                numbers += [0.0, -1.0, 5e-324, 1e-200] if declared.name == "beta" else []
                numbers += [declared.bounds["minimum"] - 1] if "minimum" in declared.bounds else []
                numbers += [declared.bounds["maximum"] + 1] if "maximum" in declared.bounds else []
                numbers += [bound for name, bound in declared.bounds.items() if name in ("above", "below")]
                values += [declared.kind(v) if abs(v) < 1e300 else v for v in numbers]
                values += [1.5] if declared.kind is int else []
            names = [f"{metric}-{declared.name}-{v}"[:60] for v in values]
            cases += [
                pytest.param(metric, declared.name, v, id=n) for v, n in zip(values, names, strict=True)
            ]
    return cases


@pytest.mark.parametrize(("metric", "name", "value"), impossible())
def test_values_that_cannot_be_are_refused_in_one_line(metric: str, name: str, value: object) -> None:
    with pytest.raises(UsageError) as error:
        registry.make_scorer(metric, **{name: value})
    assert name.rpartition("_")[2] in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("value", ["no", "yes", "", None, 2, [], ["no"]])
def test_a_switch_is_no_text(value: object) -> None:
    with pytest.raises(UsageError, match="expected true or false"):
        registry.make_scorer("errant", exact=value)


def test_numbers_of_numpy_are_options() -> None:
    scorers = [registry.make_scorer("goto", reference=np.int64(2), beta=np.float32(0.5), unweighted=np.True_)]
    scorers.append(registry.make_scorer("goto", reference=2, beta=0.5, unweighted=True))
    assert scorers[0] == scorers[1]
    assert repr(scorers[0]) == repr(scorers[1])


def test_one_text_where_there_can_be_several_is_no_list_of_letters() -> None:
    assert registry.make_scorer("errant", filter="R:SPELL") == registry.make_scorer(
        "errant", filter=["R:SPELL"]
    )
    with pytest.raises(UsageError, match="filter"):
        registry.make_scorer("errant", filter=5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"single": True, "multi": True}, "single and multi"),
        ({"betta": 1}, "no option 'betta' .did you mean 'beta'"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_scorer("errant", **options)


def test_entry_points_add_metrics_and_may_not_hide_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    mine = EntryPoint("mine", "jperrant.evaluation.metrics.errant:ErrantScorer", registry.GROUP)
    monkeypatch.setattr(registry, "_entry_points", lambda: [mine])
    assert isinstance(make_scorer("mine", beta=1), ErrantScorer)
    thief = EntryPoint("errant", "other.package:Thing", registry.GROUP)
    monkeypatch.setattr(registry, "_entry_points", lambda: [thief])
    with pytest.raises(UsageError, match=r"defined twice: jperrant\.evaluation.* and other\.package:Thing"):
        metrics()


@pytest.mark.parametrize("where", ["jperrant_not_here.metrics:Thing", "json:Thing"])
def test_a_metric_of_a_broken_package_is_one_line(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    monkeypatch.setattr(registry, "_entry_points", lambda: [EntryPoint("theirs", where, registry.GROUP)])
    with pytest.raises(
        UsageError, match=rf"metric {where} cannot be imported \(.*uninstall the package {where[:4]}"
    ):
        make_scorer("theirs")
    assert isinstance(make_scorer("errant"), ErrantScorer)


def test_a_broken_package_leaves_the_list_of_metrics_and_the_options_of_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from importlib.metadata import EntryPoint

    (tmp_path / "built_for_another_numpy.py").write_text(
        "raise ValueError('numpy.dtype size changed')", "utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    theirs = EntryPoint("theirs", "built_for_another_numpy:Thing", registry.GROUP)
    monkeypatch.setattr(registry, "_entry_points", lambda: [theirs])
    shown = CliRunner().invoke(app, ["metrics", "--format", "tsv"])
    assert [line.split("\t")[0] for line in shown.stdout.splitlines()[1:]] == list(registry.BUILT_IN)
    assert re.search(r"^warning: theirs: .*built_for_another_numpy:Thing .*size changed", shown.stderr)
    assert "mode" in {option.name for option in options_of(registry.factory_of("errant"))}
    with pytest.raises(UsageError, match="size changed"):
        registry.factory_of("theirs")
