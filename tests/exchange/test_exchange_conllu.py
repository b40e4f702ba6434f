"""Edits in the MISC column of CoNLL-U: ours, English-EWT's and Swedish-SweLL's."""

from __future__ import annotations

from pathlib import Path

import pytest

from jperrant.core.edits import apply_edits
from jperrant.core.errors import FormatError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.exchange.base import Corpus, Findings
from jperrant.exchange.collect import collect
from jperrant.exchange.conllu_misc import ConlluFormat, read_misc
from jperrant.exchange.side_file import Document
from tests.exchange_files import texts_of

DATA = Path(__file__).parents[1] / "data" / "exchange"
ORIGINAL, TARGET = str(DATA / "swell.orig.conllu"), str(DATA / "swell.trg.conllu")


def rows(*words: str) -> str:
    """Return a sentence of words with their last column, ``form MISC``; ``>`` before a form is goeswith."""
    lines = []
    for number, word in enumerate(words, start=1):
        form, _, misc = word.partition(" ")
        relation = "goeswith" if form.startswith(">") else "_"
        lines.append("\t".join([str(number), form.lstrip(">"), *"_____", relation, "_", misc or "_"]))
    return "\n".join(lines) + "\n\n"


def read(folder: Path, content: str) -> list[Block]:
    """Return the blocks of a file."""
    (folder / "x.conllu").write_text(content, encoding="utf-8")
    return [block for block, _ in collect(texts_of(ConlluFormat(), str(folder / "x.conllu")))]


def test_labels_of_swell_with_the_corrected_sentences() -> None:
    findings = Findings()
    texts = texts_of(ConlluFormat(target=TARGET), ORIGINAL)
    blocks = [block for block, _ in collect(texts, findings=findings)]
    targets = [tuple([row.form for row in sentence.rows]) for sentence in read_misc(TARGET)]
    assert [apply_edits(b.source, b.annotations[0].edits) for b in blocks] == targets
    first = [(e.start, e.end, e.type, " ".join(e.correction or ())) for e in blocks[0].annotations[0].edits]
    assert first[:3] == [(9, 10, "M-Gend", "jobbet"), (13, 14, "O", "trafik"), (17, 18, "M-Adj/adv", "lite")]
    # A move that SweLL labels by one token, and two words that are one.
    second = [(e.start, e.end, e.type, " ".join(e.correction or ())) for e in blocks[1].annotations[0].edits]
    assert (3, 5, "S-FinV", "bestämde vi") in second
    joined = [
        e
        for block in blocks
        for e in block.annotations[0].edits
        if e.end - e.start == 2 and "O-Comp" in e.type
    ]
    assert [" ".join(e.correction or ()) for e in joined] == ["tillsammans", "favoritplats"]
    assert findings.counts == {}


def test_labels_of_swell_alone_are_marks() -> None:
    findings = Findings()
    blocks = [block for block, _ in collect(texts_of(ConlluFormat(), ORIGINAL), findings=findings)]
    edits = [edit for block in blocks for edit in block.annotations[0].edits]
    assert {edit.correction for edit in edits} == {None}
    labelled = [
        line
        for line in (DATA / "swell.orig.conllu").read_text(encoding="utf-8").splitlines()
        if "Labels=" in line
    ]
    assert len(edits) == len([line for line in labelled if ":2" not in line])
    assert sum(findings.counts.values()) == len(edits)


def test_correct_form_of_ewt(tmp_path: Path) -> None:
    [block] = read(
        tmp_path, rows("I", "wo CorrectForm=would", ">uld CorrectForm=_", "the CorrectForm=_", "go")
    )
    assert [(e.start, e.end, e.type, e.correction) for e in block.annotations[0].edits] == [
        (1, 3, "R:OTHER", ("would",)),
        (3, 4, "U:OTHER", ()),
    ]


def test_what_is_written() -> None:
    edits = (
        Edit(0, 0, ("a", "b"), "M:X"),
        Edit(0, 2, ("|",), "R:X Y"),
        Edit(0, 1, None, "UNK"),
        Edit(2, 2, (".",), "M:P"),
    )
    block = Block(("x", "y"), (Annotation(0, edits),))
    [file] = ConlluFormat().export(Corpus("d", (Document("d", (block,)),)))
    lines = "".join(file.content).split("\n")
    assert lines[:2] == ["# sent_id = d-1", "# text = x y"]
    assert lines[2].split("\t")[9] == (
        r"Edit=M:X|Correction=a\sb|EditSpan=before|Edit2=R:X\sY|Correction2=\p|EditSpan2=1-2|Edit3=UNK"
    )
    assert lines[3].split("\t")[9] == "Edit=M:P|Correction=.|EditSpan=after"


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        (rows("a", "b").replace("2\tb", "3\tb"), 2, "found ID '3', expected 2"),
        ("1 a\n", 1, "found 1 column, expected 10"),
        (rows("a", "b Edit=X|EditSpan=2-3"), 2, "expected 2-N with N up to 2"),
        (rows("a Edit=X|EditSpan=2-2"), 1, "expected 1-N"),
        (rows("a Edit=X|EditSpan=1-000000001234"), 1, "N up to 1"),
        ("# Edit=X\n\n", 1, "before, or after"),
        ("# Edit=X|EditSpan=0-0\n\n", 1, "before, or after"),
    ],
)
def test_broken_files_name_file_and_line(content: str, line: int, problem: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=problem) as raised:
        read(tmp_path, content)
    assert (raised.value.line, raised.value.file.endswith("x.conllu")) == (line, True)


def test_corrected_sentences_of_another_number_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_text(rows("a"))
    with pytest.raises(FormatError, match="1 sentence, expected 4"):
        list(texts_of(ConlluFormat(target=str(tmp_path / "t.conllu")), ORIGINAL))
