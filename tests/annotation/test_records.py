"""What annotate takes: records, paths, lines, and what M2 cannot hold."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.annotation.annotated_files import annotate_files
from jperrant.annotation.annotator import Annotator, parallels
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.annotation.noticed import Noticed
from jperrant.core.edits import apply_edits
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel, format_block
from jperrant.io.m2 import read_m2
from tests.strategies import examples

PLAIN = AnnotatorOptions("generic", models="none")
CONLL = Path(__file__).parents[1] / "data" / "conll14"


@pytest.fixture(scope="module")
def annotator():
    return jperrant.load("generic", models="none")


SOURCE, TARGET, OTHER = sentence_of("a b c"), sentence_of("a x c"), sentence_of("a b")


def test_all_forms_of_a_record_are_the_same(annotator):
    records = [
        ("a b c", ["a x c", "a b"]), ["a b c", ("a x c", "a b")], (SOURCE, ["a x c", OTHER]),
        (SOURCE, (TARGET, OTHER)), Parallel(SOURCE, (TARGET, OTHER)),
    ]  # fmt: skip
    first, *others = annotator.annotate_many(records)
    assert others == [first] * 4
    assert [len(a.edits) for a in first.annotations] == [1, 1]


def test_pairs_of_strings_are_read_as_a_stream(annotator):
    def pairs():
        for n in range(1000):
            taken.append(n)
            yield f"a {n}", f"b {n}"

    taken: list[int] = []
    blocks = annotator.annotate_many(pairs(), batch=10)
    assert [next(blocks).source for _ in range(3)] == [("a", "0"), ("a", "1"), ("a", "2")]
    assert len(taken) == 10


def test_annotate_takes_texts(annotator):
    edits = annotator.annotate("a b c", "a x c")
    assert edits == annotator.annotate(annotator.parse("a b c"), annotator.parse("a x c"))
    assert edits == annotator.annotate("a b c", annotator.parse("a x c"))
    assert [(e.start, e.end, e.correction) for e in edits] == [(1, 2, ("x",))]


def test_annotate_segments_texts_like_annotate_many():
    characters = jperrant.load("zh", models="none", tokens="characters")
    [block] = characters.annotate_many([("我 有三书。", "我有三本书。")])
    assert characters.annotate("我 有三书。", "我有三本书。") == block.annotations[0].edits != ()


@pytest.mark.parametrize(
    ("records", "problem"),
    [
        (["a b"], "record 1: .* found a string"),
        ([("a", "b"), ("a",)], "record 2: .* found a value of type tuple of length 1"),
        ([("a", None)], "record 1: found a value of type NoneType"),
        ([("a", ["b", 3])], "record 1: found a value of type int, expected a sentence"),
        ([(b"a", "b")], "record 1: found a value of type bytes"),
        ([7], "record 1: .* found a value of type int"),
        (Parallel(SOURCE, (TARGET,)), "record 1: .* found a value of type Sentence"),
    ],
)
def test_anything_else_is_one_line_that_names_the_record(records, problem):
    with pytest.raises(UsageError, match=f"^{problem}") as caught:
        list(parallels(records))
    assert "\n" not in str(caught.value)


def test_edits_of_an_alignment_block_by_block_are_marked(annotator, monkeypatch):
    source, target = "a b c d e f g h", "x b c y e f z h"
    expected = annotator.annotate(source, target)
    monkeypatch.setattr("jperrant.alignment.tokens.MOST_CELLS", 1)
    marked = annotator.annotate(source, target)
    assert marked == tuple(replace(edit, detail="aligned block by block") for edit in expected)
    blocks = list(annotator.annotate_many([(source, target)])) * 2
    assert blocks[0].annotations[0].edits == marked
    noticed = Noticed()
    assert list(noticed.watch(blocks)) == blocks
    assert "2 sentences are too long to be aligned exactly" in noticed.problems(PLAIN, raw=False)[0]


def test_edits_that_only_encode_characters_otherwise_are_counted(annotator):
    noticed = Noticed()
    list(noticed.watch(annotator.annotate_many([("e\u0301 a", "e\u0301 b"), ("\u00e9 a", "e b")])))
    assert not noticed.problems(PLAIN, raw=False)
    list(noticed.watch(annotator.annotate_many([("cafe\u0301 b e\u0301", "caf\u00e9 c \u00e9")])))
    [told] = noticed.problems(PLAIN, raw=False)
    assert told.startswith("2 edits change nothing but how characters are")


def test_corrections_in_the_wrong_lines_are_noticed(annotator):
    def problem_of(pairs):
        noticed = Noticed()
        list(noticed.watch(annotator.annotate_many(pairs)))
        return noticed.step.problem

    blocks = list(read_m2(str(CONLL / "conll14-AMU.errant")))[:60]
    sources = [" ".join(block.source) for block in blocks]
    corrected = [" ".join(apply_edits(b.source, b.annotations[0].edits)) for b in blocks]
    assert problem_of(list(zip(sources, corrected, strict=True))) == ""
    moved = [*corrected[:30], "This line is in one file only .", *corrected[30:-1]]
    pairs = list(zip(sources, moved, strict=True))
    two = [(a, [b, c]) for a, b, c in zip(sources, corrected, moved, strict=True)]
    assert "from sentence 31 on" in problem_of(pairs)
    assert "from sentence 31 on" in problem_of(two)
    assert problem_of(pairs[:37]) == "", "seven in a row may have been written anew"
    assert "5 sentences share few words" in problem_of(pairs[40:45]), "all of a short text"
    assert problem_of([("", ""), ("a b", "c d"), ("a b c d", "e f g h"), ("", "x y z w")]) == ""


def test_an_annotator_that_is_sent_to_a_process_says_what_to_do(annotator):
    """Each process loads its own, as docs/python.md says."""
    for sent in (annotator, annotator.annotate):  # itself, or what a pool is to call
        with pytest.raises(TypeError, match=r"jperrant\.load.* initializer of a pool"):
            pickle.dumps(sent)


def test_an_annotator_of_parts_is_not_loaded_by_other_processes(annotator):
    records = [("a b", "a c")] * 3
    assert [*annotator.annotate_many(records, jobs=2, batch=1)] == [*annotator.annotate_many(records)]
    with pytest.raises(UsageError, match="found 2 jobs, expected 1"):
        next(Annotator(annotator.pack, annotator.parser).annotate_many(records, jobs=2))


SYSTEM, GOLD = CONLL / "conll14-AMU.errant", CONLL / "conll14.errant"


def test_a_file_of_m2_appears_whole_or_not_at_all(tmp_path):
    def broken():
        yield next(jperrant.read_m2(SYSTEM))
        raise InputError("here it ends")

    (tmp_path / "out.m2").write_text("old")
    with pytest.raises(InputError, match="here it ends"):
        jperrant.write_m2(broken(), tmp_path / "out.m2")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out.m2", "old")]


def test_an_annotator_is_loaded_by_paths(tmp_path):
    (tmp_path / "pack.yaml").write_text("code: xx\nname: X\nextends: generic\n")
    (tmp_path / "words.txt").write_text("word\n")
    annotator = jperrant.load(pack=tmp_path, models="none", lexicon=tmp_path / "words.txt")
    assert annotator.pack.code == "xx"
    for wrong, problem in (({"dictionary": tmp_path}, r"found no xx\.dic"), ({"models": tmp_path}, "models")):
        with pytest.raises(jperrant.JperrantError, match=problem):
            jperrant.load(pack=tmp_path, **{"models": "none", **wrong})
    given = {"pack": tmp_path, "models": "none", "cache": tmp_path / "c"}
    [score] = jperrant.score([["a c"]], [["a c"]], source=["a b"], **given)
    assert score.values["f"] == 1.0


def test_systems_by_different_metrics_have_no_ranks():
    one, other = (jperrant.score(SYSTEM, GOLD, metrics=name)[0] for name in ("errant", "wer"))
    with pytest.raises(UsageError, match=r"scored by errant and .* by wer; a ranking needs one metric"):
        jperrant.rank_systems([one, other])


@pytest.mark.parametrize(
    "call",
    [
        lambda name: jperrant.score(name, GOLD),
        lambda name: jperrant.score(name, name, source=name, lang="en"),
        lambda name: jperrant.load("en", models=name),
        lambda name: jperrant.load("en", pack=name),
        lambda name: list(jperrant.read_m2(name)),
    ],
)
def test_a_text_where_a_path_belongs_is_refused(call):
    """Longer than any file name can be, which systems report in other words than a missing file."""
    with pytest.raises(jperrant.JperrantError, match="He went home"):
        call("He went home . " * 100)


# What M2 cannot hold


@pytest.mark.parametrize(
    ("format", "row"),
    [("tsv", "{}\t{}\n"), ("cherrant", "x\t{}\t{}\n"), ("jsonl", '{{"source": "{}", "target": "{}"}}\n')],
)
@pytest.mark.parametrize("token", ["x|||y", "-NONE-"])
def test_a_record_that_m2_cannot_hold_is_named_in_every_format(tmp_path, format, row, token):
    path = tmp_path / "pairs"
    path.write_text("".join(row.format(*pair) for pair in [("a b", "a"), ("c d", f"c {token}"), ("e", "f")]))
    with pytest.raises(FormatError) as error:
        list(annotate_files(PLAIN, str(path), [], format=format))
    assert (error.value.file, error.value.line) == (str(path), 2)


def annotated_lines(folder, source, target):
    for name, lines in (("s", source), ("t", target)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return list(annotate_files(PLAIN, str(folder / "s"), [str(folder / "t")]))


def test_only_a_token_that_moves_is_an_error_with_its_line(tmp_path):
    [block] = annotated_lines(tmp_path, ["c||d -NONE- b || e"], ["c||d -NONE- x || y"])
    assert "c||d" in format_block(block)
    with pytest.raises(FormatError, match="s:2: "):
        annotated_lines(tmp_path, ["a", "c||d e f", "b"], ["x", "e c||d f", "y"])
    for token in ("c||d", "||x", "x||"):
        with pytest.raises(FormatError, match="t:2: "):
            annotated_lines(tmp_path, ["a", "b", "c"], ["a", token, "c"])


TOKENS = st.lists(st.sampled_from(["a", "b", "||", "c||d", "|", "a|", "-NONE-", "|||", "noop"]), max_size=5)


@pytest.mark.ci
@examples(40)
@given(source=TOKENS, target=TOKENS)
def test_a_record_comes_out_or_is_refused_with_its_line(tmp_path_factory, source, target):
    sources, targets = (["a", " ".join(source), "b"], ["b", " ".join(target), "b"])
    try:
        blocks = annotated_lines(tmp_path_factory.mktemp("r"), sources, targets)
    except FormatError as error:
        assert error.line == 2  # noqa: PT017
        return
    for block, before, after in zip(blocks, sources, targets, strict=True):
        assert block.source == tuple(before.split())
        assert apply_edits(block.source, block.annotations[0].edits) == tuple(after.split())
        format_block(block)
