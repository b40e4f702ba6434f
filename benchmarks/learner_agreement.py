#!/usr/bin/env python3
"""How far do a pack's edits agree with what people said of learners' errors?

python benchmarks/learner_agreement.py [sv it tr et …] [--source FILE --target FILE | --m2 FILE] [--show LABEL]

Two kinds of gold:

- sentences and their corrections with gold analyses, and a label on each wrong word (sv: SweLL's labels in MISC;
  it: Valico's inline labels in ``# err``). A labelled word is covered if an edit touches it, and agreed if the
  group of that edit's label is one that the human label stands for.
- M2 with types of people (tr, et) or of another tool, whose spans and corrections are taken as they are: what
  counts is how many edits are found with the same span and correction, and of those how many types agree.

Which of our labels a human label stands for is what the pack says under ``counterparts``. Labels that are about the
operation alone (a missing word, a redundant one) stand for it. Without --source or --m2 the samples of
benchmarks/data/languages are used, see its README.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from xml.etree import ElementTree

import jperrant
from jperrant.annotation.annotator import Annotator
from jperrant.core.apply import apply_edits
from jperrant.core.values import Edit, Parallel, Sentence
from jperrant.io.conllu import read_conllu
from jperrant.io.m2 import read_m2
from jperrant.packs import Pack
from jperrant.packs.labels import group_of

DATA = Path(__file__).resolve().parent / "data" / "languages"


@dataclass(frozen=True)
class Gold:
    """Where people's labels come from.

    Attributes:
        scheme: The name of their scheme under ``counterparts``.
        source, target: CoNLL-U of the sentences and of their corrections; or
        m2: M2 with their types.
        operations: Human labels that are about the operation alone, as a regular expression by operation.
    """

    scheme: str
    source: str = ""
    target: str = ""
    m2: str = ""
    operations: Mapping[str, str] | None = None


#: Where a word is missing or redundant, people may say no more than that.
_SWELL = {"U": "S-R|P-R", "M": "S-M.*|P-M"}
_VALICO = {"U": "U[A-Z]|SPU", "M": "M[A-Z]|SPM"}
_ICEEC = {"U": "extra-words?|repeat-word", "M": "missing-words?"}
GOLD = {
    "sv": Gold("swell", "sv/swell.orig.conllu", "sv/swell.trg.conllu", operations=_SWELL),
    "it": Gold("valico", "it/valico.orig.conllu", "it/valico.target.conllu", operations=_VALICO),
    "tr": Gold("errant_tr", m2="tr/erranttr.eval_data.m2"),
    "et": Gold("estgec", m2="et/tartu_l1.test.m2"),
    "is": Gold("iceec", m2="is/iceec.m2", operations=_ICEEC),
}


@dataclass
class Labelled:
    """A word with a human label.

    Attributes:
        sentence: The sentence's number.
        start, end: The words of the source that are labelled; none for something missing.
        label: The label.
        wrong, right: What is wrong and what it should be, in words.
    """

    sentence: int
    start: int
    end: int
    label: str
    wrong: str = ""
    right: str = ""


# Human labels in CoNLL-U


def labelled(path: str) -> list[Labelled]:
    """Return the labelled words of a CoNLL-U file, of MISC and of ``# err``."""
    words: list[Labelled] = []
    blocks = Path(path).read_text("utf-8").strip().split("\n\n")
    for number, (block, sentence) in enumerate(zip(blocks, read_conllu(path), strict=True)):
        rows = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        inline = [line[len("# err = ") :] for line in block.splitlines() if line.startswith("# err = ")]
        words += inline_labels(number, inline[0], sentence) if inline else misc_labels(number, rows, sentence)
    return words


def misc_labels(number: int, rows: list[list[str]], sentence: Sentence) -> Iterator[Labelled]:
    """Yield the labels in MISC: ``CorrectionLabels=M-Gend;O``; of several words one of them may carry ``O:2``."""
    plain = [row for row in rows if row[0].isdecimal()]
    places = [place for place, token in enumerate(sentence.tokens) for _ in token.words or (token.form,)]
    for place, row in zip(places, plain, strict=True):
        for value in re.findall(r"CorrectionLabels=([^|]*)", row[9]):
            for label in value.split(";"):
                yield Labelled(number, place, place + 1, label.partition(":")[0], row[1])


def inline_labels(number: int, text: str, sentence: Sentence) -> Iterator[Labelled]:
    """Yield the labels of ``<IVN><i>avevano</i><c>aveva</c></IVN>``.

    Where a label holds another, the inner one holds the learner's words, and ``<i>`` of the outer one what the
    inner one makes of them.
    """
    ends = list(accumulate(len(form) for form in sentence.forms))
    found: list[tuple[str, int, int]] = []

    def walk(element: ElementTree.Element, position: int) -> int:
        """Note the labels inside an element and return where it ends in the learner's text without spaces."""
        position += letters(element.text)
        inner = [child for child in element if child.tag not in ("i", "c")]
        for child in inner if inner else element:
            start = position
            if child.tag == "i":
                position = walk(child, position)
            elif child.tag != "c":
                position = walk(child, position)
                found.append((child.tag, start, position))
            if element.tag in ("x", "i"):
                position += letters(child.tail)
        return position

    walk(ElementTree.fromstring(f"<x>{text.replace('&', '&amp;')}</x>"), 0)
    for name, start, end in found:
        first = sum(e <= start for e in ends)
        stop = sum(e < end for e in ends) + 1 if end > start else first
        yield Labelled(number, first, max(stop, first), name.removesuffix("cascade"))


def letters(text: str | None) -> int:
    """Return how many letters a text has, without spaces and the sign for nothing."""
    return len(re.sub(r"[\s_]", "", text or ""))


# Agreement


def meanings(pack: Pack, scheme: str) -> dict[str, set[str]]:
    """Return for each label of a scheme the pack's labels that it stands for."""
    found: dict[str, set[str]] = {}
    for label, names in pack.counterparts.items():
        value = names.get(scheme) or []
        for name in [value] if isinstance(value, str) else value:
            found.setdefault(name, set()).add(label)
    return found


def label_of(type_: str) -> str:
    return type_[2:] if type_[1:2] == ":" else type_


def compare_words(lang: str, gold: Gold, source: str, target: str, show: str) -> None:
    annotator = jperrant.load(lang, models="none")
    records = [Parallel(a, (b,)) for a, b in zip(read_conllu(source), read_conllu(target), strict=True)]
    blocks = list(annotator.annotate_many(records))
    means = meanings(annotator.pack, gold.scheme)
    rows: dict[str, Counter[str]] = {}
    other: dict[str, Counter[str]] = {}
    for word in labelled(source):
        edits = [e for e in blocks[word.sentence].annotations[0].edits if touches(e, word)]
        row = rows.setdefault(word.label, Counter())
        agreed = any(stands_for(e, word.label, means, annotator.pack, gold) for e in edits)
        row["words"] += 1
        row["covered"] += bool(edits)
        row["agreed"] += agreed
        if not agreed:
            other.setdefault(word.label, Counter())[" ".join(e.type for e in edits) or "nothing"] += 1
            if word.label == show:
                text = blocks[word.sentence].source
                print("  ", word.wrong, "|", "; ".join(shown(e, text) for e in edits), "|", " ".join(text))
    print_words(lang, len(blocks), rows, other)


def shown(edit: Edit, source: tuple[str, ...]) -> str:
    return f"{' '.join(source[edit.start : edit.end])} → {' '.join(edit.correction or ())} {edit.type}"


def touches(edit: Edit, word: Labelled) -> bool:
    """Whether an edit changes a labelled word, or stands beside it and nothing is labelled but a gap."""
    if word.start == word.end or edit.start == edit.end:
        return edit.start <= word.end and word.start <= edit.end
    return edit.start < word.end and word.start < edit.end


def stands_for(edit: Edit, human: str, means: Mapping[str, set[str]], pack: Pack, gold: Gold) -> bool:
    if is_operation(edit, human, gold):
        return True
    groups = {group_of(label, pack.groups) for label in means.get(human, ())}
    return group_of(label_of(edit.type), pack.groups) in groups


def is_operation(edit: Edit, human: str, gold: Gold) -> bool:
    """Whether a human label is about the operation alone, and the edit is of that operation."""
    patterns = (gold.operations or {}).items()
    return any(
        re.fullmatch(pattern, human) and edit.type.startswith(operation) for operation, pattern in patterns
    )


def print_words(
    lang: str, sentences: int, rows: Mapping[str, Counter[str]], other: Mapping[str, Counter[str]]
) -> None:
    total = Counter[str]()
    for row in rows.values():
        total += row
    print(f"{lang}: {sentences} sentences, {total['words']} labelled words")
    print(f"  {'label':<10}{'words':>6}{'covered':>9}{'agreed':>8}  otherwise")
    for label, row in sorted(rows.items(), key=lambda item: -item[1]["words"]):
        rest = ", ".join(f"{types} {n}" for types, n in other.get(label, Counter()).most_common(5))
        print(f"  {label:<10}{row['words']:>6}{row['covered']:>9}{row['agreed']:>8}  {rest}")
    share = [total[key] / max(total["words"], 1) for key in ("covered", "agreed")]
    print(
        f"  {'all':<10}{total['words']:>6}{total['covered']:>9}{total['agreed']:>8}  {share[0]:.1%}, {share[1]:.1%}"
    )


def compare_m2(lang: str, gold: Gold, m2: str, show: str) -> None:
    annotator = jperrant.load(lang, models="none")
    means = meanings(annotator.pack, gold.scheme)
    found: Counter[str] = Counter()
    rows: dict[str, Counter[str]] = {}
    for block, ours in annotated(annotator, m2):
        for theirs, own in zip(block.annotations, ours.annotations, strict=True):
            by_place = {(e.start, e.end, e.correction): e for e in own.edits}
            for edit in theirs.edits:
                found["edits"] += 1
                match = by_place.get((edit.start, edit.end, edit.correction))
                if match is None:
                    continue
                found["same span and correction"] += 1
                human = label_of(edit.type)
                right = any(
                    label_of(match.type) in means.get(name, ()) or is_operation(match, name, gold)
                    for name in human.split("+")  # several labels of one edit
                )
                found["same type"] += right
                rows.setdefault(human, Counter())["agreed" if right else match.type] += 1
                if human == show and not right:
                    print(
                        "  ",
                        " ".join(block.source[edit.start : edit.end]),
                        "→",
                        " ".join(edit.correction or ()),
                        match.type,
                    )
    print(
        f"{lang}: {dict(found)}; types {found['same type'] / max(found['same span and correction'], 1):.1%}"
    )
    for human, row in sorted(rows.items(), key=lambda item: -item[1].total()):
        rest = ", ".join(f"{types} {n}" for types, n in row.most_common() if types != "agreed")
        print(f"  {human:<12}{row.total():>5}{row['agreed']:>6}  {rest}")


def overlapping(block: jperrant.Block) -> bool:
    """Whether an annotator's edits overlap, as those around a moved word do in Estonian; they cannot be applied."""
    return any(edit.start < before.end for a in block.annotations for before, edit in pairwise(a.edits))


def annotated(annotator: Annotator, m2: str) -> Iterator[tuple[jperrant.Block, jperrant.Block]]:
    """Yield the blocks of M2, and the same annotated anew."""
    blocks = [block for block in read_m2(m2) if not overlapping(block)]
    records = (
        Parallel(
            Sentence.from_forms(block.source),
            tuple(Sentence.from_forms(apply_edits(block.source, a.edits)) for a in block.annotations),
        )
        for block in blocks
    )
    yield from zip(blocks, annotator.annotate_many(records), strict=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("languages", nargs="*", metavar="LANG", help=f"{', '.join(GOLD)}; all by default")
    parser.add_argument("--source", help="CoNLL-U with labels, instead of the sample")
    parser.add_argument("--target", help="CoNLL-U of the corrections")
    parser.add_argument("--m2", help="M2 with types of people, instead of the sample")
    parser.add_argument(
        "--show", default="", metavar="LABEL", help="show the edits that do not agree with a label"
    )
    options = parser.parse_args()
    for lang in options.languages or GOLD:
        gold = GOLD[lang]
        if gold.source:
            source, target = (
                options.source or str(DATA / gold.source),
                options.target or str(DATA / gold.target),
            )
            compare_words(lang, gold, source, target, options.show)
        else:
            compare_m2(lang, gold, options.m2 or str(DATA / gold.m2), options.show)


if __name__ == "__main__":
    main()
