"""``m2 check`` with a pack: types, edits without effect, missing annotators, files of one text, fixes."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.edits import apply_edits
from jperrant.core.text import glued_token
from jperrant.core.values import Annotation, Block, Edit, format_block
from jperrant.io.m2 import FormatDeviations, parse_numbered_m2, read_m2
from jperrant.m2tools.check import ContentCheck, LabelCheck, allowed_operations, labels_of_pack
from jperrant.packs.discovery import known_packs
from jperrant.packs.pack import load_pack
from tests.commands import printed, refused
from tests.m2_cases import GOLD, change
from tests.strategies import examples

NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||"
BAD = """S She go to school .
A 1 2|||R:SPELLING|||goes|||REQUIRED|||-NONE-|||0
A 2 3|||R:PREP|||to|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I like apple .
A 2 2|||R:DET|||the|||REQUIRED|||-NONE-|||0
A 2 3|||r_noun_num|||apples|||REQUIRED|||-NONE-|||0
A 2 3|||r_noun_num|||apples|||REQUIRED|||-NONE-|||0

"""


check = partial(printed, "m2", "check")


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], str]:
    """Write a file and return its name."""

    def write(text: str, name: str = "a.m2") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write


@pytest.fixture(scope="module")
def english() -> LabelCheck:
    return labels_of_pack("en")


# --- types


UNKNOWN = "unknown-label"


@pytest.mark.parametrize(
    ("source", "given", "code", "fix"),
    [
        ("she went", change(0, 1, ". She", "M:PUNCT"), "", ""),  # as ERRANT types it
        ("Of course", change(0, 2, "Course", "U:PREP"), "", ""),
        ("she went", change(0, 1, ". He", "M:PUNCT"), "operation", "R:PUNCT"),
        ("a b", change(1, 1, "c", "R:DET"), "operation", "M:DET"),
        ("a b", change(0, 1, "", "R:DET"), "operation", "U:DET"),
        ("a b", change(0, 1, "c", "U:DET"), "operation", "R:DET"),
        ("a b", change(0, 1, "c", "R:SPELLING"), UNKNOWN, ""),  # R:SPELL is nearest, but may not be meant
        ("a b", change(0, 1, "", "SPELL"), UNKNOWN, "U:SPELL"),
        *[("a b", change(0, 1, "c", name), UNKNOWN, "R:SPELL") for name in ("r:spell", "SPELL", "r-spell")],
        *[("a b", change(0, 1, "c", name), UNKNOWN, "R:VERB:SVA") for name in ("R_VERB_SVA", "R:VERB: SVA")],
        *[("a b", Edit(0, 1, None, name), "", "") for name in ("UNK", "Um")],
    ],
)
def test_types(source: str, given: Edit, code: str, fix: str, english: LabelCheck) -> None:
    problem = english.problem(given, source.split())
    assert (problem.code if problem else "", problem.fix if problem else "") == (code, fix)
    fixed = problem.fixed if problem else None
    assert fixed == (Edit(given.start, given.end, given.correction, fix) if fix else None)


@pytest.mark.parametrize("code", sorted(known_packs()))
def test_the_examples_of_every_pack_have_types_of_the_pack(code: str) -> None:
    labels = labels_of_pack(code)
    for example in load_pack(code).examples:
        for expected in example.edits:
            one = Edit(expected.start, expected.end, expected.correction, expected.types[0])
            assert labels.problem(one, example.source.forms) is None, example


def test_real_annotations_are_right() -> None:
    assert check(GOLD, "--lang", "en") == ""


def test_other_names_of_labels() -> None:
    one = change(0, 1, "b", "R:ADP")
    found = [labels_of_pack("en", None, names).problem(one, ["a"]) is None for names in ("ud", "pack")]
    assert found == [True, False]


WORDS = st.lists(st.sampled_from(["a", "A", "b", "c"]), max_size=4)


@given(WORDS, WORDS)
@examples(60)
def test_an_operation_is_always_allowed(source: list[str], correction: list[str]) -> None:
    given_edit = Edit(0, len(source), tuple(correction), "R:X")
    allowed = allowed_operations(given_edit, source)
    assert allowed
    assert ("R" in allowed) == bool(source and correction) or not (source or correction)


# --- files


def test_what_is_found_with_its_line_and_what_is_fixed_elsewhere(
    file: Callable[[str], str], tmp_path: Path
) -> None:
    bad, out = file(BAD), str(tmp_path / "fixed.m2")
    record = json.loads(check(bad, "--lang", "en", "--json", code=1))
    found = [(f["line"], f["sentence"], f["annotator"], f["code"], f["fix"]) for f in record["findings"]]
    assert found == [
        (2, 1, 0, UNKNOWN, None), (3, 1, 0, "no-change", "remove it"), (7, 2, 0, "operation", "M:DET"),
        (8, 2, 0, UNKNOWN, "R:NOUN:NUM"), (9, None, None, "dialect", None), (9, 2, 0, "duplicate", "remove it"),
        (6, 2, 1, "missing-annotator", None),
    ]  # fmt: skip
    allowed = json.loads(check(bad, "--lang", "en", "--json", "--allow", "missing-annotator", code=1))
    assert (record["errors"], allowed["errors"]) == (7, 6)
    assert check(bad, code=1).count("\n") == 1, "the dialect alone: edits that overlap"
    record = json.loads(check(bad, "--lang", "en", "--fix", "-o", out, "--json", code=1))
    assert [one["code"] for one in record["fixed"]] == ["no-change", "operation", UNKNOWN, "duplicate"]
    assert [a.edits for b in read_m2(out) for a in b.annotations] == [
        (change(1, 2, "goes", "R:SPELLING"),),
        (),
        (change(2, 2, "the", "M:DET"), change(2, 3, "apples", "R:NOUN:NUM")),
    ]
    assert Path(bad).read_text(encoding="utf-8") == BAD


TYPES = st.sampled_from(["R:DET", "M:DET", "U:DET", "det", "R:SPELLING", "R_VERB_SVA", "UNK", "???"])
EDITS = st.tuples(st.integers(0, 3), st.integers(0, 2), WORDS, TYPES)


@given(EDITS)
@examples(50)
def test_fixes_change_no_text_and_are_complete(
    english: LabelCheck, given_edit: tuple[int, int, list[str], str]
) -> None:
    start, length, correction, type_ = given_edit
    source = "a b c a b"
    line = f"A {start} {start + length}|||{type_}|||{' '.join(correction)}|||REQUIRED|||-NONE-|||0"
    [numbered] = parse_numbered_m2([f"S {source}", line], "f", FormatDeviations())
    content = ContentCheck("f", english)
    fixed, _ = content.fixed(numbered)
    before, after = (block.annotations[0].edits for block in (numbered.block, fixed))
    assert apply_edits(source.split(), before) == apply_edits(source.split(), after)
    [again] = parse_numbered_m2(format_block(fixed).rstrip().split("\n"), "f", FormatDeviations())
    assert not any(finding.fix for finding in content.block(again)), "nothing safe is left"


def test_what_is_allowed_is_not_fixed(file: Callable[[str], str]) -> None:
    edits = [Edit(0, 1, ("I",), "R:PRON"), Edit(1, 2, ("love",), "M:VERB")]
    block = Block(("I", "like"), (Annotation(0, (*edits, edits[1])),))
    command = [file(str(block)), "--lang", "en", "--fix"]
    fixed = check(*command, "--allow", "no-change", "--allow", "operation")
    assert fixed == str(Block(block.source, (Annotation(0, tuple(edits)),)))
    assert check(*command, "--allow", "duplicate", code=1).count("R:VERB") == 2, "they overlap"


EDIT = "A {} {}|||R:NOUN|||{}|||REQUIRED|||-NONE-|||{}\n".format


def test_lines_around_one_that_cannot_be_read_keep_their_places(file: Callable[[str], str]) -> None:
    above, below = EDIT(0, 1, "a", 0), EDIT(1, 2, "b", 1)
    path = file(f"S a b\n{above}garbage\nA 9|||\n{below}\nS c\n{NOOP}0\n{NOOP}1\n")
    record = json.loads(check(path, "--content", "--json", code=1))
    found = [(f["line"], f["code"], f["annotator"]) for f in record["findings"]]
    assert found == [(2, "no-change", 0), (3, "dialect", None), (4, "dialect", None), (5, "no-change", 1)]


@pytest.mark.parametrize("types", [("r_verb_sva", "R:VERB:SVA"), ("R:VERB:SVA", "r_verb_sva")])
def test_fixes_leave_no_duplicates_that_they_made(types: tuple[str, str], file: Callable[[str], str]) -> None:
    lines = [f"A 0 1|||{type_}|||goes|||REQUIRED|||-NONE-|||0\n" for type_ in types]
    fixed = check(file(f"S go home\n{''.join(lines)}\n"), "--lang", "en", "--fix")
    assert fixed == f"S go home\n{lines[types.index('R:VERB:SVA')]}\n"


# --- running text


@pytest.mark.parametrize(
    ("text", "is_glued"),
    [
        *[(text, True) for text in ("I ate an apple. They saw it .", "Well, yes .", "Really? No .", "The ending.")],
        *[(text, True) for text in ("我昨天去学校，他没来。", "昨日、学校")],
        *[(text, False) for text in ("", "Mr. Smith , etc. , at 5 p.m. .", "It cost 1,000.50 or 3.5", "3：1")],
        *[(text, False) for text in ("a . b , c", "我 昨天 去 学校 ， 他 没来 。")],
    ],
)  # fmt: skip
def test_running_text_is_seen(text: str, is_glued: bool) -> None:
    assert bool(glued_token(text.split())) == is_glued


def test_running_text_is_a_warning(file: Callable[[str], str]) -> None:
    record = json.loads(check(file(f"S Well, yes .\n{NOOP}0\n\n"), "--content", "--json", code=0))
    assert [(f["code"], f["severity"]) for f in record["findings"]] == [("raw-text", "warning")]
    assert (record["errors"], record["warnings"]) == (0, 1)


def test_running_text_is_looked_for_in_linear_time() -> None:
    start = process_time()
    assert glued_token(["ก" * 100_000, "x"]) == ""  # a text of a language without spaces, nor marks
    assert process_time() - start < 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--labels ud", "--labels chooses labels of a pack"),
        ("--lang en --labels udd", "'ud'"),
        ("-o x", "--out is for --fix"),
        ("--allow typo", "unknown kind 'typo'"),
        ("--fix --json", "give the fixed file a name with --out"),
        ("--fix again", "found 2 files, but --fix writes one"),
        ("--fix -o FILE", "overwrite"),
    ],
)
def test_impossible_options(options: str, message: str, file: Callable[[str], str]) -> None:
    path = file(BAD)
    assert message in refused("m2", "check", path, *options.replace("FILE", path).split())
    assert Path(path).read_text(encoding="utf-8") == BAD
