"""Metrics as people write them in one word: ``errant``, ``cleme2:assumption=independent,level=sentence``."""

from __future__ import annotations

import re
from typing import Any

from jperrant.core.errors import UsageError, nearest
from jperrant.core.option import Declared, options_of
from jperrant.evaluation.metrics.registry import factory_of, metrics

_TRUE = ("yes", "true", "on", "1")
_FALSE = ("no", "false", "off", "0")


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
    declared = {option.name: option for option in options_of(factory_of(name))}
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
        values.setdefault(key, []).append(value.strip() if equals else _TRUE[0])
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
    if declared.several:
        return tuple(_converted(metric, declared, text) for text in given)
    if len(given) > 1:
        raise UsageError(
            f"metric {metric!r}: option {declared.name!r} is given {len(given)} times; give it once"
        )
    return _converted(metric, declared, given[0])


def _converted(metric: str, declared: Declared, text: str) -> Any:
    try:
        if declared.kind is bool:
            return _switch(text)
        return declared.kind(text)
    except ValueError:
        expected = {int: "a whole number", float: "a number", bool: "yes or no"}[declared.kind]
        raise UsageError(f"metric {metric!r}: {declared.name}={text!r}, expected {expected}") from None


def _switch(text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ValueError(text)
