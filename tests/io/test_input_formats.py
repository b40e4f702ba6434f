"""Readers of parallel text: what they give, and the one line that names file and line for each bad input."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.io.conllu import parse_conllu, read_conllu
from jperrant.io.files import read_lines
from jperrant.io.parallel import in_step, read_conllu_parallel, read_jsonl, read_lines_parallel, read_tsv


@pytest.fixture
def file(tmp_path):
    """Write bytes or text to a file and return its name."""
    count = iter(range(100))

    def write(content: str | bytes, name: str = "") -> str:
        path = tmp_path / (name or f"f{next(count)}.txt")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def forms(records) -> list[tuple[tuple[str, ...], ...]]:
    return [(r.source.forms, *(c.forms for c in r.corrections)) for r in records]


def check_message(error: pytest.ExceptionInfo[InputError]) -> None:
    assert "\n" not in str(error.value)
    assert error.value.exit_code == 2


# Lines


def test_lines_with_two_corrections_and_empty_lines(file):
    source, first, second = file("a b\n\nc\n"), file("a\nx\nc"), file("\n\nc d\n")
    assert forms(read_lines_parallel(source, [first, second])) == [
        (("a", "b"), ("a",), ()),
        ((), ("x",), ()),
        (("c",), ("c",), ("c", "d")),
    ]


@pytest.mark.parametrize("before", [0, 998, 999, 1000])
def test_raw_lines_that_are_split_and_joined_are_brought_into_step(file, before):
    same = [f"Line {n} is right." for n in range(before)]
    source = [*same, "He go home. She sleep a lot.", "The cat are here.", "I likes it.", "It rain."]
    other = [*same, "He goes home.", "She sleeps a lot.", "The cat is here. I like it.", "It rains."]
    records = in_step(read_lines_parallel(file("\n".join(source)), [file("\n".join(other))]))
    texts = [(record.source.text, record.corrections[0].text) for record in records]
    assert texts[:before] == list(zip(same, same, strict=True))
    assert texts[before:] == [
        ("He go home. She sleep a lot.", "He goes home.\nShe sleeps a lot."),
        ("The cat are here.\nI likes it.", "The cat is here. I like it."),
        ("It rain.", "It rains."),
    ]


def test_raw_lines_in_step_stay_as_they_are_however_they_were_rewritten(file):
    source, other = "He go home.\n\nYes it be.\nNo.\n", "He goes home.\n\nQuite another thing\nNo.\n"
    records = list(read_lines_parallel(file(source), [file(other)]))
    assert list(in_step(records)) == records


def test_byte_order_mark_crlf_and_line_separators(file):
    source = file(b"\xef\xbb\xbfa b\r\nc\xe2\x80\xa8d\x0be\x0c\xc2\x85f\r\n")
    assert list(read_lines(source)) == ["a b", "c\u2028d\x0be\x0c\x85f"]
    # White space of every kind parts tokens, and only a newline ends a line.
    assert forms(read_lines_parallel(source, [file("a b\nx\n")])) == [
        (("a", "b"), ("a", "b")),
        (("c", "d", "e", "f"), ("x",)),
    ]


def test_offsets_point_into_the_line(file):
    (record,) = read_lines_parallel(file("  a \u3000 b\u00a0c \n"), [file("a\n")])
    assert record.source.forms == ("a", "b", "c")
    for token in record.source.tokens:
        assert record.source.text[token.start : token.end] == token.form


def test_different_numbers_of_lines(file):
    lines = [" ".join(letter * n for n in range(2, 9)) for letter in "abcdefghij"]
    source = file("\n".join(lines) + "\n", "source.txt")
    target = file("\n".join(lines[:4] + lines[5:]) + "\n", "target.txt")
    with pytest.raises(InputError) as error:
        next(iter(read_lines_parallel(source, [file("\n".join(lines)), target])))
    check_message(error)
    missing = f"1 of the 10 source sentences has no answer (line 5), such as {lines[4]!r}"
    for part in ("found 10 lines in", f"and 9 in {target}", missing):
        assert part in str(error.value)
    for texts in (
        ("a b c\nd e f\n", "a b c\nd e f\none more\n"),
        ("a b c\nd e f\none more\n", "a b c\nd e f\n"),
    ):
        counts = [text.count("\n") for text in texts]
        with pytest.raises(InputError, match=f"found {counts[0]} lines .* {counts[1]} in .* \\(line 3\\)"):
            list(read_lines_parallel(file(texts[0]), [file(texts[1])]))


def test_blank_lines_at_the_end_are_no_sentences(file, monkeypatch):
    texts = {"s": "a b\nc d\n", "t": "a b\nc e\n\n", "u": "a b\n\n\n", "v": "a b\n\u3000\n\t\n\n"}
    paths = {name: file(text, f"{name}.txt") for name, text in texts.items()}

    def read(source, *targets):
        records = read_lines_parallel(source, targets)
        return [(r.source.text, *(c.text for c in r.corrections)) for r in records]

    s, t, u, v = paths.values()
    assert read(s, t) == [("a b", "a b"), ("c d", "c e")]
    assert read(t, s) == [("a b", "a b"), ("c e", "c d")]
    assert read(s, u) == [("a b", "a b"), ("c d", "")], "the second sentence is deleted"
    assert read(u, v) == [("a b", "a b")]
    assert read(u, t, v) == [("a b", "a b", "a b"), ("", "c e", "\u3000")]
    for path in paths.values():  # standard input cannot be counted beforehand
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(Path(path).read_bytes())))
        assert read("-", path) == read(path, path)
    with pytest.raises(InputError, match=r"found 2 lines in .*s\.txt and 1 in .*w\.txt"):
        read(s, file("a b\n", "w.txt"))
    assert [r.source.text for r in read_tsv(file("a\tb\n\nc\td\n\n\n"))] == ["a", "", "c"]


def test_no_target_and_standard_input_twice(file):
    with pytest.raises(UsageError, match=r"no file of corrections .* after the source$"):
        list(read_lines_parallel(file("a\n", "a.txt"), []))
    with pytest.raises(UsageError, match="only one file can be read from it"):
        list(read_lines_parallel("-", ["-"]))


def test_missing_and_unreadable_files(file, tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.txt: cannot be read \(no such file"):
        list(read_lines_parallel(str(tmp_path / "nowhere.txt"), [file("a\n")]))
    with pytest.raises(InputError, match="cannot be read"):
        list(read_lines_parallel(file("a\n"), [str(tmp_path)]))


@pytest.mark.parametrize(
    ("content", "line", "byte", "offset"),
    [
        (b"a b\nc \xff d\n", 2, "0xff", 6),
        (b"\xef\xbb\xbfa\xe9\n", 1, "0xe9", 4),
        (b"\xef\xbb\xbfa\r\nb\n\xc3(\n", 3, "0xc3", 8),
        (b"a\nlatin\xe9", 2, "0xe9", 7),
    ],
)
def test_bytes_that_are_not_utf8(file, content, line, byte, offset):
    source = file(content, "bad.txt")
    said = rf"bad\.txt:{line}: byte {byte} at offset {offset} is not UTF-8"
    with pytest.raises(FormatError, match=said) as error:
        list(read_lines(source))
    assert content[offset] == int(byte, 16)
    check_message(error)


@pytest.mark.parametrize("side", [0, 1, 2])
def test_bars_in_a_token(file, side):
    texts = ["a\nb\n"] * 3
    texts[side] = "a\nb x|||y\n"
    names = [file(text, f"n{n}.txt") for n, text in enumerate(texts)]
    with pytest.raises(FormatError, match=rf"n{side}\.txt:2: token 'x\|\|\|y'") as error:
        list(read_lines_parallel(names[0], names[1:]))
    check_message(error)


# TSV


def test_tsv(file):
    assert forms(read_tsv(file("a b\ta\tb\n\nc\t\n\td\n"))) == [
        (("a", "b"), ("a",), ("b",)), ((), ()), (("c",), ()), ((), ("d",)),
    ]  # fmt: skip
    [row] = read_tsv(file("source\tsources\n"))
    assert row.source.text == "source"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a\tb\nc d\n", "2: found one column, 'c d', expected source, tab"),
        ("a\t|||\n", r"1: token '\|\|\|'"),
        ("Source\tCorrected\nHe go .\tHe goes .\n", "1: found names of columns"),
    ],
)
def test_bad_tsv(file, text, problem):
    with pytest.raises(FormatError, match=rf"r\.tsv:{problem}") as error:
        list(read_tsv(file(text, "r.tsv")))
    check_message(error)


# CoNLL-U


def row(n, form, head=0, columns=10) -> str:
    return "\t".join([str(n), form, "_", "_", "_", "_", str(head), "dep", "_", "_"][:columns])


def tagged(**given: str) -> str:
    names = ("lemma", "upos", "xpos", "feats", "head", "deprel")
    values = {"head": "0", "deprel": "root", **given}
    return "\t".join(["1", "a", *(values.get(name, "_") for name in names), "_", "_"])


def conllu(*rows: str) -> str:
    return "\n".join(rows) + "\n\n"


def test_conllu_keeps_the_analysis(file):
    text = "# sent_id = s1\n# text = zum Haus\n" + conllu(
        "1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tzu\tzu\tADP\tAPPR\t_\t3\tcase\t_\t_",
        "2\tdem\tder\tDET\tART\tCase=Dat|Number=Sing\t3\tdet\t_\t_",
        "2.1\tleer\t_\t_\t_\t_\t_\t_\t_\t_",
        "3\t_\t_\tNOUN\tNN\t_\t0\troot\t_\t_",
    )
    (sentence,) = read_conllu(file("\ufeff" + text.replace("\n", "\r\n")), words=True)
    assert sentence.id == "s1"
    assert sentence.forms == ("zu", "dem", "_")
    second, third = sentence.tokens[1:]
    found = (second.lemma, second.upos, second.xpos, second.feats, second.head, second.deprel)
    assert found == ("der", "DET", "ART", "Case=Dat|Number=Sing", 3, "det")
    assert (third.lemma, third.head) == ("_", 0)
    assert all(sentence.text[t.start : t.end] == t.form for t in sentence.tokens)


def test_conllu_comments_empty_sentences_and_a_missing_last_newline(file):
    text = conllu(row(1, "a")) + "\n"
    for end in ("# the end", "# the end\n", "# one\n# two\n"):
        assert [s.forms for s in read_conllu(file(text + end))] == [("a",)]
    found = list(read_conllu(file("# empty\n\n" + text + "\n# empty\n\n" + row(1, "b", head="_"))))
    assert [s.forms for s in found] == [(), ("a",), (), ("b",)]
    assert found[3].tokens[0].head is None


@pytest.mark.parametrize(
    "given",
    [{"feats": "Number[psor]=Sing|Case=Nom"}, {"feats": "PronType=Int,Rel"}, {"feats": "foo=bar"},
     {"xpos": "N|soort"}, {"xpos": "="}, {"upos": "X", "deprel": "nsubj:pass"}, {"deprel": "_"},
     {"upos": "_", "xpos": "NN"}],
)  # fmt: skip
def test_tags_of_treebanks_are_read_as_they_are(file, given):
    [sentence] = read_conllu(file(conllu(tagged(**given))))
    assert sentence.tokens[0].feats == given.get("feats", "")


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (conllu(row(1, "a", columns=9)), 1, "found 9 columns, expected 10"),
        (conllu(row(1, "a") + "\tx"), 1, "found 11 columns, expected 10"),
        (conllu("1 a _ _ _ _ 0 root _ _"), 1, "separated by tabs"),
        (conllu(row(1, "a"), row(3, "b")), 2, "found ID '3', expected 2"),
        (conllu(row("x", "a")), 1, "found ID 'x'"),
        (conllu(row(1, "")), 1, "found the form ''"),
        (conllu(row(1, "a b")), 1, "expected text without white space"),
        (conllu(row(1, "a|||b")), 1, r"'\|\|\|'"),
        (conllu(row(1, "a", head=2)), 1, "found head '2', expected a number from 0 to 1"),
        (conllu(row(1, "a", head=-1)), 1, "found head '-1'"),
        (conllu(row(1, "a", head="x")), 1, "found head 'x'"),
        (conllu(row(1, "a", head=1)), 1, "cycle of heads through word 1"),
        (conllu("# c", row(1, "a"), row(2, "b", 3), row(3, "c", 2)), 3, "cycle of heads through word 2"),
        (conllu(row(1, "a", 2), row(2, "b", 3), row(3, "c", 1)), 1, "cycle"),
        (conllu(row("1-2", "a"), row(1, "a")), 1, "found ID '1-2', expected a multi-word token right before"),
        (conllu(row(1, "a"), row("3-4", "b")), 2, "found ID '3-4', expected"),
        (conllu(row("1-2", "c"), row("1-2", "c"), row(1, "a"), row(2, "b")), 2, "found ID '1-2', expected"),
        (conllu(row("1-0", "a"), row(1, "a")), 1, "found ID '1-0', expected"),
        (conllu(row("1-1", "a b"), row(1, "a")), 1, "expected text without white space"),
        (conllu("# c", tagged(upos="VERBB")), 2, r"unknown UPOS 'VERBB' \(did you mean 'VERB'\?\)"),
        (conllu(tagged(upos="CONJ")), 1, "it is CCONJ since UD 2"),
        (conllu(tagged(upos="VBZ", xpos="VERB")), 1, r"UPOS \(4\) and XPOS \(5\) seem to be swapped"),
        (conllu(tagged(upos="go", lemma="VERB")), 1, r"UPOS \(4\) and LEMMA \(3\) seem to be swapped"),
        (conllu(tagged(upos="Number=Sing", feats="NOUN")), 1, r"UPOS \(4\) and FEATS \(6\) seem"),
        (conllu(tagged(xpos="Number=Sing")), 1, r"XPOS \(5\) and FEATS \(6\) seem to be swapped"),
        (conllu(tagged(feats="Number")), 1, "found FEATS 'Number', expected"),
        (conllu(tagged(feats="Number=Sing|")), 1, "found FEATS"),
        (conllu(tagged(feats="")), 1, "found FEATS"),
        (conllu(tagged(feats="Case=Nom|Case=Acc")), 1, "Case twice"),
        (conllu(tagged(head="nsubj", deprel="1")), 1, r"HEAD \(7\) and DEPREL \(8\) seem to be swapped"),
        (conllu(tagged(deprel="1")), 1, "found the number '1' as DEPREL"),
        (conllu(tagged(deprel="")), 1, "found DEPREL ''"),
    ],
)
def test_bad_conllu(file, text, line, problem):
    with pytest.raises(FormatError, match=rf"bad\.conllu:{line}: .*{problem}") as error:
        list(read_conllu(file(text, "bad.conllu")))
    check_message(error)


def test_conllu_sides_must_have_as_many_sentences(file):
    two, one = file(conllu(row(1, "a")) * 2, "two"), file(conllu(row(1, "a")), "one")
    for files, found in (
        ((two, one), "2 sentences in .*two and 1 "),
        ((one, two), "1 sentence in .*one and 2 "),
    ):
        with pytest.raises(InputError, match=f"found {found}"):
            list(read_conllu_parallel(files[0], [files[1]]))


def test_readers_stream():
    """Neither reader asks for a sentence more than it gives out."""

    def lines():
        yield from (row(1, "a"), "")
        raise AssertionError("read ahead")

    assert next(parse_conllu(lines(), "f")).forms == ("a",)


# JSON Lines


def test_jsonl(file):
    text = (
        '{"source": "a  b", "target": "a"}\n'
        '{"id": 7, "source": ["a", "b"], "targets": ["x", []]}\n'
        '{"source": ["is"], "targets": []}\n'
    )
    records = list(read_jsonl(file(text)))
    assert forms(records) == [(("a", "b"), ("a",)), (("a", "b"), ("x",), ()), (("is",),)]
    assert [record.source.id for record in records] == ["", "7", ""]
    assert [(token.start, token.end) for token in records[1].source.tokens] == [(0, 1), (2, 3)]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "empty line"),
        ("{", "not JSON"),
        (f'{{"source": {"9" * 5000}, "target": "b"}}', "not JSON"),
        ("[1]", "expected an object"),
        ('{"source": "a", "tagret": "b"}', "unknown key 'tagret' .did you mean 'target'"),
        ('{"source": "a"}', "either target or targets"),
        ('{"source": "a", "target": "b", "targets": []}', "either target or targets"),
        ('{"target": "b"}', "expected the key source"),
        ('{"source": 1, "target": "b"}', "source: found '1', expected a string or a list of tokens"),
        ('{"source": null, "target": "b"}', "source: found"),
        ('{"source": "a", "targets": "b"}', "targets: expected a list"),
        ('{"source": "a", "targets": {"x": 1}}', "targets: expected a list"),
        ('{"source": "a", "targets": ["b", ["a b"]]}', r"targets\[1\]: found the token .*a b"),
        ('{"source": [""], "target": "b"}', "found the token"),
        ('{"source": [1], "target": "b"}', "found the token '1', expected text without white space"),
        ('{"source": [{"form": "b"}], "target": "b"}', "found the token"),
        ('{"source": "x|||y", "target": "b"}', r"'\|\|\|'"),
        ('{"source": "a", "target": "\\ud800"}', "surrogate"),
        pytest.param("[" * 20_000, "not JSON", id="nested"),
    ],
)  # fmt: skip
def test_bad_jsonl(file, line, problem):
    good = '{"source": "a", "target": "b"}\n'
    with pytest.raises(FormatError, match=rf"bad\.jsonl:2: .*{problem}") as error:
        list(read_jsonl(file(f"{good}{line}\n{good}", "bad.jsonl")))
    check_message(error)
