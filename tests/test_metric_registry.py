"""Metrics by name: options that are refused, metrics of other packages."""

from __future__ import annotations

import pytest

from jperrant.core.errors import UsageError
from jperrant.evaluation.metrics import registry
from jperrant.evaluation.metrics.errant.scorer import ErrantScorer
from jperrant.evaluation.metrics.registry import make_scorer, metrics


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "csx"}, "unknown mode 'csx' .did you mean 'cs"),
        ({"beta": 0}, "beta is 0"),
        ({"beta": float("nan")}, "beta is nan"),
        ({"single": True, "multi": True}, "single and multi"),
        ({"betta": 1}, "no option 'betta' .did you mean 'beta'"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_scorer("errant", **options)


def test_unknown_metric_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"unknown metric 'errand' .did you mean 'errant'"):
        make_scorer("errand")


def test_entry_points_add_metrics_and_may_not_hide_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    mine = EntryPoint("mine", "jperrant.evaluation.metrics.errant.scorer:ErrantScorer", registry.GROUP)
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
