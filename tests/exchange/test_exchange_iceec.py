"""TEI of the Icelandic Error Corpus: its own files, several errors in a revision, what is wrong in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from jperrant.core.errors import FormatError
from jperrant.exchange.collect import Collector, Findings
from jperrant.exchange.iceec_tei import IceecTeiFormat
from jperrant.exchange.marks import MarkedText
from tests.exchange_files import texts_of

ESSAY = Path(__file__).parents[1] / "data" / "exchange" / "verslo-JA2-t6.xml"


def read(folder: Path, sentence: str) -> MarkedText:
    """Return what is read of one sentence, which begins in line 3."""
    (folder / "x.xml").write_text(f"<TEI><text>\n<p>\n<s>{sentence}</s></p></text></TEI>", encoding="utf-8")
    [marked] = texts_of(IceecTeiFormat(), str(folder))
    return marked


def test_an_essay_of_the_corpus() -> None:
    [marked], findings = list(texts_of(IceecTeiFormat(), str(ESSAY))), Findings()
    blocks = [block for block, _ in Collector(findings=findings).blocks([marked])]
    content = ESSAY.read_text(encoding="utf-8")
    edits = [edit for block in blocks for edit in block.annotations[0].edits]
    assert len(blocks) == content.count("<s n=") == 13
    assert len(edits) == content.count("<revision ") == 9
    assert sum(len(edit.type.split("+")) for edit in edits) == content.count("<error ") == 12
    shown = {(e.start, e.end, e.type, " ".join(e.correction or ())) for e in edits}
    # A split, an insertion, two errors in one revision, a deletion.
    assert {(0, 1, "merged-words", "víðs vegar"), (13, 14, "nonword+n4nn", "langinn")} <= shown
    assert {"missing-commas"} == {e.type for e in edits if e.start == e.end}
    assert {"extra-word+style"} == {e.type for e in edits if not e.correction}
    assert any("idx, depId" in kind for kind in findings.counts)


def test_revisions_inside_revisions_only_marked_and_untyped(tmp_path: Path) -> None:
    marked = read(
        tmp_path,
        "<revision><original><w>a</w><revision><original><w>b</w></original><corrected><w>c</w></corrected>"
        '<errors><error xtype="in"/></errors></revision></original><corrected><w>d</w></corrected>'
        '<errors><error xtype="out"/></errors></revision>'
        '<revision><original><w>e</w></original><errors><error xtype="UNK"/></errors></revision>'
        "<revision><original/><corrected><c>.</c></corrected></revision>",
    )
    assert [(marked.text[r.start : r.end], r.type, r.correction) for r in marked.regions] == [
        ("a b", "out", "d"),
        ("b", "in", "c"),
        ("e", "UNK", None),
        ("", "M:OTHER", "."),
    ]


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        ("loose text", "'loose text' outside <w>"),
        ("<revision><errors/></revision>", "without <original>"),
        (
            "<revision covers='b'><original/><corrected><w>c</w></corrected></revision><w>a</w>",
            "line 3: 0 to 1 covers 'a', expected 'b'",
        ),
        ("<w>a</s>", "mismatched tag"),
    ],
)
def test_broken_files_name_file_and_line(sentence: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=problem) as raised:
        read(tmp_path, sentence)
    assert raised.value.file.endswith("x.xml")
    assert "line 3" in problem or raised.value.line == 3


def test_xml_without_sentences_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text("<TEI/>")
    with pytest.raises(FormatError, match="no sentences"):
        list(texts_of(IceecTeiFormat(), str(tmp_path)))
