#!/usr/bin/env python3
"""Rebuild stems.txt.gz and adjectives.txt.gz of langpacks/ko/data from Debian's package hunspell-ko (0.7.92-1).

    apt-get download hunspell-ko && dpkg -x hunspell-ko_0.7.92-1_all.deb hunspell-ko
    python tools/build_korean_stems.py hunspell-ko/usr/share/hunspell langpacks/ko/data

The list holds the entries of ko.dic in NFC: nouns, adverbs and so on as they are, verbs and adjectives with 다.
Left out are the dictionary's conjugated forms (하여, 한, 할: bases of its own affix rules, told by their flags) and
the misspellings it lists to forbid them. The second list holds the adjectives that are no verbs as well.
"""

import gzip
import re
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path

#: Numbers of the flags in 0.7.92: of conjugated forms, and of the inflection classes of adjectives.
FORMS = {"2", "3", "4", "5", "6", "7"}
ADJECTIVES = {"46", "47", "49", "51", "53", "57", "59", "62", "63"}


def forbidden_flags(affixes: str) -> set[str]:
    """Return the flags whose entries ko.aff forbids, in its own alias numbers."""
    flag = re.search(r"^FORBIDDENWORD (\d+)$", affixes, re.M)
    aliases = re.findall(r"^AF (\S+)$", affixes, re.M)[1:]
    return {str(n) for n, flags in enumerate(aliases, 1) if flag and flag[1] in flags.split(",")}


def entries(folder: Path) -> dict[str, set[str]]:
    """Return the entries of ko.dic with their flags, without forms and misspellings."""
    left_out = FORMS | forbidden_flags((folder / "ko.aff").read_text(encoding="utf-8"))
    found: dict[str, set[str]] = {}
    for line in (folder / "ko.dic").read_text(encoding="utf-8").split("\n")[1:]:
        word, _, flags = unicodedata.normalize("NFC", line.strip()).partition("/")
        if word and flags not in left_out:
            found.setdefault(word, set()).add(flags)
    return found


def write(words: Iterable[str], path: Path) -> None:
    """Write a sorted list, gzipped without a time stamp so that the same input gives the same bytes."""
    lines = sorted(words)
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode("utf-8"), 9, mtime=0))
    print(f"{path.name}: {len(lines)} entries, {path.stat().st_size} bytes")


def main() -> None:
    """Write both lists."""
    folder, target = map(Path, sys.argv[1:])
    stems = entries(folder)
    write(stems, target / "stems.txt.gz")
    write(
        (w for w, flags in stems.items() if w.endswith("다") and flags <= ADJECTIVES),
        target / "adjectives.txt.gz",
    )


if __name__ == "__main__":
    main()
