"""What language models write: each form is recognised and taken away, and ordinary outputs are left alone."""

from __future__ import annotations

import html
import json
import random
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.alignment.line_groups import group_lines
from jperrant.core.edits import apply_edits
from jperrant.core.errors import EditError, FormatError, InputError, UsageError
from jperrant.io.answers import AnswerFormat, ranges, review
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


def each(pattern: str) -> Rewrite:
    return lambda lines: [pattern.format(n=n, line=line) for n, line in enumerate(lines, start=1)]


#: A form, what makes it of clean answers, and what is said of it.
FORMS: dict[str, tuple[Rewrite, str]] = {
    "preamble": (
        lambda lines: ["Sure! Here are the corrected sentences:", *lines],
        "1 line that answers no source sentence (line 1), such as 'Sure! Here are the corrected sentences:'",
    ),
    "preamble and blank line": (
        lambda lines: ["Sure! Here are the corrected sentences:", "", *lines],
        "1 blank line too many (line 2)",
    ),
    "closing remarks": (
        lambda lines: [
            *lines,
            "",
            "I fixed spelling and agreement.",
            "Let me know if you need anything else!",
        ],
        "2 lines that answer no source sentence (lines 22, 23), such as 'I fixed spelling and agreement.'",
    ),
    "short remarks": (
        lambda lines: ["Here:", *[f"Corrected: {line}" for line in lines], "Bye."],
        "2 lines that answer no source sentence (lines 1, 22), such as 'Here:'",
    ),
    "fence": (
        lambda lines: ["```text", *lines, "```"],
        "2 lines of a code fence (lines 1, 22), such as '```text'",
    ),
    "thought": (lambda lines: [*THOUGHT, *lines], "5 lines of thought (lines 1-5), such as '<think>'"),
    "thought opened in the prompt": (lambda lines: [*THOUGHT[1:], *lines], "4 lines of thought (lines 1-4)"),
    "thought in each line": (each("<think>a cat?</think> {line}"), "20 lines of thought (lines 1-20)"),
    "a line separator": (
        lambda lines: [line.replace(" ", "\u2028", 1) for line in lines],
        "line separators or control characters (such as U+2028 or NUL) in 20 answers (lines 1-20)",
    ),
    "NUL": (
        lambda lines: [line[:2] + "\0" + line[2:] for line in lines],
        "line separators or control characters (such as U+2028 or NUL) in 20 answers (lines 1-20)",
    ),
    "full-width marks": (
        lambda lines: [line.replace(",", "，").replace(".", "。").replace("?", "？") for line in lines],
        "full-width marks in 19 answers, where the source has others",
    ),
    "1.": (each("{n}. {line}"), "numbers before 20 answers (lines 1-20), such as '1. '"),
    "1)": (each("{n}) {line}"), "numbers before 20 answers (lines 1-20), such as '1) '"),
    "[1]": (each("[{n}] {line}"), "numbers before 20 answers"),
    "bold number": (each("**{n}.** {line}"), "numbers before 20 answers"),
    "dash": (each("- {line}"), "bullets before 20 answers (lines 1-20), such as '- '"),
    "star": (each("* {line}"), "bullets before 20 answers"),
    "quotes": (each('"{line}"'), "quotes around 20 answers (lines 1-20)"),
    "curly quotes": (each("“{line}”"), "quotes around 20 answers"),
    "code": (each("`{line}`"), "quotes around 20 answers"),
    "bold": (each("**{line}**"), "bold or italic type in 20 answers (lines 1-20)"),
    "label": (each("Corrected: {line}"), "a label before 20 answers (lines 1-20), such as 'Corrected: '"),
    "bold label": (each("**Corrected sentence:** {line}"), "a label before 20 answers"),
    "numbered label": (each("Sentence {n}: {line}"), "a label before 20 answers"),
    "here is": (each("Sure! Here is the corrected sentence: {line}"), "a label before 20 answers"),
    "remark": (each("{line} (I corrected the grammar.)"), "a remark after 20 answers"),
    "tags": (each("<corrected>{line}</corrected>"), "tags around 20 answers"),
    "end of sequence": (each("{line}</s>"), "tags around 20 answers"),
    "double spaced": (
        lambda lines: [one for line in lines for one in (line, "")],
        "20 blank lines too many (lines 2, 4, 6, 8, 10, 12 …)",
    ),
    "original and corrected": (
        lambda lines: [
            one
            for line, source in zip(lines, SOURCE, strict=True)
            for one in (f"Original: {source}", f"Corrected: {line}")
        ],
        "20 source sentences repeated before the answer",
    ),
    "arrow": (
        lambda lines: [f"{source} -> {line}" for line, source in zip(lines, SOURCE, strict=True)],
        "the source before 20 answers (lines 1-20)",
    ),
    "JSON array with a preamble": (
        lambda lines: ["Here it is:", "```json", *json.dumps(lines, indent=1).split("\n"), "```"],
        "quotes around 20 answers (lines 4-23)",
    ),
    "letters": (each("({n}) {line}"), "numbers before 20 answers (lines 1-20), such as '(1) '"),
    "headings": (each("### {line}"), "bullets before 20 answers"),
    "explanations": (
        lambda lines: [one for line in lines for one in (line, "Explanation: the verb agrees now.")],
        "20 lines that answer no source sentence (lines 2, 4, 6, 8, 10, 12 …)",
    ),
    "a fence each": (
        lambda lines: [one for line in lines for one in ("```", line, "```")],
        "40 lines of a code fence",
    ),
    "elements": (each('<s id="{n}">{line}</s>'), "tags around 20 answers"),
    "numbers, bold, quotes": (each('{n}. **"{line}"**'), "numbers before 20 answers"),
    "all together": (
        lambda lines: [
            *THOUGHT,
            "",
            "Of course! Here you go:",
            "```",
            *[f"{n}) Corrected: “{line}”" for n, line in enumerate(lines, start=1)],
            "```",
            "",
            "Let me know if you have any questions.",
        ],
        "a label before 20 answers (lines 9-28)",
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("answers", [ANSWERS, RUNNING], ids=["tokens", "running text"])
def test_each_form_is_named_and_taken_away(form: str, answers: list[str]) -> None:
    rewrite, said = FORMS[form]
    found = review(SOURCE, rewrite(answers))
    assert said in found.seen
    assert list(found.lines) == answers
    assert not found.missing


@pytest.mark.parametrize("form", FORMS)
def test_sentences_without_answers_are_counted_in_each_form(form: str) -> None:
    if form in ("original and corrected", "arrow"):
        return  # made of the whole source
    gone = {4, 9, 13}
    found = review(SOURCE, FORMS[form][0]([line for n, line in NUMBERED if n not in gone]))
    expected = [SOURCE[n - 1] if n in gone else line for n, line in NUMBERED]
    assert list(found.lines) == expected, "the source stands where there is no answer"
    if form == "explanations":  # three of them stand where the answers should
        assert "3 remarks instead of an answer" in found.seen
        return
    assert found.missing == (4, 9, 13)
    assert found.without_answer == "3 of the 20 source sentences have no answer (lines 4, 9, 13)"


@pytest.mark.parametrize("kept", [range(8), range(12, 20), range(9, 10), [0, 2, 3, 17]])
def test_few_answers_of_many(kept: list[int]) -> None:
    found = review(SOURCE, [ANSWERS[n] for n in kept])
    assert found.missing == tuple(n + 1 for n in range(20) if n not in kept)
    assert not found.findings
    assert not found.joined


def test_a_missing_answer_and_a_line_too_many_do_not_cancel_out() -> None:
    found = review(SOURCE, ["Here you go:", *ANSWERS[:-1]])
    assert found.missing == (20,)
    assert "1 line that answers no source sentence (line 1)" in found.seen


def test_blank_lines_are_no_answers() -> None:
    found = review(SOURCE, ["" if n in (4, 9) else line for n, line in NUMBERED])
    assert found.missing == (4, 9)


def test_words_beside_a_blank_line_are_left_there() -> None:
    source, answers = ["He go .", "", "Yes ."], ["1. He goes .", "More .", "2. Yes ."]
    assert review(source, ["He goes .", "More .", "Yes ."]).findings == ()
    assert review(source, answers).lines == ("He goes .", "More .", "Yes .")


REMARKS = [
    "The sentence is already correct.",
    "No corrections needed.",
    "This sentence is grammatically correct.",
    "I'm sorry, but I can't help with that.",
    "No errors found.",
    "(unchanged)",
    "Same as the original.",
    "该句子没有错误。",
]


@pytest.mark.parametrize("remark", REMARKS)
def test_remarks_instead_of_answers(remark: str) -> None:
    places = {2, 5, 8, 10, 13, 16, 18}
    found = review(SOURCE, [remark if n in places else line for n, line in NUMBERED])
    assert (
        f"7 remarks instead of an answer (lines 2, 5, 8, 10, 13, 16 …), such as {remark!r}"[:60] in found.seen
    )
    assert list(found.lines) == [SOURCE[n - 1] if n in places else line for n, line in NUMBERED]


def test_one_remark_is_enough() -> None:
    found = review(SOURCE, [*ANSWERS[:5], "The sentence is already correct.", *ANSWERS[6:]])
    assert "1 remark instead of an answer (line 6)" in found.seen


def test_an_unknown_remark_is_known_by_being_repeated() -> None:
    found = review(SOURCE, ["Lause on oikein ." if n in (3, 7, 12) else line for n, line in NUMBERED])
    assert "3 remarks instead of an answer (lines 3, 7, 12)" in found.seen


def test_a_remark_that_quotes_its_sentence() -> None:
    said = [f'The sentence "{line}" is already correct.' if n in (2, 8) else line for n, line in NUMBERED]
    found = review(ANSWERS, said)
    assert "2 remarks instead of an answer (lines 2, 8)" in found.seen
    assert list(found.lines) == ANSWERS


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ([f'{n},"{line}"' for n, line in enumerate(ANSWERS)], "numbers before 20 answers"),
        ([line.replace(" .", " .\\n") for line in ANSWERS], "line breaks written as \\n"),
        ([html.escape(line) for line in ANSWERS], "HTML entities"),
        ([line.replace("tic", "@@ tic") for line in ANSWERS], "marks of subwords (@@)"),
    ],
    ids=["csv", "escaped", "html", "subwords"],
)
def test_what_programs_leave_in_answers(written: list[str], seen: str) -> None:
    found = review(SOURCE, written)
    assert seen in found.seen
    assert [line.split() for line in found.lines] == [line.split() for line in ANSWERS]


def test_answers_that_were_cut_off_are_told_by_their_length() -> None:
    [note] = review(SOURCE, [line[:40] for line in ANSWERS]).notes("a")
    assert "twice or half as long as the source" in note
    assert not review(SOURCE, ANSWERS).notes("a")


def test_changed_words_in_bold_and_struck_out() -> None:
    pairs = list(zip(SOURCE, ANSWERS, strict=True))
    bold = [" ".join(w if w in a.split() else f"**{w}**" for w in b.split()) for a, b in pairs]
    assert list(review(SOURCE, bold).lines) == ANSWERS
    struck = [f"~~{a.split()[0]}~~ {b}" for a, b in pairs]
    assert list(review(SOURCE, struck).lines) == ANSWERS


def test_answers_in_a_form_that_is_not_read_are_told_by_their_length() -> None:
    rows = [f'{n},"{a}","{b}"' for n, (a, b) in enumerate(zip(SOURCE, ANSWERS, strict=True))]
    *_, note = review(SOURCE, rows).notes("a")
    assert note.startswith(
        "a: 20 answers are about twice or half as long as the source (lines 1-20); look for"
    )


@pytest.mark.parametrize(
    "lines",
    [ANSWERS[::-1], ["Ein anderer Satz ."] * 20, ["<think>", *ANSWERS]],
    ids=["reversed", "other", "cut"],
)
def test_another_text_is_not_made_the_source_by_cleaning(lines: list[str]) -> None:
    with pytest.raises(InputError, match=r"a: found answers to \d of 20 source sentences, and \d+ lines"):
        AnswerFormat.of("clean").read("a", lines, SOURCE)


def test_a_single_introduction_is_told_by_its_words() -> None:
    found = review(
        SOURCE, [*ANSWERS[:4], f"Sure! Here is the corrected sentence: {ANSWERS[4]}", *ANSWERS[5:]]
    )
    assert "a label before 1 answer (line 5)" in found.seen
    assert list(found.lines) == ANSWERS


def test_one_sentence() -> None:
    said = 'Sure! Here is the corrected sentence: "She likes cats ."'
    assert review(["She like cats ."], [said]).lines == ("She likes cats .",)
    assert review(["She like cats ."], ["Here it is:", "", "She likes cats ."]).lines == ("She likes cats .",)


# Texts that only look so.

OWN = [
    "1 . Introduction",
    "2 . Why does people travels ?",
    "3 . Conclusion is follow .",
    '" I has no idea " , he said .',
    '" We is late . "',
    "- bread and a milks",
    "- two egg",
    "* see appendix",
    "Note : these is important .",
    "Corrected : it is a word that teacher write .",
    "<b> is an tag of HTML",
    "The sentence are already correct .",
    "[ 4 ] Smith and Jones , 1999",
    "a -> b means that a imply b",
]
OWN_CORRECTED = [
    "1 . Introduction",
    "2 . Why do people travel ?",
    "3 . The conclusion follows .",
    '" I have no idea , " he said .',
    '" We are late . "',
    "- bread and milk",
    "- two eggs",
    "* see the appendix",
    "Note : this is important .",
    "Corrected : it is a word that teachers write .",
    "<b> is a tag of HTML",
    "The sentence is already correct .",
    "[ 4 ] Smith and Jones , 1999",
    "a -> b means that a implies b",
]


def test_what_the_source_has_itself_is_left_alone() -> None:
    assert review(OWN, OWN_CORRECTED).findings == ()
    assert review(OWN_CORRECTED, OWN).findings == ()
    assert review(OWN, OWN).lines == tuple(OWN)


def test_numbers_around_a_source_that_has_numbers_itself() -> None:
    found = review(OWN, each("{n}. {line}")(OWN_CORRECTED))
    assert list(found.lines) == OWN_CORRECTED


def test_joined_and_split_lines_lack_nothing() -> None:
    joined = review(SOURCE, [" ".join(ANSWERS)])
    assert (joined.missing, joined.findings, joined.joined) == ((), (), True)
    words = ANSWERS[5].split()
    split = review(SOURCE, [*ANSWERS[:5], " ".join(words[:9]), " ".join(words[9:]), *ANSWERS[6:]])
    assert (split.missing, split.findings, split.joined) == ((), (), True)


@pytest.mark.parametrize("width", [30, 60, 79, 120])
def test_text_in_lines_of_other_lengths_lacks_nothing(width: int) -> None:
    source, answers = textwrap.wrap(" ".join(SOURCE), 70), textwrap.wrap(" ".join(RUNNING), width)
    found = review(source, answers)
    assert (found.seen, found.without_answer) == ("", "")


def test_joined_lines_that_lack_some_are_told() -> None:
    found = review(SOURCE, [" ".join(line for n, line in NUMBERED if n not in (4, 9, 13))])
    assert found.missing == (4, 9, 13)


def corpora() -> list[Path]:
    folders = [ROOT / "examples", ROOT / "tests" / "data"]
    names = [path for folder in folders for path in sorted(folder.rglob("*"))]
    return [path for path in names if path.suffix in (".m2", ".errant", ".char", ".word")]


@pytest.mark.parametrize("path", corpora(), ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_is_found_in_systems_and_references(path: Path) -> None:
    blocks = list(read_m2(str(path), deviations=FormatDeviations()))
    source = [" ".join(block.source) for block in blocks]
    for annotator in sorted({one.annotator for block in blocks for one in block.annotations}):
        own = [next((a.edits for a in block.annotations if a.annotator == annotator), ()) for block in blocks]
        try:
            answers = [" ".join(apply_edits(b.source, edits)) for b, edits in zip(blocks, own, strict=True)]
        except EditError:
            continue  # overlapping edits have no corrected text
        found = review(source, answers)
        pairs = enumerate(zip(source, answers, strict=True), start=1)
        deleted = tuple(n for n, (line, answer) in pairs if not answer and any(map(str.isalpha, line)))
        assert (found.seen, found.missing, found.columns) == ("", deleted, "")
        assert deleted or list(found.lines) == answers


@pytest.mark.parametrize(
    ("source", "system"),
    [
        ("examples/learner.original.txt", "examples/learner.corrected0.txt"),
        *[
            ("examples/meta/source.txt", f"examples/meta/{s}.txt")
            for s in ("fluent", "large", "rules", "small")
        ],
        ("tests/data/ko/kagas_sample.orig.txt", "tests/data/ko/kagas_sample.corrected.txt"),
        ("tests/data/zh/demo.input", "tests/data/zh/demo.hyp"),
    ],
)
def test_nothing_is_found_in_texts(source: str, system: str) -> None:
    for one, other in ((source, system), (system, source)):
        found = review(lines_of(one), lines_of(other))
        assert (found.seen, found.without_answer, found.columns) == ("", "", "")


# Fields and columns.

RECORDS = [
    {"id": n, "source": source, "out": {"text": line}}
    for n, (source, line) in enumerate(zip(SOURCE, ANSWERS, strict=True))
]
JSONL = [json.dumps(record) for record in RECORDS]
TABS = {
    "tsv:2": [f"{source}\t{line}" for source, line in zip(SOURCE, ANSWERS, strict=True)],
    "tsv:3": [f"{n}\t{SOURCE[n]}\t{line}" for n, line in enumerate(ANSWERS)],
    "tsv:output": ["id\toutput", *[f"{n}\t{line}" for n, line in NUMBERED]],
    "jsonl:out.text": ["<think>Well.</think>", "```json", *JSONL, "```"],
    "jsonl:.": json.dumps(ANSWERS, indent=1).split("\n"),
}


@pytest.mark.parametrize("given", TABS)
def test_columns_are_recognised_and_read(given: str) -> None:
    found = review(SOURCE, TABS[given])
    assert found.columns.startswith(given[:3])
    assert given.startswith("tsv") or repr(given.removeprefix("jsonl:")) in found.columns, "names the field"
    lines, _ = AnswerFormat.of(given).read("a.txt", TABS[given], SOURCE)
    assert list(lines) == ANSWERS


def test_an_array_of_objects_is_read_as_json_lines_are() -> None:
    text = json.dumps(RECORDS, indent=2).split("\n")
    assert "'out.text'" in review(SOURCE, text).columns
    assert AnswerFormat.of("jsonl:out.text").read("a.json", text, SOURCE)[0] == tuple(ANSWERS)


def test_records_without_a_value_have_no_answer() -> None:
    records = [*JSONL[:3], '{"id": 3, "out": {"text": null}}', *JSONL[4:]]
    lines, _ = AnswerFormat.of("jsonl:out.text").read("a", records, SOURCE)
    assert list(lines) == [*ANSWERS[:3], "", *ANSWERS[4:]]
    with pytest.raises(FormatError, match=r"a:21: found no field 'out.text'; the record has id, error"):
        AnswerFormat.of("jsonl:out.text").read("a", [*records, '{"id": 4, "error": "timeout"}'], SOURCE)


@pytest.mark.parametrize(
    ("given", "lines", "expected"),
    [
        ("jsonl:text", ["Hello", *JSONL], "a:1: found 'Hello', expected a JSON object"),
        ("jsonl:txt", ['{"text": "Yes ."}'], r"no field 'txt' \(did you mean 'text'\?\); the record has text"),
        ("jsonl:id", ['{"id": 3}'], "a:1: id: found '3', expected a string or null"),
        ("jsonl:text", ['{"text": "\\ud800"}'], "half of a surrogate pair"),
        ("tsv:3", ["1\tYes ."], "a:1: found no column '3', expected its number or name; the record has 1, 2"),
        (f"tsv:{'9' * 5000}", ["1\tYes ."], "a:1: found no column '9999"),
        ("tsv:output", ["id\ttext", "1\tYes ."],
         "no column 'output', expected its number or name; the record has 1, 2"),
        ("jsonl:text", [], "found no JSON object"),
        ("tsv:2", [""], "found no row"),
    ],
)  # fmt: skip
def test_wrong_columns(given: str, lines: list[str], expected: str) -> None:
    with pytest.raises(FormatError, match=expected):
        AnswerFormat.of(given).read("a", lines, SOURCE)


@pytest.mark.parametrize("given", ["cleen", "jsonl", "tsv:", "clean:3", "clean,jsonl:a"])
def test_unknown_forms_of_answers(given: str) -> None:
    with pytest.raises(UsageError, match="unknown form of answers"):
        AnswerFormat.of(given)


def test_cleaning_says_what_was_taken_and_put() -> None:
    text = ["Here you go:", *[f"{n}. {line}" for n, line in NUMBERED if n != 7]]
    lines, notes = AnswerFormat.of("clean").read("a.txt", text, SOURCE)
    assert list(lines) == [*ANSWERS[:6], SOURCE[6], *ANSWERS[7:]]
    assert notes == [
        "a.txt: taken away: 1 line that answers no source sentence (line 1), such as 'Here you go:'; numbers "
        "before 19 answers (lines 2-20), such as '1. '",
        "a.txt: 1 of the 20 source sentences has no answer (line 7); its source sentence was put there",
    ]


def test_nothing_is_taken_without_being_asked_for() -> None:
    text = FORMS["all together"][0](ANSWERS)
    assert AnswerFormat.of("").read("a", text, SOURCE) == (tuple(text), [])


def test_ranges() -> None:
    assert ranges([1, 2, 3, 7, 9, 10]) == "1-3, 7, 9, 10"


# Whatever the text is.

WORDS = st.lists(
    st.sampled_from(["a", "b", "c", ".", "-", '"', "1.", "**", ":", "<x>", "{", "\t", ""]), max_size=5
)
TEXT = st.lists(WORDS.map(" ".join), max_size=8)


@given(TEXT, TEXT)
def test_any_text_can_be_reviewed(source: list[str], answers: list[str]) -> None:
    found = review(source, answers)
    assert set(found.missing) <= set(range(1, len(source) + 1))
    assert all(1 <= n <= len(answers) for one in found.findings for n in one.lines)


@given(TEXT, TEXT)
def test_groups_of_lines_stand_in_order_and_hold_no_line_twice(source: list[str], answers: list[str]) -> None:
    groups = group_lines(source, answers)
    for side in (0, 1):
        flat = [n for group in groups for n in group[side]]
        assert flat == sorted(set(flat))
    assert all(left and right for left, right in groups)


@given(st.integers(0, 2**32 - 1))
def test_missing_answers_are_found_wherever_they_are(seed: int) -> None:
    draw = random.Random(seed)
    gone = {n for n, _ in NUMBERED if draw.random() < 0.4}
    found = review(SOURCE, [line for n, line in NUMBERED if n not in gone] or ["Nothing ."])
    assert set(found.missing) == gone or len(gone) == 20


@pytest.mark.parametrize("line", [" " * 2900 + "b", "x" + " " * 1_000_000 + "b", "->" * 1400, "a " * 500_000])
def test_long_lines_are_reviewed_at_once(line: str) -> None:
    # With patterns that go back over white space, each of the first took seconds, and all of them minutes.
    assert review(["a b c d"] * 5, [line] * 5).missing == ()


def test_marks_of_print_are_told_only_where_half_of_the_answers_have_them() -> None:
    source = [f"It 's line {n} ." for n in range(9)] + ["No marks here"]
    curly = [line.replace("'", "’") for line in source]
    found = review(source, curly)
    assert found.seen.startswith("curly quotes in 9 answers, where the source has straight ones (lines 1-9)")
    assert list(found.lines) == source
    assert not review(source, [*curly[:4], *source[4:]]).findings, "some are corrections"
    assert not review([*source, "It ’s another"], [*curly, "It ’s another"]).findings, "the source has both"
    chinese = ["我 很 好 ,", "你 好 。", "他 好 ,", "她 好 ,"]
    assert not review(chinese, [line.replace(",", "，") for line in chinese]).findings
