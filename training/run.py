"""Training a package of models: which networks a treebank allows, one after the other, and where it was left."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from jperrant.core.errors import MissingExtraError, UsageError
from jperrant.core.extras import STANZA, import_extra, install_command
from jperrant.encoders.find import find_encoder, fingerprint
from jperrant.parse.models import DEFAULT, ModelFolder, check_language, packages_in
from jperrant.parse.quiet import quiet_stanza
from jperrant.parse.treebank import Treebank, read_treebank
from training.batches import batch_words
from training.data import Data, planned
from training.error_tables import ErrorTable
from training.errors import regular_forms, with_errors, without_misspelt
from training.export import export_model, whole_file, write_json, write_resources
from training.lexicon import extend_dictionary
from training.loop import Report, Schedule, Stage, save_whole, seed_everything, train
from training.process import call_in_process
from training.punctuation import with_loose_punctuation
from training.recipe import TAUGHT, Recipe, StageRecipe
from training.relation_classes import write_relation_classes
from training.taught import LABELLED, NOTHING, TEACHER_SCORES, Taught, taught

_WORK, _PLAN = ".training", "plan.json"
_TAGGER = "pos.pt"  # in the work folder: the tagger on whose tags the parser is trained
_ERRORS_OF_TEACHER = 0.5  # how often an epoch of the teacher takes a sentence with learners' errors
_STANZA = (1, 15)


def train_models(
    lang: str, data: Data, recipe: Recipe, folder: Path, report: Report, start: ModelFolder | None = None
) -> dict[str, dict[str, float]]:
    """Train the models a treebank allows, and write a folder that Stanza and ``--models`` take.

    What is interrupted goes on where its last look at the dev set was, when called again with the same arguments,
    and ends with the same bytes as if it had not been. The work is done in a process of its own, on one thread:
    nothing of it reaches the caller's generators of random numbers, streams and loggers.

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
        UsageError: The folder holds other models, or another training that is not finished, the language is no
            code, or there is nothing to train.
        CorruptModelError: The folder has a ``resources.json`` that cannot be read.
        MissingExtraError: This Stanza cannot train so.
    """
    _check_stanza()
    check_language(lang)
    planned(data, recipe, start)
    _check_output(folder, lang, recipe, start)
    _claim(folder / _WORK, lang, data, recipe, start)
    scores: dict[str, dict[str, float]] = call_in_process(
        _train_all, lang, data, recipe, folder, start, report=report
    )
    return scores


def _train_all(
    lang: str, data: Data, recipe: Recipe, folder: Path, start: ModelFolder | None, report: Report
) -> dict[str, dict[str, float]]:
    import torch

    # Small networks gain little by more threads, and sums come out the same anywhere.
    torch.set_num_threads(1)
    stages = planned(data, recipe, start)
    package = _package(lang, recipe)
    work = folder / _WORK
    scores: dict[str, dict[str, float]] = {}
    if start is not None and "pos" not in stages and "pos" in start.files:
        _copy(start.files["pos"], work / _TAGGER)
    with quiet_stanza():
        for name in stages:
            done = work / f"{name}.json"
            if not done.is_file():
                if _is_taught(name, recipe, start):
                    _teach(stages, lang, data, recipe, work, report, start)
                write_json(done, _train_stage(name, lang, data, recipe, work, report, start))
            scores[name] = json.loads(done.read_text(encoding="utf-8"))
        if (work / TEACHER_SCORES).is_file():
            scores["teacher"] = json.loads((work / TEACHER_SCORES).read_text(encoding="utf-8"))
        for name in stages:
            export_model(work / f"{name}.pt", folder / lang / name / f"{package}.pt")
        if "depparse" in stages:
            banks = [data.train, *(data.extra[n] for n in recipe.stages["depparse"].extra)]
            parser, tagger = (folder / lang / name / f"{package}.pt" for name in ("depparse", "pos"))
            tagger = tagger if "pos" in stages else work / _TAGGER
            write_relation_classes(parser, tagger, banks, data.dev)
        if "lemma" in stages and data.lexicon:
            extend_dictionary(folder / lang / "lemma" / f"{package}.pt", data.lexicon)
    write_resources(folder, lang, package, stages, identity="pos" in stages and "lemma" not in stages)
    shutil.rmtree(work)
    return scores


def _is_taught(name: str, recipe: Recipe, start: ModelFolder | None) -> bool:
    """Whether a network is trained on what a teacher labels."""
    plan = recipe.stages[name]
    trained = plan.further if start and name in start.files else plan.schedule
    return bool(recipe.teacher and plan.taught and trained)


def _teach(
    stages: Sequence[str],
    lang: str,
    data: Data,
    recipe: Recipe,
    work: Path,
    report: Report,
    start: ModelFolder | None,
) -> None:
    """Train the teacher and let it label the texts, unless that is done."""
    from training.teacher.teach import Lessons, teach

    assert recipe.teacher is not None
    older = dict(start.files) if start else {}
    models = {n: work / f"{n}.pt" if n in stages else older.get(n) for n in ("tokenize", "mwt")}
    cutting = ModelFolder(work, lang, "", {name: path for name, path in models.items() if path})
    plans = [recipe.stages[name] for name in TAUGHT]
    extra = {n: max(p.extra.get(n, 0.0) for p in plans) for plan in plans for n in plan.extra}
    train = [(data.train, 1.0), *((data.extra[n], share) for n, share in extra.items())]
    if data.errors is not None and any(plan.errors for plan in plans):
        train += _copies_with_errors(data.train, data.errors, recipe.seed, 2, _ERRORS_OF_TEACHER)
    teach(Lessons(train, data.dev, data.texts, cutting), recipe.teacher, recipe.seed, work, report)


def _train_stage(
    name: str, lang: str, data: Data, recipe: Recipe, work: Path, report: Report, start: ModelFolder | None
) -> dict[str, float]:
    plan = recipe.stages[name]
    first = start.files.get(name) if start else None
    schedule = plan.further if first else plan.schedule
    most = plan.epochs * _batches(name, data, plan) if not first else None
    if first and not schedule:
        _copy(first, work / f"{name}.pt")
        return {}
    scores: dict[str, float] = {}
    for number, (steps, rate) in enumerate(schedule):
        finished, noted = work / f"{name}.{number}.pt", work / f"{name}.{number}.json"
        if not finished.is_file():
            # Before networks are made: what they begin with is part of the result.
            seed_everything(recipe.seed * 101 + number)
            stage = _stage(name, lang, data, recipe, work, first)
            if stage.network is None:  # a dictionary is not trained in steps
                save_whole(stage, work / f"{name}.pt")
                return stage.score()
            steps = min(steps, most or steps)
            timing = Schedule(steps, rate, max(1, min(plan.every, steps)), recipe.seed + number, plan.average)
            checkpoint = work / f"{name}.{number}.checkpoint"
            write_json(noted, train(stage, timing, work / f"{name}.pt", checkpoint, name, report))
            _copy(work / f"{name}.pt", finished)  # last: from here on this restart is done
            checkpoint.unlink(missing_ok=True)
        scores = json.loads(noted.read_text(encoding="utf-8"))
        first = finished
    return scores


def _copy(source: Path, target: Path) -> None:
    with whole_file(target) as beside:
        shutil.copy(source, beside)


def _stage(name: str, lang: str, data: Data, recipe: Recipe, work: Path, first: Path | None) -> Stage:
    plan = recipe.stages[name]
    options = {**plan.options, "lang": lang, "shorthand": recipe.shorthand or f"{lang}_embed"}
    extra = [(data.extra[n], share) for n, share in plan.extra.items()]
    wrong = _with_errors(name, data, plan, recipe.seed)
    repeated = (bank.sentences * max(1, round(share)) for bank, share in (*extra, *wrong))
    together = Treebank(data.train.name, sum(repeated, data.train.sentences))
    mixed = [(data.train, 1.0), *extra, *wrong]
    dev = _dev(name, data, recipe.seed) if wrong else data.dev
    if name == "tokenize":
        from training.tokenizer import TokenizerStage

        words = Path(plan.words) if plan.words else None
        return TokenizerStage(together, dev, options, work, first, words)
    if name == "mwt":
        from training.expander import ExpanderStage

        return ExpanderStage(data.train, data.dev, options)
    if name == "pos":
        from training.tagger import TaggerStage

        known = _taught(name, data, recipe, work)
        return TaggerStage(mixed, dev, options, first, data.vectors.get(name, {}), known)
    if name == "lemma":
        from training.lemmatizer import LemmatizerStage

        together = without_misspelt(together) if wrong else together
        return LemmatizerStage(together, dev, options, first)
    from stanza.models.pos.trainer import Trainer

    from training.depparser import ParserStage

    tagger = Trainer(model_file=str(work / _TAGGER), device="cpu")
    vectors, known = data.vectors.get(name, {}), _taught(name, data, recipe, work)
    return ParserStage(mixed, dev, options, tagger, plan.copies, True, plan.noise, first, vectors, known)


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


def _taught(name: str, data: Data, recipe: Recipe, work: Path) -> Taught:
    """Return what a tagger or parser learns from the teacher."""
    plan = recipe.stages[name]
    if recipe.teacher is None or not plan.taught:
        return NOTHING
    bank = read_treebank([str(work / LABELLED)])
    errors = data.errors if plan.errors else None
    return taught(bank, plan.taught, recipe.teacher.words, data.train, errors, recipe.seed)


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


def _claim(work: Path, lang: str, data: Data, recipe: Recipe, start: ModelFolder | None) -> None:
    """Note in the work folder what is trained there, or see that it is the same."""
    digest = hashlib.sha256()
    for bank in (data.train, data.dev, *data.extra.values()):
        for line in bank.lines():
            digest.update(line.encode())
        digest.update(b"\f")  # a sentence that moves from one treebank to the next is another training
    digest.update(repr((data.errors, sorted(data.lexicon.items()))).encode())
    for vectors in data.vectors.values():
        for word, vector in vectors.items():
            digest.update(word.encode() + vector.tobytes())
    for text in data.texts:
        digest.update(text.encode() + b"\n")
    if recipe.teacher is not None:
        digest.update(fingerprint(find_encoder(recipe.teacher.encoder)).encode())
    words = [Path(stage.words) for stage in recipe.stages.values() if stage.words]
    for file in (*words, *((start.files[name] for name in sorted(start.files)) if start else ())):
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    plan = {
        "lang": lang,
        "treebanks": digest.hexdigest(),
        "recipe": repr(replace(recipe, about={})),
        "start": start.package if start else "",
    }
    note = work / _PLAN
    if note.is_file():
        if json.loads(note.read_text(encoding="utf-8")) != plan:
            raise UsageError(
                f"{work.parent} holds an unfinished training with different settings or treebanks; "
                f"give another folder, or delete {work}"
            )
        return
    work.mkdir(parents=True, exist_ok=True)
    write_json(note, plan)


def _package(lang: str, recipe: Recipe) -> str:
    return recipe.package or f"{lang}-compact"


def _check_output(folder: Path, lang: str, recipe: Recipe, start: ModelFolder | None) -> None:
    """Refuse a folder whose models would be lost: ``resources.json`` will name only those that are trained."""
    own = {DEFAULT, _package(lang, recipe)}
    found = packages_in(folder)
    others = [
        f"{code} {name}" for code in found for name in sorted(found[code] - (own if code == lang else set()))
    ]
    if others:
        raise UsageError(f"{folder} holds other models ({', '.join(others[:3])}); give another folder")
    if start is not None and start.folder.resolve() == folder.resolve():
        raise UsageError(f"{folder} holds the models to train further; give another folder")


def _check_stanza() -> None:
    stanza = import_extra("stanza", STANZA)
    version = tuple(int(part) for part in stanza.__version__.split(".")[:2])
    if not _STANZA <= version < (2,):
        raise MissingExtraError(
            f"training needs Stanza {'.'.join(map(str, _STANZA))} or newer below 2, found {stanza.__version__}; "
            f"run: {install_command(['stanza>=1.15,<2'])}"
        )
