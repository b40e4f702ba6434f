"""Metrics by name: options from the fields of scorers, what is refused, metrics of other packages."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import InputError, PackError, UsageError
from jperrant.core.option import option, options_of
from jperrant.evaluation import scorers as registry
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.metrics.errant import ErrantScorer
from jperrant.evaluation.scorers import make_scorer, metrics, with_encoder


@dataclass(frozen=True)
class Bolder(ErrantScorer):
    """A metric of another package."""

    tries: int = option(3, "How often it is tried.")
    kind: str = option("a", "Which kind.", choices=("a", "b"))


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [EntryPoint(name, f"{__name__}:{name}", registry.GROUP) for name in ("Bolder",)]
    monkeypatch.setattr(registry, "_entry_points", lambda: found)
    load = registry._load

    def here_or_there(where: str) -> Callable[..., Scorer]:
        module, _, attribute = where.partition(":")
        found: Callable[..., Scorer] = globals()[attribute] if module == __name__ else load(where)
        return found

    monkeypatch.setattr(registry, "_load", here_or_there)


def test_options_of_metrics_of_other_packages(plugin: None) -> None:
    found = {o.name: o for o in options_of(registry.factory_of("Bolder"))}
    assert [*found["kind"].choices] == ["a", "b"]
    assert found["kind"].help == "Which kind."
    assert found["tries"].kind is int
    assert found["filter"].several
    assert found["beta"].default == 0.5


def run(folder: Path, *args: str) -> dict[str, object]:
    files = [str(folder / "conll14-IITB.errant"), str(folder / "conll14.errant")]
    found = CliRunner().invoke(app, ["score", *files[:-1], "--ref", files[-1], "--json", *args])
    assert found.exit_code == 0, found.output
    result: dict[str, object] = json.loads(found.stdout)
    return result


def test_options_reach_the_metric(short_conll: Path) -> None:
    spec = "errant:mode=ds,beta=1,filter=M:DET,U:DET"
    signature = str(run(short_conll, "-m", spec)["signature"])
    assert signature.startswith("errant|mode:ds|beta:1|filter:M:DET,U:DET|")
    assert str(run(short_conll)["signature"]).startswith("errant|mode:cs|beta:0.5|refs"), (
        "a call leaves nothing behind"
    )


def shown(*command: str) -> str:
    text = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "400", "TERM": "dumb"}).stdout
    return " ".join(text.replace("│", " ").split())


def test_help_of_score_leaves_options_to_the_metrics() -> None:
    help_text = shown("score")
    assert "--assumption" not in help_text
    assert "jperrant metrics" in help_text
    for metric in registry.BUILT_IN:
        text = CliRunner().invoke(app, ["metrics", metric, "--format", "tsv"]).stdout
        listed = [line.split("\t")[0] for line in text.splitlines()[1:]]
        assert listed == [option.name for option in options_of(registry.factory_of(metric))]


def test_every_built_in_metric_is_listed() -> None:
    listed = CliRunner().invoke(app, ["metrics", "--format", "tsv"]).stdout
    assert [line.split("\t")[0] for line in listed.splitlines()[1:]] == list(registry.BUILT_IN)


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


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(PackError, match="unknown language 'xq'"):
        with_encoder("uot", "xq", {})


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


def test_files_and_folders_are_paths_too(short_conll: Path, tmp_path: Path) -> None:
    files = [
        short_conll / "conll14-AMU.errant",
        short_conll / "conll14-CAMB.errant",
        short_conll / "conll14.errant",
    ]
    given = jperrant.score(files[:-1], files[-1])
    assert [score.values for score in given] == [
        score.values for score in jperrant.score([*map(str, files[:-1])], str(files[-1]))
    ]
    with pytest.raises(InputError, match="none"):
        jperrant.score(files[:-1], files[-1], metrics=f"uot:encoder={tmp_path / 'none'}")


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
