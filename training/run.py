"""Trains a package of models: its networks one after the other, by a recipe."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from stanza.models.pos.trainer import Trainer

from jperrant.core.conllu import FORM, UPOS
from jperrant.parse.stanza_analyser import quiet_stanza
from training.batches import BATCH_WORDS, batch_words
from training.export import export_model, write_relation_classes, write_resources
from training.learner_errors import regular_forms, with_errors, with_loose_punctuation, without_misspelt
from training.loop import SEED, Schedule, Stage, seed_everything, train
from training.recipe import Data, Recipe, StageRecipe
from training.stages import (
    ExpanderStage,
    LemmatizerStage,
    Lessons,
    ParserStage,
    Tagger,
    TaggerStage,
    TokenizerStage,
    extend_dictionary,
    frequent_words,
    guessed_lemmas,
    with_lemmas,
)
from training.teacher import Segmenter, teach
from training.treebank import Treebank, joined

_COPIES = 2  # number of copies of the treebank, each with other learners' errors
_ERRORS_OF_TEACHER = 0.5  # how often an epoch of the teacher takes a sentence with learners' errors
_TAUGHT_WORDS = 10_000  # number of frequent words of the teacher's sentences that tagger and parser know


def train_models(lang: str, recipe: Recipe, data: Data, folder: Path, start: Mapping[str, Path]) -> None:
    """Train the models of a recipe, and write a folder that Stanza and ``--models`` take.

    Seeds the random generators and sets the threads of this process, which should do nothing else. With
    ``PYTHONHASHSEED=0`` the models have the same bytes each time: vocabularies are made from sets.

    Args:
        lang: Stanza's code of the language.
        recipe: The recipe.
        data: The content of its files.
        folder: The folder to write to.
        start: Models to train further, by the ``further`` schedules; models without such a schedule are copied.
    """
    folder.mkdir(parents=True)
    # More threads gain little for small networks, and with one the sums are the same on any machine.
    torch.set_num_threads(1)
    with (
        TemporaryDirectory() as work,
        quiet_stanza(),
        Path(os.devnull).open("w") as nowhere,  # Stanza's data preparation prints
        redirect_stdout(nowhere),
    ):
        _Training(lang, recipe, data, Path(work), start).write(folder)


@dataclass
class _Training:
    """The training of one package; ``work`` holds the networks as Stanza saves them."""

    lang: str
    recipe: Recipe
    data: Data
    work: Path
    start: Mapping[str, Path]

    def write(self, folder: Path) -> None:
        """Train the networks and write them to a folder."""
        stages, package = self.recipe.stages, self.recipe.package
        for name, plan in stages.items():
            self._train(name, plan)
        files = {name: folder / self.lang / name / f"{package}.pt" for name in stages}
        for name, file in files.items():
            export_model(self.work / f"{name}.pt", file)
        if "depparse" in stages:
            bank = joined([self.data.train, *(self.data.extra[n] for n in stages["depparse"].extra)])
            write_relation_classes(files["depparse"], files["pos"], bank, self.data.dev)
        if self.data.lexicon:
            extend_dictionary(files["lemma"], self.data.lexicon)
        write_resources(folder, self.lang, package, stages)

    def _train(self, name: str, plan: StageRecipe) -> None:
        """Train one network by its schedule, or copy the model to start from where it is not trained further."""
        first, target = self.start.get(name), self.work / f"{name}.pt"
        if first and not plan.further:
            shutil.copy(first, target)
            return
        if plan.taught:
            self._taught  # noqa: B018 - the teacher is trained before networks are seeded
        most = math.inf if first else plan.epochs * _batches(name, self.data, plan)
        for number, (steps, rate) in enumerate(plan.further if first else plan.schedule):
            # Before networks are made: their initial weights decide the result, too.
            seed_everything(SEED * 101 + number)
            stage = self._stage(name, plan, first)
            if stage.network is None:  # a dictionary is not trained in steps
                stage.save(target)
                return
            steps = int(min(steps, most))
            train(stage, Schedule(steps, rate, plan.every, SEED + number, plan.average), target, name)
            first = target

    def _stage(self, name: str, plan: StageRecipe, first: Path | None) -> Stage:
        data, bank, dev = self.data, self.data.train, self.data.dev
        options = {**plan.options, "lang": self.lang, "shorthand": self.recipe.shorthand}
        if name == "tokenize":
            bank = joined(
                [bank, *(data.extra[n] for n, share in plan.extra.items() for _ in range(int(share)))]
            )
            if plan.errors:
                bank = joined([bank, with_loose_punctuation(data.train, SEED * 11)])
                dev = joined([dev, with_loose_punctuation(dev, SEED)])
            return TokenizerStage(bank, dev, options, self.work, first, data.words)
        if name == "mwt":
            return ExpanderStage(bank, dev, options)
        if name == "lemma":
            if plan.errors:  # a misspelt word has no lemma to learn
                bank = without_misspelt(joined([bank, regular_forms(bank, data.errors)]))
            return LemmatizerStage(bank, dev, options, first)
        lessons = self._lessons(name, plan)
        if name == "pos":
            return TaggerStage(lessons, options, first)
        tagger = Tagger(Trainer(model_file=str(self.work / "pos.pt"), device="cpu"))
        return ParserStage(lessons, options, tagger, plan.copies, plan.noise, first)

    def _lessons(self, name: str, plan: StageRecipe) -> Lessons:
        """Return the training data of a tagger or parser."""
        data, dev = self.data, self.data.dev
        bank = [(data.train, 1.0), *((data.extra[n], share) for n, share in plan.extra.items())]
        if plan.errors:
            bank += [(wrong, 1 / _COPIES) for wrong in self._wrong]
            dev = joined([dev, with_errors(dev, data.errors, SEED, lexicon=data.train)])
        if not plan.taught:
            return Lessons(bank, dev, data.vectors[name])
        labelled, wrong = self._taught
        taught = [(labelled, plan.taught), (wrong, plan.taught / 2)]
        return Lessons(bank, dev, data.vectors[name], taught, frequent_words(labelled, _TAUGHT_WORDS))

    @cached_property
    def _wrong(self) -> list[Treebank]:
        """Copies of the treebank, each with other errors."""
        return [with_errors(self.data.train, self.data.errors, SEED * 11 + n) for n in range(_COPIES)]

    @cached_property
    def _taught(self) -> tuple[Treebank, Treebank]:
        """The sentences that the teacher labelled, as they are and with learners' errors."""
        data, plan, stages = self.data, self.recipe.teacher, self.recipe.stages
        assert plan is not None
        shares = [stages[name].extra for name in ("pos", "depparse")]
        extra = {n: max(each.get(n, 0.0) for each in shares) for each in shares for n in each}
        bank = [(data.train, 1.0), *((data.extra[n], share) for n, share in extra.items())]
        bank += [(wrong, _ERRORS_OF_TEACHER / _COPIES) for wrong in self._wrong]
        segmenter = Segmenter(self.work / "tokenize.pt", self.work / "mwt.pt")
        labelled = teach(Lessons(bank, data.dev), data.texts, segmenter, plan, self.work)
        lemmas = guessed_lemmas(data.train.sentences)
        inflected = Treebank(tuple(with_lemmas(s, lemmas, unknown="_") for s in labelled.sentences))
        return labelled, with_errors(inflected, data.errors, SEED, lexicon=data.train)


def _batches(name: str, data: Data, plan: StageRecipe) -> int:
    """Return about how many batches one pass over the data has."""
    sentences, size = data.train.sentences, int(plan.options["batch_size"])
    if name == "tokenize":
        count = sum(len(s.rows) for s in sentences) * 5 // int(plan.options["max_seqlen"])
    elif name == "mwt":
        count = data.train.multi_word_tokens
    elif name == "lemma":
        count = len({(word[FORM], word[UPOS]) for s in sentences for word in s.words})
    else:
        count = data.train.word_count * (1 if name == "pos" else plan.copies + 1)
        size = batch_words(BATCH_WORDS, data.train)
    return max(1, math.ceil(count / size))
