"""Tables of models and of their scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from jperrant.packs.installed_models import InstalledModels
from jperrant.training.scores import METRICS, Evaluation


def models_table(models: Sequence[InstalledModels]) -> str:
    """Return one line for each package of models, and the scores of those that name theirs."""
    lines = [f"{'Language':<10}{'--models':<14}{'MB':>6}  {'Licence':<14}{'Processors':<34}Folder"]
    for m in models:
        lines.append(
            f"{m.code:<10}{m.models:<14}{m.size / 1e6:>6.1f}  {m.about.licence or '-':<14}"
            f"{' '.join(m.processors):<34}{m.folder}"
        )
    measured = [(m, e) for m in models for e in m.about.evaluations]
    if measured:
        lines += ["", f"{'Language':<10}{'--models':<14}" + _HEADER]
        lines += [f"{m.code:<10}{m.models:<14}{_row(e)}" for m, e in measured]
    return "\n".join(lines) + "\n"


def evaluation_table(evaluations: Iterable[Evaluation]) -> str:
    """Return one line of scores, in per cent, for each measurement."""
    return "\n".join([_HEADER, *map(_row, evaluations)]) + "\n"


def models_json(models: Iterable[InstalledModels]) -> list[dict[str, Any]]:
    """Return packages of models as plain values."""
    return [
        {
            "language": m.code,
            "models": m.models,
            "bytes": m.size,
            "processors": list(m.processors),
            "folder": str(m.folder),
            "licence": m.about.licence,
            "sources": m.about.sources,
            "evaluations": [evaluation_json(e) for e in m.about.evaluations],
        }
        for m in models
    ]


def evaluation_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return a measurement as plain values."""
    return {
        "gold": evaluation.gold,
        "words": evaluation.words,
        "gold_tokens": evaluation.gold_tokens,
        "scores": dict(evaluation.scores),
    }


_HEADER = f"{'Gold':<24}{'Given':<8}" + "".join(f"{title:>10}" for title in METRICS.values())


def _row(evaluation: Evaluation) -> str:
    cells = (
        f"{100 * evaluation.scores[name]:>10.2f}" if name in evaluation.scores else f"{'-':>10}"
        for name in METRICS
    )
    return f"{evaluation.gold:<24}{'tokens' if evaluation.gold_tokens else 'text':<8}" + "".join(cells)
