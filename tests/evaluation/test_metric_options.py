"""Metrics by name: their options, what is refused, metrics of other packages; the examples of docstrings."""

from __future__ import annotations

import doctest
import math
import re
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint

import numpy as np
import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.errors import UsageError
from jperrant.core.option import Declared, options_of
from jperrant.evaluation import metric_names as registry
from jperrant.evaluation.metric_names import make_scorer, metrics, with_encoder
from jperrant.evaluation.metrics.errant import ErrantScorer


def test_a_language_brings_its_encoder() -> None:
    many = {"beta": 1.0, "encoder": "google-bert/bert-base-multilingual-cased"}
    assert with_encoder("uot", "uk", {"beta": 1.0}) == many
    assert with_encoder("uot", "zh", {}) == {"encoder": "hfl/chinese-macbert-base"}
    assert with_encoder("uot", "zh", {"encoder": "minilm"}) == {"encoder": "minilm"}
    assert with_encoder("uot", "en", {}) == with_encoder("errant", "zh", {}) == {}


OPTIONS = [(metric, own) for metric in registry.BUILT_IN for own in options_of(registry.factory_of(metric))]


@pytest.mark.parametrize(
    ("metric", "declared"), OPTIONS, ids=[f"{metric}-{own.name}" for metric, own in OPTIONS]
)
def test_values_that_cannot_be_are_refused_in_one_line(metric: str, declared: Declared) -> None:
    values: list[object] = ["nothing-like-it"] if declared.choices else []
    if declared.kind in (int, float) and not declared.several:
        values += [math.nan, math.inf, -math.inf] + ([0.0, 5e-324] if declared.name == "beta" else [])
        values += [10**400 if declared.kind is float else 1.5]
        out = {"minimum": -1, "maximum": 1, "above": 0, "below": 0}
        values += [declared.kind(bound + out[name]) for name, bound in declared.bounds.items()]
    for value in values:
        with pytest.raises(UsageError) as error:
            make_scorer(metric, **{declared.name: value})
        assert declared.name.rpartition("_")[2] in str(error.value)
        assert "\n" not in str(error.value)


def test_numbers_of_numpy_and_one_text_are_options() -> None:
    numpy = {"reference": np.int64(2), "beta": np.float32(0.5), "unweighted": np.True_}
    own = make_scorer("goto", reference=2, beta=0.5, unweighted=True)
    assert repr(make_scorer("goto", **numpy)) == repr(own)
    assert repr(make_scorer("errant", filter="R:SPELL")) == repr(make_scorer("errant", filter=["R:SPELL"]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        *(({"exact": no_switch}, "expected true or false") for no_switch in ("no", "", None, 2, [])),
        ({"single": True, "multi": True}, "single and multi"),
        ({"betta": 1}, "no option 'betta' .did you mean 'beta'"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_scorer("errant", **options)


def install_entry(monkeypatch: pytest.MonkeyPatch, name: str, where: str) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda _: [EntryPoint(name, where, registry.GROUP)])


def test_entry_points_add_metrics_and_may_not_hide_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    install_entry(monkeypatch, "mine", "jperrant.evaluation.metrics.errant:ErrantScorer")
    assert isinstance(make_scorer("mine", beta=1), ErrantScorer)
    install_entry(monkeypatch, "errant", "other.package:Thing")
    with pytest.raises(UsageError, match=r"defined twice: jperrant\.evaluation.* and other\.package:Thing"):
        metrics()


@pytest.mark.parametrize("where", ["jperrant_not_here.metrics:Thing", "json:Thing"])
def test_a_metric_of_a_broken_package_is_one_line(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    install_entry(monkeypatch, "theirs", where)
    expected = rf"metric {where} cannot be imported \(.*uninstall the package {where[:4]}"
    with pytest.raises(UsageError, match=expected):
        make_scorer("theirs")
    assert isinstance(make_scorer("errant"), ErrantScorer)


def test_a_broken_package_leaves_the_list_of_metrics(install: Callable[[str, str], None]) -> None:
    install("theirs", "raise ValueError('numpy.dtype size changed')")
    shown = CliRunner().invoke(app, ["metrics", "--format", "tsv"])
    assert [line.split("\t")[0] for line in shown.stdout.splitlines()[1:]] == list(registry.BUILT_IN)
    assert re.search(r"^warning: theirs: .*jperrant_made_metrics:Metric .*size changed", shown.stderr)
    with pytest.raises(UsageError, match="size changed"):
        registry.factory_of("theirs")


@pytest.mark.parametrize(
    "module",
    ["analysis", "inputs", "metric_names", "metrics.system_score", "metrics.llm_judges", "metrics.reference_free",
     "metrics.uot", "metrics.goto", "metrics.corrected_texts", "metrics.cleme.chunks", "metrics.cleme.scorer",
     "metrics.cleme.chunk_weights", "metrics.maxmatch", "statistics.correlation", "statistics.shapley"],
)  # fmt: skip
def test_examples_of_docstrings(module: str) -> None:
    found = doctest.testmod(import_module(f"jperrant.evaluation.{module}"))
    assert (found.attempted > 0, found.failed) == (True, 0)
