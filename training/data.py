"""What a training learns from: treebanks, word vectors, texts for a teacher."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jperrant.core.packages import ENCODERS, check_extra
from jperrant.encoders.find import find_encoder
from training.error_tables import ErrorTable, read_error_table
from training.lexicon import Lexicon, beyond, read_lexicon
from training.recipe import Recipe
from training.teacher.texts import read_texts
from training.treebank import Treebank, read_treebank
from training.vectors import joined


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
