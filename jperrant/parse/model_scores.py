"""Scoring models on treebanks; the licence, sources and scores in a folder of models.

The scores are those of the CoNLL 2018 shared task, as Stanza's copy of its scorer computes them.
http://universaldependencies.org/conll18/evaluation.html defines them: F1 of tokens, sentences and words by
their place in the text, F1 of tags, lemmas and heads over aligned words.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from jperrant.core.conllu import FEATS, HEAD, LEMMA, UPOS, XPOS, ConlluSentence, is_glued, surface_tokens
from jperrant.core.errors import CorruptModelError, InputError
from jperrant.core.packages import STANZA, check_extra
from jperrant.parse.models import ModelFolder, read_json
from jperrant.parse.stanza_analyser import load_pipeline, quiet_stanza

METRICS: dict[str, tuple[str, str, int | None]] = {
    "tokens": ("Tokens", "tokenize", None), "sentences": ("Sentences", "tokenize", None),
    "words": ("Words", "tokenize", None), "upos": ("UPOS", "pos", UPOS), "xpos": ("XPOS", "pos", XPOS),
    "feats": ("UFeats", "pos", FEATS), "lemma": ("Lemmas", "lemma", LEMMA), "uas": ("UAS", "depparse", HEAD),
    "las": ("LAS", "depparse", HEAD),
}  # fmt: skip
"""CoNLL 2018 scores: the name in the scorer's own output, the stage that is measured, the column it fills."""
_FILE = "scores.json"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of a package of models on a treebank.

    Attributes:
        package: Name of the package in its folder.
        gold: Name of the treebank's file.
        words: Number of its words.
        gold_tokens: Whether tokens and sentences were given.
        scores: F1 from 0 to 1 by the names in ``METRICS``, without those that the models or the treebank do not
            have.
    """

    package: str
    gold: str
    words: int
    gold_tokens: bool
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class About:
    """Licence, sources and scores of a package of models.

    Attributes:
        licence: The licence under which it may be distributed, or empty.
        sources: The data from which it was trained, or empty.
        evaluations: Its scores.
    """

    licence: str = ""
    sources: str = ""
    evaluations: tuple[Evaluation, ...] = ()


def read_about(folder: Path) -> About:
    """Return what ``scores.json`` in a folder of models says; empty if there is no such file.

    Raises:
        CorruptModelError: The file cannot be read.
    """
    path, remedy = folder / _FILE, "delete it, or get the models again"
    if not path.is_file():
        return About()
    try:
        return TypeAdapter(About).validate_python(read_json(path, remedy))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise CorruptModelError(f"{path} cannot be read ({place}: {first['msg']}); {remedy}") from None


def save_about(folder: Path, about: About) -> None:
    """Write ``scores.json`` of a folder of models.

    Raises:
        InputError: The folder cannot be written.
    """
    value = asdict(about)
    for evaluation in value["evaluations"]:
        evaluation["scores"] = {name: round(score, 4) for name, score in evaluation["scores"].items()}
    path = folder / _FILE
    beside = path.with_name(path.name + ".partial")
    try:
        beside.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def save_evaluation(folder: Path, evaluation: Evaluation) -> None:
    """Add an evaluation to a folder's ``scores.json``, or replace an older one of the same kind."""
    about = read_about(folder)
    kept = [e for e in about.evaluations if _key(e) != _key(evaluation)]
    evaluations = sorted([*kept, evaluation], key=_key)
    save_about(folder, About(about.licence, about.sources, tuple(evaluations)))


def _key(evaluation: Evaluation) -> tuple[str, str, bool]:
    return evaluation.package, evaluation.gold, evaluation.gold_tokens


def evaluate_models(
    models: ModelFolder, gold: Sequence[ConlluSentence], name: str, gold_tokens: bool = False
) -> Evaluation:
    """Run models on a treebank and score their output.

    Args:
        models: The models.
        gold: The sentences of the treebank.
        name: Its file.
        gold_tokens: Give the models the gold tokens and sentences instead of the text.

    Raises:
        MissingExtraError: Stanza is not installed.
        InputError: There are no sentences, a model lacks another one that it needs, or the models' tokens do
            not spell the text, so that they cannot be aligned.
    """
    gold = [sentence for sentence in gold if sentence.rows]
    if not gold:
        raise InputError(f"{name}: found no sentences, expected a treebank in CoNLL-U")
    check_extra((STANZA, "torch"), STANZA)
    from stanza.models.common.utils import UDError, ud_scores

    with quiet_stanza():
        document = _analysed(models, gold, gold_tokens)
    for sentence in document.sentences:
        _complete(sentence)
    expected = stanza_document(gold)
    for sentence in expected.sentences:
        _complete(sentence)
    try:
        measured = ud_scores(io.StringIO(f"{expected:C}\n\n"), io.StringIO(f"{document:C}\n\n"))
    except UDError as error:
        raise InputError(f"{name}: cannot be scored ({' '.join(str(error).split())[:200]})") from None
    scores = {
        metric: float(measured[title].f1)
        for metric, (title, stage, column) in METRICS.items()
        if stage in {"tokenize", *models.processors} and _in(gold, column)
    }
    words = sum(len(sentence.words) for sentence in gold)
    return Evaluation(models.package, Path(name).name, words, gold_tokens, scores)


def hindrance(models: ModelFolder, gold_tokens: bool) -> str:
    """Return the reason why models cannot be scored on gold tokens, or on text; empty if they can."""
    if "tokenize" not in models.processors and not gold_tokens:
        return "found no tokenizer"
    if "depparse" in models.processors and "pos" not in models.processors:
        return "found a parser without a tagger, whose tags it needs"
    return ""


def _in(gold: Sequence[ConlluSentence], column: int | None) -> bool:
    """Return whether a treebank has gold values: a tag or lemma on any word, or all heads of any sentence."""
    if column == HEAD:
        return any(all(row[HEAD] != "_" for row in sentence.words) for sentence in gold)
    return column is None or any(row[column] != "_" for sentence in gold for row in sentence.words)


def stanza_document(sentences: Iterable[ConlluSentence]) -> Any:
    """Return sentences of CoNLL-U as a document of Stanza's."""
    from stanza.utils.conll import CoNLL

    lines = ("".join(["\t".join(row) + "\n" for row in sentence.rows]) for sentence in sentences)
    return CoNLL.conll2doc(input_str="".join(f"{sentence}\n" for sentence in lines))


def _text(sentences: Sequence[ConlluSentence]) -> str:
    """Return sentences as running text; an empty line separates paragraphs."""
    text, space = "", ""
    for sentence in sentences:
        if text and sentence.new_paragraph:
            space = "\n\n"
        for form, _, glued in surface_tokens(sentence.rows):
            text += space + form
            space = "" if glued else " "
        space = "" if is_glued(sentence.rows[-1]) else " "
    return text


def _analysed(models: ModelFolder, gold: Sequence[ConlluSentence], gold_tokens: bool) -> Any:
    stages = list(models.processors)
    if reason := hindrance(models, gold_tokens):
        hint = "" if hindrance(models, True) else "; score the other models with --gold-tokens"
        raise InputError(f"{models.folder}: {reason}{hint}")
    if gold_tokens:
        stages = ["tokenize", *(stage for stage in stages if stage not in ("tokenize", "mwt"))]
    pipeline = load_pipeline(models, stages, tokenize_pretokenized=gold_tokens, depparse_pretagged=True)
    if not gold_tokens:
        return pipeline(_text(gold))
    document = stanza_document(gold)
    for column in ("lemma", "upos", "xpos", "feats", "head", "deprel"):
        document.set([column], [None] * document.num_words)
    for stage in stages[1:]:
        document = pipeline.processors[stage].process(document)
    return document


def _complete(sentence: Any) -> None:
    """Give a head to words without one, as the scorer requires trees even if heads are not scored."""
    if all(word.head is not None for word in sentence.words):
        return
    for number, word in enumerate(sentence.words):
        word.head, word.deprel = number, "dep" if number else "root"
    sentence.build_dependencies()
