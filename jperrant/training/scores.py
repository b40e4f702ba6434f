"""What a folder of models says of itself in ``scores.json``: licence, sources, and scores measured on treebanks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jperrant.core.errors import CorruptModelError, InputError
from jperrant.training.export import write_json

METRICS = {
    "tokens": "Tokens", "sentences": "Sentences", "words": "Words", "upos": "UPOS", "xpos": "XPOS",
    "feats": "UFeats", "lemma": "Lemmas", "uas": "UAS", "las": "LAS",
}  # fmt: skip
"""Names of the CoNLL 2018 scores here, and in the scorer's own output."""

_FILE = "scores.json"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of a package of models on a treebank.

    Attributes:
        package: Name of the package in its folder.
        gold: Name of the treebank's file.
        words: Number of its words.
        gold_tokens: Whether tokens and sentences were given.
        scores: F1 from 0 to 1 by the names in ``METRICS``; what the models do not do, or the treebank does not
            have, is missing.
    """

    package: str
    gold: str
    words: int
    gold_tokens: bool
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a package of models.

    Attributes:
        licence: Under which it may be passed on, or empty.
        sources: What it was made from, or empty.
        evaluations: Its scores.
    """

    licence: str = ""
    sources: str = ""
    evaluations: tuple[Evaluation, ...] = field(default=())


def read_about(folder: Path) -> About:
    """Return what a folder of models says of itself; nothing where there is no ``scores.json``.

    Raises:
        CorruptModelError: The file is there and is not such a file.
    """
    path = folder / _FILE
    if not path.is_file():
        return About()
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        evaluations = tuple(
            Evaluation(e["package"], e["gold"], int(e["words"]), bool(e["gold_tokens"]), dict(e["scores"]))
            for e in stored.get("evaluations", ())
        )
        return About(str(stored.get("licence", "")), str(stored.get("sources", "")), evaluations)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorruptModelError(
            f"{path} cannot be read ({type(error).__name__}: {error}); delete it"
        ) from None


def save_about(folder: Path, about: About) -> None:
    """Write what a folder of models says of itself.

    Raises:
        InputError: The folder cannot be written.
    """
    value = {
        "licence": about.licence,
        "sources": about.sources,
        "evaluations": [
            {
                "package": e.package,
                "gold": e.gold,
                "words": e.words,
                "gold_tokens": e.gold_tokens,
                "scores": {name: round(score, 4) for name, score in e.scores.items()},
            }
            for e in about.evaluations
        ],
    }
    try:
        write_json(folder / _FILE, value)
    except OSError as error:
        raise InputError(f"{folder / _FILE}: cannot be written ({error.strerror})") from None


def save_evaluation(folder: Path, evaluation: Evaluation) -> None:
    """Put a measurement into a folder's ``scores.json``, in place of an older one of the same kind."""
    about = read_about(folder)
    kept = [e for e in about.evaluations if _key(e) != _key(evaluation)]
    evaluations = sorted([*kept, evaluation], key=_key)
    save_about(folder, About(about.licence, about.sources, tuple(evaluations)))


def _key(evaluation: Evaluation) -> tuple[str, str, bool]:
    return evaluation.package, evaluation.gold, evaluation.gold_tokens
