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

# Defaults of what recipes leave out.
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
        schedule: Restarts, each a number of updates and its first learning rate.
        further: The same for training that continues from existing models.
        epochs: The most passes over the data in a restart of ``schedule``.
        every: Updates in a round; the dev set is scored after each round.
        options: Stanza's settings.
        extra: Treebanks to add to the training data, each with how often an epoch takes its sentences; 0.02 is
            once in 50 epochs, for the tokenizer it is a whole number. ``file#name`` keeps the sentences whose
            ``sent_id`` begins with the name.
        errors: Whether the training data also has sentences with learners' errors; for the lemmatizer, whether
            its dictionary has the regular forms of irregular words (*goed*); for the tokenizer, whether it has a
            copy with loose punctuation.
        vectors: Tagger and parser: a file of initial word vectors, and how many words to take.
        taught: Tagger and parser: how often an epoch takes each sentence that the teacher labelled.
        average: Share of the average weights that an update keeps, such as 0.998; see ``loop.Average``.
        noise: Parser: the noise of the tagger on the training data; see ``Tagger.predict``.
        copies: Parser: how often the treebank is tagged.
        lexicon: Lemmatizer: a file of words with their lemmas; the dictionary gets the words that the network
            gets wrong.
        words: Tokenizer: a tokenizer whose words it knows, as a path relative to the recipe.
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
    """How to train a teacher, and the text that it labels.

    Attributes:
        texts: Files of plain text that it labels, a paragraph a line, compressed or not.
        encoder: The encoder that it starts from: ``minilm``, or the folder of a BERT.
        epochs: Passes over the treebank, the extra treebanks of tagger and parser, and half of the sentences with
            learners' errors.
        rate: The highest learning rate of the encoder.
        frozen: How many layers of the encoder are not trained; its embeddings are not trained either.
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
        dev: Treebank files that choose the best round.
        test: The treebank file that the models are scored on, or empty.
        about: Further fields of the package's description: licence, sources.
        errors: File of the table of learners' errors, as a path relative to the recipe; empty for none.
        teacher: How text is labelled for tagger and parser, or None.
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
    """The content of the files that a recipe names.

    Args:
        recipe: The recipe.
        path: Its file, beside which the table of errors and the tokenizer with words lie.
        folder: Where the other files lie.

    Attributes:
        train: The training treebank.
        dev: The treebank that chooses the best round.
        extra: Further treebanks of some networks, by their names in the recipe.
        errors: The table of learners' errors.
        vectors: Initial word vectors, by Stanza's name of the network.
        texts: Paragraphs of plain text for the teacher to label.
        lexicon: Lemmas by form and UPOS of words that the treebank does not have.
        words: The words that the tokenizer knows.
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
        folder: The folder of the files.
        files: Each file with how many words to take from its start. A first line of two numbers, as word2vec
            writes it, is skipped. Words are lowercased; the first of equal words counts.

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
    """Read words with their lemmas: a line has form, UPOS and lemma, separated by tabs; the first of equals counts.

    Args:
        path: The file.
        treebank: Its words, with the same UPOS, are left out.
    """
    known = {(row[FORM], row[UPOS]) for sentence in treebank.sentences for row in sentence.words}
    lexicon: dict[tuple[str, str], str] = {}
    for line in read_lines(str(path)):
        form, upos, lemma = line.split("\t")
        if (form, upos) not in known:
            lexicon.setdefault((form, upos), lemma)
    return lexicon
