"""Word vectors that a tagger or parser begins with: learnt from far more text than a treebank has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from jperrant.core.errors import FormatError, InputError
from jperrant.core.messages import plural
from jperrant.io.files import read_lines


def read_vectors(path: Path, most: int) -> dict[str, Any]:
    """Read word vectors in the text format of word2vec and GloVe: a word a line, then its numbers.

    Args:
        path: The file, the most frequent words first; a first line with two numbers, as word2vec writes it, is
            passed over. ``.xz``, ``.gz`` and ``.bz2`` are decompressed.
        most: How many words to take. Words are lowercased; of equal ones the first counts.

    Returns:
        The vectors by word, each of shape ``(size,)``.

    Raises:
        FormatError: A line has no vector, or one of another size than before, or something other than a number.
        InputError: The file cannot be read, or is empty.
    """
    vectors: dict[str, Any] = {}
    size = 0
    for number, line in enumerate(read_lines(str(path)), 1):
        word, *values = line.rstrip().split(" ")
        if number == 1 and len(values) == 1:
            continue
        if len(vectors) == most:
            break
        size = size or len(values)
        vectors.setdefault(word.lower(), _vector(values, size, str(path), number))
    if not vectors:
        raise InputError(f"{path}: no word vectors there; expected a word a line, then its numbers")
    return vectors


def _vector(values: list[str], size: int, path: str, line: int) -> Any:
    if not size:
        raise FormatError(path, line, "a word without a vector; expected its numbers behind it")
    if len(values) != size:
        found = plural(len(values), "number")
        raise FormatError(path, line, f"a word vector of {found}, expected {size} as in the lines before")
    try:
        return np.array(values, dtype=np.float32)
    except ValueError as error:
        wrong = str(error).rpartition(": ")[2]
        raise FormatError(path, line, f"a word vector holds {wrong}, expected numbers") from None


def joined(files: Mapping[str, int], folder: Path) -> dict[str, Any]:
    """Read several files of vectors, each with how many words to take; of equal words the first counts."""
    found: dict[str, Any] = {}
    for name, most in files.items():
        for word, vector in read_vectors(folder / name, most).items():
            found.setdefault(word, vector)
    return found


def resized(vectors: Mapping[str, Any], size: int) -> dict[str, Any]:
    """Return vectors of another size, with a standard deviation of 1 as torch's embeddings begin.

    Fewer numbers are the coordinates along the directions of most variance; where more are wanted, the rest are 0.
    """
    table = np.stack(list(vectors.values())).astype(np.float64)
    table -= table.mean(0)
    if table.shape[1] > size:
        directions = np.linalg.svd(table.T @ table)[2]
        table = table @ directions[:size].T
    table /= table.std() or 1.0
    padded = np.zeros((len(table), size), dtype=np.float32)
    padded[:, : table.shape[1]] = table
    return dict(zip(vectors, padded, strict=True))


def add_words(vocab: Any, words: Iterable[str]) -> None:
    """Let one of Stanza's vocabularies know further words."""
    for word in words:
        if word not in vocab:
            vocab._unit2id[word] = len(vocab._id2unit)
            vocab._id2unit.append(word)


def begin_with(embedding: Any, vocab: Any, vectors: Mapping[str, Any]) -> None:
    """Set the rows of words that have a vector; the others stay as they are."""
    if not vectors:
        return
    import torch

    with torch.no_grad():
        for word, vector in resized(vectors, embedding.weight.shape[1]).items():
            embedding.weight[vocab.unit2id(word)] = torch.from_numpy(vector)
