"""Which tests a stage of development runs; ``make`` chooses by the markers of pyproject.toml."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def mostly_for_ci(values: Iterable[object], *kept: object) -> list[object]:
    """Return the parameters of a test of which ``make test`` runs those that are kept, and CI all."""
    return [value if value in kept else pytest.param(value, marks=pytest.mark.ci) for value in values]
