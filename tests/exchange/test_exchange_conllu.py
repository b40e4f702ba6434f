"""Edits in the MISC column of CoNLL-U: ours and English-EWT's."""

from __future__ import annotations

from pathlib import Path

import pytest

from jperrant.core.errors import FormatError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.exchange.base import Corpus
from jperrant.exchange.collect import Collector
from jperrant.exchange.conllu_misc import ConlluFormat
from jperrant.exchange.marks import Document
from tests.exchange_files import texts_of


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
    return [block for block, _ in Collector().blocks(texts_of(ConlluFormat(), str(folder / "x.conllu")))]


def test_labels_without_corrections_are_not_taken_for_sentences_without_edits(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"x\.conllu:2: found CorrectionLabels .*annotate --format conllu"):
        read(tmp_path, rows("Vi", "åker CorrectionLabels=M-Verb"))


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
    [content] = ConlluFormat().export(Corpus((Document("d", (block,)),))).values()
    lines = "".join(content).split("\n")
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
