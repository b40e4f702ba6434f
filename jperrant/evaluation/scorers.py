"""Scorers of metrics as people name them: ``errant``, ``cleme2:assumption=independent,level=sentence``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from jperrant.core.errors import UsageError, nearest
from jperrant.core.option import Declared, options_of
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.metrics.registry import factory_of, importable, make_scorer, metrics

#: How a switch may be written.
_SWITCH = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(("no", "false", "off", "0"), False)


def make_scorers(
    specs: Sequence[str | Scorer],
    lang: str | None = None,
    shared: Mapping[str, Any] | None = None,
    cache: str = "",
) -> list[Scorer]:
    """Return the scorers of metrics.

    Args:
        specs: The metrics, each with its options (``cleme2:level=sentence``), or scorers as they are.
        lang: A language whose pack chooses the encoder where none is given.
        shared: Options for every metric that has them.
        cache: Folder whose ``encodings`` metrics with an encoder keep vectors in; empty for none.

    Raises:
        UsageError: No metric, an unknown one, one given twice, or a wrong option.
    """
    if not specs:
        raise UsageError("found no metric; give at least one")
    common = {**({"cache": str(Path(cache) / "encodings")} if cache else {}), **(shared or {})}
    scorers = [spec if isinstance(spec, Scorer) else _scorer(spec, common, lang or "") for spec in specs]
    _check_different(specs, scorers)
    return scorers


def _scorer(spec: str, common: Mapping[str, Any], lang: str) -> Scorer:
    """Return the scorer of a metric as it is written, with those common options that it has."""
    name, own = parse_spec(spec)
    has = _declared(name)
    given = {**{option: value for option, value in common.items() if option in has}, **own}
    return make_scorer(name, **(with_encoder(name, lang, given) if lang else given))


def _check_different(specs: Sequence[str | Scorer], scorers: Sequence[Scorer]) -> None:
    """Refuse a metric that is given twice: its scores would count as those of more systems."""
    for (one, first), (other, second) in combinations(zip(specs, scorers, strict=True), 2):
        if first.name == second.name and first.settings == second.settings:
            if one == other:
                raise UsageError(f"the same metric is given twice: {one!r}; remove one")
            raise UsageError(
                f"the same metric is given twice: {one!r} and {other!r} have the same settings in tables; remove "
                "one, or give its file or folder another name"
            )


def with_encoder(metric: str, lang: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a metric with the encoder of a language's pack.

    Nothing is changed where an encoder is given, where the metric uses none, and where the pack has none of its
    own, as that of English, for which every metric brings the one its paper used.

    Raises:
        PackError: The language is unknown.
    """
    from jperrant.packs import load_pack  # with the rule language

    encoder = load_pack(lang).encoder
    chosen = {"encoder": encoder} if encoder and "encoder" in _declared(metric) else {}
    return {**chosen, **options}


def written_option(flag: str, specs: Sequence[str]) -> str:
    """Return how an option of a metric is given, if somebody writes it as an option of a command.

    Args:
        flag: What was written, such as ``--draws``.
        specs: Metrics that were asked for; of several that have the option, one of them is named.

    Returns:
        ``-m gleu:draws=...``; empty where no metric has the option.
    """
    option = flag.lstrip("-").replace("-", "_")
    asked = [metric_name(spec.partition(":")[0]) for spec in specs]
    for metric in (*(name for name in asked if name in metrics()), *importable()[0]):
        if option in _declared(metric):
            return f"-m {metric}:{option}" + ("" if _declared(metric)[option].kind is bool else "=...")
    return ""


def parse_spec(spec: str) -> tuple[str, dict[str, Any]]:
    """Return the name of a metric and its options, each as the kind of value that it declares.

    >>> parse_spec("ERRANT:mode=ds,beta=1")
    ('errant', {'mode': 'ds', 'beta': 1.0})

    An option that is a switch needs no value (``errant:exact``). A part without ``=`` that is not a switch goes on
    with the value before it (``cleme2:factors=.5,.3,.1,.1``). Options that take several values may come repeatedly.

    Raises:
        UsageError: The metric or an option is unknown, or a value is not of its kind.
    """
    written_name, _, text = spec.partition(":")
    name = metric_name(written_name.strip())
    if (begin := metric_name(re.split(r"[\s,;]", name)[0])) in metrics() and begin != name:
        raise UsageError(
            f"unknown metric {spec!r}; write one metric each, and its options after a colon: {begin}:OPTION=VALUE"
        )
    declared = _declared(name)
    values: dict[str, list[str]] = {}
    last = ""
    for part in text.split(",") if text else []:
        key, equals, value = part.partition("=")
        key = key.strip().lstrip("-").replace("-", "_")
        if not equals and last and not (key in declared and declared[key].kind is bool):
            values[last][-1] += "," + part
            continue
        if key not in declared:
            known = ", ".join(declared) or "none"
            raise UsageError(
                f"metric {name!r} has no option {key!r}{nearest(key, declared)}; its options: {known}"
            )
        if not equals and declared[key].kind is not bool:
            raise UsageError(f"metric {name!r}: option {key!r} has no value; write {key}=VALUE")
        values.setdefault(key, []).append(value.strip() if equals else "yes")
        last = key
    return name, {key: _value(name, declared[key], given) for key, given in values.items()}


def metric_name(written: str) -> str:
    """Return the name of a metric from one that may be in other letters: ``ERRANT``, ``CLEME2.0``, ``PT_ERRANT``.

    A name that is not known is returned as it is.
    """
    known = metrics()
    if written in known:
        return written
    plain = {_plain(name): name for name in known}
    return plain.get(_plain(written), plain.get(_plain(written.removesuffix(".0")), written))


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def _value(metric: str, declared: Declared, given: list[str]) -> Any:
    if len(given) > 1 and not declared.several:
        raise UsageError(
            f"metric {metric!r}: option {declared.name!r} is given {len(given)} times; give it once"
        )
    try:
        values = [_SWITCH[one.lower()] if declared.kind is bool else declared.kind(one) for one in given]
    except (KeyError, ValueError):
        expected = {int: "a whole number", float: "a number", bool: "yes or no"}[declared.kind]
        raise UsageError(f"metric {metric!r}: {declared.name}={given[0]!r}, expected {expected}") from None
    return tuple(values) if declared.several else values[0]


def _declared(metric: str) -> dict[str, Declared]:
    """Return the options of a metric by name."""
    return {option.name: option for option in options_of(factory_of(metric))}
