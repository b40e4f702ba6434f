"""A table of models."""

from __future__ import annotations

from collections.abc import Iterable

from jperrant.available import AvailableModels


def models_table(models: Iterable[AvailableModels]) -> str:
    """Return one line for each package of models."""
    lines = [f"{'Language':<10}{'--models':<14}{'MB':>6}  {'Processors':<34}Folder"]
    for m in models:
        lines.append(
            f"{m.code:<10}{m.models:<14}{m.size / 1e6:>6.1f}  {' '.join(m.processors):<34}{m.folder}"
        )
    return "\n".join(lines) + "\n"
