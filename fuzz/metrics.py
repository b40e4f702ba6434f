"""The area *metrics*: every metric that needs neither encoder nor model scores whatever M2 the reader accepts."""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fuzz import text
from jperrant.core.errors import InputError, JperrantError, UsageError
from jperrant.core.option import options_of
from jperrant.evaluation.inputs import Inputs
from jperrant.evaluation.metric_names import factory_of, make_scorer
from jperrant.evaluation.read_sides import InStep
from jperrant.evaluation.scoring import evaluate_all, refused_by
from jperrant.io.m2 import format_block

_METRICS = ("errant", "cleme", "cleme2", "m2", "goto", "gleu", "green", "imeasure", "wer", "cer")
#: Values that need an encoder or a language model.
_MODELS = {"similarity", "llm"}


def make(random: Random) -> dict[str, Any]:
    """Return one or two systems and references as M2, and a metric with an option."""
    sources = [text.tokens(random) for _ in range(random.randint(1, 4))]
    metric = random.choice(_METRICS)
    options = random.sample(_options(metric), min(len(_options(metric)), random.randint(0, 2)))
    return {
        "hyp": [_m2(random, sources, 1) for _ in range(random.choice([1, 1, 2]))],
        "ref": _m2(random, sources, 3),
        "metric": metric,
        "options": {name: random.choice(values) for name, values in options},
    }


def check(case: dict[str, Any], folder: Path) -> None:
    """Values are finite, or a sentence is named that the metric refuses."""
    paths = []
    for number, content in enumerate([*case["hyp"], case["ref"]]):
        paths.append(str(folder / f"{number}.m2"))
        Path(paths[-1]).write_text(content, encoding="utf-8", newline="")
    try:
        scorers = [make_scorer(case["metric"], **case["options"])]
        [pairs] = InStep(Inputs(paths[:-1], references=paths[-1:]), refused_by(scorers))
        scores = evaluate_all(scorers, pairs)
    except UsageError as error:  # options that do not go together, or not with this file
        assert "\n" not in str(error)  # noqa: PT017
        return
    except JperrantError as error:
        message = str(error)
        assert "\n" not in message
        assert re.search(r"sentence \d|:\d+: |align both first", message), f"names no sentence: {message}"
        return
    assert len(scores) == len(case["hyp"])
    for score in scores:
        assert score.values
        for name, value in score.values.items():
            assert math.isfinite(value), (case["metric"], name, value)


@cache
def _options(metric: str) -> list[tuple[str, list[Any]]]:
    """Return the options of a metric and values of each, as its fields declare them."""
    made: list[tuple[str, list[Any]]] = []
    for declared in options_of(factory_of(metric)):
        if declared.group or declared.several:
            continue
        if declared.kind is bool:
            made.append((declared.name, [True]))
        elif declared.choices:
            made.append((declared.name, [value for value in declared.choices if value not in _MODELS]))
        elif declared.kind in (int, float):
            bounds = [declared.bounds.get("minimum"), declared.bounds.get("maximum"), declared.default]
            made.append((declared.name, [declared.kind(bound) for bound in bounds if bound is not None]))
    return made


def _m2(random: Random, sources: list[list[str]], annotators: int) -> str:
    lines = []
    for source in sources:
        while True:  # only the areas of writers test tokens that M2 cannot hold
            block = text.block(random, annotators, random.random() < 0.2, source)
            try:
                lines.append(format_block(block))
                break
            except InputError:
                source = [token for token in source if random.random() < 0.7]
    return "".join(lines)
