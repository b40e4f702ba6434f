"""What language models write: each form is recognised and taken away, and ordinary outputs are left alone."""

from __future__ import annotations

import html
import json
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.alignment.line_groups import group_lines
from jperrant.core.edits import annotators_in, apply_edits
from jperrant.core.errors import EditError, FormatError, InputError, UsageError
from jperrant.io.answers import check_columns, read_answers, review, why_lines_differ
from jperrant.io.m2 import FormatDeviations, read_m2

ROOT = Path(__file__).parents[2]


def lines_of(path: str) -> list[str]:
    return (ROOT / path).read_text(encoding="utf-8").split("\n")[:-1]


SOURCE = lines_of("examples/learner.original.txt")
ANSWERS = lines_of("examples/learner.corrected1.txt")
NUMBERED = list(enumerate(ANSWERS, start=1))
RUNNING = [line.replace(" ,", ",").replace(" .", ".").replace(" '", "'") for line in ANSWERS]
THOUGHT = ["<think>", "They want all 20 sentences.", SOURCE[2], "That one is wrong.", "</think>"]
Rewrite = Callable[[list[str]], list[str]]


def form(pattern: str = "{line}", before: Sequence[str] = (), after: Sequence[str] = ()) -> Rewrite:
    """Return what writes each answer by a pattern, which may have several lines, between other lines."""

    def rewrite(lines: list[str]) -> list[str]:
        pairs = enumerate(zip(SOURCE, lines, strict=False), start=1)
        made = [pattern.format(n=n, source=source, line=line) for n, (source, line) in pairs]
        return [*before, *"\n".join(made).split("\n"), *after]

    return rewrite


NUMBERS, LABEL = "numbers or bullets before 20 answers", "a label before 20 answers"
LEFT = "leftovers such as @@, \\n, &amp;, U+2028 or NUL in"
SURE = "Sure! Here are the corrected sentences:"
REPEATED = "Original: {source}\nCorrected: {line}"
EXPLAINED = "{line}\nExplanation: the verb agrees now."
#: What is said of answers, and patterns of their lines.
EACH = {
    f"{NUMBERS} (lines 1-20), such as '1": ["{n}. {line}", "{n}) {line}", '{n},"{line}"', '{n}. **"{line}"**'],
    NUMBERS: ["[{n}] {line}", "({n}) {line}", "**{n}.** {line}", "- {line}", "* {line}", "### {line}"],
    "quotes around 20 answers": ['"{line}"', "“{line}”", "`{line}`"],
    "marks of bold, italic or struck-out type in 20 answers (lines 1-20)": ["**{line}**"],
    f"{LABEL} (lines 1-20), such as 'Corrected: ": ["Corrected: {line}"],
    LABEL: ["**Corrected sentence:** {line}", "Sentence {n}: {line}", "Sure! Here is the correction: {line}"],
    "tags around 20 answers": ["<corrected>{line}</corrected>", '<s id="{n}">{line}</s>', "{line}</s>"],
    "a remark after 20 answers": ["{line} (I corrected the grammar.)"],
    "20 lines of thought (lines 1-20)": ["<think>a cat?</think> {line}"],
    f"{LEFT} 20 answers": ["{line}\\n"],
    "40 lines of a code fence": ["```\n{line}\n```"],
    "20 blank lines too many (lines 2, 4, 6, 8, 10, 12 …)": ["{line}\n"],
    "20 source sentences repeated before the answer": [REPEATED],
    "20 lines without a source sentence (lines 2, 4, 6, 8, 10, 12 …)": [EXPLAINED],
}  # fmt: skip
#: A form, what makes it of clean answers, and what is said of it.
FORMS: dict[str, tuple[Rewrite, str]] = {
    "preamble": (form(before=[SURE]), f"1 line without a source sentence (line 1), such as {SURE!r}"),
    "preamble and blank line": (form(before=[SURE, ""]), "1 blank line too many (line 2)"),
    "closing remarks": (
        form(after=["", "I fixed spelling and agreement.", "Let me know if you need anything else!"]),
        "2 lines without a source sentence (lines 22, 23), such as 'I fixed spelling and agreement.'"),
    "short remarks": (form("Corrected: {line}", ["Here:"], ["Bye."]),
                      "2 lines without a source sentence (lines 1, 22), such as 'Here:'"),
    "fence": (form("{line}", ["```text"], ["```"]), "2 lines of a code fence (lines 1, 22), such as '```text'"),
    "thought": (form(before=THOUGHT), "5 lines of thought (lines 1-5), such as '<think>'"),
    "thought opened in the prompt": (form(before=THOUGHT[1:]), "4 lines of thought (lines 1-4)"),
    "a line separator": (lambda lines: [line.replace(" ", "\u2028", 1) for line in lines], f"{LEFT} 20 answers"),
    "NUL": (lambda lines: [line[:2] + "\0" + line[2:] for line in lines], f"{LEFT} 20 answers (lines 1-20)"),
    "HTML": (lambda lines: list(map(html.escape, lines)), f"{LEFT} 4 answers"),
    "subwords": (lambda lines: [line.replace("tic", "@@ tic") for line in lines], f"{LEFT} 6 answers"),
    "full-width marks": (
        lambda lines: [line.translate(str.maketrans(",.?", "，。？")) for line in lines],
        "full-width marks in 19 answers, where the source has others"),
    "JSON array with a preamble": (
        lambda lines: ["Here it is:", "```json", *json.dumps(lines, indent=1).split("\n"), "```"],
        "quotes around 20 answers (lines 4-23)"),
    "all together": (
        form("{n}) Corrected: “{line}”", [*THOUGHT, "", "Here you go:", "```"], ["```", "", "Any questions?"]),
        "a label before 20 answers (lines 9-28)"),
    **{pattern: (form(pattern), said) for said, patterns in EACH.items() for pattern in patterns},
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("answers", [ANSWERS, RUNNING], ids=["tokens", "running text"])
def test_each_form_is_named_and_taken_away(name: str, answers: list[str]) -> None:
    rewrite, said = FORMS[name]
    found = review(SOURCE, rewrite(answers))
    assert said in found.seen
    assert list(found.lines) == answers
    assert not found.missing


@pytest.mark.parametrize("name", sorted(FORMS.keys() - {REPEATED, EXPLAINED}))
def test_sentences_without_answers_are_counted_in_each_form(name: str) -> None:
    gone = {4, 9, 13}
    answers = [line for n, line in NUMBERED if n not in gone]
    found = review(SOURCE, FORMS[name][0](answers))
    expected = [SOURCE[n - 1] if n in gone else line for n, line in NUMBERED]
    assert list(found.lines) == expected, "the source stands where there is no answer"
    assert found.without_answer == "3 of the 20 source sentences have no answer (lines 4, 9, 13)"


def test_words_beside_a_blank_line_are_left_there() -> None:
    source, answers = ["He go .", "", "Yes ."], ["1. He goes .", "More .", "2. Yes ."]
    assert review(source, ["He goes .", "More .", "Yes ."]).found == {}
    assert review(source, answers).lines == ("He goes .", "More .", "Yes .")


REMARKS = [
    "The sentence is already correct.", "No corrections needed.", "This sentence is grammatically correct.",
    "I'm sorry, but I can't help with that.", "No errors found.", "(unchanged)", "Same as the original.",
    "该句子没有错误。",
]  # fmt: skip


ALONE = [(remark, {6}, "1 remark instead of an answer (line 6)") for remark in REMARKS]
AGAIN = ("Lause on oikein .", {3, 7, 12}, "3 remarks instead of an answer (lines 3, 7, 12)")


@pytest.mark.parametrize(("remark", "places", "said"), [*ALONE, AGAIN])
def test_remarks_told_by_words_or_by_repetition(remark: str, places: set[int], said: str) -> None:
    found = review(SOURCE, [remark if n in places else line for n, line in NUMBERED])
    assert found.seen.startswith(said)
    assert list(found.lines) == [SOURCE[n - 1] if n in places else line for n, line in NUMBERED]


def test_remarks_that_quote_the_answer() -> None:
    said = [f'The sentence "{line}" is already correct.' if n in (2, 8) else line for n, line in NUMBERED]
    found = review(ANSWERS, said)
    assert "2 remarks instead of an answer (lines 2, 8)" in found.seen
    assert list(found.lines) == ANSWERS


PAIRS = list(zip(SOURCE, ANSWERS, strict=True))


def test_answers_that_are_cut_off_or_have_the_source_are_told_by_their_length() -> None:
    rows = [f'{n},"{a}","{b}"' for n, (a, b) in enumerate(PAIRS)]
    cut, arrows = [line[:40] for line in ANSWERS], [f"{a} -> {b}" for a, b in PAIRS]
    for answers, count in ((cut, 5), (rows, 20), (arrows, 19)):
        *_, note = review(SOURCE, answers).notes("a")
        assert note.startswith(f"a: {count} answers are about twice or half as long as the source (lines ")
    assert not review(SOURCE, ANSWERS).notes("a")


def test_changed_words_in_bold_and_struck_out() -> None:
    bold = [" ".join(w if w in a.split() else f"**{w}**" for w in b.split()) for a, b in PAIRS]
    assert list(review(SOURCE, bold).lines) == ANSWERS
    struck = [f"~~{a.split()[0]}~~ {b}" for a, b in PAIRS]
    assert list(review(SOURCE, struck).lines) == ANSWERS


def test_another_text_is_not_made_the_source_by_cleaning() -> None:
    for lines in (ANSWERS[::-1], ["Ein anderer Satz ."] * 20, ["<think>", *ANSWERS]):
        with pytest.raises(InputError, match=r"a: found answers to \d of 20 source sentences, and \d+ lines"):
            read_answers("clean", "a", lines, SOURCE)


def test_a_single_introduction_is_told_by_its_words_and_one_sentence_is_enough() -> None:
    said = "Sure! Here is the corrected sentence: "
    found = review(SOURCE, [*ANSWERS[:4], said + ANSWERS[4], *ANSWERS[5:]])
    assert "a label before 1 answer (line 5)" in found.seen
    assert list(found.lines) == ANSWERS
    for lines in ([f'{said}"She likes cats ."'], ["Here it is:", "", "She likes cats ."]):
        assert review(["She like cats ."], lines).lines == ("She likes cats .",)


# Texts that only look so.

OWN = {
    "1 . Introduction": "1 . Introduction",
    '" I has no idea " , he said .': '" I have no idea , " he said .',
    "- bread and a milks": "- bread and milk",
    "* see appendix": "* see the appendix",
    "Note : these is important .": "Note : this is important .",
    "Corrected : it is a word that teacher write .": "Corrected : it is a word that teachers write .",
    "<b> is an tag of HTML": "<b> is a tag of HTML",
    "The sentence are already correct .": "The sentence is already correct .",
    "[ 4 ] Smith and Jones , 1999": "[ 4 ] Smith and Jones , 1999",
    "a -> b means that a imply b": "a -> b means that a implies b",
}


def test_what_the_source_has_itself_is_left_alone() -> None:
    source, corrected = [*OWN], [*OWN.values()]
    assert review(source, corrected).found == review(corrected, source).found == {}
    assert review(source, source).lines == tuple(source)
    assert list(review(source, form("{n}. {line}")(corrected)).lines) == corrected


def test_colons_of_dialogues_and_corrections_are_no_labels() -> None:
    source = [f"{name} : I goes to school number {n} ." for n, name in enumerate("ABAB")]
    answers = [f"{name}: I go to school number {n}." for n, name in enumerate("ABAB")]
    for one, other in ((source, answers), (answers, source), (["The answer is yes"], ["The answer is: yes"])):
        assert review(one, other).found == {}
        assert review(one, other).lines == tuple(other)


def test_joined_and_split_lines_lack_nothing() -> None:
    middle = ANSWERS[5].split()
    split = [*ANSWERS[:5], " ".join(middle[:9]), " ".join(middle[9:]), *ANSWERS[6:]]
    for lines in ([" ".join(ANSWERS)], split):
        assert review(SOURCE, lines).notes("a") == []
        assert why_lines_differ(SOURCE, lines, "add --raw").endswith("split or joined; add --raw")
    source = textwrap.wrap(" ".join(SOURCE), 70)
    for width in (30, 60, 79, 120):
        assert review(source, textwrap.wrap(" ".join(RUNNING), width)).notes("a") == []
    gone = review(SOURCE, [" ".join(line for n, line in NUMBERED if n not in (4, 9, 13))])
    assert gone.missing == [4, 9, 13]


FILES = [
    path.relative_to(ROOT) for folder in ("examples", "tests/data") for path in (ROOT / folder).rglob("*")
]
CORPORA = sorted(path for path in FILES if path.suffix in (".m2", ".errant", ".char", ".word"))


@pytest.mark.parametrize("path", CORPORA, ids=str)
def test_nothing_is_found_in_systems_and_references(path: Path) -> None:
    blocks = list(read_m2(str(ROOT / path), deviations=FormatDeviations()))
    source = [" ".join(block.source) for block in blocks]
    for annotator in annotators_in(blocks):
        own = [block.annotation(annotator) for block in blocks]
        try:
            texts = [apply_edits(b.source, a.edits if a else ()) for b, a in zip(blocks, own, strict=True)]
        except EditError:
            continue  # overlapping edits have no corrected text
        answers = [" ".join(text) for text in texts]
        found = review(source, answers)
        pairs = enumerate(zip(source, answers, strict=True), start=1)
        deleted = [n for n, (line, answer) in pairs if not answer and any(map(str.isalpha, line))]
        assert (found.seen, found.missing) == ("", deleted)
        check_columns("a", source, answers)
        assert deleted or list(found.lines) == answers


# Fields and columns.

JSONL = [json.dumps({"id": 1, "source": source, "out": {"text": line}}) for source, line in PAIRS]
TABS = {
    "tsv:2": ["\t".join(pair) for pair in PAIRS],
    "tsv:3": [f"{n}\t{SOURCE[n]}\t{line}" for n, line in enumerate(ANSWERS)],
    "tsv:output": ["id\toutput", *[f"{n}\t{line}" for n, line in NUMBERED]],
    "jsonl:out.text": ["<think>Well.</think>", "```json", *JSONL, "```"],
    "jsonl:.": json.dumps(ANSWERS, indent=1).split("\n"),
    "jsonl:out.0.text": json.dumps([{"out": [{"text": line}]} for line in ANSWERS], indent=2).split("\n"),
}


@pytest.mark.parametrize("given", TABS)
def test_columns_are_recognised_and_read(given: str) -> None:
    field = repr(given.removeprefix("jsonl:")) if given.startswith("jsonl") else ""
    with pytest.raises(InputError, match=f"^a.txt: found .* a line; give answers=.{given[:3]}.*{field}"):
        check_columns("a.txt", SOURCE, TABS[given])
    assert list(read_answers(given, "a.txt", TABS[given], SOURCE)[0]) == ANSWERS


def test_records_without_a_value_have_no_answer() -> None:
    records = [*JSONL[:3], '{"id": 3, "out": {"text": null}}', *JSONL[4:]]
    assert list(read_answers("jsonl:out.text", "a", records, SOURCE)[0]) == [*ANSWERS[:3], "", *ANSWERS[4:]]


@pytest.mark.parametrize(
    ("given", "lines", "expected"),
    [
        ("jsonl:text", ["Hello", *JSONL], "a:1: found 'Hello', expected a JSON object"),
        ("jsonl:out.text", [*JSONL, '{"id": 4, "error": "timeout"}'],
         "a:21: found no field 'out.text'; the record has id, error"),
        ("jsonl:txt", ['{"text": "Yes ."}'], r"no field 'txt' \(did you mean 'text'\?\); the record has text"),
        ("jsonl:id", ['{"id": 3}'], "a:1: id: found '3', expected a string or null"),
        ("jsonl:text", ['{"text": "\\ud800"}'], "half of a surrogate pair"),
        (f"tsv:{'9' * 5000}", ["1\tYes ."], "a:1: found no column '9+'?.*; the record has 1, 2"),
        ("tsv:output", ["id\ttext", "1\tYes ."], "no column 'output'; the record has 1, 2"),
        ("jsonl:text", [], "found no text in the field"),
        ("tsv:2", [""], "found no text in the column"),
        *[(form, [], "unknown form of answers") for form in ("cleen", "jsonl", "tsv:", "clean:3", "clean,jsonl:a")],
    ],
)  # fmt: skip
def test_wrong_columns_and_forms(given: str, lines: list[str], expected: str) -> None:
    with pytest.raises((FormatError, UsageError), match=expected):
        read_answers(given, "a", lines, SOURCE)


def test_cleaning_says_what_was_taken_and_put() -> None:
    text = ["Here you go:", *[f"{n}. {line}" for n, line in NUMBERED if n != 7]]
    lines, [taken, put] = read_answers("clean", "a", text, SOURCE)
    assert list(lines) == [*ANSWERS[:6], SOURCE[6], *ANSWERS[7:]]
    assert taken.startswith(
        "a: removed: 1 line without a source sentence (line 1), such as 'Here you go:'; num"
    )
    assert put == "a: 1 of the 20 source sentences has no answer (line 7); its source sentence was put there"
    assert read_answers("", "a", text, SOURCE) == (tuple(text), []), "only if it is asked for"


# Whatever the text is.

WORDS = st.sampled_from(["a", "b", "c", ".", "-", '"', "1.", "**", ":", "<x>", "{", "\t", ""])
TEXT = st.lists(st.lists(WORDS, max_size=5).map(" ".join), max_size=8)


@given(TEXT, TEXT)
def test_any_text_can_be_reviewed_and_its_groups_hold_no_line_twice(
    source: list[str], answers: list[str]
) -> None:
    found = review(source, answers)
    assert set(found.missing) <= set(range(1, len(source) + 1))
    assert all(1 <= n <= len(answers) for lines in found.found.values() for n in lines)
    groups = group_lines(source, answers)
    assert all(left and right for left, right in groups)
    for side in (0, 1):
        flat = [n for group in groups for n in group[side]]
        assert flat == sorted(set(flat))


@given(gone=st.sets(st.integers(1, 20)))
def test_missing_and_blank_answers_are_found_wherever_they_are(gone: set[int]) -> None:
    found = review(SOURCE, [line for n, line in NUMBERED if n not in gone] or ["Nothing ."])
    assert set(found.missing) == gone or len(gone) == 20
    assert not found.found or len(gone) == 20
    assert set(review(SOURCE, ["" if n in gone else line for n, line in NUMBERED]).missing) == gone


@pytest.mark.parametrize("line", [" " * 2900 + "b", "x" + " " * 1_000_000 + "b", "->" * 1400, "a " * 500_000])
def test_long_lines_are_reviewed_at_once(line: str) -> None:
    # With patterns that go back over white space, each of the first took seconds, and all of them minutes.
    assert review(["a b c d"] * 5, [line] * 5).missing == []


def test_marks_of_print_are_told_only_where_half_of_the_answers_have_them() -> None:
    source = [f"It 's line {n} ." for n in range(9)] + ["No marks here"]
    curly = [line.replace("'", "’") for line in source]
    said = "curly or full-width marks in 9 answers, where the source has others (lines 1-9)"
    assert review(source, curly).seen.startswith(said)
    assert not review(source, [*curly[:4], *source[4:]]).found, "some are corrections"
    assert not review([*source, "It ’s another"], [*curly, "It ’s another"]).found, "the source has both"
    chinese = ["我 很 好 ,", "你 好 。", "他 好 ,", "她 好 ,"]
    assert not review(chinese, [line.replace(",", "，") for line in chinese]).found
