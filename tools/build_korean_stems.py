#!/usr/bin/env python3
"""Rebuild langpacks/ko/data/stems.txt.gz from Debian's package hunspell-ko (0.7.92-1).

    apt-get download hunspell-ko && dpkg -x hunspell-ko_0.7.92-1_all.deb hunspell-ko
    python tools/build_korean_stems.py hunspell-ko/usr/share/hunspell langpacks/ko/data/stems.txt.gz

The list holds the entries of ko.dic in NFC: nouns, adverbs and so on as they are, verbs and adjectives with 다.
Left out are the dictionary's conjugated forms (하여, 한, 할: bases of its own affix rules, told by their flags) and
the misspellings it lists to forbid them.
"""

import gzip
import re
import sys
import unicodedata
from pathlib import Path

#: What the stem of a conjugated form becomes, by the numeric flag of the entry in 0.7.92.
FORM_FLAGS = {"2", "3", "4", "5", "6", "7"}


def forbidden_flags(affixes: str) -> set[str]:
    """Return the flags whose entries ko.aff forbids, in its own alias numbers."""
    flag = re.search(r"^FORBIDDENWORD (\d+)$", affixes, re.M)
    aliases = re.findall(r"^AF (\S+)$", affixes, re.M)[1:]
    return {str(n) for n, flags in enumerate(aliases, 1) if flag and flag[1] in flags.split(",")}


def stems_of(folder: Path) -> set[str]:
    """Return the stems of a folder with ko.dic and ko.aff."""
    left_out = FORM_FLAGS | forbidden_flags((folder / "ko.aff").read_text(encoding="utf-8"))
    stems = set()
    for line in (folder / "ko.dic").read_text(encoding="utf-8").split("\n")[1:]:
        word, _, flags = unicodedata.normalize("NFC", line.strip()).partition("/")
        if word and flags not in left_out:
            stems.add(word)
    return stems


def main() -> None:
    """Write the sorted list, gzipped without a time stamp so that the same input gives the same bytes."""
    folder, target = map(Path, sys.argv[1:])
    stems = sorted(stems_of(folder))
    target.write_bytes(gzip.compress(("\n".join(stems) + "\n").encode("utf-8"), 9, mtime=0))
    print(f"{len(stems)} stems, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
