"""Recipes: how the networks of a package are trained, and the files they are trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml

from jperrant.core.conllu import FORM, UPOS
from jperrant.io.files import read_lines
from training.learner_errors import ErrorTable, read_error_table
from training.treebank import Treebank, read_treebank

# What recipes do not say.
_OF_WORDS: dict[str, Any] = {"char_num_layers": 1, "num_layers": 2, "hidden_dim": 128, "word_cutoff": 3}
_DEFAULTS: dict[str, dict[str, Any]] = {
    "tokenize": {
        "epochs": 100, "every": 400,
        "options": {"batch_size": 16, "max_seqlen": 200, "emb_dim": 32, "hidden_dim": 64},
    },
    "mwt": {
        "epochs": 10, "every": 300,
        "options": {"batch_size": 50, "hidden_dim": 64, "emb_dim": 50},
    },
    "pos": {
        "epochs": 15, "every": 250,
        "options": {
            **_OF_WORDS, "batch_size": 64,
            "char_hidden_dim": 100, "transformed_dim": 80, "deep_biaff_hidden_dim": 200,
        },
    },
    "lemma": {
        "schedule": [[1500, 0.003]], "epochs": 5, "every": 300,
        "options": {"batch_size": 100, "hidden_dim": 100, "dropout": 0.3},
    },
    "depparse": {
        "epochs": 15, "every": 250,
        "options": {
            **_OF_WORDS, "batch_size": 1000, "word_emb_dim": 64,
            "char_hidden_dim": 64, "transformed_dim": 48, "tag_emb_dim": 40,
            "deep_biaff_hidden_dim": 100, "deep_biaff_output_dim": 64, "optim": "adam", "beta2": 0.95,
        },
    },
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRecipe:
    """How to train one network.

    Attributes:
        schedule: Restarts, each a number of updates and the learning rate it starts with.
        further: The same, where training continues from existing models.
        epochs: Most passes over the data a restart of ``schedule`` takes.
        every: Updates between two looks at the dev set.
        options: Stanza's settings.
        extra: Treebanks to add to the training data, each with how often an epoch takes its sentences; 0.02 is
            once in 50 epochs, for the tokenizer it is a whole number. ``file#name`` keeps the sentences whose
            ``sent_id`` begins so.
        errors: Whether sentences of the treebank are learnt with learners' errors, too; for the lemmatizer, whether
            its dictionary has the regular forms of irregular words (*goed*); for the tokenizer, whether it sees a
            copy with loose punctuation.
        vectors: Tagger and parser: a file of word vectors to begin with, and how many words to take.
        taught: Tagger and parser: how often an epoch takes each sentence that the teacher labelled.
        average: How much of the average weights an update keeps, such as 0.998; see ``loop.Average``.
        noise: Parser: how much noise is added to the tagger over its training data; see ``Tagger.predict``.
        copies: Parser: how often the treebank is tagged.
        lexicon: Lemmatizer: a file of words with their lemmas. The dictionary gets those that it would get wrong.
        words: Tokenizer: a tokenizer whose words it knows; the recipe names it from where it lies.
    """

    schedule: Sequence[tuple[int, float]] = ()
    further: Sequence[tuple[int, float]] = ()
    epochs: int
    every: int
    options: dict[str, Any]
    extra: Mapping[str, float] = field(default_factory=dict)
    noise: float = 0.0
    copies: int = 1
    words: str = ""
    vectors: Mapping[str, int] = field(default_factory=dict)
    errors: int = 0
    average: float = 0.0
    taught: float = 0.0
    lexicon: str = ""


@dataclass(frozen=True, slots=True)
class TeacherRecipe:
    """How to train a teacher, and on what it labels.

    Attributes:
        texts: Files of plain text that it labels, a paragraph a line, compressed or not.
        encoder: What it begins with: ``minilm``, or the folder of a BERT.
        epochs: Passes over the treebank, the extra treebanks of tagger and parser, and half of the sentences with
            learners' errors.
        rate: The highest learning rate of the encoder.
        frozen: How many layers of the encoder do not learn; its embeddings do not learn either.
    """

    texts: Sequence[str]
    encoder: str
    epochs: float
    rate: float
    frozen: int


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train a package of models.

    Attributes:
        stages: The networks to train, by Stanza's names, in the order of training.
        package: Name of the package.
        shorthand: Stanza's name of the treebank; it chooses how tags are cut into parts.
        train: Treebank files to train on.
        dev: Those that choose.
        test: The one that measures, or empty.
        about: What else the package says of itself: licence, sources.
        errors: File of the table of learners' errors, which the recipe names from where it lies; empty for none.
        teacher: What labels text for tagger and parser, or None.
    """

    stages: Mapping[str, StageRecipe]
    package: str
    shorthand: str
    train: Sequence[str]
    dev: Sequence[str]
    about: Mapping[str, Any]
    test: str = ""
    errors: str = ""
    teacher: TeacherRecipe | None = None


def read_recipe(path: Path) -> Recipe:
    """Read a recipe.

    Raises:
        TypeError: It has an unknown key, or lacks one.
    """
    said = yaml.safe_load(path.read_text(encoding="utf-8"))
    for name, stage in said["stages"].items():
        defaults = _DEFAULTS[name]
        options = {**defaults["options"], **stage.get("options", {})}
        said["stages"][name] = StageRecipe(**{**defaults, **stage, "options": options})
    teacher = TeacherRecipe(**said["teacher"]) if "teacher" in said else None
    return Recipe(**{**said, "teacher": teacher})


class Data:
    """What the files of a recipe hold.

    Args:
        recipe: The recipe.
        path: Its file, beside which the table of errors and the tokenizer with words lie.
        folder: Where the other files lie.

    Attributes:
        train: The treebank to learn from.
        dev: The one to choose by.
        extra: Further treebanks that some networks learn from, by the names in the recipe.
        errors: The learners' errors that are put into sentences.
        vectors: Word vectors that a network begins with, by Stanza's name of the network.
        texts: Paragraphs of plain text that a teacher labels.
        lexicon: Lemmas by form and UPOS of words that the treebank does not have.
        words: The words that a tokenizer marks.
    """

    def __init__(self, recipe: Recipe, path: Path, folder: Path) -> None:
        def bank(names: Sequence[str], part: str = "") -> Treebank:
            return read_treebank([folder / name for name in names], part)

        stages = recipe.stages.values()
        self.train, self.dev = bank(recipe.train), bank(recipe.dev)
        extra = dict.fromkeys(name for stage in stages for name in stage.extra)
        self.extra = {name: bank([name.partition("#")[0]], name.partition("#")[2]) for name in extra}
        self.errors = read_error_table(path.parent / recipe.errors) if recipe.errors else ErrorTable()
        self.vectors = {name: read_vectors(folder, stage.vectors) for name, stage in recipe.stages.items()}
        texts = [folder / name for name in (recipe.teacher.texts if recipe.teacher else ())]
        self.texts = [line.strip() for text in texts for line in read_lines(str(text)) if line.strip()]
        lexicons = [folder / stage.lexicon for stage in stages if stage.lexicon]
        self.lexicon = read_lexicon(lexicons[0], self.train) if lexicons else {}
        tokenizers = [path.parent / stage.words for stage in stages if stage.words]
        self.words = torch.load(tokenizers[0], weights_only=True)["lexicon"] if tokenizers else ()


def read_vectors(folder: Path, files: Mapping[str, int]) -> dict[str, Any]:
    """Read word vectors in the text format of word2vec and GloVe: a word a line, then its numbers.

    Args:
        folder: Where the files lie.
        files: Each with how many words to take; the most frequent stand first. A first line with two numbers, as
            word2vec writes it, is passed over. Words are lowercased; of equal ones the first counts.

    Returns:
        The vectors by word, each of shape ``(size,)``.
    """
    vectors: dict[str, Any] = {}
    for name, most in files.items():
        for line in read_lines(str(folder / name)):
            word, *values = line.rstrip().split(" ")
            if len(vectors) == most:
                break
            if len(values) > 1:
                vectors.setdefault(word.lower(), np.array(values, dtype=np.float32))
    return vectors


def read_lexicon(path: Path, treebank: Treebank) -> dict[tuple[str, str], str]:
    """Read words with their lemmas: form, UPOS and lemma a line, with tabs between; of equal ones the first counts.

    Args:
        path: The file.
        treebank: Words that it has with their UPOS are left out.
    """
    known = {(row[FORM], row[UPOS]) for sentence in treebank.sentences for row in sentence.words}
    lexicon: dict[tuple[str, str], str] = {}
    for line in read_lines(str(path)):
        form, upos, lemma = line.split("\t")
        if (form, upos) not in known:
            lexicon.setdefault((form, upos), lemma)
    return lexicon
