#!/usr/bin/env python3
"""Rebuild langpacks/en/data/words.txt.gz from Debian's package scowl (2020.12.07-2).

    apt-get download scowl && dpkg -x scowl_2020.12.07-2_all.deb scowl
    python tools/build_english_lexicon.py scowl/usr/share/dict/scowl langpacks/en/data/words.txt.gz

The list is that of ERRANT (SCOWL's wordlist-en_GB-large): British English of size 70 and below, every entry
also without accents. Two words of ERRANT's list are in no SCOWL file of that release and are added here.
"""

import gzip
import re
import sys
import unicodedata
from pathlib import Path

LISTS = re.compile(r"(english|british|british_z|british_variant_1|special)-[\w-]+\.(\d+)\Z")
LARGEST = 70
ADDED = {"mys", "sangs"}


def without_accents(word: str) -> str:
    """Return a word without its combining marks."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def words_of(folder: Path) -> set[str]:
    """Return the union of the lists, with the accent-stripped copy of every entry."""
    words = set(ADDED)
    for path in folder.iterdir():
        name = LISTS.match(path.name)
        if name and int(name[2]) <= LARGEST:
            words |= {w.strip() for w in path.read_bytes().decode("utf-8").split("\n") if w.strip()}
    return words | {without_accents(w) for w in words}


def main() -> None:
    """Write the sorted list, gzipped without a time stamp so that the same input gives the same bytes."""
    folder, target = map(Path, sys.argv[1:])
    words = sorted(words_of(folder))
    target.write_bytes(gzip.compress(("\n".join(words) + "\n").encode("utf-8"), 9, mtime=0))
    print(f"{len(words)} words, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
