"""Training a package of models: its networks one after the other, as a recipe says."""

from __future__ import annotations

import math
import os
import shutil
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from stanza.models.pos.trainer import Trainer

from jperrant.core.errors import UsageError
from jperrant.parse.models import RESOURCES, ModelFolder, check_language
from jperrant.parse.stanza_analyser import quiet_stanza
from training.batches import batch_words
from training.export import export_model, write_relation_classes, write_resources
from training.learner_errors import (
    ErrorTable,
    regular_forms,
    with_errors,
    with_loose_punctuation,
    without_misspelt,
)
from training.loop import Report, Schedule, Stage, seed_everything, train
from training.recipe import Data, Processor, Recipe, StageRecipe
from training.stages import (
    NOTHING,
    ExpanderStage,
    LemmatizerStage,
    ParserStage,
    TaggerStage,
    Taught,
    TokenizerStage,
    extend_dictionary,
    taught,
)
from training.teacher import Lessons, teach
from training.treebank import Treebank

_ERRORS_OF_TEACHER = 0.5  # how often an epoch of the teacher takes a sentence with learners' errors


def train_models(
    lang: str, data: Data, recipe: Recipe, folder: Path, report: Report, start: ModelFolder | None = None
) -> dict[str, dict[str, float]]:
    """Train the models of a recipe, and write a folder that Stanza and ``--models`` take.

    Sets the generators of random numbers and the threads of this process, which should do nothing else; with
    ``PYTHONHASHSEED=0`` models are the same bytes each time, as vocabularies are made of sets.

    Args:
        lang: Stanza's code of the language, or any for one it does not know.
        data: The treebanks.
        recipe: How.
        folder: Where the models go.
        report: Told what happens.
        start: Models to train further, by the ``further`` schedules; those without one are taken as they are.

    Returns:
        The dev scores of each network.

    Raises:
        UsageError: The folder holds models, or the language is no code.
    """
    check_language(lang)
    if (folder / RESOURCES).exists():
        raise UsageError(f"{folder} holds models; give another folder")
    # Small networks gain little by more threads, and sums come out the same anywhere.
    torch.set_num_threads(1)
    nowhere = Path(os.devnull).open("w")  # noqa: SIM115 - closed below; Stanza's data preparation prints
    with TemporaryDirectory() as work, quiet_stanza(), nowhere, redirect_stdout(nowhere):
        return _Training(lang, data, recipe, Path(work), report, start).models(folder)


@dataclass
class _Training:
    """The training of one package; ``work`` holds the networks as Stanza saves them."""

    lang: str
    data: Data
    recipe: Recipe
    work: Path
    report: Report
    start: ModelFolder | None

    def models(self, folder: Path) -> dict[str, dict[str, float]]:
        """Train the networks, write them to a folder, and return their dev scores."""
        stages, package = self.recipe.stages, self.recipe.package
        if self.start is not None and "pos" not in stages and "pos" in self.start.files:
            shutil.copy(self.start.files["pos"], self.work / "pos.pt")  # on whose tags the parser is trained
        scores: dict[str, dict[str, float]] = {name: self._train(name) for name in stages}
        if "_lessons" in self.__dict__:
            scores["teacher"] = self._lessons[1]
        files = {name: folder / self.lang / name / f"{package}.pt" for name in stages}
        for name, file in files.items():
            export_model(self.work / f"{name}.pt", file)
        if "depparse" in stages:
            banks = [self.data.train, *(self.data.extra[n] for n in stages["depparse"].extra)]
            tagger = files.get("pos", self.work / "pos.pt")
            write_relation_classes(files["depparse"], tagger, banks, self.data.dev)
        if "lemma" in stages and self.data.lexicon:
            extend_dictionary(files["lemma"], self.data.lexicon)
        write_resources(
            folder, self.lang, package, stages, identity="pos" in stages and "lemma" not in stages
        )
        return scores

    def _train(self, name: Processor) -> dict[str, float]:
        """Train one network by its schedule; where it has none to train further, take the one to start from."""
        plan, target = self.recipe.stages[name], self.work / f"{name}.pt"
        first = self.start.files.get(name) if self.start else None
        schedule = plan.further if first else plan.schedule
        most = plan.epochs * _batches(name, self.data, plan) if not first else math.inf
        if first and not schedule:
            shutil.copy(first, target)
            return {}
        if schedule and plan.taught and self.recipe.teacher:
            self._lessons  # noqa: B018 - it is trained before networks are seeded
        scores: dict[str, float] = {}
        for number, (steps, rate) in enumerate(schedule):
            # Before networks are made: what they begin with is part of the result.
            seed_everything(self.recipe.seed * 101 + number)
            stage = self._stage(name, first)
            if stage.network is None:  # a dictionary is not trained in steps
                stage.save(target)
                return stage.score()
            steps = int(min(steps, most))
            timing = Schedule(
                steps, rate, max(1, min(plan.every, steps)), self.recipe.seed + number, plan.average
            )
            scores = train(stage, timing, target, name, self.report)
            first = target
        return scores

    def _stage(self, name: Processor, first: Path | None) -> Stage:
        data, recipe, plan = self.data, self.recipe, self.recipe.stages[name]
        options = {**plan.options, "lang": self.lang, "shorthand": recipe.shorthand}
        extra = [(data.extra[n], share) for n, share in plan.extra.items()]
        wrong = _with_errors(name, data, plan, recipe.seed)
        repeated = (bank.sentences * max(1, round(share)) for bank, share in (*extra, *wrong))
        together = Treebank(data.train.name, sum(repeated, data.train.sentences))
        mixed = [(data.train, 1.0), *extra, *wrong]
        dev = _dev(name, data, recipe.seed) if wrong else data.dev
        vectors = data.vectors.get(name, {})
        if name == "tokenize":
            words = Path(plan.words) if plan.words else None
            return TokenizerStage(together, dev, options, self.work, first, words)
        if name == "mwt":
            return ExpanderStage(data.train, data.dev, options)
        if name == "pos":
            return TaggerStage(mixed, dev, options, first, vectors, self._taught(plan))
        if name == "lemma":
            together = without_misspelt(together) if wrong else together
            return LemmatizerStage(together, dev, options, first)
        tagger, known = Trainer(model_file=str(self.work / "pos.pt"), device="cpu"), self._taught(plan)
        return ParserStage(mixed, dev, options, tagger, plan.copies, plan.noise, first, vectors, known)

    @cached_property
    def _lessons(self) -> tuple[Treebank, dict[str, float]]:
        """What the teacher labelled, and its scores."""
        data, stages, seed = self.data, self.recipe.stages, self.recipe.seed
        assert self.recipe.teacher is not None
        older = dict(self.start.files) if self.start else {}
        models = {n: self.work / f"{n}.pt" if n in stages else older.get(n) for n in ("tokenize", "mwt")}
        cutting = ModelFolder(self.work, self.lang, "", {name: path for name, path in models.items() if path})
        plans = [stages[name] for name in ("pos", "depparse") if name in stages]
        extra = {n: max(p.extra.get(n, 0.0) for p in plans) for plan in plans for n in plan.extra}
        train = [(data.train, 1.0), *((data.extra[n], share) for n, share in extra.items())]
        if data.errors is not None and any(plan.errors for plan in plans):
            train += _copies_with_errors(data.train, data.errors, seed, 2, _ERRORS_OF_TEACHER)
        lessons = Lessons(train, data.dev, data.texts, cutting)
        return teach(lessons, self.recipe.teacher, seed, self.work, self.report)

    def _taught(self, plan: StageRecipe) -> Taught:
        """Return what a tagger or parser learns from the teacher."""
        teacher, data = self.recipe.teacher, self.data
        if teacher is None or not plan.taught:
            return NOTHING
        errors = data.errors if plan.errors else None
        return taught(self._lessons[0], plan.taught, teacher.words, data.train, errors, self.recipe.seed)


def _with_errors(name: str, data: Data, plan: StageRecipe, seed: int) -> list[tuple[Treebank, float]]:
    """Return the treebank with learners' errors, more than once if it is taken more than once."""
    if name == "tokenize":
        copies = range(round(plan.errors))
        return [(with_loose_punctuation(data.train, seed * 11 + n), 1.0) for n in copies]
    if data.errors is None or not plan.errors:
        return []
    if name == "lemma":  # what is misspelt has no lemma to learn
        return [(regular_forms(data.train, data.errors), 1.0)]
    return _copies_with_errors(data.train, data.errors, seed, max(2, math.ceil(plan.errors)), plan.errors)


def _copies_with_errors(
    bank: Treebank, table: ErrorTable, seed: int, copies: int, share: float
) -> list[tuple[Treebank, float]]:
    """Return copies of a treebank, each with other errors, and how often an epoch takes the sentences of each."""
    return [(with_errors(bank, table, seed * 11 + n), share / copies) for n in range(copies)]


def _dev(name: str, data: Data, seed: int) -> Treebank:
    """Return the sentences that choose, as they are and with learners' errors."""
    if name == "tokenize":
        made = with_loose_punctuation(data.dev, seed).sentences
    elif data.errors is not None and name != "lemma":
        made = with_errors(data.dev, data.errors, seed, lexicon=data.train).sentences
    else:
        made = ()
    return Treebank(data.dev.name, data.dev.sentences + made)


def _batches(name: str, data: Data, plan: StageRecipe) -> int:
    """Return about how many batches one pass over the data has."""
    if name in ("pos", "depparse"):
        words = data.train.word_count * (1 if name == "pos" else plan.copies + 1)
        return max(1, -(-words // batch_words(int(plan.options["batch_words"]), data.train)))
    size = int(plan.options["batch_size"])
    count = {
        "tokenize": sum(len(s.rows) for s in data.train.sentences)
        * 5
        // int(plan.options.get("max_seqlen", 200)),
        "mwt": data.train.multi_word_tokens,
        "lemma": len({(w[1], w[3]) for s in data.train.sentences for w in s.words}),
    }[name]
    return max(1, -(-count // size))
