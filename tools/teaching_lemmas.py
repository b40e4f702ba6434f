#!/usr/bin/env python3
"""Gather the inflected English words that the embedded lemmatizer learns (langpacks/en/models/recipe.yaml).

python tools/teaching_lemmas.py LEMMINFLECT VECTORS [-o lemmas.tsv.xz]

LEMMINFLECT is the unpacked wheel of lemminflect 0.2.3 (PyPI, MIT), whose ``lemma_lu.csv.gz`` comes from the
SPECIALIST lexicon of the U.S. National Library of Medicine. VECTORS is a file of GloVe's vectors, most frequent
words first. The output has form, UPOS and lemma a line. Where a form has several lemmas, the most frequent counts;
a noun that begins with a capital is a name.
"""

from __future__ import annotations

import argparse
import gzip
import lzma
from collections.abc import Iterator
from pathlib import Path

TAGS = {"adj": "ADJ", "adv": "ADV", "noun": "NOUN", "verb": "VERB"}


def ranks(vectors: Path) -> dict[str, int]:
    """Return the place of each word in a file of vectors."""
    opened = lzma.open if vectors.suffix == ".xz" else open
    with opened(vectors, "rt", encoding="utf-8") as lines:
        return {line.partition(" ")[0]: place for place, line in enumerate(lines)}


def words(table: Path, rank: dict[str, int]) -> Iterator[tuple[str, str, str]]:
    """Yield form, UPOS and lemma of each word of letters."""
    with gzip.open(table, "rt", encoding="utf-8") as lines:
        for line in lines:
            form, tag, lemmas = line.rstrip("\n").split(",")
            if tag in TAGS and form.isalpha():
                lemma = min(lemmas.split("/"), key=lambda word: rank.get(word.lower(), len(rank)))
                yield form, "PROPN" if tag == "noun" and form.istitle() else TAGS[tag], lemma


def main() -> None:
    """Write the words, the most frequent first."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lemminflect", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path("lemmas.tsv.xz"))
    arguments = parser.parse_args()
    rank = ranks(arguments.vectors)
    table = next(arguments.lemminflect.rglob("lemma_lu.csv.gz"))
    found = sorted(set(words(table, rank)), key=lambda word: (rank.get(word[0].lower(), len(rank)), word))
    with lzma.open(arguments.output, "wt", encoding="utf-8") as output:
        output.writelines("\t".join(word) + "\n" for word in found)


if __name__ == "__main__":
    main()
