"""What a training learns from: treebanks, word vectors, texts for a teacher, and which networks they allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jperrant.core.errors import UsageError
from jperrant.core.extras import ENCODERS, check_extra
from jperrant.core.messages import plural
from jperrant.encoders.find import find_encoder
from jperrant.parse.models import ModelFolder
from jperrant.parse.treebank import Treebank, read_treebank
from training.error_tables import ErrorTable, read_error_table
from training.lexicon import Lexicon, beyond, read_lexicon
from training.recipe import Recipe
from training.teacher.texts import read_texts
from training.vectors import joined

_LEAST_SENTENCES = 20
_NAMES = {"lemma": "lemmas", "xpos": "XPOS", "feats": "FEATS", "upos": "UPOS", "head": "heads"}


@dataclass(frozen=True, slots=True)
class Data:
    """The treebanks of a training.

    Attributes:
        train: To learn from.
        dev: To choose by.
        extra: Further treebanks some networks learn from, by the names in the recipe.
        errors: The learners' errors that are put into sentences for some networks.
        vectors: Word vectors that networks begin with, by Stanza's names of the networks.
        texts: Paragraphs of plain text that a teacher labels.
        lexicon: Words with their lemmas that the treebank does not have, for the lemmatizer's dictionary.
    """

    train: Treebank
    dev: Treebank
    extra: Mapping[str, Treebank]
    errors: ErrorTable | None = None
    vectors: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    lexicon: Lexicon = field(default_factory=dict)


def read_data(train: Sequence[str], dev: str, recipe: Recipe, folder: Path | None = None) -> Data:
    """Read the treebanks of a training.

    Args:
        train: Files to learn from; if none, the recipe's.
        dev: File to choose by; if none, the recipe's.
        recipe: Names further ones.
        folder: Where the recipe's files lie.

    Raises:
        UsageError: Neither names the files, or they hold too little.
        MissingModelError, MissingExtraError: What the teacher begins with is not on this machine.
    """
    if recipe.train and folder is None and not train:
        raise UsageError(
            "the recipe lists its treebanks by name; give the folder that holds them with --treebanks FOLDER"
        )
    place = folder or Path()
    paths = list(train) or [str(place / name) for name in recipe.train]
    choosers = [dev] if dev else [str(place / name) for name in recipe.dev]
    if not paths or not choosers:
        raise UsageError("give the treebanks: --train FILE (repeatable) and --dev FILE")
    texts: tuple[str, ...] = ()
    if recipe.teacher is not None:
        find_encoder(recipe.teacher.encoder)  # before anything takes long
        check_extra(("torch", "transformers"), ENCODERS)
        texts = read_texts([str(place / name) for name in recipe.teacher.texts])
    bank, lexicon = read_treebank(paths), recipe.stages["lemma"].lexicon
    data = Data(
        bank,
        read_treebank(choosers),
        {
            name: read_treebank([str(place / name.partition("#")[0])], name.partition("#")[2])
            for name in dict.fromkeys(n for stage in recipe.stages.values() for n in stage.extra)
        },
        read_error_table(Path(recipe.errors)) if recipe.errors else None,
        {name: joined(stage.vectors, place) for name, stage in recipe.stages.items() if stage.vectors},
        texts,
        beyond(read_lexicon(place / lexicon), bank) if lexicon else {},
    )
    if len(data.train.sentences) < _LEAST_SENTENCES:
        raise UsageError(
            f"{data.train.name}: {plural(len(data.train.sentences), 'sentence')} to train on, too few; "
            f"give at least {_LEAST_SENTENCES}, better thousands"
        )
    return data


def trainable(data: Data) -> tuple[list[str], list[str]]:
    """Return the processors a treebank can train, and one line for each thing it lacks."""
    bank, lacks = data.train, []
    missing = {c for c in _NAMES if not bank.has(c) or not data.dev.has(c)}
    stages = ["tokenize", *(["mwt"] if bank.multi_word_tokens else [])]
    if "upos" in missing:
        lacks.append("UPOS is missing: only the tokenizer is trained, no tagger and no parser")
        if data.texts:
            lacks.append("UPOS is missing: no teacher, because it teaches tagger and parser")
        return stages, lacks
    stages.append("pos")
    lacks += [
        f"{_NAMES[c]} is missing: the tagger leaves it empty" for c in ("xpos", "feats") if c in missing
    ]
    if "lemma" in missing:
        lacks.append("lemmas are missing: each word becomes its own lemma")
    else:
        stages.append("lemma")
    if "head" in missing:
        lacks.append("heads are missing: no parser is trained")
    else:
        stages.append("depparse")
    return stages, lacks


def planned(data: Data, recipe: Recipe, start: ModelFolder | None = None) -> list[str]:
    """Return the processors that a training makes.

    Args:
        data: What it learns from.
        recipe: Which of them are wanted.
        start: Models to train further.

    Raises:
        UsageError: The treebank allows none of them, or a parser has no tagger, on whose tags it is trained.
    """
    allowed, _ = trainable(data)
    stages = [name for name in allowed if name in (recipe.only or recipe.stages)]
    if not stages:
        raise UsageError(
            f"nothing to train: the treebanks allow {', '.join(allowed)}, the recipe wants only "
            f"{', '.join(recipe.only)}"
        )
    if "depparse" in stages and "pos" not in stages and (start is None or "pos" not in start.files):
        raise UsageError(
            "a parser is trained on the tags of a tagger, and there is none: let the recipe's only name pos, too, "
            "or give models that have a tagger with --start"
        )
    return stages
