"""Metrics without references: SOME, IMPARA, Scribendi Score and perplexity.

Each metric scores pairs of a source and a corrected text; equal pairs of all systems are scored once. A row holds
the score of the sentence and a 1 to divide by, so the score of a system is a mean over sentences. From Python, a
function can replace any model.
"""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from rapidfuzz.distance import Indel

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError, UsageError
from jperrant.core.messages import CountedNote, plural
from jperrant.core.option import option, option_group, told
from jperrant.encoders.heads import Regressor, load_regressor
from jperrant.encoders.options import EncoderOptions, ModelOptions, encoder_label
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, Row, Scorer, SystemCandidates
from jperrant.evaluation.metrics.corrected_texts import REFUSED, corrected_texts, text_of
from jperrant.evaluation.metrics.fmeasure import Level, ratio
from jperrant.evaluation.metrics.reference_choice import mean_candidate

#: A function from texts to numbers, one for each text.
TextFunction: TypeAlias = Callable[[Sequence[str]], Sequence[float]]
#: A function from sources and hypotheses to numbers, one for each pair.
PairFunction: TypeAlias = Callable[[Sequence[str], Sequence[str]], Sequence[float]]
#: A function from texts to the loss of each token: minus the natural logarithm of its probability.
LossFunction: TypeAlias = Callable[[Sequence[str]], Sequence[Sequence[float]]]
#: Notes about a sentence, without their beginning ("3 sentences").
Remarks: TypeAlias = tuple[str, ...]
#: The most characters of a text in a message.
_SHOWN = 80
MAX_TOKENS = 128
GPT2 = "gpt2"
#: The largest exponent for which the exponential function is a finite float.
_LARGEST = 700.0
_NO_WORD = re.compile(r"\W")
#: The published weights of SOME's grammaticality, fluency and meaning, tuned on human judgements.
WEIGHTS = (0.55, 0.43, 0.02)
#: SOME's regressors, with the possible names of their folders (``grammer`` is that of the published archive).
FOLDERS = {"grammaticality": ("grammaticality", "grammer"), "fluency": ("fluency",), "meaning": ("meaning",)}


class TextPair(NamedTuple):
    """The texts of a source and of a hypothesis."""

    source: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result of a metric for one pair of texts.

    Attributes:
        row: The statistics.
        details: Further results, as JSON values.
        remarks: Notes about the sentence.
    """

    row: Row
    details: dict[str, object] = field(default_factory=dict)
    remarks: Remarks = ()


@dataclass(frozen=True, slots=True)
class ReferenceFreeScorer(Scorer):
    """A metric without references; several hypothesis annotators of a sentence count with their mean."""

    columns: ClassVar[tuple[str, ...]] = ("score", "sentences")
    needs_references: ClassVar[bool] = False
    needs_edits: ClassVar[bool] = False
    refuses: ClassVar[tuple[str, ...]] = REFUSED
    needs_corpus: ClassVar[bool] = False

    @abstractmethod
    def judge(self, pairs: Sequence[TextPair]) -> Sequence[Judgement]:
        """Return the judgement of each of some distinct pairs of texts.

        Raises:
            JperrantError: A model cannot be loaded or run.
        """

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[Any]) -> list[SystemCandidates]:  # noqa: ARG002
        """Return the judgement of every hypothesis; pairs of texts that systems share are judged once."""
        systems = [text_pairs(pair) for pair in pairs]
        distinct = list(dict.fromkeys(text for own in systems for sentence in own for _, text in sentence))
        judged = dict(zip(distinct, self.judge(distinct) if distinct else (), strict=True))
        return [_system(own, judged) for own in systems]

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:  # noqa: ARG002
        """Return for each sentence the mean over its hypothesis annotators."""
        return [mean_candidate(sentence) for sentence in candidates]

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the mean over sentences; 0 without sentences."""
        return {self.name: ratio(totals[..., 0], totals[..., 1], 0.0)}


def text_pairs(pair: Pair) -> list[list[tuple[int, TextPair]]]:
    """Return every hypothesis annotator of each sentence, with the texts of source and hypothesis.

    Raises:
        EditError: Edits of an annotator overlap or reach outside the sentence; names file and sentence.
    """
    corrected = corrected_texts(pair.hypothesis, pair.name, pair.first)
    return [
        [(number, TextPair(text_of(block.source), text_of(tokens))) for number, tokens in sentence]
        for block, sentence in zip(pair.hypothesis, corrected, strict=True)
    ]


def checked_numbers(numbers: Sequence[float], texts: Sequence[str], what: str) -> list[float]:
    """Return the numbers that a model or a function gave for texts, as finite floats.

    Raises:
        InputError: The number of numbers is not that of texts, or one is not finite; names the text.
    """
    found = list(numbers)
    if len(found) != len(texts):
        raise InputError(f"{what} gave {plural(len(found), 'number')} for {plural(len(texts), 'text')}")
    checked = []
    for number, text in zip(found, texts, strict=True):
        try:
            value = float(number)
        except (TypeError, ValueError):
            value = math.nan
        if not math.isfinite(value):
            shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
            raise InputError(f"found {number!r} from {what} for {shown!r}, expected a finite number")
        checked.append(value)
    return checked


def _system(
    own: Sequence[Sequence[tuple[int, TextPair]]], judged: dict[TextPair, Judgement]
) -> SystemCandidates:
    sentences, remarks = [], Counter[str]()
    for sentence in own:
        judgements = [(number, judged[texts]) for number, texts in sentence]
        sentences.append([Candidate(n, None, j.row, details=j.details) for n, j in judgements])
        remarks.update({remark: 1 for _, j in judgements for remark in j.remarks})
    notes = [
        CountedNote(count, f"{{count}} sentence {remark}", f"{{count}} sentences {remark}")
        for remark, count in remarks.items()
    ]
    return SystemCandidates(sentences, tuple(notes))


def _load_regressor(scorer: SomeScorer | ImparaScorer, model: str, running: ModelOptions) -> Regressor:
    """Return a regressor with the tokenizer and the token limit of the metric."""
    device, batch_size = running.device, running.batch_size
    return load_regressor(
        model, tokenizer=scorer.tokenizer, max_tokens=scorer.max_tokens, device=device, batch_size=batch_size
    )


def _regressed(
    judge: Regressor | Callable[..., Sequence[float]], what: str, *texts: Sequence[str]
) -> list[tuple[float, Remarks]]:
    """Return the number that a regressor or a function gives each text or pair of texts, with remarks."""
    if not isinstance(judge, Regressor):
        return [(n, ()) for n in checked_numbers(judge(*texts), texts[-1], f"the function for {what}")]
    found = judge.score(*texts)
    remark = f"longer than the {judge.limit} tokens that the model reads; only the beginning is scored"
    numbers = checked_numbers([one.value for one in found], texts[-1], f"the regressor of {what}")
    return [(n, (remark,) if one.cut else ()) for n, one in zip(numbers, found, strict=True)]


@dataclass(frozen=True, slots=True)
class SomeScorer(ReferenceFreeScorer):
    """SOME: grammaticality, fluency and meaning, each by a regressor trained on human scores.

    Yoshimura, Kaneko, Kajiwara and Komachi (2020), "SOME: Reference-less Sub-Metrics Optimized for Manual
    Evaluations of Grammatical Error Correction". Each regressor gives a number on the annotators' scale from 1 to
    4, which is mapped by ``(x - 1) / 3`` without clipping, as in the published code. The score of a sentence is
    ``0.55 G + 0.43 F + 0.02 M``, that of a system the mean over sentences. Grammaticality and fluency are judged
    from the corrected sentence, meaning from source and corrected sentence.

    Attributes:
        model: A folder with the three regressors, each in a folder of its name.
        running: The device and batch size of the regressors.
        part_weights: The weights of grammaticality, fluency and meaning.
        tokenizer: The tokenizer of regressors whose folder has none.
        max_tokens: The most tokens that a regressor reads; the rest is cut off.
        grammaticality, fluency: Functions that replace the first two regressors: one number per text, on the scale
            from 1 to 4.
        meaning: A function that replaces the third: one number per pair of source and hypothesis.

    Raises:
        UsageError: An option is out of its range.
    """

    model: str = option("", "Folder with the three regressors, each in a folder of its name.")
    running: ModelOptions = option_group(ModelOptions(), without=("model",))
    part_weights: tuple[float, ...] = option(WEIGHTS, "Weights of grammaticality, fluency and meaning.")
    tokenizer: str = option("bert-base-cased", "Tokenizer of regressors that have none in their folder.")
    max_tokens: int = option(MAX_TOKENS, "Tokens the model reads of a text; the rest is cut off.", minimum=8)
    grammaticality: TextFunction | None = None
    fluency: TextFunction | None = None
    meaning: PairFunction | None = None

    name: ClassVar[str] = "some"
    main: ClassVar[str] = "some"

    def check(self) -> None:
        """Check that there are three weights.

        Raises:
            UsageError: There are fewer or more.
        """
        if len(self.part_weights) != len(WEIGHTS):
            raise UsageError(
                f"found {len(self.part_weights)} weights, expected 3: grammaticality, fluency and meaning"
            )

    @property
    def settings(self) -> tuple[str, ...]:
        """The fingerprints of the regressors, and the options that are not at their default."""
        parts = []
        for what in FOLDERS:
            custom = getattr(self, what) is not None
            label = "custom" if custom else encoder_label(str(self._folder(what)), "model").rpartition("@")[2]
            parts.append(f"{what}:{label}")
        if self.part_weights != WEIGHTS:
            parts.append("weights:" + ",".join(f"{weight:g}" for weight in self.part_weights))
        return (*parts, *told(self, max_tokens="tokens:{}"))

    def judge(self, pairs: Sequence[TextPair]) -> list[Judgement]:
        """Return the weighted sum of the three numbers of each pair, and the numbers as details.

        Raises:
            UsageError: No folder of models is given.
            JperrantError: A model cannot be loaded or run.
        """
        sources, hypotheses = [p.source for p in pairs], [p.hypothesis for p in pairs]
        judges = {
            what: getattr(self, what) or _load_regressor(self, str(self._folder(what)), self.running)
            for what in FOLDERS
        }
        found = [
            _regressed(judge, what, *([sources] if what == "meaning" else []), hypotheses)
            for what, judge in judges.items()
        ]
        judgements = []
        for parts in zip(*found, strict=True):
            values = [(number - 1) / 3 for number, _ in parts]
            score = sum(weight * value for weight, value in zip(self.part_weights, values, strict=True))
            remarks = tuple([remark for _, own in parts for remark in own])
            judgements.append(Judgement((score, 1), dict(zip(FOLDERS, values, strict=True)), remarks))
        return judgements

    def _folder(self, what: str) -> Path:
        folder = self.model
        if not folder:
            raise UsageError(
                "metric 'some' needs its three regressors; give -m some:model=FOLDER with the folders "
                f"{', '.join(FOLDERS)} in it (see docs/metrics.md)"
            )
        for name in FOLDERS[what]:
            if (Path(folder) / name).is_dir():
                return Path(folder) / name
        raise UsageError(
            f"{folder}: found no folder {' or '.join(FOLDERS[what])}; SOME needs three regressors, in the "
            f"folders {', '.join(FOLDERS)}"
        )


@dataclass(frozen=True, slots=True)
class ImparaScorer(ReferenceFreeScorer):
    """IMPARA: the quality of the corrected sentence by an estimator, 0 if the meaning has changed.

    Maeda, Kaneko and Okazaki (2022), "IMPARA: Impact-Based Metric for GEC Using Parallel Data". The score of a
    sentence is ``sigmoid(QE(hypothesis))`` if the cosine of the mean BERT vectors of source and hypothesis is above
    0.9, else 0. The score of a system is the mean over sentences. The default model is that of a reproduction
    (gotutiyan/IMPARA), not the authors'.

    Attributes:
        estimator: The quality estimator.
        encoder: The encoder for the similarity of source and hypothesis.
        threshold: The similarity that source and hypothesis must exceed.
        tokenizer: The tokenizer of an estimator whose folder has none.
        max_tokens: The most tokens that the estimator reads; the rest is cut off. The encoder reads whole texts.
        quality: A function that replaces the estimator: one number per text, before the sigmoid.
        similarity: A function that replaces the encoder: one number per pair of source and hypothesis.

    Raises:
        UsageError: An option is out of its range.
    """

    estimator: ModelOptions = option_group(ModelOptions("gotutiyan/IMPARA-QE"))
    encoder: str = option("bert-base-cased", "minilm, a folder, or a model of the Hugging Face hub.")
    threshold: float = option(
        0.9, "Similarity to the source above which the meaning is the same.", minimum=-1, maximum=1
    )
    tokenizer: str = option("bert-base-cased", "Tokenizer of regressors that have none in their folder.")
    max_tokens: int = option(MAX_TOKENS, "Tokens the model reads of a text; the rest is cut off.", minimum=8)
    quality: TextFunction | None = None
    similarity: PairFunction | None = None

    name: ClassVar[str] = "impara"
    main: ClassVar[str] = "impara"

    @property
    def settings(self) -> tuple[str, ...]:
        """Both models with the fingerprints of their weights, and the threshold."""
        estimator = "model:custom" if self.quality is not None else self.estimator.label
        encoder = "custom" if self.similarity is not None else encoder_label(self.encoder)
        rare = told(self, max_tokens="tokens:{}")
        return (estimator, f"enc:{encoder}", f"above:{self.threshold:g}", *rare)

    def judge(self, pairs: Sequence[TextPair]) -> list[Judgement]:
        """Return the quality of each hypothesis, or 0, and quality and similarity as details."""
        # Both models are loaded before either computes, so that a missing one is reported at once.
        estimator, similar = (
            self.quality or _load_regressor(self, self.estimator.model, self.estimator),
            self.similarity or self._cosines(),
        )
        hypotheses = list(dict.fromkeys(pair.hypothesis for pair in pairs))
        qualities = dict(zip(hypotheses, _regressed(estimator, "quality", hypotheses), strict=True))
        sides = [pair.source for pair in pairs], [pair.hypothesis for pair in pairs]
        similarities = checked_numbers(similar(*sides), sides[1], "the function for similarity")
        judgements = []
        for pair, similarity in zip(pairs, similarities, strict=True):
            number, remarks = qualities[pair.hypothesis]
            quality = sigmoid(number)
            score = quality if similarity > self.threshold else 0.0
            judgements.append(Judgement((score, 1), {"quality": quality, "similarity": similarity}, remarks))
        return judgements

    def _cosines(self) -> PairFunction:
        device, batch_size = self.estimator.device, self.estimator.batch_size
        encoder = EncoderOptions(self.encoder, device=device, batch_size=batch_size).load()

        def cosines(sources: Sequence[str], hypotheses: Sequence[str]) -> list[float]:
            texts = list(dict.fromkeys([*sources, *hypotheses]))
            vectors = dict(zip(texts, encoder.embed(texts), strict=True))
            return [cosine(vectors[s], vectors[h]) for s, h in zip(sources, hypotheses, strict=True)]

        return cosines


def sigmoid(number: float) -> float:
    """Return the logistic function of a number, in 0 … 1.

    >>> sigmoid(0.0), sigmoid(-1000.0), sigmoid(1000.0)
    (0.5, 0.0, 1.0)
    """
    if number >= 0:
        return 1 / (1 + math.exp(-number))
    power = math.exp(number)
    return power / (1 + power)


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    """Return the cosine of two vectors, from -1 to 1; 0 if one of them is zero, as for an empty text.

    >>> cosine(np.array([1.0, 0.0]), np.array([2.0, 0.0])), cosine(np.zeros(2), np.ones(2))
    (1.0, 0.0)
    """
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / lengths if lengths else 0.0


@dataclass(frozen=True, slots=True)
class PerplexityScorer(ReferenceFreeScorer):
    """Perplexity: how improbable the corrected text is by a causal language model. Lower is better.

    Perplexity ignores source and references: it measures how usual a text is and not how well it is corrected.
    Scribendi Score is based on it. The model reads a sentence after its BOS token.

    Attributes:
        language_model: The causal language model.
        level: ``corpus`` for the perplexity of all tokens; ``sentence`` for the mean of the sentences'
            perplexities.
        losses: A function that replaces the language model: the loss of each token of each text.

    Raises:
        UsageError: An option is out of its range.
    """

    language_model: ModelOptions = option_group(ModelOptions(GPT2))
    level: Level = option("corpus", "The perplexity of all tokens, or the mean of those of sentences.")
    losses: LossFunction | None = None

    name: ClassVar[str] = "perplexity"
    main: ClassVar[str] = "perplexity"
    counts: ClassVar[tuple[str, ...]] = ("tokens",)
    columns: ClassVar[tuple[str, ...]] = ("loss", "tokens", "perplexity", "sentences")
    lower_is_better: ClassVar[bool] = True

    @property
    def settings(self) -> tuple[str, ...]:
        """The model with the fingerprint of its weights, and the level."""
        model = "model:custom" if self.losses is not None else self.language_model.label
        return model, f"lvl:{self.level}"

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the perplexity, 1 or more; NaN without tokens."""
        if self.level == "sentence":
            return {"perplexity": ratio(totals[..., 2], totals[..., 3], math.nan)}
        mean = ratio(totals[..., 0], totals[..., 1], math.nan)
        return {"perplexity": np.exp(np.minimum(mean, _LARGEST))}

    def judge(self, pairs: Sequence[TextPair]) -> list[Judgement]:
        """Return the summed loss and the number of tokens of each hypothesis."""
        texts = list(dict.fromkeys(pair.hypothesis for pair in pairs if pair.hypothesis))
        losses, remarks = token_losses(self.losses or self.language_model, texts)
        sums = checked_numbers([math.fsum(own) for own in losses], texts, "the language model")
        judged = {}
        for text, loss, tokens in zip(texts, sums, map(len, losses), strict=True):
            if tokens:
                row = (loss, tokens, perplexity(loss / tokens), 1)
                judged[text] = Judgement(row, {}, remarks.get(text, ()))
        empty = Judgement(
            (0, 0, 0, 0), {}, ("without tokens and so without perplexity; left out of the mean",)
        )
        return [judged.get(pair.hypothesis, empty) for pair in pairs]


def token_losses(
    model: LossFunction | ModelOptions, texts: Sequence[str]
) -> tuple[list[list[float]], dict[str, Remarks]]:
    """Return the loss of each token of each text, and remarks on texts longer than the window of the model.

    Raises:
        InputError: No model is named, or the model cannot be run.
        JperrantError: The model cannot be loaded.
    """
    if not isinstance(model, ModelOptions):
        return [list(map(float, own)) for own in model(texts)], {}
    from jperrant.encoders.heads import load_causal_lm

    if not model.model:
        raise InputError("no language model was given; give a causal one, as in -m perplexity:model=NAME")
    loaded = load_causal_lm(model.model, model.device, model.batch_size)
    found = [own.tolist() for own in loaded.losses(texts)]
    remark = (f"longer than the {loaded.limit} tokens of the language model; read in overlapping windows",)
    return found, {text: remark for text, own in zip(texts, found, strict=True) if len(own) >= loaded.limit}


def perplexity(loss: float) -> float:
    """Return the perplexity of a mean loss.

    >>> perplexity(0.0)
    1.0
    """
    return math.exp(min(loss, _LARGEST))


@dataclass(frozen=True, slots=True)
class ScribendiScorer(ReferenceFreeScorer):
    """Scribendi Score: 1 for a sentence with lower perplexity, similar to its source; 0 if unchanged; else -1.

    Islam and Magnani (2021), "Is this the end of the gold standard? A straightforward reference-less grammatical
    error correction metric". The authors published no code. The constants are those of the paper, the details those
    of the implementation that other papers use (gotutiyan/scribendi_score). The score of a sentence is

    - 0 if the system left it unchanged,
    - -1 if its perplexity is not lower than that of the source,
    - else 1 if the larger of token sort ratio and Levenshtein distance ratio is at least 0.8, and -1 if not.

    The score of a system is the sum over sentences.

    Attributes:
        language_model: The causal language model.
        threshold: The ratio that the larger of the two ratios must reach.
        level: ``corpus`` for the sum over sentences, as published; ``sentence`` for their mean.
        perplexity: A function that replaces the language model: the perplexity of each text.

    Raises:
        UsageError: An option is out of its range.
    """

    language_model: ModelOptions = option_group(ModelOptions(GPT2))
    threshold: float = option(0.8, "Least similarity of a correction to its source.", minimum=0, maximum=1)
    level: Level = option("corpus", "The sum of sentence scores, or their mean.")
    perplexity: TextFunction | None = None

    name: ClassVar[str] = "scribendi"
    main: ClassVar[str] = "scribendi"
    columns: ClassVar[tuple[str, ...]] = ("score", "sentences", "better", "unchanged", "worse")
    counts: ClassVar[tuple[str, ...]] = columns[2:]

    @property
    def settings(self) -> tuple[str, ...]:
        """The model with the fingerprint of its weights, the threshold and the level."""
        model = "model:custom" if self.perplexity is not None else self.language_model.label
        return model, f"lvl:{self.level}", f"from:{self.threshold:g}"

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the sum over sentences, or their mean from -1 to 1."""
        if self.level == "corpus":
            return {"scribendi": totals[..., 0]}
        return {"scribendi": ratio(totals[..., 0], totals[..., 1], 0.0)}

    def judge(self, pairs: Sequence[TextPair]) -> list[Judgement]:
        """Return the score of each pair; perplexities and ratios of changed sentences as details."""
        changed = [pair for pair in pairs if pair.source != pair.hypothesis]
        texts = list(dict.fromkeys(text for pair in changed for text in pair if text))
        known, remarks = self._perplexities(texts) if texts else ({}, {})
        return [self._judge(pair, known, remarks) for pair in pairs]

    def _judge(self, pair: TextPair, known: dict[str, float], remarks: dict[str, Remarks]) -> Judgement:
        if pair.source == pair.hypothesis:
            return Judgement((0, 1, 0, 1, 0))
        ratios = token_sort_ratio(*pair), levenshtein_ratio(*pair)
        before, after = known.get(pair.source), known.get(pair.hypothesis)
        # An empty text has no perplexity; a text that was emptied or filled counts as worse.
        lower = before is not None and after is not None and after < before
        better = lower and max(ratios) >= self.threshold
        details: dict[str, object] = {
            "source_perplexity": before,
            "perplexity": after,
            "token_sort_ratio": ratios[0],
            "levenshtein_ratio": ratios[1],
        }
        told_of_pair = tuple([remark for text in pair for remark in remarks.get(text, ())])
        return Judgement((1, 1, 1, 0, 0) if better else (-1, 1, 0, 0, 1), details, told_of_pair)

    def _perplexities(self, texts: Sequence[str]) -> tuple[dict[str, float], dict[str, Remarks]]:
        """Return the perplexity of each text that has a token, and remarks."""
        if self.perplexity is not None:
            numbers = checked_numbers(self.perplexity(texts), texts, "the function for perplexity")
            return dict(zip(texts, numbers, strict=True)), {}
        found, remarks = token_losses(self.language_model, texts)
        means = [float(np.mean(own)) if own else 0.0 for own in found]
        checked = checked_numbers(means, texts, "the language model")
        known = zip(texts, checked, found, strict=True)
        return {text: perplexity(mean) for text, mean, own in known if own}, remarks


def token_sort_ratio(one: str, other: str) -> float:
    """Return the Levenshtein ratio of two texts with sorted words, from 0 to 1, rounded to hundredths.

    As in fuzzywuzzy with python-Levenshtein, punctuation becomes spaces and letters become lower case first. Two
    texts without words have the ratio 1. Unlike in fuzzywuzzy, accented letters are kept.

    >>> token_sort_ratio("The Cat , sat !", "the cat sat"), token_sort_ratio("a b", "c d")
    (1.0, 0.33)
    """
    first, second = (
        " ".join(sorted(_NO_WORD.sub(" ", text).strip().lower().split())) for text in (one, other)
    )
    return round(100 * levenshtein_ratio(first, second)) / 100


def levenshtein_ratio(one: str, other: str) -> float:
    """Return 1 - d / (sum of lengths) over characters, with d the Levenshtein distance with substitution cost 2.

    The ratio of two empty texts is 1.

    >>> levenshtein_ratio("This is a sentence .", "This a is sentence .")
    0.9
    """
    return float(Indel.normalized_similarity(one, other))
