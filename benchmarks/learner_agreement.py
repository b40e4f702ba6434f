#!/usr/bin/env python3
"""How far do a pack's edits agree with what people said of learners' errors?

python benchmarks/learner_agreement.py [sv it tr et …] [--source FILE --target FILE | --m2 FILE] [--show LABEL]

Two kinds of gold:

- sentences and their corrections with gold analyses, and a label on each wrong word (sv: SweLL's labels in MISC;
  it: Valico's inline labels in ``# err``). A labelled word is covered if an edit touches it, and agreed if the
  group of that edit's label is one that the human label stands for. A word with several labels, which one edit
  cannot all have, counts once for each of them, and once in the last line. Valico's labels whose correction the
  corrected sentence does not have are left out.
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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from pathlib import Path
from xml.etree import ElementTree

import jperrant
from jperrant.annotation.annotator import Annotator
from jperrant.core.edits import apply_edits
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
        classes: Whether the scheme's labels are an error, a word class and perhaps what is wrong (``RNL``), so that
            a label that ``counterparts`` does not list stands for what its first two letters stand for.
    """

    scheme: str
    source: str = ""
    target: str = ""
    m2: str = ""
    operations: Mapping[str, str] | None = None
    classes: bool = False


#: Where a word is missing or redundant, or a phrase replaced, people may say no more than that.
#: SweLL's C is a correction that follows from another, S-Ext a rewriting, S-Comp a phrase for a compound.
_SWELL = {"U": "S-R|P-R|S-Ext|S-Comp|C", "M": "S-M.*|P-M|S-Ext|S-Comp|C", "R": "S-Ext|C"}
#: What is no correction: comments, text that nobody could read, and words of other languages that are quoted.
_NO_ERROR = frozenset({"X", "Com!", "OBS!", "Cit-FL"})
_VALICO = {"U": "U[A-Z]|SPU", "M": "M[A-Z]|SPM", "R": "R[SW].*|R[A-Z][SC]"}
_ICEEC = {"U": "extra-words?|repeat-word", "M": "missing-words?"}
GOLD = {
    "sv": Gold("swell", "sv/swell.orig.conllu", "sv/swell.trg.conllu", operations=_SWELL),
    "it": Gold(
        "valico", "it/valico.orig.conllu", "it/valico.target.conllu", operations=_VALICO, classes=True
    ),
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

#: The corrections of Valico have other quotation marks than the text with the labels.
_QUOTES = str.maketrans("«»", '""')


def labelled(source: str, target: str) -> list[Labelled]:
    """Return the labelled words of a CoNLL-U file, of MISC and of ``# err``, with the file of the corrections."""
    words: list[Labelled] = []
    blocks = Path(source).read_text("utf-8").strip().split("\n\n")
    for number, (block, sentence, right) in enumerate(
        zip(blocks, read_conllu(source), read_conllu(target), strict=True)
    ):
        rows = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        inline = [line[len("# err = ") :] for line in block.splitlines() if line.startswith("# err = ")]
        words += (
            inline_labels(number, inline[0], sentence, right)
            if inline
            else misc_labels(number, rows, sentence)
        )
    return words


def misc_labels(number: int, rows: list[list[str]], sentence: Sentence) -> Iterator[Labelled]:
    """Yield the labels in MISC: ``CorrectionLabels=M-Gend;O``; of several words one of them may carry ``O:2``."""
    plain = [row for row in rows if row[0].isdecimal()]
    places = [place for place, token in enumerate(sentence.tokens) for _ in token.words or (token.form,)]
    for place, row in zip(places, plain, strict=True):
        for value in re.findall(r"CorrectionLabels=([^|]*)", row[9]):
            for label in value.split(";"):
                if label.partition(":")[0] not in _NO_ERROR:
                    yield Labelled(number, place, place + 1, label.partition(":")[0], row[1])


def inline_labels(number: int, text: str, sentence: Sentence, target: Sentence) -> Iterator[Labelled]:
    """Yield the labels of ``<IVN><i>avevano</i><c>aveva</c></IVN>`` whose correction the corrected sentence has.

    Where a label holds another, the inner one holds the learner's words, and ``<i>`` of the outer one what the
    inner one makes of them. Some sentences leave out words of the learner (``<i>_</i><c>La strappava</c>``),
    so that places are those of the text without labels once it is aligned with the words.
    """
    root = ElementTree.fromstring(f"<x>{text.replace('&', '&amp;')}</x>")
    written, corrected = letters(root.text), letters(root.text)
    labels: list[tuple[str, int, int, int, int]] = []
    for element in root:
        part, inner = inside(element)
        right = letters(element.findall("c")[-1].text)
        span = (len(corrected), len(corrected) + len(right))
        labels += [(name, len(written) + since, len(written) + until, *span) for name, since, until in inner]
        written += part + letters(element.tail)
        corrected += right + letters(element.tail)
    ends = list(accumulate(len(form) for form in sentence.forms))
    place_of = aligned(written, letters("".join(sentence.forms)))
    same = unchanged(corrected, letters("".join(target.forms)))
    for name, since, until, low, high in labels:
        start, end = place_of[since], place_of[until]
        first = sum(each <= start for each in ends)
        stop = sum(each < end for each in ends) + 1 if end > start else first
        if same(low, high):
            yield Labelled(number, first, max(stop, first), name.removesuffix("cascade"))


def inside(element: ElementTree.Element) -> tuple[str, list[tuple[str, int, int]]]:
    """Return the learner's text in a label, and the labels there with their places in it, inner ones first."""
    text, labels = "", list[tuple[str, int, int]]()
    inner = [child for child in element if child.tag not in ("i", "c")]
    for child in inner or element.findall("i"):
        part, found = inside(child) if child.tag != "i" else (letters(child.text), [])
        labels += [(name, since + len(text), until + len(text)) for name, since, until in found]
        text += part
    return text, [*labels, (element.tag, 0, len(text))]


def unchanged(corrected: str, text: str) -> Callable[[int, int], bool]:
    """Return whether a part of a text, or what is around it where it is empty, is in another version of it."""
    blocks = SequenceMatcher(None, corrected, text, autojunk=False).get_matching_blocks()

    def holds(low: int, high: int) -> bool:
        if low == high:
            low, high = max(low - 1, 0), min(high + 1, len(corrected))
        return any(block.a <= low and high <= block.a + block.size for block in blocks)

    return holds


def letters(text: str | None) -> str:
    """Return a text without spaces and the sign for nothing."""
    return re.sub(r"[\s_]", "", text or "").translate(_QUOTES)


def aligned(written: str, text: str) -> list[int]:
    """Return for each place in a text, its end included, where it is in another version of the text."""
    places = list(range(len(written) + 1))
    for _, low, high, since, until in SequenceMatcher(None, written, text, autojunk=False).get_opcodes():
        for place in range(low, high):
            places[place] = min(since + place - low, until)
    places[-1] = len(text)
    return places


# Agreement


def meanings(pack: Pack, scheme: str) -> dict[str, set[str]]:
    """Return for each label of a scheme the pack's labels that it stands for."""
    found: dict[str, set[str]] = {}
    for label, names in pack.counterparts.items():
        value = names.get(scheme) or []
        for name in [value] if isinstance(value, str) else value:
            found.setdefault(label_of(name), set()).add(label)
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
    words: dict[tuple[int, int, int], bool] = {}
    for word in labelled(source, target):
        edits = [e for e in blocks[word.sentence].annotations[0].edits if touches(e, word)]
        row = rows.setdefault(word.label, Counter())
        agreed = any(stands_for(e, word.label, means, annotator.pack, gold) for e in edits)
        place = (word.sentence, word.start, word.end)
        words[place] = words.get(place, False) or agreed
        row["labels"] += 1
        row["covered"] += bool(edits)
        row["agreed"] += agreed
        if not agreed:
            other.setdefault(word.label, Counter())[" ".join(e.type for e in edits) or "nothing"] += 1
            if word.label == show:
                text = blocks[word.sentence].source
                print("  ", word.wrong, "|", "; ".join(shown(e, text) for e in edits), "|", " ".join(text))
    print_words(lang, len(blocks), rows, other, list(words.values()))


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
    if gold.classes and human not in means:
        human = human[:2]
    groups = {group_of(label, pack.groups) for label in means.get(human, ())}
    return group_of(label_of(edit.type), pack.groups) in groups


def is_operation(edit: Edit, human: str, gold: Gold) -> bool:
    """Whether a human label is about the operation alone, and the edit is of that operation."""
    patterns = (gold.operations or {}).items()
    return any(
        re.fullmatch(pattern, human) and edit.type.startswith(operation) for operation, pattern in patterns
    )


def print_words(
    lang: str,
    sentences: int,
    rows: Mapping[str, Counter[str]],
    other: Mapping[str, Counter[str]],
    words: list[bool],
) -> None:
    total = Counter[str]()
    for row in rows.values():
        total += row
    print(f"{lang}: {sentences} sentences, {total['labels']} labels on {len(words)} words or groups of words")
    print(f"  {'label':<10}{'labels':>7}{'covered':>9}{'agreed':>8}  otherwise")
    for label, row in sorted(rows.items(), key=lambda item: -item[1]["labels"]):
        rest = ", ".join(f"{types} {n}" for types, n in other.get(label, Counter()).most_common(5))
        print(f"  {label:<10}{row['labels']:>7}{row['covered']:>9}{row['agreed']:>8}  {rest}".rstrip())
    covered, agreed = total["covered"], total["agreed"]
    shares = f"{covered / max(total['labels'], 1):.1%}, {agreed / max(total['labels'], 1):.1%}"
    print(f"  {'all':<10}{total['labels']:>7}{covered:>9}{agreed:>8}  {shares}")
    share = sum(words) / max(len(words), 1)
    print(f"  words with an edit of the group of one of their labels: {sum(words)}, {share:.1%}")


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
