#!/usr/bin/env python3
"""Rebuild stems.txt.gz and adjectives.txt.gz of langpacks/ko/data from the word data of hunspell-dict-ko 0.7.92.

    apt-get source --download-only hunspell-ko        # Debian's source package; needs a deb-src line
    tar xf hunspell-dict-ko_0.7.92.orig.tar.gz        # the same bytes as upstream's tag 0.7.92
    python tools/build_korean_stems.py hunspell-dict-ko-0.7.92 langpacks/ko/data

Only files under CC BY-SA 4.0 are read: ``data/entries/*.yaml`` without ``*-legacy.yaml``, and
``dict-ko-builtins.yaml``; neither the generated dictionary (GPL 3) nor the legacy files (MPL, GPL 2 or LGPL).

The list holds the entries in NFC: nouns, adverbs and so on as they are, verbs and adjectives with 다. Left out is
what the data itself excludes from spell checking, and the misspellings it lists to forbid them. The second list
holds the adjectives that have no other part of speech.
"""

import gzip
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml

#: The part of speech of listed misspellings.
FORBIDDEN = "특수:금지어"
ADJECTIVES = {"형용사", "보조 형용사"}
#: The key of an entry's result, and the key that takes it out of the dictionary.
RESULT, EXCLUDED = "맞춤법 검사", "제외"
WORD, CLASS = "표제어", "품사"


def entries(source: Path) -> Iterator[tuple[str, str]]:
    """Yield every word of the sources under CC BY-SA 4.0 with its part of speech."""
    for file in sorted((source / "data" / "entries").glob("*.yaml")):
        if file.stem.endswith("-legacy"):
            continue
        for document in yaml.load_all(file.read_text(encoding="utf-8"), yaml.CSafeLoader):
            found = ((document or {}).get("result") or {}).get(RESULT) or {}
            if found and EXCLUDED not in found and found[CLASS] != FORBIDDEN:
                yield unicodedata.normalize("NFC", found[WORD]), found[CLASS]
    built_in = yaml.safe_load((source / "dict-ko-builtins.yaml").read_text(encoding="utf-8"))
    for entry in built_in["entries"]:
        yield unicodedata.normalize("NFC", str(entry["word"])), entry["pos"]


def write(words: Iterable[str], path: Path) -> None:
    """Write a sorted list, gzipped without a time stamp so that the same input gives the same bytes."""
    lines = sorted(words)
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode("utf-8"), 9, mtime=0))
    print(f"{path.name}: {len(lines)} entries, {path.stat().st_size} bytes")


def main() -> None:
    """Write both lists."""
    source, target = map(Path, sys.argv[1:])
    stems: dict[str, set[str]] = {}
    for word, part_of_speech in entries(source):
        stems.setdefault(word, set()).add(part_of_speech)
    write(stems, target / "stems.txt.gz")
    adjectives = (word for word, classes in stems.items() if word.endswith("다") and classes <= ADJECTIVES)
    write(adjectives, target / "adjectives.txt.gz")


if __name__ == "__main__":
    main()
