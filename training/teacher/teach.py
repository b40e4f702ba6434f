"""Teaching: a teacher is trained and labels texts for the networks that learn from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jperrant.core.errors import InputError
from jperrant.encoders.find import find_encoder
from jperrant.parse.models import ModelFolder
from training.encoding import TAG_COLUMNS
from training.finetuning import Trainable
from training.loop import Report, seed_everything, train
from training.recipe import TeacherRecipe
from training.teacher.fit import TeacherStage
from training.teacher.labels import DEPREL, FORM, HEAD, Labels
from training.teacher.texts import Segmenter
from training.treebank import Treebank, TreebankSentence

_MODEL = "teacher.pt"
_AT_ONCE = 500  # paragraphs; their sentences are in memory together
_SEEDS = 103  # sets a teacher's random numbers apart from those of the networks


@dataclass(frozen=True, slots=True)
class Lessons:
    """What a teacher learns from, and what it then labels.

    Attributes:
        train: Treebanks, each with how often an epoch takes each of its sentences.
        dev: Chooses the best teacher.
        texts: The paragraphs to label.
        models: What cuts them into sentences and words.
    """

    train: Sequence[tuple[Treebank, float]]
    dev: Treebank
    texts: Sequence[str]
    models: ModelFolder


def teach(
    lessons: Lessons, plan: TeacherRecipe, seed: int, work: Path, report: Report
) -> tuple[Treebank, dict[str, float]]:
    """Train a teacher; return what it labels, and its scores.

    Args:
        lessons: What it learns from and what it labels.
        plan: How.
        seed: What all randomness derives from.
        work: A folder for the best teacher.
        report: Told what happens.

    Raises:
        InputError: The texts have no sentence that can be labelled, or the encoder has no tokenizer.
        MissingModelError, MissingExtraError, CorruptModelError: The encoder is missing or damaged.
        UsageError: The encoder does not fit the recipe or the treebanks, or nothing cuts texts.
    """
    segmenter = Segmenter(lessons.models)
    # Before the network is made: what it begins with is part of the result.
    seed_everything(seed * _SEEDS)
    encoder = Trainable(find_encoder(plan.encoder), plan.frozen)
    stage = TeacherStage(lessons.train, lessons.dev, encoder, plan.rate)
    best = train(stage, stage.schedule(plan.epochs, seed), work / _MODEL, "teacher", report)
    stage.load(work / _MODEL)
    known = (s for bank in (lessons.train[0][0], lessons.dev) for s in bank.sentences)
    found = tuple(_labelled(stage, lessons.texts, segmenter, known, report))
    if not found:
        raise InputError(
            "found no sentence in the texts for the teacher that it can label; expected sentences of 3 to 60 "
            "words, one paragraph per line, that are not in the treebanks"
        )
    return Treebank("what the teacher labelled", found), best


def _labelled(
    stage: TeacherStage,
    texts: Sequence[str],
    segmenter: Segmenter,
    known: Iterable[TreebankSentence],
    report: Report,
) -> Iterator[TreebankSentence]:
    """Yield the sentences of texts, each once and none of those that are known, as the teacher labels them."""
    seen = set(map(_forms, known))
    for start in range(0, len(texts), _AT_ONCE):
        new = []
        for sentence in segmenter.sentences(texts[start : start + _AT_ONCE]):
            if _forms(sentence) not in seen:
                seen.add(_forms(sentence))
                new.append(sentence)
        for sentence, labels in zip(new, stage.label(new), strict=True):
            if labels is not None:
                yield labelled(sentence, labels, stage.labels)
        report("teacher labels", min(start + _AT_ONCE, len(texts)), len(texts), None, None)


def _forms(sentence: TreebankSentence) -> tuple[str, ...]:
    return tuple(row[FORM] for row in sentence.words)


def labelled(sentence: TreebankSentence, found: dict[str, Any], labels: Labels) -> TreebankSentence:
    """Return a sentence with labels instead of its own.

    Args:
        sentence: The sentence; its lemmas stay.
        found: By column, the number of each word's label; of ``head`` the head itself.
        labels: What the numbers stand for.
    """
    columns = {TAG_COLUMNS[name]: [values[n] for n in found[name]] for name, values in labels.tags.items()}
    if labels.relations:
        columns |= {
            HEAD: [str(n) for n in found["head"]],
            DEPREL: [labels.relations[n] for n in found["deprel"]],
        }
    rows, word = [], 0
    for row in sentence.rows:
        if "-" in row[0]:
            rows.append(row)
            continue
        rows.append(tuple(columns[n][word] if n in columns else value for n, value in enumerate(row)))
        word += 1
    lacks = sentence.lacks - labels.tags.keys() - ({"head"} if labels.relations else set())
    return replace(sentence, rows=tuple(rows), lacks=lacks)
