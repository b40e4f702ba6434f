"""Plain text for a teacher: read from files, and cut into sentences and words by networks of the same training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from jperrant.compact.pipeline import Networks
from jperrant.compact.tokenizer import Segment
from jperrant.core.errors import InputError, UsageError
from jperrant.io.files import read_lines
from jperrant.parse.models import ModelFolder
from training.teacher.labels import FORM
from training.treebank import TreebankSentence

#: Words of the sentences that are worth labelling: shorter ones tell little, longer ones are seldom sentences.
LEAST, MOST = 3, 60
_UNSAID = ("_",) * 7
_ALL = frozenset(("lemma", "upos", "xpos", "feats", "head"))


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


class Segmenter:
    """Segments texts into sentences of words without labels.

    Args:
        models: A tokenizer, and an expander where tokens may stand for several words.

    Raises:
        UsageError: There is no tokenizer.
        CorruptModelError: It is of a kind that is not trained here.
    """

    def __init__(self, models: ModelFolder) -> None:
        if "tokenize" not in models.files:
            raise UsageError(
                f"the texts for the teacher need a tokenizer, but {models.folder} contains none; also train "
                "tokenize, or give models made by such a training with --start"
            )
        networks = Networks(models.files)
        self._tokenizer, self._expander = networks.tokenizer, networks.expander

    def sentences(self, texts: Sequence[str]) -> Iterator[TreebankSentence]:
        """Yield the sentences of texts that are worth labelling."""
        cut = [sentence for text in self._tokenizer.segments(texts) for sentence in text]
        several = {token.form for sentence in cut for token in sentence if token.several}
        words = self._expander.words(sorted(several)) if self._expander and several else {}
        for sentence in cut:
            rows = tuple(_rows(sentence, words))
            found = TreebankSentence(rows, lacks=_ALL)
            if LEAST <= len(found.words) <= MOST and all(map(_writable, rows)):
                yield found


def _rows(tokens: Sequence[Segment], words: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of tokens and words as CoNLL-U has them."""
    number = 0
    for place, token in enumerate(tokens):
        glued = place + 1 < len(tokens) and tokens[place + 1].start == token.end
        misc = "SpaceAfter=No" if glued else "_"
        parts = words.get(token.form, (token.form,)) if token.several else (token.form,)
        if len(parts) > 1:
            yield f"{number + 1}-{number + len(parts)}", token.form, *_UNSAID, misc
        for part in parts:
            number += 1
            yield str(number), part, *_UNSAID, misc if len(parts) == 1 else "_"


def _writable(row: Sequence[str]) -> bool:
    """Whether a form can stand in CoNLL-U: it is more than spaces and holds none that separate columns or lines."""
    form = row[FORM]
    return bool(form.strip()) and not any(mark in form for mark in "\t\r\n")
