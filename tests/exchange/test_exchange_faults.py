"""Files that are not in their format: messages name file, line and all bad marks; hostile XML is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jperrant.core.errors import FormatError
from jperrant.exchange.reading import DEEPEST, parse_xml
from tests.exchange_files import put, svala_graph, texts_of


def rows(*words: str) -> str:
    """Return a sentence of CoNLL-U of words with their last column, ``form MISC``."""
    parts = [(str(k), *word.split(" "), "_")[:3] for k, word in enumerate(words, start=1)]
    return "".join(["\t".join([k, form, *"_______", misc]) + "\n" for k, form, misc in parts]) + "\n"


def iceec(content: str) -> str:
    return f"<TEI><text>\n<p>\n<s>{content}</s></p></text></TEI>"


COVERING = "<revision covers='b'><original/><corrected><w>c</w></corrected></revision><w>a</w>"
RLC = "text_orig,text_cor,quote,correction,tag,start\n"
UNPLACED = svala_graph("a", "b", ("s0 t0", "L"), comment="also sentence 2, tokens 0 1 => X => y")
#: By format: content of a file, the line to blame, what the message says.
FAULTS: dict[str, list[tuple[str, int | None, str]]] = {
    "ua-gec": [
        ("ok\nHe {go=>goes", 2, "no closing brace"),
        ("{a b {c=>d} e=>f}", 1, "no closing brace"),
        ("\n\na {b:::error_type=>} c", 3, "no =>"),
        ("{a=>b:::error_type=A:::error_type=B}", 1, "once"),
        ("x\n{=>y:::error_type=A:::covers=o}z", None, "line 2: 2 to 3 covers 'z', expected 'o'"),
        ("a {b=>c:::error_type=X}\nq {r=>s:::t}\nv {w\nx {y=>z:::k}\n", 2,
         "found 't', expected error_type=TYPE once; further bad marks in lines 3, 4$"),
    ],
    "cows-l2h": [
        ("I [has]{have}<x> a ]cat\nthe [dog]{cat}<x>\n a {dog\n", 1,
         r"found .*, expected \[wrong\]\{right\}<tag>; further bad marks in lines 3$")
    ],
    "clc-xml": [
        ("<d><p>a</p>\n<p><NS type='X'><i>b</i></p>", 2, "mismatched tag"),
        ("<d><p>a <i>b</i>\nc <NS><i>d</i><c>e</c></NS>\n<c>f</c></p></d>", 1, "<i> outside <NS>; .* in lines 3$"),
        ("<p>&nbsp;</p>", 1, "undefined entity"),
        ("<p><NS type='X' covers='b'><c>c</c></NS>a</p>", None, "line 1: 0 to 1 covers 'a', expected 'b'"),
        ("<em>" * (DEEPEST + 1) + "</em>" * (DEEPEST + 1), 1, f"more than {DEEPEST} deep"),
    ],
    "iceec-tei": [
        (iceec("loose text"), 3, "'loose text' outside <w>"),
        (iceec("<revision><errors/></revision>"), 3, "without <original>"),
        (iceec(COVERING), None, "line 3: 0 to 1 covers 'a', expected 'b'"),
        ("<TEI/>", None, "no sentences"),
    ],
    "bea-json": [
        ('{"text": "fine ."}\n["a"]\n', 2, "an essay"),
        ('{"text": "a", "edits": [[0, [[0, 1]]]]}', 1, "edits.1.2.1.3: missing"),
        ('{"text": "a", "edits": [[0, [[0, 1, "b"], ["0", 1, "b"]]]]}', 1, "edits.1.2.2.1: found '0'"),
        ('\n{"text": "a", "edits": [[0, [[1, 0, "b"]]]]}', None, "line 2, edit 1: 1 to 0 lies"),
        ('{"text"', 1, "JSON"),
        ("[" * 100_000, 1, "JSON"),
        (f'\n{{"text": "a", "id": 1{"0" * 5000}}}', 2, "JSON"),
    ],
    "conllu": [
        (rows("a", "b").replace("2\tb", "3\tb"), 2, "found ID '3', expected 2"),
        ("1 a\n", 1, "found 1 column, expected 10"),
        (rows("a", "b Edit=X|EditSpan=2-3"), 2, "expected 2-N with N up to 2"),
        (rows("a Edit=X|EditSpan=2-2"), 1, "expected 1-N"),
        (rows("a Edit=X|EditSpan=1-000000001234"), 1, "N up to 1"),
        ("# Edit=X\n\n", 1, "before, or after"),
        # Labels without corrections are not taken for sentences without edits.
        (rows("Vi", "åker CorrectionLabels=M"), 2, "found CorrectionLabels .*annotate --format conllu"),
    ],
    "rlc-gec": [
        (f"{RLC}a,b,a,b\n", 2, "fewer columns"),
        (f"{RLC}{'a' * 140_000},b,a,b,X,0\n", 2, "not CSV .field larger"),
        (f"{RLC}a b,a c,z,c,X,{'9' * 5000}\n", None, "sentence 1 of x: 'z' is not in 'a b'"),
        ("a,b\n", 1, "found no column correction, quote"),
    ],
    "svala": [
        (json.dumps({"source": []}), None, "target: missing, in a graph"),
        ("[]", None, "in a graph"),
        (json.dumps(svala_graph("a", "b", ("s0 t7", ""))), None, "'t7', which does not exist"),
        (json.dumps(svala_graph("a", "b", ("s0", ""), ("s0 t0", ""))), None, "'s0' is in two edges, 'e0' and 'e1'"),
        (json.dumps(UNPLACED), None, "do not exist"),
        ('{"source": [{"id": "s0", "text": "a b"}], "target": [], "edges": {}}', None, "not one token"),
    ],
    "label-studio": [(f"[{'9' * 5000}]", None, "number out of range")],
}  # fmt: skip


@pytest.mark.parametrize(
    ("format", "content", "line", "problem"),
    [(format, *fault) for format, faults in FAULTS.items() for fault in faults],
)
def test_broken_files_name_file_and_line(
    format: str, content: str, line: int | None, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(FormatError, match=problem) as raised:
        texts_of(format, put(tmp_path, {"x": content}) / "x")
    assert (raised.value.file, raised.value.line) == (str(tmp_path / "x"), line)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "declaration",
    [
        '[<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]',
        '[<!ENTITY b SYSTEM "file:///etc/passwd">]',
        '[<!ENTITY % b SYSTEM "http://example.org/x.dtd"> %b;]',
        "[<!ATTLIST p a CDATA 'xxx'>]",
        'SYSTEM "x.dtd"',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("text", ["<p>&b;</p>", "<p a='&b;'/>", "<p/>"])
def test_entities_default_attributes_and_dtds_are_refused(declaration: str, encoding: str, text: str) -> None:
    with pytest.raises(FormatError, match="found a DOCTYPE, which can declare entities"):
        parse_xml(f"<!DOCTYPE p {declaration}>{text}".encode(encoding), "x.xml")


@pytest.mark.parametrize("encoding", ["U1e4008", "utf-32", "\N{SNOWMAN}"])
def test_unknown_encodings_are_refused(encoding: str) -> None:
    with pytest.raises(FormatError, match="not XML"):
        parse_xml(f"<?xml version='1.0' encoding='{encoding}'?><p/>".encode(), "x.xml")
