"""Readers of parallel text: what they give, and the one line that names file and line for each bad input."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from jperrant.core.errors import FormatError, InputError
from jperrant.core.values import Parallel
from jperrant.io.conllu_files import parse_conllu, read_conllu
from jperrant.io.files import read_lines
from jperrant.io.parallel import in_step, read_conllu_parallel, read_jsonl, read_lines_parallel, read_tsv

File = Callable[..., str]


@pytest.fixture
def file(tmp_path: Path) -> File:
    """Write bytes or text to a file and return its name."""

    def write(content: str | bytes, name: str = "") -> str:
        path = tmp_path / (name or f"f{len(list(tmp_path.iterdir()))}.txt")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def forms(records: Iterable[Parallel]) -> list[tuple[tuple[str, ...], ...]]:
    return [(r.source.forms, *(c.forms for c in r.corrections)) for r in records]


def texts(records: Iterable[Parallel]) -> list[tuple[str, ...]]:
    return [(r.source.text, *(c.text for c in r.corrections)) for r in records]


# Lines


def test_lines_with_two_corrections_and_empty_lines(file: File) -> None:
    source, first, second = file("a b\n\nc\n"), file("a\nx\nc"), file("\n\nc d\n")
    expected = [(("a", "b"), ("a",), ()), ((), ("x",), ()), (("c",), ("c",), ("c", "d"))]
    assert forms(read_lines_parallel(source, [first, second])) == expected


@pytest.mark.parametrize("before", [0, 998, 999, 1000])
def test_raw_lines_that_are_split_and_joined_are_brought_into_step(file: File, before: int) -> None:
    same = [f"Line {n} is right." for n in range(before)]
    source = [*same, "He go home. She sleep a lot.", "The cat are here.", "I likes it.", "It rain."]
    other = [*same, "He goes home.", "She sleeps a lot.", "The cat is here. I like it.", "It rains."]
    found = texts(in_step(read_lines_parallel(file("\n".join(source)), [file("\n".join(other))])))
    assert found[:before] == list(zip(same, same, strict=True))
    assert found[before:] == [
        ("He go home. She sleep a lot.", "He goes home.\nShe sleeps a lot."),
        ("The cat are here.\nI likes it.", "The cat is here. I like it."),
        ("It rain.", "It rains."),
    ]


def test_byte_order_mark_crlf_and_white_space_of_every_kind(file: File) -> None:
    source = file(b"\xef\xbb\xbf  a \xe3\x80\x80 b\r\nc\xe2\x80\xa8d\x0be\x0c\xc2\x85f\r\n")
    assert list(read_lines(source)) == ["  a \u3000 b", "c\u2028d\x0be\x0c\x85f"]
    # White space of every kind parts tokens, and only a newline ends a line.
    records = list(read_lines_parallel(source, [file("a b\nx\n")]))
    assert forms(records) == [(("a", "b"), ("a", "b")), (("c", "d", "e", "f"), ("x",))]
    for sentence in [record.source for record in records]:
        assert [sentence.text[token.start : token.end] for token in sentence.tokens] == [*sentence.forms]


def test_different_numbers_of_lines(file: File) -> None:
    lines = [" ".join(letter * n for n in range(2, 9)) + "\n" for letter in "abcdefghij"]
    source, target = file("".join(lines)), file("".join(lines[:4] + lines[5:]), "t")
    missing = rf"1 of the 10 source sentences has no answer \(line 5\), such as '{lines[4].strip()}'"
    with pytest.raises(InputError, match=f"found 10 lines in .* and 9 in {target}.*{missing}"):
        next(iter(read_lines_parallel(source, [source, target])))
    short, long = file("a b c\nd e f\n"), file("a b c\nd e f\none more\n")
    for one, other, counts in ((short, long, (2, 3)), (long, short, (3, 2))):
        with pytest.raises(InputError, match=r"found {} lines .* {} in .* \(line 3\)".format(*counts)):
            list(read_lines_parallel(one, [other]))


def test_blank_lines_at_the_end_are_no_sentences(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    s, t, u, v = map(file, ("a b\nc d\n", "a b\nc e\n\n", "a b\n\n\n", "a b\n\u3000\n\t\n\n"))
    for source, others, expected in (
        (s, [t], [("a b", "a b"), ("c d", "c e")]),
        (s, [u], [("a b", "a b"), ("c d", "")]),  # the second sentence is deleted
        (u, [t, v], [("a b", "a b", "a b"), ("", "c e", "\u3000")]),
    ):
        assert texts(read_lines_parallel(source, others)) == expected
        # Standard input cannot be counted beforehand.
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(Path(source).read_bytes())))
        assert texts(read_lines_parallel("-", others)) == expected
    assert [r.source.text for r in read_tsv(file("a\tb\n\nc\td\n\n\n"))] == ["a", "", "c"]


def test_files_that_cannot_be_read(file: File, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.txt: cannot be read \(no such file"):
        list(read_lines_parallel(str(tmp_path / "nowhere.txt"), [file("a\n")]))
    with pytest.raises(InputError, match="cannot be read"):
        list(read_lines_parallel(file("a\n"), [str(tmp_path)]))


@pytest.mark.parametrize("side", [0, 1, 2])
def test_bars_in_a_token(file: File, side: int) -> None:
    names = [file("a\nb x|||y\n" if n == side else "a\nb\n", f"n{n}.txt") for n in range(3)]
    with pytest.raises(FormatError, match=rf"n{side}\.txt:2: token 'x\|\|\|y'"):
        list(read_lines_parallel(names[0], names[1:]))


# Records


def test_tsv(file: File) -> None:
    expected = [(("a", "b"), ("a",), ("b",)), ((), ()), (("c",), ()), ((), ("d",))]
    assert forms(read_tsv(file("a b\ta\tb\n\nc\t\n\td\n"))) == expected
    assert texts(read_tsv(file("source\tsources\n"))) == [("source", "sources")]


def test_jsonl(file: File) -> None:
    text = (
        '{"source": "a  b", "target": "a"}\n{"id": 7, "source": ["a", "b"], "targets": ["x", []]}\n'
        '{"source": ["is"], "targets": []}\n'
    )
    records = list(read_jsonl(file(text)))
    assert forms(records) == [(("a", "b"), ("a",)), (("a", "b"), ("x",), ()), (("is",),)]
    assert [record.source.id for record in records] == ["", "7", ""]
    assert [(token.start, token.end) for token in records[1].source.tokens] == [(0, 1), (2, 3)]


# CoNLL-U


def row(id: object = 1, form: str = "a", head: object = 0, deprel: str = "dep", **tags: str) -> str:
    """Return the line of a word; tags are lemma, upos, xpos and feats."""
    names = ("lemma", "upos", "xpos", "feats")
    columns = [id, form, *(tags.get(name, "_") for name in names), head, deprel, "_", "_"]
    return "\t".join(map(str, columns)) + "\n"


def test_conllu_keeps_the_analysis(file: File) -> None:
    rows = [
        row("1-2", "zum", "_", "_"),
        row(1, "zu", 3, "case", lemma="zu", upos="ADP", xpos="APPR"),
        row(2, "dem", 3, "det", lemma="der", upos="DET", xpos="ART", feats="Case=Dat|Number=Sing"),
        row("2.1", "leer", "_", "_"),
        row(3, "_", 0, "root", upos="NOUN", xpos="NN"),
    ]
    text = "".join(["\ufeff# sent_id = s1\n# text = zum Haus\n", *rows, "\n"])
    (sentence,) = read_conllu(file(text.replace("\n", "\r\n")), words=True)
    assert (sentence.id, sentence.forms) == ("s1", ("zu", "dem", "_"))
    second, third = sentence.tokens[1:]
    found = (second.lemma, second.upos, second.xpos, second.feats, second.head, second.deprel)
    assert found == ("der", "DET", "ART", "Case=Dat|Number=Sing", 3, "det")
    assert (third.lemma, third.head) == ("_", 0)
    assert [sentence.text[t.start : t.end] for t in sentence.tokens] == [*sentence.forms]


def test_conllu_comments_empty_sentences_and_a_missing_last_newline(file: File) -> None:
    for end in ("# the end", "# the end\n", "# one\n# two\n"):
        assert [s.forms for s in read_conllu(file(f"{row()}\n{end}"))] == [("a",)]
    found = list(read_conllu(file(f"# empty\n\n{row()}\n\n# empty\n\n{row(1, 'b', '_')}".rstrip("\n"))))
    assert [s.forms for s in found] == [(), ("a",), (), ("b",)]
    assert found[3].tokens[0].head is None


@pytest.mark.parametrize(
    "given",
    [{"feats": "Number[psor]=Sing|Case=Nom"}, {"feats": "PronType=Int,Rel"}, {"feats": "foo=bar"},
     {"xpos": "N|soort"}, {"xpos": "="}, {"upos": "X", "deprel": "nsubj:pass"}, {"deprel": "_"}],
)  # fmt: skip
def test_tags_of_treebanks_are_read_as_they_are(file: File, given: dict[str, str]) -> None:
    [sentence] = read_conllu(file(row(**given)))
    assert sentence.tokens[0].feats == given.get("feats", "")


def test_conllu_sides_must_have_as_many_sentences(file: File) -> None:
    two, one = file(f"{row()}\n{row()}\n", "two"), file(f"{row()}\n", "one")
    with pytest.raises(InputError, match=r"found 2 sentences in .*two and 1 "):
        list(read_conllu_parallel(two, [one]))
    with pytest.raises(InputError, match=r"found 1 sentence in .*one and 2 "):
        list(read_conllu_parallel(one, [two]))


def test_conllu_is_read_no_further_than_a_sentence() -> None:
    def lines() -> Iterator[str]:
        yield from (row().rstrip(), "")
        raise AssertionError("read ahead")

    assert next(parse_conllu(lines(), "f")).forms == ("a",)


#: Readers, each with content, the line to blame, and what the message says.
FAULTS: dict[Callable[[str], Iterable[object]], list[tuple[str | bytes, int, str]]] = {
    read_lines: [
        (b"a b\nc \xff d\n", 2, "byte 0xff at offset 6 is not UTF-8"),
        (b"\xef\xbb\xbfa\xe9\n", 1, "byte 0xe9 at offset 4 is not UTF-8"),
        (b"\xef\xbb\xbfa\r\nb\n\xc3(\n", 3, "byte 0xc3 at offset 8 is not UTF-8"),
    ],
    read_tsv: [
        ("a\tb\nc d\n", 2, "found one column, 'c d', expected source, tab"),
        ("a\t|||\n", 1, r"token '\|\|\|'"),
        ("Source\tCorrected\nHe go .\tHe goes .\n", 1, "found names of columns"),
    ],
    read_conllu: [
        (row().removesuffix("\t_\n"), 1, "found 9 columns, expected 10"),
        ("1 a _ _ _ _ 0 root _ _", 1, "separated by tabs"),
        (row() + row(3, "b"), 2, "found ID '3', expected 2"),
        (row(1, ""), 1, "found the form ''"),
        (row("1-1", "a b") + row(), 1, "expected text without white space"),
        (row(1, "a|||b"), 1, r"'\|\|\|'"),
        (row(head=2), 1, "found head '2', expected a number from 0 to 1"),
        (row(head=-1), 1, "found head '-1'"),
        (row(head=1), 1, "cycle of heads through word 1"),
        ("# c\n" + row() + row(2, "b", 3) + row(3, "c", 2), 3, "cycle of heads through word 2"),
        (row("1-2") + row(), 1, "found ID '1-2', expected a multi-word token right before"),
        (row("1-2") + row("1-2") + row() + row(2), 2, "found ID '1-2', expected"),
        (row("1-0") + row(), 1, "found ID '1-0', expected"),
        ("# c\n" + row(upos="VERBB"), 2, r"unknown UPOS 'VERBB' \(did you mean 'VERB'\?\)"),
        (row(upos="CONJ"), 1, "it is CCONJ since UD 2"),
        (row(upos="VBZ", xpos="VERB"), 1, r"UPOS \(4\) and XPOS \(5\) seem to be swapped"),
        (row(upos="go", lemma="VERB"), 1, r"UPOS \(4\) and LEMMA \(3\) seem to be swapped"),
        (row(upos="Number=Sing", feats="NOUN"), 1, r"UPOS \(4\) and FEATS \(6\) seem"),
        (row(xpos="Number=Sing"), 1, r"XPOS \(5\) and FEATS \(6\) seem to be swapped"),
        (row(feats="Number=Sing|"), 1, "found FEATS 'Number=Sing|', expected"),
        (row(feats="Case=Nom|Case=Acc"), 1, "Case twice"),
        (row(head="nsubj", deprel="1"), 1, r"HEAD \(7\) and DEPREL \(8\) seem to be swapped"),
        (row(deprel="1"), 1, "found the number '1' as DEPREL"),
        (row(deprel=""), 1, "found DEPREL ''"),
    ],
    read_jsonl: [
        (f'{{"source": "a", "target": "b"}}\n{line}\n{{}}', 2, problem)
        for line, problem in [
            ("", "empty line"),
            ("{", "not JSON"),
            (f'{{"source": {"9" * 5000}, "target": "b"}}', "not JSON"),
            ("[" * 20_000, "not JSON"),
            ("[1]", "expected an object"),
            ('{"source": "a", "tagret": "b"}', "unknown key 'tagret' .did you mean 'target'"),
            ('{"source": "a"}', "either target or targets"),
            ('{"source": "a", "target": "b", "targets": []}', "either target or targets"),
            ('{"target": "b"}', "expected the key source"),
            ('{"source": 1, "target": "b"}', "source: found 1, expected a string or a list of tokens"),
            ('{"source": "a", "targets": {"x": 1}}', "targets: expected a list"),
            ('{"source": "a", "targets": ["b", ["a b"]]}', r"targets\[1\]: found the token .*a b"),
            ('{"source": [1], "target": "b"}', "found the token 1, expected text without white space"),
            ('{"source": "a", "target": "\\ud800"}', "surrogate"),
        ]
    ],
}


CASES = [(reader, *fault) for reader, faults in FAULTS.items() for fault in faults]
#: Before a test whose name says that something is nested, conftest.py makes room on the stack.
NAMES = [("nested: " if "[[[" in str(content) else "") + problem for _, content, _, problem in CASES]


@pytest.mark.parametrize(("reader", "content", "line", "problem"), CASES, ids=NAMES)
def test_bad_content_is_named_with_its_line(
    file: File, reader: Callable[[str], Iterable[object]], content: str | bytes, line: int, problem: str
) -> None:
    with pytest.raises(FormatError, match=rf"bad:{line}: .*{problem}") as error:
        list(reader(file(content, "bad")))
    assert "\n" not in str(error.value)
    assert error.value.exit_code == 2
