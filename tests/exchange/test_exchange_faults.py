"""Files that are not in their format: messages name file, line and all bad marks; hostile XML is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import jperrant
from jperrant.core.errors import FormatError
from jperrant.exchange.reading import DEEPEST, parse_xml
from tests.exchange_files import svala_graph, texts_of


def rows(*words: str) -> str:
    """Return a sentence of CoNLL-U of words with their last column, ``form MISC``."""
    parts = [(str(k), *word.split(" "), "_")[:3] for k, word in enumerate(words, start=1)]
    return "".join(["\t".join([k, form, *"_______", misc]) + "\n" for k, form, misc in parts]) + "\n"


def essays(record: Any) -> str:
    """Return JSON lines of an essay that is right and a record."""
    return "".join([json.dumps(one) + "\n" for one in ({"text": "fine .", "edits": []}, record)])


COVERING = "<revision covers='b'><original/><corrected><w>c</w></corrected></revision><w>a</w>"
#: Format, file, content, line, what the message says.
FAULTS: list[tuple[str, str, str, int | None, str]] = [
    *[
        ("ua-gec", "essay.a0.ann", content, line, problem)
        for content, line, problem in [
            ("ok\nHe {go=>goes", 2, "no closing brace"),
            ("{a b {c=>d} e=>f}", 1, "no closing brace"),
            ("\n\na {b:::error_type=>} c", 3, "no =>"),
            ("{a=>b:::spelling}", 1, "expected error_type=TYPE"),
            ("{a=>b:::error_type=A:::error_type=B}", 1, "once"),
            ("x\n{=>y:::error_type=A:::covers=o}z", None, "line 2: 2 to 3 covers 'z', expected 'o'"),
        ]
    ],
    *[
        ("clc-xml", "x.a0.xml", f"<learner><coded_answer>{content}</coded_answer></learner>", line, problem)
        for content, line, problem in [
            ("<p>a</p>\n<p><NS type='X'><i>b</i></p>", 2, "mismatched tag"),
            ("<p><c>b</c></p>", 1, "<c> outside <NS>"),
            ("<p>&nbsp;</p>", 1, "undefined entity"),
            ("<NS type='X' covers='b'><c>c</c></NS>a", None, "line 1: 0 to 1 covers 'a', expected 'b'"),
            ("<em>" * DEEPEST + "</em>" * DEEPEST, 1, f"more than {DEEPEST} deep"),
        ]
    ],
    *[
        ("iceec-tei", "x.xml", f"<TEI><text>\n<p>\n<s>{content}</s></p></text></TEI>", line, problem)
        for content, line, problem in [
            ("loose text", 3, "'loose text' outside <w>"),
            ("<revision><errors/></revision>", 3, "without <original>"),
            (COVERING, None, "line 3: 0 to 1 covers 'a', expected 'b'"),
            ("<w>a</s>", 3, "mismatched tag"),
        ]
    ],
    ("iceec-tei", "x.xml", "<TEI/>", None, "no sentences"),
    *[
        ("bea-json", "x.jsonl", essays(record), 2, problem)
        for record, problem in [
            (["a"], "an essay"),
            ({"id": 1, "text": "a", "edits": [[0]]}, "edits.1.2: found none"),
            ({"text": "a", "edits": {}}, "edits: found .* expected a valid list"),
            ({"text": "a", "edits": [[0, [[0, 1]]]]}, "edits.1.2.1.3: found none"),
            ({"text": "a", "edits": [[0, [[0, 1, "b"], ["0", 1, "b"]]]]}, "edits.1.2.2.1: found '0'"),
            ({"text": "a", "edits": [[0, [[0, 1, 7]]]]}, "edits.1.2.1.3: found '7'"),
        ]
    ],
    (
        "bea-json",
        "x.jsonl",
        '\n{"text": "a", "edits": [[0, [[1, 0, "b"]]]]}',
        None,
        "line 2, edit 1: 1 to 0 lies",
    ),
    *[
        ("bea-json", "x.jsonl", f"{essays({'text': 'a'})}\n{line}\n", 4, "JSON")
        for line in ('{"text"', "[" * 100_000, '{"text": "a", "id": 1' + "0" * 5000 + "}")
    ],
    *[
        ("conllu", "x.conllu", content, line, problem)
        for content, line, problem in [
            (rows("a", "b").replace("2\tb", "3\tb"), 2, "found ID '3', expected 2"),
            ("1 a\n", 1, "found 1 column, expected 10"),
            (rows("a", "b Edit=X|EditSpan=2-3"), 2, "expected 2-N with N up to 2"),
            (rows("a Edit=X|EditSpan=2-2"), 1, "expected 1-N"),
            (rows("a Edit=X|EditSpan=1-000000001234"), 1, "N up to 1"),
            ("# Edit=X\n\n", 1, "before, or after"),
            ("# Edit=X|EditSpan=0-0\n\n", 1, "before, or after"),
            # Labels without corrections are not taken for sentences without edits.
            (rows("Vi", "åker CorrectionLabels=M"), 2, "found CorrectionLabels .*annotate --format conllu"),
        ]
    ],
    *[
        ("rlc-gec", "rlc_test.csv", f"text_orig,text_cor,quote,correction,tag,start\n{row}\n", line, problem)
        for row, line, problem in [
            ("a,b,a,b", 2, "fewer columns"),
            ("a" * 140_000 + ",b,a,b,X,0", 2, "not CSV .field larger"),
            ("a b,a c,z,c,X," + "9" * 5000, None, "sentence 1 of rlc_test: 'z' is not in 'a b'"),
        ]
    ],
    ("rlc-gec", "rlc_test.csv", "a,b\n", 1, "found no column correction, quote"),
    *[
        ("svala", "x.a0.json", json.dumps(record), None, problem)
        for record, problem in [
            ({"source": []}, "target: found none, expected one, in a graph"),
            ([], "in a graph"),
            (svala_graph("a", "b", ("s0 t7", "")), "'t7', which does not exist"),
            (svala_graph("a", "b", ("s0", ""), ("s0 t0", "")), "'s0' is in two edges, 'e0' and 'e1'"),
            (
                svala_graph("a", "b", ("s0 t0", "L"), comment="also sentence 2, tokens 0 1 => X => y"),
                "do not exist",
            ),
            ({"source": [{"id": "s0", "text": "a b"}], "target": [], "edges": {}}, "not one token"),
        ]
    ],
]


@pytest.mark.parametrize(("format", "name", "content", "line", "problem"), FAULTS)
def test_broken_files_name_file_and_line(
    format: str, name: str, content: str, line: int | None, problem: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=problem) as raised:
        texts_of(format, tmp_path / name)
    assert (raised.value.file, raised.value.line) == (str(tmp_path / name), line)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("format", "name", "content", "lines"),
    [
        ("ua-gec", "d.a0.ann", "a {b=>c:::error_type=X}\nq {r=>s:::t}\nv {w\nx {y=>z:::k}\n", "2, 3, 4"),
        ("cows-l2h", "essay.txt", "I [has]{have}<x> a ]cat\nthe [dog]{cat}<x>\n a {dog\n", "1, 3"),
        ("clc-xml", "d.xml", "<d><p>a <i>b</i>\nc <NS><i>d</i><c>e</c></NS>\n<c>f</c></p></d>", "1, 3"),
    ],
)
def test_every_bad_mark_of_a_text_is_named(
    tmp_path: Path, format: str, name: str, content: str, lines: str
) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(FormatError) as raised:
        jperrant.convert_m2(tmp_path / name, tmp_path / "o.m2", format, "m2")
    first, *others = lines.split(", ")
    further = f"; further bad marks in lines {', '.join(others)}"
    assert re.search(rf"{re.escape(name)}:{first}: .*{further}$", str(raised.value))
    assert not (tmp_path / "o.m2").exists()


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY b SYSTEM "file:///etc/passwd">',
        '<!ENTITY % b SYSTEM "http://example.org/x.dtd"> %b;',
        "<!ATTLIST p a CDATA 'xxx'>",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_and_default_attributes_are_refused(declaration: str, encoding: str) -> None:
    with pytest.raises(FormatError, match="found a DOCTYPE, which can declare entities"):
        parse_xml(f"<!DOCTYPE p [{declaration}]><p>&b;</p>".encode(encoding), "x.xml")


@pytest.mark.parametrize("text", ["<p>&b;</p>", "<p a='&b;'/>", "<p/>"])
def test_a_dtd_that_is_not_fetched_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="found a DOCTYPE"):
        parse_xml(f'<!DOCTYPE p SYSTEM "x.dtd">{text}', "x.xml")


@pytest.mark.parametrize("encoding", ["U1e4008", "utf-32", "\N{SNOWMAN}"])
def test_unknown_encodings_are_refused(encoding: str) -> None:
    with pytest.raises(FormatError, match="not XML"):
        parse_xml(f"<?xml version='1.0' encoding='{encoding}'?><p/>".encode(), "x.xml")
