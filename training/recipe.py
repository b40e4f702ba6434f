"""Recipes: how the networks of a package are trained, and the files they are trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import Field

from jperrant.core.errors import InputError
from jperrant.core.packages import ENCODERS, check_extra
from jperrant.encoders.models import find_encoder
from jperrant.io.files import read_lines
from jperrant.packs.yaml_file import Keys, OneOrMore, Text, Whole, YamlFile
from training.learner_errors import ErrorTable, read_error_table
from training.stages import Lexicon, beyond, joined, read_lexicon
from training.treebank import Treebank, read_treebank

Processor: TypeAlias = Literal["tokenize", "mwt", "pos", "lemma", "depparse"]
Share: TypeAlias = Annotated[float, Field(ge=0)]
_SEQUENCE = {"dropout": 0.33, "word_dropout": 0.25, "char_num_layers": 1, "num_layers": 2}
# What recipes do not say.
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
            **_SEQUENCE, "batch_size": 64, "batch_words": 1500, "word_cutoff": 3,
            "word_emb_dim": 100, "char_emb_dim": 40,
            "char_hidden_dim": 100, "transformed_dim": 80, "hidden_dim": 128, "deep_biaff_hidden_dim": 200,
        },
    },
    "lemma": {
        "schedule": ((1500, 0.003),), "epochs": 5, "every": 300,
        "options": {"batch_size": 100, "hidden_dim": 100, "dropout": 0.3},
    },
    "depparse": {
        "epochs": 15, "every": 250,
        "options": {
            **_SEQUENCE, "batch_size": 1000, "batch_words": 1500, "word_cutoff": 3,
            "word_emb_dim": 64, "char_emb_dim": 40,
            "char_hidden_dim": 64, "transformed_dim": 48, "tag_emb_dim": 40, "hidden_dim": 128,
            "deep_biaff_hidden_dim": 100, "deep_biaff_output_dim": 64, "optim": "adam",
            "beta2": 0.95, "dropout": 0.3,
        },
    },
}  # fmt: skip


class StageRecipe(Keys):
    """How to train one network.

    Attributes:
        schedule: Restarts, each a number of updates and the learning rate it starts with.
        further: The same, where training continues from existing models.
        epochs: Most passes over the data a restart takes, so that small treebanks take little time.
        every: Updates between two looks at the dev set.
        options: Stanza's settings; for tagger and parser also ``batch_words``, most words of a batch, padding
            counted.
        extra: Treebanks to add to the training data, each with how often an epoch takes its sentences; 0.02 is
            once in 50 epochs, for the tokenizer and the lemmatizer it is a whole number. ``file#name`` keeps the
            sentences whose ``sent_id`` begins so.
        errors: How often an epoch takes each sentence of the treebank with learners' errors in it, beside itself;
            for the lemmatizer, whether its dictionary has the regular forms of irregular words (*goed*); for the
            tokenizer, how many copies with loose punctuation it sees (``punctuation.with_loose_punctuation``).
        vectors: Tagger and parser: files of word vectors to begin with, each with how many words to take; see
            ``vectors.read_vectors``. They lie where the treebanks lie.
        taught: Tagger and parser: how often an epoch takes each sentence that the teacher labelled.
        average: How much of the average weights an update keeps, such as 0.998; see ``loop.Average``.
        noise: Parser: how much noise is added to the tagger over its training data; see ``Tagger.predict``.
        copies: Parser: how often the treebank is tagged.
        lexicon: Lemmatizer: a file of words with their lemmas, ``lexicon.read_lexicon``; lies where treebanks lie.
            The dictionary gets those that it would get wrong.
        words: Tokenizer: a file of words, or a tokenizer that has some; the recipe names it from where it lies.
    """

    schedule: tuple[tuple[Whole, Share], ...] = ()
    further: tuple[tuple[Whole, Share], ...] = ()
    epochs: Whole = 30
    every: Whole = 250
    options: dict[str, Any] = Field(default_factory=dict)
    extra: dict[str, Share] = Field(default_factory=dict)
    noise: Share = 0.15
    copies: Whole = 2
    words: str = ""
    vectors: dict[str, Whole] = Field(default_factory=dict)
    errors: Share = 0.0
    average: Annotated[float, Field(ge=0, lt=1)] = 0.0
    taught: Share = 0.0
    lexicon: str = ""


class TeacherRecipe(Keys):
    """How to train a teacher, and on what it labels.

    Attributes:
        texts: Files of plain text that it labels, a paragraph a line, compressed or not. They lie where the
            treebanks lie.
        encoder: What it begins with: ``minilm``, a folder, or a name on the Hugging Face hub.
        epochs: Passes over the treebank, the extra treebanks of tagger and parser, and half of the sentences with
            learners' errors.
        rate: The highest learning rate of the encoder.
        frozen: How many layers of the encoder do not learn; with one or more its embeddings do not learn either.
        words: How many words of the texts taggers and parsers know as words, the most frequent; they know the
            others by their characters.
    """

    texts: OneOrMore[Text]
    encoder: str = "minilm"
    epochs: Annotated[float, Field(gt=0)] = 3.5
    rate: Annotated[float, Field(gt=0)] = 0.00015
    frozen: Whole = 1
    words: Whole = 10_000


class Recipe(Keys):
    """How to train a package of models.

    Attributes:
        stages: The networks to train, by Stanza's names.
        package: Name of the package.
        shorthand: Stanza's name of the treebank; it chooses how tags are cut into parts.
        train: Treebank files to train on.
        dev: Those that choose.
        test: The one that measures, or empty.
        about: What else the package says of itself: licence, sources.
        errors: File of the table of learners' errors, which the recipe names from where it lies; empty for none.
        teacher: What labels text for tagger and parser, or None.
        seed: What all randomness derives from.
    """

    stages: dict[Processor, StageRecipe]
    package: str
    shorthand: str
    train: OneOrMore[Text]
    dev: OneOrMore[Text]
    test: str = ""
    about: dict[str, str] = Field(default_factory=dict)
    errors: str = ""
    teacher: TeacherRecipe | None = None
    seed: Whole = 1234


def read_recipe(path: Path) -> Recipe:
    """Read a recipe.

    Raises:
        InputError: The file cannot be read, is no YAML, or has an unknown key or an impossible value.
    """
    recipe, problems = YamlFile(path).checked(Recipe)
    if recipe is None:
        raise InputError(str(problems[0]))
    beside = {"errors": str(path.parent / recipe.errors) if recipe.errors else ""}
    said = recipe.stages
    stages = {name: _complete(name, said[name], path.parent) for name in get_args(Processor) if name in said}
    return recipe.model_copy(update={**beside, "stages": stages})


def _complete(name: str, stage: StageRecipe, folder: Path) -> StageRecipe:
    """Return how to train a network, with the defaults for what its recipe does not say."""
    defaults = _DEFAULTS[name]
    found = {key: value for key, value in defaults.items() if key not in stage.model_fields_set}
    found["options"] = {**defaults["options"], **stage.options}
    found["words"] = str(folder / stage.words) if stage.words else ""
    return stage.model_copy(update=found)


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


def read_data(recipe: Recipe, folder: Path) -> Data:
    """Read what a recipe names.

    Args:
        recipe: The recipe.
        folder: Where its files lie.

    Raises:
        InputError: A file cannot be read or is malformed.
        MissingModelError, MissingExtraError: What the teacher begins with is not on this machine.
    """

    def bank(*names: str, part: str = "") -> Treebank:
        return read_treebank([str(folder / name) for name in names], part)

    texts: tuple[str, ...] = ()
    if recipe.teacher is not None:
        find_encoder(recipe.teacher.encoder)  # before anything takes long
        check_extra(("torch", "transformers"), ENCODERS)
        texts = read_texts([str(folder / name) for name in recipe.teacher.texts])
    train, stages = bank(*recipe.train), recipe.stages
    lexicon = stages["lemma"].lexicon if "lemma" in stages else ""
    extra = dict.fromkeys(name for stage in stages.values() for name in stage.extra)
    return Data(
        train,
        bank(*recipe.dev),
        {name: bank(name.partition("#")[0], part=name.partition("#")[2]) for name in extra},
        read_error_table(Path(recipe.errors)) if recipe.errors else None,
        {name: joined(stage.vectors, folder) for name, stage in stages.items() if stage.vectors},
        texts,
        beyond(read_lexicon(folder / lexicon), train) if lexicon else {},
    )


def read_texts(paths: Sequence[str]) -> tuple[str, ...]:
    """Return the paragraphs of files, one a line; lines without text are passed over.

    Args:
        paths: The files; ``.xz``, ``.gz`` and ``.bz2`` are decompressed.

    Raises:
        FormatError: A file is not UTF-8.
        InputError: A file cannot be read, or has no text.
    """
    found: list[str] = []
    for path in paths:
        paragraphs = [stripped for line in read_lines(path) if (stripped := line.strip())]
        if not paragraphs:
            raise InputError(f"{path}: found no text, expected one paragraph per line")
        found += paragraphs
    return tuple(found)
