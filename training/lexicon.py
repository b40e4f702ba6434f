"""Words with their lemmas from elsewhere: a lemmatizer's dictionary gets those that it would get wrong."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

from jperrant.compact.lemmatizer import Lemmatizer
from jperrant.core.errors import FormatError, InputError
from jperrant.io.files import read_lines
from training.export import whole_file
from training.treebank import Treebank

Lexicon = Mapping[tuple[str, str], str]
"""Lemmas by form and UPOS."""

_FORM, _UPOS = 1, 3


def read_lexicon(path: Path) -> dict[tuple[str, str], str]:
    """Read words with their lemmas: form, UPOS and lemma a line, with tabs between.

    Args:
        path: The file; of equal forms with equal tags the first counts. ``.xz``, ``.gz`` and ``.bz2`` are
            decompressed.

    Raises:
        FormatError: A line has other columns, or one that is empty.
        InputError: The file cannot be read, or is empty.
    """
    lexicon: dict[tuple[str, str], str] = {}
    for number, line in enumerate(read_lines(str(path)), 1):
        columns = line.rstrip("\r\n").split("\t")
        if len(columns) != 3 or not all(columns):
            expected = "expected form, UPOS and lemma with tabs between"
            raise FormatError(str(path), number, f"found {line.strip()[:80]!r}, {expected}")
        form, upos, lemma = columns
        lexicon.setdefault((form, upos), lemma)
    if not lexicon:
        raise InputError(f"{path}: found no words, expected form, UPOS and lemma with tabs between")
    return lexicon


def beyond(lexicon: Lexicon, treebank: Treebank) -> dict[tuple[str, str], str]:
    """Return the words of a lexicon that a treebank does not have with their UPOS."""
    known = {(row[_FORM], row[_UPOS]) for sentence in treebank.sentences for row in sentence.words}
    return {key: lemma for key, lemma in lexicon.items() if key not in known}


def extend_dictionary(path: Path, lexicon: Lexicon) -> None:
    """Add the words that a lemmatizer gets wrong to the dictionary in its file.

    Args:
        path: A lemmatizer whose lemmas depend on form and UPOS alone, at the precision at which it will be used.
        lexicon: The words, without those of its treebank.
    """
    import torch

    state = torch.load(path, map_location="cpu", weights_only=True)
    found = Lemmatizer(state).lemmas(list(lexicon))
    dictionary: dict[str, dict[str, str]] = json.loads(gzip.decompress(state["dicts"]))
    for (form, upos), lemma in lexicon.items():
        if found[form, upos] != lemma:
            dictionary.setdefault(upos, {})[form] = lemma
    packed = json.dumps(dictionary, ensure_ascii=False, separators=(",", ":")).encode()
    with whole_file(path) as beside:
        torch.save({**state, "dicts": gzip.compress(packed, mtime=0)}, beside)
