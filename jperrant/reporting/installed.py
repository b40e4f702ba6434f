"""The language packs and the models that are installed, and how models scored, as tables and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from jperrant.core.tables import EXACT, Cell, Figure, Table, render
from jperrant.packs import iter_packs, known_packs
from jperrant.packs.discovery import said
from jperrant.packs.read import needs
from jperrant.parse.scores import METRICS, Evaluation

if TYPE_CHECKING:
    from jperrant.packs.describe import InstalledModels  # with the rule language, which a list does without

NOT_MEASURED = "not on learner text"


def format_packs(format: str = "text") -> str:
    """Return a line for each installed pack: code, name, what it needs and lacks, how it was measured, folder.

    Args:
        format: ``json``, or a format of tables.

    Raises:
        UsageError: The format is unknown.
    """
    known = known_packs()
    packs = [
        (code, name, needs(code, known), str(said(folder).get("measured", "")), str(folder))
        for code, name, folder in iter_packs(known)
    ]
    header = ("code", "name", "needs", "measured", "folder")
    if format == "json":
        objects = [dict(zip(header, pack, strict=True)) for pack in packs]
        return json.dumps(objects, ensure_ascii=False, indent=2) + "\n"
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        [(code, name, missing, how or NOT_MEASURED, folder) for code, name, missing, how, folder in packs]
    )
    return render([Table(header, rows)], format)


def models_table(models: Sequence[InstalledModels], format: str = "text") -> str:
    """Return one line for each package of models, and the scores of those that name theirs, ending in a newline.

    Args:
        models: The packages.
        format: A format of tables; TSV has no scores, which are another table.

    Raises:
        UsageError: The format is unknown.
    """
    header = ("language", "--models", "MB", "licence", "processors", "folder")
    rows: list[tuple[Cell, ...]] = [
        (
            m.code,
            m.models,
            Figure(f"{m.size / 1e6:.1f}", m.size / 1e6),
            m.about.licence,
            " ".join(m.processors),
            str(m.folder),
        )
        for m in models
    ]
    scores: list[tuple[Cell, ...]] = [
        (m.code, m.models, *_score_cells(e)) for m in models for e in m.about.evaluations
    ]
    tables = [Table(header, tuple(rows))]
    if scores and format not in EXACT:
        tables.append(Table(("language", "--models", *_SCORES), tuple(scores)))
    return render(tables, format)


def evaluation_table(evaluations: Iterable[Evaluation]) -> str:
    """Return one line of scores, in per cent, for each measurement."""
    return render([Table(_SCORES, tuple(map(_score_cells, evaluations)))], "text")


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


#: Titles of the columns of scores.
_SCORES = ("gold", "given", *METRICS.values())


def _score_cells(evaluation: Evaluation) -> tuple[Cell, ...]:
    """Return a measurement as cells; empty where the models or the treebank do not have something."""
    scores = evaluation.scores
    figures = [Figure(f"{100 * scores[n]:.2f}", scores[n]) if n in scores else None for n in METRICS]
    return evaluation.gold, "tokens" if evaluation.gold_tokens else "text", *figures
