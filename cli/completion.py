"""What shells complete: names that a command knows, looked up when somebody presses the key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def languages(incomplete: str) -> Sequence[str]:
    """Return the codes of packs that begin so."""
    from jperrant.packs.discovery import known_packs

    return _beginning(known_packs(), incomplete)


def metric_names(incomplete: str) -> Sequence[str]:
    """Return the metrics that begin so."""
    from jperrant.evaluation.metrics.registry import metrics

    return _beginning(metrics(), incomplete)


def convertible(incomplete: str) -> Sequence[str]:
    """Return the formats of ``m2 convert`` that begin so."""
    from jperrant.exchange.base import formats
    from jperrant.m2tools.dialects import DIALECTS

    return _beginning([*DIALECTS, *formats()], incomplete)


def _beginning(names: Iterable[str], incomplete: str) -> Sequence[str]:
    return [name for name in sorted(names) if name.startswith(incomplete)]
