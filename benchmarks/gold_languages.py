#!/usr/bin/env python3
"""How often does an edit get the type that a learner corpus gives it?

python benchmarks/gold_languages.py LANG... [--corpus FOLDER] [--half shown|unseen] [--labels] [--misses LABEL]
python benchmarks/gold_languages.py --corpora FOLDER

The edits are those of the corpus, so that only types are compared: ``m2 retype --gold`` gives them jperrant's
types. A type agrees *strictly* if the corpus's label is one of its names in the scheme (``counterparts`` or a
label set of the pack, or a table below). OTHER agrees strictly only with labels that are no more specific
(``Gold.other``). A type agrees *loosely* also if OTHER is a counterpart of the corpus's label, or if the label
stands for another label of the same group. An edit with several labels (``OH+XG``) has one type here and agrees
if one of its labels does.

Each sentence belongs to the shown half or to the unseen half by the CRC-32 of its document's name, or of its
source where the corpus has no documents; rules are written with the shown half alone in view. FOLDER is a clone
of the corpus, also a bare one; without it the sample in benchmarks/data is read. The second command prints the
table of all languages; the clones lie in FOLDER and are named as their repositories, or as owner+repository/repo.
Types are found without models, and once more with the analysis that a corpus brings along (sv, it). *Found* is
the share of the corpus's edits, span and correction, that annotating its corrections anew finds.

Corpora: ar CAMeL-Lab/arabic-gec (ZAEBUC with ARETA's tags), cs ufal/GECCC, el katkorre/elerrant (needs openpyxl),
es ucdaviscl/cowsl2h, gu VGD3626/errant-for-gujarati, is antonkarl/iceErrorCorpus (essays),
ru Russian-Learner-Corpus/rlc-annotated (RLC-Test), sv UniversalDependencies/UD_Swedish-SweLL; samples: cs, de,
et, is, it, sv, tr, uk.
"""

from __future__ import annotations

import argparse
import csv
import io
import re
import subprocess
import tarfile
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from pathlib import Path
from xml.etree import ElementTree

from bench import Row, parser_of, share

import jperrant
from jperrant.core.edits import apply_edits
from jperrant.core.values import Annotation, Block, Edit, Parallel, Sentence
from jperrant.exchange.collect import Collector, Findings
from jperrant.exchange.iceec_tei import IceecTeiFormat
from jperrant.io.conllu_files import read_conllu
from jperrant.io.m2 import FormatDeviations, read_m2
from jperrant.m2tools.retype import retype_gold
from jperrant.packs.labels import group_of
from jperrant.packs.pack import Pack

DATA = Path(__file__).resolve().parent / "data"
HALVES = ("shown", "unseen")
#: Start, end and correction of an edit.
Place = tuple[int, int, tuple[str, ...] | None]
TOKEN = re.compile(r"\w+(?:['’-]\w+)*|\S")


@dataclass(frozen=True)
class Sample:
    """A sentence of a corpus.

    Attributes:
        document: What decides to which half it belongs.
        block: The sentence with the corpus's edits and labels, several for one edit joined by ``+``.
        analysed: The same edits with the types that our pack finds with the corpus's analysis.
    """

    document: str
    block: Block
    analysed: Block | None = None


@dataclass(frozen=True)
class Gold:
    """A corpus.

    Attributes:
        name: What it is called.
        scheme: The name of its labels in ``counterparts`` or among the label sets of the pack.
        read: Yields its sentences from a folder.
        files: What is read of a clone.
        sample: The sample that is read without a clone, a path in benchmarks/data; none where empty.
        table: Our labels for each of the corpus's, both as regular expressions, where the pack does not name them.
            Before those with ``M:``, ``U:`` or ``R:`` the operation must agree, too.
        other: Labels that say no more than OTHER does.
        classes: Whether a label that the pack does not name stands for what its first two letters stand for.
    """

    name: str
    scheme: str
    read: Callable[[Path], Iterator[Sample]]
    files: tuple[str, ...] = ()
    sample: str = ""
    table: Mapping[str, str] | None = None
    other: str = "OTHER"
    classes: bool = False


# Corpora


def m2_files(folder: Path) -> Iterator[Sample]:
    """Yield the sentences of M2, a file or all files of a folder."""
    for path in [folder] if folder.is_file() else sorted(p for p in folder.rglob("*") if p.suffix == ".m2"):
        for block in read_m2(str(path), deviations=FormatDeviations()):
            yield Sample(" ".join(block.source), block)


def areta(folder: Path) -> Iterator[Sample]:
    """Yield sentences of ARETA's alignments: a line is a token or pair of tokens, ``source TAB target TAB tag``."""
    for path in sorted(folder.rglob("*.areta.txt")):
        for text in path.read_text("utf-8").split("\n\n"):
            source, edits = list[str](), list[Edit]()
            for line in text.splitlines():
                wrong, right, tag = (part.strip() for part in line.split("\t"))
                start = len(source)
                source += wrong.split()
                if tag not in ("UC", "UNK", ""):
                    edits.append(Edit(start, len(source), tuple(right.split()), f"R:{tag}"))
            yield Sample(" ".join(source), Block(tuple(source), (Annotation(0, tuple(edits)),)))


def gnc(folder: Path) -> Iterator[Sample]:
    """Yield the sentences of the Greek Native Corpus: each row is a sentence with one error and without it."""
    from openpyxl import load_workbook  # type: ignore[import-untyped]

    for path in sorted(folder.rglob("GNC_*.xlsx")):
        for mark, wrong, right, _, label, *_ in load_workbook(path).worksheets[0].iter_rows(values_only=True):
            if mark == "e" and wrong and right and label:
                yield Sample(wrong, one_edit(TOKEN.findall(wrong), TOKEN.findall(right), label.strip()))


def one_edit(source: list[str], target: list[str], label: str) -> Block:
    """Return a sentence with the one edit that makes it another."""
    start = 0
    while start < min(len(source), len(target)) and source[start] == target[start]:
        start += 1
    tail = 0
    while tail < min(len(source), len(target)) - start and source[-1 - tail] == target[-1 - tail]:
        tail += 1
    edit = Edit(start, len(source) - tail, tuple(target[start : len(target) - tail]), f"R:{label}")
    return Block(tuple(source), (Annotation(0, (edit,)),))


def rlc_test(folder: Path) -> Iterator[Sample]:
    """Yield the sentences of RLC-Test: each row of the table is one edit of a sentence, in their order."""
    sentences: dict[str, list[Edit]] = {}
    for row in csv.DictReader((folder / "rlc_test.csv").read_text("utf-8").splitlines()):
        source, quote = TOKEN.findall(row["text_orig"]), TOKEN.findall(row["quote"])
        edits = sentences.setdefault(row["text_orig"], [])
        begin = edits[-1].end if edits else 0
        for start in range(begin, len(source) - len(quote) + 1):
            if quote and source[start : start + len(quote)] == quote:
                label = "+".join(row["tag"].split())
                right = tuple(TOKEN.findall(row["correction"]))
                edits.append(Edit(start, start + len(quote), right, f"R:{label}"))
                break
    for text, edits in sentences.items():
        yield Sample(text, Block(tuple(TOKEN.findall(text)), (Annotation(0, tuple(edits)),)))


def cows(folder: Path) -> Iterator[Sample]:
    """Yield the sentences of COWS-L2H: ``[wrong]{right}<label>`` in essays, each of which several people mark."""
    for path in sorted(folder.rglob("*.txt")):
        source, edits = list[str](), list[Edit]()
        name = path.name.split(".")[0] + path.parts[-2][:1]
        for part in re.split(r"(\[[^][]*\]\{[^{}]*\}+<[^<>]*>)", path.read_text("utf-8", "replace")):
            if mark := re.fullmatch(r"\[(.*)\]\{([^}]*)\}+<(.*)>", part, re.DOTALL):
                wrong, right, label = mark.groups()
                start = len(source)
                source += TOKEN.findall(wrong)
                edits.append(Edit(start, len(source), tuple(TOKEN.findall(right)), f"R:{label.strip()}"))
                continue
            for token in TOKEN.findall(part):
                source.append(token)
                if token in ".!?":
                    if set(source).isdisjoint("[]{}<>"):  # left over from marks within marks
                        yield Sample(name, Block(tuple(source), (Annotation(0, tuple(edits)),)))
                    source, edits = [], []


def iceec(folder: Path) -> Iterator[Sample]:
    """Yield the sentences of the Icelandic Error Corpus, TEI or a sample that is M2."""
    if folder.is_file():
        yield from m2_files(folder)
        return
    for path in sorted(folder.rglob("*.xml")):
        findings = Findings(skips=True)
        for block, _ in Collector(findings=findings).blocks(IceecTeiFormat().read_texts(str(path), findings)):
            yield Sample(path.stem, block)


def swell(folder: Path) -> Iterator[Sample]:
    """Yield the sentences of SweLL: our edits with the labels in MISC of the words that they change."""
    [target] = folder.rglob("*trg.conllu")
    [source] = [path for path in folder.rglob("*.conllu") if path != target]
    yield from labelled_by_words("sv", source, target, misc_labels)


def valico(folder: Path) -> Iterator[Sample]:
    """Yield the sentences of Valico: our edits with the labels of the words that they change."""
    yield from labelled_by_words("it", *sorted(folder.rglob("*.conllu")), inline_labels)


#: Reads the words' labels of a sentence of CoNLL-U, given its text, the sentence and its correction: the place of
#: the first word, that after the last, and the label; no word where something is missing.
WordLabels = Callable[[str, Sentence, Sentence], Iterator[tuple[int, int, str]]]


def labelled_by_words(lang: str, source: Path, target: Path, labels_of: WordLabels) -> Iterator[Sample]:
    """Yield our edits of analysed sentences, each with the labels of the words that it changes."""
    annotator = jperrant.load(lang, models="none")
    records = [
        Parallel(a, (b,)) for a, b in zip(read_conllu(str(source)), read_conllu(str(target)), strict=True)
    ]
    blocks = source.read_text("utf-8").strip().split("\n\n")
    for text, record, block in zip(blocks, records, annotator.annotate_many(records), strict=True):
        labels = list(labels_of(text, record.source, record.corrections[0]))
        edits = []
        for edit in block.annotations[0].edits:
            found = [label for start, end, label in labels if _touches(edit, start, end)]
            edits.append(replace(edit, type=f"R:{'+'.join(dict.fromkeys(found))}"))
        gold = Block(block.source, (Annotation(0, tuple(edits)),))
        yield Sample(" ".join(block.source), gold, block)


def misc_labels(text: str, sentence: Sentence, _: Sentence) -> Iterator[tuple[int, int, str]]:
    """Yield the labels in MISC by token: ``CorrectionLabels=M-Gend;O``; one of several words has ``O:2``."""
    rows = [line.split("\t") for line in text.splitlines() if line[:1].isdecimal()]
    plain = [row for row in rows if row[0].isdecimal()]
    places = [place for place, token in enumerate(sentence.tokens) for _ in token.words or (token.form,)]
    for place, row in zip(places, plain, strict=True):
        for value in re.findall(r"CorrectionLabels=([^|]*)", row[9]):
            yield from ((place, place + 1, label.partition(":")[0]) for label in value.split(";"))


def inline_labels(text: str, sentence: Sentence, target: Sentence) -> Iterator[tuple[int, int, str]]:
    """Yield the labels of ``# err``, ``<IVN><i>avevano</i><c>aveva</c></IVN>``, that the correction follows.

    Where a label holds another, the inner one holds the learner's words. Some sentences lack words of the learner,
    so that places are those of the text without labels once it is aligned with the words.
    """
    [marked] = re.findall(r"^# err = (.*)$", text, re.MULTILINE)
    root = ElementTree.fromstring(f"<x>{marked.replace('&', '&amp;')}</x>")
    written, corrected = letters(root.text), letters(root.text)
    labels: list[tuple[str, int, int, int, int]] = []
    for element in root:
        part, inner = inside(element)
        right = letters(element.findall("c")[-1].text)
        span = (len(corrected), len(corrected) + len(right))
        labels += [(name, len(written) + since, len(written) + until, *span) for name, since, until in inner]
        written += part + letters(element.tail)
        corrected += right + letters(element.tail)
    ends = list(accumulate(map(len, sentence.forms)))
    place_of = _aligned(written, letters("".join(sentence.forms)))
    kept = SequenceMatcher(None, corrected, letters("".join(target.forms)), autojunk=False)
    for name, since, until, low, high in labels:
        first = sum(each <= place_of[since] for each in ends)
        stop = (
            sum(each < place_of[until] for each in ends) + 1 if place_of[until] > place_of[since] else first
        )
        low, high = (low, high) if low < high else (max(low - 1, 0), min(high + 1, len(corrected)))
        if any(block.a <= low and high <= block.a + block.size for block in kept.get_matching_blocks()):
            yield first, max(stop, first), name.removesuffix("cascade")


def inside(element: ElementTree.Element) -> tuple[str, list[tuple[str, int, int]]]:
    """Return the learner's text in a label, and the labels there with their places in it, inner ones first."""
    text, labels = "", list[tuple[str, int, int]]()
    inner = [child for child in element if child.tag not in ("i", "c")]
    for child in inner or element.findall("i"):
        part, found = inside(child) if child.tag != "i" else (letters(child.text), [])
        labels += [(name, since + len(text), until + len(text)) for name, since, until in found]
        text += part
    return text, [*labels, (element.tag, 0, len(text))]


def letters(text: str | None) -> str:
    """Return a text without spaces and the sign for nothing, with the same quotation marks on both sides."""
    return re.sub(r"[\s_]", "", text or "").translate(str.maketrans("«»", '""'))


def _aligned(written: str, text: str) -> list[int]:
    """Return for each place in a text, its end included, where it is in another version of the text."""
    places = list(range(len(written) + 1))
    for _, low, high, since, until in SequenceMatcher(None, written, text, autojunk=False).get_opcodes():
        for place in range(low, high):
            places[place] = min(since + place - low, until)
    return [*places[:-1], len(text)]


def _touches(edit: Edit, start: int, end: int) -> bool:
    if edit.start == edit.end or start == end:
        return edit.start <= end and start <= edit.end
    return edit.start < end and start < edit.end


# Labels that name what the packs do not: RLC's, COWS-L2H's, and SweLL's and iceEC's operations.

_NOMINAL = "(ADJ|DET|NOUN|NUM|PRON|PROPN)"
RLC = {
    "Ortho|Misspell": "SPELL(:.*)?|DIACR|ORTH(:.*)?",
    "Lex": "ADJ|ADV|AUX|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|VERB|VERB:MOTION|MORPH|DET:REFL|OTHER",
    "Gov|Nominative": f"{_NOMINAL}:(CASE|FORM|COUNT)|NOUN:COUNT|ADP|ADP:FORM",
    "Prep": "ADP(:FORM)?",
    "Constr": "OTHER",
    "Ref": "PRON(:.*)?|DET(:.*)?",
    "Conj": "CCONJ|SCONJ",
    "Num|[Aa]gr[Nn]um": f"{_NOMINAL}:(NUM|FORM)|NOUN:COUNT|(AUX|VERB):SVA",
    "Gender|[Aa]gr[Gg]ender": f"{_NOMINAL}:(GENDER|FORM)|(AUX|VERB):SVA",
    "[Aa]gr[Cc]ase": f"{_NOMINAL}:(CASE|FORM)",
    "Morph|Infl": f"MORPH|({_NOMINAL}|ADV|AUX|VERB):.*",
    "WO": "WO",
    "Asp": "VERB:ASPECT",
    "Tense": "(AUX|VERB):TENSE",
    "Refl": "VERB:REFL|DET:REFL",
    "Aux": "AUX(:.*)?",
    "Brev": "ADJ:SHORT",
    "Com": "(ADJ|ADV):DEGREE",
    "(Space|Hyphen).*": "ORTH:.*",
    "Punct": "PUNCT",
    "Impers": "VERB(:.*)?|OTHER",
}
_CLASSES = {"adj": "ADJ", "det": "DET", "noun": "NOUN", "pron": "PRON"}
COWS = {
    "(pr|ab):su:pron.*": "PRON",
    "(pr|ab):det.*": "DET",
    "conf:v:seta.*": "AUX:COPULA",
    "conf:prep:popa.*": "ADP:PORPARA",
    "col:adj.*": "WO",
    "(aa|az|za):do.*": "ADP:PERSONAL|ADP|ADP:FORM",
    "fs:..:.*t.*": "(AUX|VERB):(TENSE|ASPECT|FORM)",
    "fs:..:.*pn.*": "(AUX|VERB):SVA",
    "fs:..:.*mo.*": "(AUX|VERB):(MOOD|FORM)",
    "fs:..:.*r.*": "VERB:INFL|SPELL(:.*)?|DIACR",
    **{f"(.*:)?gat?:(.*:)?{k}.*": f"{v}:(GENDER|FORM)" for k, v in _CLASSES.items()},
    **{f"(.*:)?na:(.*:)?{k}.*": f"{v}:(NUM|FORM)" for k, v in _CLASSES.items()},
    **{f"(.*:)?i[ng]:(.*:)?{k}.*": f"{v}:(NUM|GENDER|FORM)|SPELL" for k, v in _CLASSES.items()},
}
#: Where a word is missing or redundant, or a phrase replaced, SweLL says no more than that: C is a correction that
#: follows from another, S-Ext a rewriting, S-Comp a phrase for a compound.
SWELL = {"S-R|P-R": "U:.*", "S-M.*|P-M": "M:.*", "S-Ext|S-Comp|C": "[MU]:.*", "S-Ext |C ": "R:.*"}
#: Tags of ARETA that name no more than their class.
ARETA = {
    "O": "SPELL(:.*)?|DIACR|ORTH(:.*)?",
    "X": f"{_NOMINAL}:.*|(AUX|VERB):SVA",
    "M": ".*:(FORM|TENSE|MOOD|VOICE)",
}
VALICO = {"U[A-Z]|SPU": "U:.*", "M[A-Z]|SPM": "M:.*", "R[SW].*|R[A-Z][SC]": "R:.*"}
ICEEC = {"extra-words?|repeat-word": "U:.*", "missing-words?": "M:.*"}

_GECCC = ("data/dev/sentence.m2", "data/test/sentence.m2")
GOLD = {
    "ar": Gold("ZAEBUC", "areta", areta, ("data/areta_tags/wo_camelira/zaebuc",), table=ARETA, other="S"),
    "cs": Gold("GECCC", "errant_cs", m2_files, _GECCC, "multi/cs_gecc_60.errant_cs.m2"),
    "de": Gold("Falko-MERLIN", "errant_de", m2_files, (), "multi/de_falko_merlin_60.errant_de.m2"),
    "el": Gold("GNC", "errant_el", gnc, ("GNC",)),
    "es": Gold("COWS-L2H", "", cows, ("famous", "vacation", "beautiful", "terrible"), table=COWS),
    "et": Gold("Tartu L1", "estgec", m2_files, (), "languages/et/tartu_l1.test.m2"),
    "gu": Gold("gold300", "errant_gu", m2_files, ("gold300.m2",)),
    "is": Gold("iceEC", "iceec", iceec, ("data/essays",), "languages/is/iceec.m2", table=ICEEC),
    "it": Gold("Valico", "valico", valico, (), "languages/it", table=VALICO, classes=True),
    "ru": Gold("RLC-Test", "", rlc_test, ("rlc_test.csv",), table=RLC, other="Constr"),
    "sv": Gold("SweLL", "swell", swell, ("sv_swell-ud-test.conllu", "not-to-release"), "languages/sv",
               table=SWELL, other="S-Other"),
    "tr": Gold("ERRANT-TR", "errant_tr", m2_files, (), "languages/tr/erranttr.eval_data.m2"),
    "uk": Gold("UA-GEC", "ua_gec", m2_files, (), "multi/uk_uagec_60.m2"),
}  # fmt: skip


#: The repositories of the corpora that are not read from a sample.
REPOSITORIES = {
    "ar": "arabic-gec", "cs": "GECCC", "el": "elerrant", "es": "cowsl2h", "gu": "errant-for-gujarati",
    "is": "iceErrorCorpus", "ru": "rlc-annotated", "sv": "UD_Swedish-SweLL",
}  # fmt: skip


def clone_in(folder: Path, lang: str) -> Path | None:
    """Return the clone of a language's corpus in a folder of clones, if it is there."""
    name = REPOSITORIES.get(lang, "/")
    found = [path for path in folder.iterdir() if path.name.rpartition("+")[2] == name]
    return next((path / "repo" if (path / "repo").exists() else path for path in found), None)


def checked_out(clone: Path, files: tuple[str, ...], folder: Path) -> None:
    """Write files of a clone's newest commit into a folder."""
    command = ["git", "-C", str(clone), "archive", "HEAD", *files]
    packed = subprocess.run(command, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")


# Agreement


def label_of(type_: str) -> str:
    return type_[2:] if type_[1:2] == ":" else type_


class Names:
    """Maps the labels of a corpus to those of a pack.

    Args:
        gold: The corpus.
        pack: The pack.
    """

    def __init__(self, gold: Gold, pack: Pack) -> None:
        self.gold, self.pack, keys = gold, pack, pack.keys
        self.own: dict[str, set[str]] = {}
        for label in pack.labels:
            table = keys.label_sets.get(gold.scheme)
            names = table.get(label, label) if table else keys.counterparts.get(label, {}).get(gold.scheme)
            for name in [names] if isinstance(names, str) else names or ():
                self.own.setdefault(label_of(name), set()).add(label)

    def agree(self, gold_type: str, ours: str) -> tuple[bool, bool]:
        """Return whether a type agrees strictly and loosely."""
        names = label_of(gold_type).split("+")
        strict = any(self._means(name, ours) for name in names)
        return strict, strict or any(self._means(name, ours, loose=True) for name in names)

    def _means(self, name: str, ours: str, loose: bool = False) -> bool:
        label = label_of(ours)
        tabled = any(re.fullmatch(pattern, name) for pattern in self.gold.table or ())
        if self.gold.classes and name not in self.own and not tabled:
            name = name[:2]
        if label == "OTHER" and not loose:
            return re.fullmatch(self.gold.other, name) is not None
        if label in self.own.get(name, ()):
            return True
        for pattern, meant in (self.gold.table or {}).items():
            if re.fullmatch(pattern.strip(), name):
                if re.fullmatch(meant, ours if meant[1:2] == ":" or meant[:1] == "[" else label):
                    return True
                if loose and any(re.fullmatch(meant, each) for each in self._alike(label)):
                    return True
        return loose and not self.own.get(name, set()).isdisjoint(self._alike(label))

    def _alike(self, label: str) -> set[str]:
        group = group_of(label, self.pack.keys.groups)
        return {each for each in self.pack.labels if group_of(each, self.pack.keys.groups) == group}


def samples_of(gold: Gold, folder: Path) -> list[Sample]:
    """Return the sentences of a folder, or of a sample, that have edits to compare."""
    return [kept for sample in gold.read(folder) if (kept := comparable(sample))]


def comparable(sample: Sample) -> Sample | None:
    """Return a sentence with the edits that change something and have a label, or None."""
    keep = []
    for number, annotation in enumerate(sample.block.annotations):
        edits = [e for e in annotation.edits if e.correction is not None and label_of(e.type)]
        edits = [e for e in edits if e.correction != sample.block.source[e.start : e.end]]
        if edits and all(a.end <= b.start for a, b in pairwise(edits)):
            keep.append((number, Annotation(len(keep), tuple(edits))))
    if not keep:
        return None
    analysed = None
    if sample.analysed:
        edits = [e for number, _ in keep for e in sample.analysed.annotations[number].edits]
        analysed = Block(sample.block.source, (Annotation(0, tuple(edits)),))
    return Sample(sample.document, Block(sample.block.source, tuple(a for _, a in keep)), analysed)


Agrees = tuple[bool, bool]


@dataclass
class Count:
    """The counts of a half: edits, those that agree without and with analysis, those that are found."""

    edits: int = 0
    strict: int = 0
    loose: int = 0
    strict_analysed: int = 0
    loose_analysed: int = 0
    found: int = 0

    def add(self, given: Agrees, analysed: Agrees, found: bool) -> None:
        """Count an edit: how its type agrees without and with analysis, and whether annotating anew finds it."""
        self.edits += 1
        self.strict, self.loose = self.strict + given[0], self.loose + given[1]
        self.strict_analysed += analysed[0]
        self.loose_analysed += analysed[1]
        self.found += found


def anew(sample: Sample, annotator: jperrant.Annotator) -> list[dict[Place, Edit]]:
    """Return the edits that are found in each correction, with the corpus's analysis where it has one."""
    block = sample.analysed
    if block is None:
        texts = [apply_edits(sample.block.source, each.edits) for each in sample.block.annotations]
        record = Parallel(Sentence.from_forms(sample.block.source), tuple(map(Sentence.from_forms, texts)))
        [block] = annotator.annotate_many([record])
    return [{place(edit): edit for edit in each.edits} for each in block.annotations]


def place(edit: Edit) -> Place:
    return edit.start, edit.end, edit.correction


def measure(lang: str, samples: list[Sample], options: argparse.Namespace) -> dict[str, Count]:
    """Count agreement in each half; print the labels and misses that are asked for."""
    annotator = jperrant.load(lang, models="none")
    names = Names(GOLD[lang], annotator.pack)
    counts = {half: Count() for half in HALVES}
    rows: dict[str, Counter[str]] = {}
    typed = retype_gold((sample.block for sample in samples), annotator)
    for sample, block in zip(samples, typed, strict=True):
        half = HALVES[zlib.crc32(sample.document.encode()) % 2]
        if options.half not in ("both", half):
            continue
        for theirs, own, other in zip(
            sample.block.annotations, block.annotations, anew(sample, annotator), strict=True
        ):
            for edit, ours in zip(theirs.edits, own.edits, strict=True):
                given, match, label = (
                    names.agree(edit.type, ours.type),
                    other.get(place(edit)),
                    label_of(edit.type),
                )
                analysed = names.agree(edit.type, match.type) if sample.analysed and match else (False, False)
                counts[half].add(given, analysed, match is not None)
                rows.setdefault(label, Counter())["agreed" if given[0] else ours.type] += 1
                if not given[0] and options.misses and re.fullmatch(options.misses, label):
                    print("  ", label, ours.type, "|", *block.source[max(edit.start - 2, 0) : edit.start], "[",
                          *block.source[edit.start : edit.end], "→", *edit.correction or (), "]",
                          *block.source[edit.end : edit.end + 2])  # fmt: skip
    if options.labels:
        for label, row in sorted(rows.items(), key=lambda item: -item[1].total()):
            rest = ", ".join(f"{name} {n}" for name, n in row.most_common(9) if name != "agreed")
            print(f"  {label:<16}{row.total():>6}{row['agreed']:>6}  {rest}")
    return counts


def rows() -> Iterator[Row]:
    """Yield the share of each sample's types that agree strictly, and of its edits that are found."""
    options = argparse.Namespace(half="both", labels=False, misses=None)
    for lang, gold in GOLD.items():
        if gold.sample:
            counts = measure(lang, samples_of(gold, DATA / gold.sample), options).values()
            total, analysed = (sum(getattr(c, name) for c in counts) for name in ("edits", "strict_analysed"))
            right = analysed or sum(count.strict for count in counts)
            yield share(f"types as in {gold.name} ({lang}){', analysed' if analysed else ''}", right, total)
            if not analysed:
                yield share(f"edits of {gold.name} that are found", sum(c.found for c in counts), total)


def print_row(lang: str, half: str, count: Count) -> None:
    shares = [f"{n / max(count.edits, 1):.1%}" for n in (count.strict, count.loose)]
    if count.strict_analysed:
        shares += [f"{n / max(count.edits, 1):.1%}" for n in (count.strict_analysed, count.loose_analysed)]
    shares += ["–"] * (4 - len(shares))
    shares += ["–" if count.strict_analysed else f"{count.found / max(count.edits, 1):.1%}"]
    print(f"| `{lang}` | {GOLD[lang].name} | {half} | {count.edits} | {' | '.join(shares)} |")


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("languages", nargs="*", metavar="LANG", help=f"default: all of {', '.join(GOLD)}")
    parser.add_argument("--corpus", type=Path, metavar="FOLDER", help="a clone of the corpus")
    parser.add_argument("--corpora", type=Path, metavar="FOLDER", help="a folder of clones")
    parser.add_argument("--half", default="both", choices=(*HALVES, "both"), help="which half to look at")
    parser.add_argument("--labels", action="store_true", help="show each label and our types that miss it")
    parser.add_argument("--misses", metavar="REGEX", help="show edits of these labels with another type")
    options = parser.parse_args()
    print("| code | gold | half | edits | strict | loose | strict, analysed | loose, analysed | found |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for lang in options.languages or GOLD:
        gold = GOLD[lang]
        clone = clone_in(options.corpora, lang) if options.corpora else options.corpus
        if not clone and not gold.sample:
            print(f"| `{lang}` | {gold.name} | no clone |")
            continue
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            if clone:
                checked_out(clone, gold.files, folder)
            samples = samples_of(gold, folder if clone else DATA / gold.sample)
        for half, count in measure(lang, samples, options).items():
            if options.half in ("both", half):
                print_row(lang, half, count)


if __name__ == "__main__":
    main()
