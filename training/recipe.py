"""Recipes: which networks to train on what, how large, how long; from YAML, or a size's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from jperrant.core.errors import FormatError, InputError, UsageError, nearest
from training.recipe_keys import Keys

PROCESSORS = ("tokenize", "mwt", "pos", "lemma", "depparse")
SIZES = ("compact", "small")
#: How often an epoch of each network that a teacher can teach takes a sentence that it labelled.
TAUGHT = {"pos": 0.5, "depparse": 0.25}
_SEQUENCE = {"dropout": 0.33, "word_dropout": 0.25, "char_num_layers": 1, "num_layers": 2}
# The settings of the models that come with jperrant; steps are for some 200,000 words.
_COMPACT: dict[str, dict[str, Any]] = {
    "tokenize": {
        "schedule": [[4000, 0.002]], "epochs": 100, "every": 400,
        "options": {"batch_size": 16, "max_seqlen": 200, "emb_dim": 32, "hidden_dim": 64},
    },
    "mwt": {
        "schedule": [[1500, 0.001]], "epochs": 10, "every": 300,
        "options": {"batch_size": 50, "hidden_dim": 64, "emb_dim": 50},
    },
    "pos": {
        "schedule": [[2000, 0.003], [2000, 0.003], [2000, 0.003]], "epochs": 15, "every": 250,
        "options": {
            **_SEQUENCE, "batch_size": 64, "batch_words": 1500, "word_cutoff": 3,
            "word_emb_dim": 100, "char_emb_dim": 40,
            "char_hidden_dim": 100, "transformed_dim": 80, "hidden_dim": 128, "deep_biaff_hidden_dim": 200,
        },
    },
    "lemma": {
        "schedule": [[1500, 0.003]], "epochs": 5, "every": 300,
        "options": {"batch_size": 100, "hidden_dim": 100, "dropout": 0.3},
    },
    "depparse": {
        "schedule": [[1500, 0.004], [1500, 0.004]], "epochs": 15, "every": 250,
        "options": {
            **_SEQUENCE, "batch_size": 1000, "batch_words": 1500, "word_cutoff": 3,
            "word_emb_dim": 64, "char_emb_dim": 40,
            "char_hidden_dim": 64, "transformed_dim": 48, "tag_emb_dim": 40, "hidden_dim": 128,
            "deep_biaff_hidden_dim": 100, "deep_biaff_output_dim": 64, "optim": "adam",
            "beta2": 0.95, "dropout": 0.3,
        },
    },
}  # fmt: skip
_SMALL_OPTIONS: dict[str, dict[str, Any]] = {
    "tokenize": {"hidden_dim": 48},
    "mwt": {"hidden_dim": 48},
    "pos": {"word_emb_dim": 50, "char_hidden_dim": 64, "transformed_dim": 48, "hidden_dim": 80},
    "lemma": {"hidden_dim": 64},
    "depparse": {"word_emb_dim": 32, "char_hidden_dim": 48, "hidden_dim": 80},
}


@dataclass(frozen=True, slots=True)
class StageRecipe:
    """How to train one network.

    Attributes:
        schedule: Restarts, each a number of updates and the learning rate it starts with.
        further: The same, where training continues from existing models.
        epochs: Most passes over the data a restart takes, so that small treebanks take little time.
        every: Updates between two looks at the dev set.
        options: Stanza's settings; for tagger and parser also ``batch_words``, most words of a batch, padding
            counted, and ``precision``, one of ``fast_layers.PRECISIONS``.
        extra: Treebanks to add to the training data, each with how often an epoch takes its sentences; 0.02 is
            once in 50 epochs, for the tokenizer and the lemmatizer it is a whole number. ``file#name`` keeps the
            sentences whose ``sent_id`` begins so.
        errors: How often an epoch takes each sentence of the treebank with learners' errors in it, beside itself;
            for the lemmatizer, whether its dictionary has the regular forms of irregular words (*goed*); for the
            tokenizer, how many copies with loose punctuation it sees (``punctuation.with_loose_punctuation``).
        vectors: Tagger and parser: files of word vectors to begin with, each with how many words to take; see
            ``vectors.read_vectors``. They lie where the treebanks lie.
        taught: Tagger and parser: how often an epoch takes each sentence that the teacher labelled; where the
            recipe has a teacher and does not say, as in ``TAUGHT``.
        average: How much of the average weights an update keeps, such as 0.998; see ``loop.Average``.
        noise: Parser: how much noise is added to the tagger over its training data; see ``Tagger.predict``.
        copies: Parser: how often the treebank is tagged.
        lexicon: Lemmatizer: a file of words with their lemmas, ``lexicon.read_lexicon``; lies where treebanks lie.
            The dictionary gets those that it would get wrong.
        words: Tokenizer: a file of words, or a tokenizer that has some; the recipe names it from where it lies.
    """

    schedule: tuple[tuple[int, float], ...]
    further: tuple[tuple[int, float], ...] = ()
    epochs: int = 30
    every: int = 250
    options: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, float] = field(default_factory=dict)
    noise: float = 0.15
    copies: int = 2
    words: str = ""
    vectors: Mapping[str, int] = field(default_factory=dict)
    errors: float = 0.0
    average: float = 0.0
    taught: float = 0.0
    lexicon: str = ""


@dataclass(frozen=True, slots=True)
class TeacherRecipe:
    """How to train a teacher, and on what it labels.

    Attributes:
        texts: Files of plain text that it labels, a paragraph a line, compressed or not. They lie where the
            treebanks lie.
        encoder: What it begins with: ``minilm``, a folder, or a name on the Hugging Face hub. A folder beside the
            recipe counts first.
        epochs: Passes over the treebank, the extra treebanks of tagger and parser, and half of the sentences with
            learners' errors.
        rate: The highest learning rate of the encoder.
        frozen: How many layers of the encoder do not learn; with one or more its embeddings do not learn either.
        words: How many words of the texts taggers and parsers know as words, the most frequent; they know the
            others by their characters.
    """

    texts: tuple[str, ...]
    encoder: str = "minilm"
    epochs: float = 3.5
    rate: float = 0.00015
    frozen: int = 1
    words: int = 10_000


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train a package of models.

    Attributes:
        stages: The networks by Stanza's names.
        package: Name of the package.
        shorthand: Stanza's name of the treebank; it chooses how tags are cut into parts.
        seed: What all randomness derives from.
        train: Treebank files to train on; empty where the command line names them.
        dev: Those that choose.
        test: The one that measures, or empty.
        about: What else the package says of itself: licence, sources.
        only: The networks to train; empty for all the treebank allows.
        errors: File of the table of learners' errors, which the recipe names from where it lies; empty for none.
        teacher: What labels text for tagger and parser, or None.
    """

    stages: Mapping[str, StageRecipe]
    package: str = ""
    shorthand: str = ""
    seed: int = 1234
    train: tuple[str, ...] = ()
    dev: tuple[str, ...] = ()
    test: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    errors: str = ""
    teacher: TeacherRecipe | None = None


_KEYS = (
    "size",
    "stages",
    "package",
    "shorthand",
    "seed",
    "train",
    "dev",
    "test",
    "about",
    "only",
    "errors",
    "teacher",
)
_TEACHER_KEYS, _STAGE_KEYS = (tuple(kind.__dataclass_fields__) for kind in (TeacherRecipe, StageRecipe))
#: Keys of stages that hold whole numbers, and other numbers.
_WHOLE, _SHARES = ("epochs", "every", "copies"), ("noise", "errors", "taught")


def default_recipe(size: str = "compact") -> Recipe:
    """Return the recipe of a size.

    Raises:
        UsageError: There is no such size.
    """
    if size not in SIZES:
        raise UsageError(f"unknown size {size!r}{nearest(size, SIZES)}; expected one of {', '.join(SIZES)}")
    stages = {}
    for name, keys in _COMPACT.items():
        options = keys["options"] | (_SMALL_OPTIONS[name] if size == "small" else {})
        schedule = tuple((steps, rate) for steps, rate in keys["schedule"])
        stages[name] = StageRecipe(**keys | {"schedule": schedule, "options": options})
    return Recipe(stages)


def read_recipe(path: str) -> Recipe:
    """Read a recipe; what it leaves out is as in the size it names (``size``, by default compact).

    Raises:
        FormatError: The file is not such YAML, or has an unknown key or an impossible value.
        InputError: The file cannot be read.
    """
    import yaml

    try:
        keys = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise FormatError(path, None, f"not YAML ({' '.join(str(error).split())[:200]})") from None
    found = Keys(keys, _KEYS, path)
    teacher = _teacher(found.inner("teacher", _TEACHER_KEYS), path) if "teacher" in found else None
    base = default_recipe(found.text("size", SIZES[0]))
    stages = dict(base.stages)
    said = found.inner("stages", PROCESSORS)
    for name in PROCESSORS:
        stages[name] = _stage(base.stages[name], said.inner(name, _STAGE_KEYS), name, teacher, path)
    errors = found.text("errors")
    return Recipe(
        stages,
        found.text("package"),
        found.text("shorthand"),
        found.number("seed", int) if "seed" in found else base.seed,
        found.texts("train"),
        found.texts("dev"),
        found.text("test"),
        found.mapping("about"),
        found.names("only", PROCESSORS),
        str(Path(path).parent / errors) if errors else "",
        teacher,
    )


def _teacher(keys: Keys, path: str) -> TeacherRecipe:
    if not keys.texts("texts"):
        raise FormatError(path, None, "teacher: expected texts: [FILE, …], what it labels; found none")
    encoder = keys.text("encoder", "minilm")
    beside = Path(path).parent / encoder
    numbers: dict[str, Any] = {
        **{name: keys.number(name, float, above=True) for name in ("epochs", "rate") if name in keys},
        **{name: keys.number(name, int) for name in ("frozen", "words") if name in keys},
    }
    return TeacherRecipe(keys.texts("texts"), str(beside) if beside.is_dir() else encoder, **numbers)


def _stage(base: StageRecipe, keys: Keys, name: str, teacher: TeacherRecipe | None, path: str) -> StageRecipe:
    """Return how to train a network: as a recipe says, and what it leaves out as ``base`` says."""
    found: dict[str, Any] = {}
    for key in keys:
        if key in ("schedule", "further"):
            found[key] = keys.schedule(key)
        elif key in _WHOLE:
            found[key] = keys.number(key, int)
        elif key == "average":
            found[key] = keys.share(key)
        elif key in _SHARES:
            found[key] = keys.number(key, float)
        elif key in ("extra", "vectors"):
            found[key] = keys.numbers(key, float if key == "extra" else int)
    found["options"] = {**base.options, **keys.like("options", base.options)}
    found["lexicon"] = keys.text("lexicon")
    found["words"] = str(Path(path).parent / keys.text("words")) if keys.text("words") else ""
    _check_taught(found, name, teacher, path)
    if teacher is not None:
        found.setdefault("taught", TAUGHT.get(name, 0.0))
    return replace(base, **found)


def _check_taught(found: Mapping[str, Any], name: str, teacher: TeacherRecipe | None, path: str) -> None:
    """Refuse ``taught`` where nothing teaches."""
    if "taught" in found and (name not in TAUGHT or (found["taught"] and teacher is None)):
        what = "there is no teacher" if teacher is None else f"a teacher teaches {' and '.join(TAUGHT)}"
        raise FormatError(path, None, f"stages: {name}: taught: {what}")
