"""Recipes: which networks to train on what, how large, how long; from YAML, or a size's defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jperrant.core.errors import FormatError, InputError, UsageError, nearest

PROCESSORS = ("tokenize", "mwt", "pos", "lemma", "depparse")
SIZES = ("compact", "small")
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
            for the lemmatizer, whether its dictionary has the regular forms of irregular words (*goed*).
        average: How much of the average weights an update keeps, such as 0.998; see ``loop.Average``.
        noise: Parser: how much noise is added to the tagger over its training data; see ``Tagger.predict``.
        copies: Parser: how often the treebank is tagged.
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
    errors: float = 0.0
    average: float = 0.0


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


def default_recipe(size: str = "compact") -> Recipe:
    """Return the recipe of a size.

    Raises:
        UsageError: There is no such size.
    """
    if size not in SIZES:
        raise UsageError(f"unknown size {size!r}{nearest(size, SIZES)}; sizes: {', '.join(SIZES)}")
    stages = {}
    for name, keys in _COMPACT.items():
        options = keys["options"] | (_SMALL_OPTIONS[name] if size == "small" else {})
        stages[name] = _stage(keys | {"options": options}, name, "")
    return Recipe(stages)


def read_recipe(path: str) -> Recipe:
    """Read a recipe; what it leaves out is as in the size it names (``size``, by default compact).

    Raises:
        FormatError: The file is not such YAML, or has an unknown key.
        InputError: The file cannot be read.
    """
    import yaml

    try:
        keys = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except yaml.YAMLError as error:
        raise FormatError(path, None, f"not YAML ({' '.join(str(error).split())[:200]})") from None
    if not isinstance(keys, dict):
        raise FormatError(path, None, "a recipe is a mapping")
    known = (
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
    )
    _check(keys, known, path)
    base = default_recipe(keys.get("size", SIZES[0]))
    _check(keys.get("stages", {}), PROCESSORS, path)
    stages = dict(base.stages)
    for name, stage in keys.get("stages", {}).items():
        old = _COMPACT[name]
        options = {**base.stages[name].options, **stage.get("options", {})}
        stages[name] = _stage({**old, **stage, "options": options}, name, path)
    return Recipe(
        stages,
        str(keys.get("package", "")),
        str(keys.get("shorthand", "")),
        int(keys.get("seed", 1234)),
        tuple(keys.get("train", ())),
        (keys["dev"],) if isinstance(keys.get("dev"), str) else tuple(keys.get("dev", ())),
        str(keys.get("test", "")),
        keys.get("about", {}),
        tuple(keys.get("only", ())),
        str(Path(path).parent / keys["errors"]) if keys.get("errors") else "",
    )


def _stage(keys: Mapping[str, Any], name: str, path: str) -> StageRecipe:
    _check(keys, tuple(StageRecipe.__dataclass_fields__), path or name)
    rest: dict[str, Any] = dict(keys)
    if rest.get("words"):
        rest["words"] = str(Path(path).parent / rest["words"])
    for key in ("schedule", "further"):
        rest[key] = tuple((int(steps), float(rate)) for steps, rate in keys.get(key, ()))
    return StageRecipe(**rest)


def _check(keys: Mapping[str, Any], known: Sequence[str], path: str) -> None:
    for key in keys:
        if key not in known:
            hint = f"{nearest(str(key), known)}; keys: {', '.join(known)}"
            raise FormatError(path, None, f"unknown key {key!r}{hint}")
