"""SOME: grammaticality, fluency and meaning, each by a regressor trained on human scores.

Yoshimura, Kaneko, Kajiwara and Komachi (2020), "SOME: Reference-less Sub-Metrics Optimized for Manual Evaluations
of Grammatical Error Correction". Each regressor gives a number on the annotators' scale from 1 to 4, mapped by
``(x - 1) / 3`` and not clipped, as in the published code; the score of a sentence is
``0.55 G + 0.43 F + 0.02 M``, that of a system the mean over sentences. Grammaticality and fluency see the
corrected sentence alone, meaning the source, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from jperrant.core.errors import UsageError
from jperrant.core.option import option, option_group
from jperrant.encoders.options import ModelOptions
from jperrant.evaluation.metrics.reference_free.base import (
    Judgement,
    PairFunction,
    ReferenceFreeScorer,
    TextFunction,
    TextPair,
    checked_numbers,
    cut_remark,
)

if TYPE_CHECKING:
    from jperrant.encoders.regressor import Regressor

#: The published weights of grammaticality, fluency and meaning, chosen on human judgements.
WEIGHTS = (0.55, 0.43, 0.02)
#: The regressors, and the names of their folders in the published archive.
FOLDERS = {
    "grammaticality": ("grammaticality", "grammer"),
    "fluency": ("fluency",),
    "meaning": ("meaning",),
}


@dataclass(frozen=True, slots=True)
class SomeScorer(ReferenceFreeScorer):
    """SOME with its options.

    Attributes:
        model: A folder with the three regressors, each in a folder of its name.
        running: Where and how they run.
        part_weights: Of grammaticality, fluency and meaning.
        tokenizer: The tokenizer of regressors whose folder holds none.
        max_tokens: Tokens a regressor reads; the rest is cut off.
        grammaticality, fluency: Functions in the place of the first two regressors: one number a text, on the
            scale from 1 to 4.
        meaning: A function in the place of the third: one number for each pair of source and hypothesis.

    Raises:
        UsageError: An option is out of its range.
    """

    model: str = option("", "Folder with the three regressors, each in a folder of its name.")
    running: ModelOptions = option_group(ModelOptions(), without=("model",))
    part_weights: tuple[float, ...] = option(WEIGHTS, "Weights of grammaticality, fluency and meaning.")
    tokenizer: str = option("bert-base-cased", "Tokenizer of regressors that have none in their folder.")
    max_tokens: int = option(128, "Tokens the model reads of a text; the rest is cut off.", minimum=8)
    grammaticality: TextFunction | None = None
    fluency: TextFunction | None = None
    meaning: PairFunction | None = None

    name: ClassVar[str] = "some"
    main: ClassVar[str] = "some"

    def check(self) -> None:
        """Check that there are three weights.

        Raises:
            UsageError: There are not.
        """
        if len(self.part_weights) != len(WEIGHTS):
            raise UsageError(
                f"found {len(self.part_weights)} weights, expected 3: grammaticality, fluency and meaning"
            )

    @property
    def settings(self) -> tuple[str, ...]:
        """The regressors with the fingerprints of their weights; options that are not at their default."""
        parts = []
        for what in FOLDERS:
            if getattr(self, what) is not None:
                parts.append(f"{what}:custom")
            else:
                folder = str(self._folder(what))
                parts.append(f"{what}:{ModelOptions(folder).label.removeprefix('model:').rpartition('@')[2]}")
        if self.part_weights != WEIGHTS:
            parts.append("weights:" + ",".join(f"{weight:g}" for weight in self.part_weights))
        if self.max_tokens != 128:
            parts.append(f"tokens:{self.max_tokens}")
        return tuple(parts)

    def judge(self, pairs: Sequence[TextPair]) -> list[Judgement]:
        """Return the weighted sum of the three numbers of each pair; the numbers as details.

        Raises:
            UsageError: Models are needed and no folder is given.
            JperrantError: A model cannot be loaded or run.
        """
        sources, hypotheses = [p.source for p in pairs], [p.hypothesis for p in pairs]
        cut: dict[int, int] = {}
        parts = []
        functions = (self.grammaticality, self.fluency, self.meaning)
        for what, function in zip(FOLDERS, functions, strict=True):  # what is missing is told at once
            if function is None:
                self._load(what)
        for what, function in zip(FOLDERS, functions, strict=True):
            given = (sources, hypotheses) if what == "meaning" else (hypotheses,)
            if function is not None:
                raw = checked_numbers(function(*given), hypotheses, f"the function for {what}")
            else:
                raw = self._by_model(what, given, cut)
            parts.append([(number - 1) / 3 for number in raw])
        return [
            Judgement(
                (sum(weight * value for weight, value in zip(self.part_weights, values, strict=True)), 1),
                dict(zip(FOLDERS, values, strict=True)),
                (cut_remark(cut[index]),) if index in cut else (),
            )
            for index, values in enumerate(zip(*parts, strict=True))
        ]

    def _by_model(self, what: str, texts: Sequence[Sequence[str]], cut: dict[int, int]) -> list[float]:
        """Return the numbers of a regressor; ``cut`` gets its limit for each text that it did not read whole."""
        model = self._load(what)
        found = model.score(*texts)
        cut.update((index, model.limit) for index, one in enumerate(found) if one.cut)
        return checked_numbers([one.value for one in found], texts[-1], f"the regressor of {what}")

    def _load(self, what: str) -> Regressor:
        from jperrant.encoders.regressor import load_regressor

        return load_regressor(
            str(self._folder(what)),
            tokenizer=self.tokenizer,
            max_tokens=self.max_tokens,
            device=self.running.device,
            batch_size=self.running.batch_size,
        )

    def _folder(self, what: str) -> Path:
        folder = self.model
        if not folder:
            raise UsageError(
                "metric 'some' needs its three regressors; give --model FOLDER with the folders "
                f"{', '.join(FOLDERS)} in it (see docs/metrics.md)"
            )
        for name in FOLDERS[what]:
            if (Path(folder) / name).is_dir():
                return Path(folder) / name
        raise UsageError(
            f"{folder}: found no folder {' or '.join(FOLDERS[what])}; SOME needs three regressors, in the "
            f"folders {', '.join(FOLDERS)}"
        )
