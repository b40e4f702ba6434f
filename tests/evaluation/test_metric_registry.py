"""Metrics by name: options that are refused, metrics of other packages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.errors import UsageError
from jperrant.core.option import options_of
from jperrant.evaluation import scorers as registry
from jperrant.evaluation.metrics.errant import ErrantScorer
from jperrant.evaluation.scorers import make_scorer, metrics


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
