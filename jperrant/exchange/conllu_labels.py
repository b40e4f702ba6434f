"""The tokens and last columns of CoNLL-U, and the labels of Swedish-SweLL aligned with its corrected sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from jperrant.alignment.operations import Operation
from jperrant.alignment.tokens import align_tokens
from jperrant.core.errors import FormatError
from jperrant.core.m2_format import SEPARATOR, shorten
from jperrant.core.messages import plural
from jperrant.core.values import Sentence, Token
from jperrant.exchange.inline_text import JOINER, type_of
from jperrant.io.files import read_lines

LABELS = "CorrectionLabels"
_COLUMNS = 10
#: Start, end, type, correction and line of an edit.
LabelledEdit = tuple[int, int, str, str | None, int]
#: Start, end, type and line of a labelled stretch.
_Group = tuple[int, int, str, int]
_NOTE = "# Edit="


@dataclass(frozen=True, slots=True)
class MiscRow:
    """A word of a CoNLL-U file, and its values of the last column.

    Attributes:
        line: Its line.
        number: Which word it is, from 1 on; 0 stands for a sentence without words, whose edits are in a comment.
        form, lemma, upos, deprel: Its columns.
        misc: The values by key.
    """

    line: int
    number: int
    form: str
    lemma: str = ""
    upos: str = ""
    deprel: str = ""
    misc: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MiscSentence:
    """The words of a sentence; or the comment of one without words."""

    rows: tuple[MiscRow, ...]
    comment: MiscRow | None = None


def read_misc(path: str) -> Iterator[MiscSentence]:
    """Yield the sentences of a CoNLL-U file: words, neither multi-word tokens nor empty nodes.

    Raises:
        FormatError: A line has not ten columns, or a form or an ID is wrong; names file and line.
        InputError: The file cannot be read.
    """
    rows: list[MiscRow] = []
    comment: MiscRow | None = None
    is_open = False
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            if is_open:
                yield MiscSentence(tuple(rows), comment)
            rows, comment, is_open = [], None, False
            continue
        is_open = True
        if line.startswith("#"):
            if line.startswith(_NOTE):
                comment = MiscRow(number, 0, "", misc=_values(line.removeprefix("# ")))
        elif (row := _row(line, path, number, len(rows) + 1)) is not None:
            rows.append(row)
    if is_open:
        yield MiscSentence(tuple(rows), comment)


def _row(line: str, path: str, number: int, expected: int) -> MiscRow | None:
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        raise FormatError(path, number, f"found {plural(len(columns), 'column')}, expected {_COLUMNS}")
    id_, form, lemma, upos, _, _, _, deprel, _, misc = columns
    if "-" in id_ or "." in id_:
        return None
    if id_ != str(expected):
        raise FormatError(path, number, f"found ID {shorten(id_)}, expected {expected}; words count from 1")
    if len(form.split()) != 1 or form != form.strip() or SEPARATOR in form:
        raise FormatError(
            path, number, f"found the form {form!r}, expected text without white space and '|||'"
        )
    return MiscRow(number, expected, form, lemma, upos, deprel, {} if misc == "_" else _values(misc))


def _values(misc: str) -> dict[str, str]:
    return {key: value for key, _, value in (part.partition("=") for part in misc.split("|"))}


def labelled_edits(sentence: MiscSentence, target: MiscSentence | None) -> list[LabelledEdit]:
    """Return the edits that labels stand for.

    Args:
        sentence: The sentence.
        target: Its correction, whose labels are those of what was put in. Without it labels are marks without a
            correction.
    """
    return _marks(sentence) if target is None else _aligned(sentence, target)


def _groups(sentence: MiscSentence) -> list[_Group]:
    """Return start, end, type and line of each labelled stretch; ``:2`` goes on from the token before."""
    groups: list[_Group] = []
    for row in sentence.rows:
        if not (value := row.misc.get(LABELS)):
            continue
        labels = [label.partition(":") for label in value.split(";")]
        type_ = JOINER.join([name for name, _, _ in labels])
        goes_on = any(number not in ("", "1") for _, _, number in labels)
        if goes_on and groups and groups[-1][1] == row.number - 1:
            start, _, before, line = groups[-1]
            merged = JOINER.join(dict.fromkeys([*before.split(JOINER), *type_.split(JOINER)]))
            groups[-1] = (start, row.number, merged, line)
        else:
            groups.append((row.number - 1, row.number, type_, row.line))
    return groups


def _marks(sentence: MiscSentence) -> list[LabelledEdit]:
    return [(start, end, type_, None, line) for start, end, type_, line in _groups(sentence)]


def _aligned(sentence: MiscSentence, target: MiscSentence) -> list[LabelledEdit]:
    """Return the changes between a sentence and its correction, with the labels of the tokens they touch."""
    source_groups, target_groups = _groups(sentence), _groups(target)
    runs: list[list[_Step]] = []
    before: _Step | None = None
    for op in align_tokens(_sentence(sentence), _sentence(target)).operations:
        source_group = _group(source_groups, op.start, op.end)
        target_group = _group(target_groups, op.target_start, op.target_end)
        step = _Step(op, source_group, target_group)
        is_equal = _forms(sentence, op.start, op.end) == _forms(target, op.target_start, op.target_end)
        if is_equal and source_group is None and target_group is None:
            before = None
            continue
        if before is not None and step.goes_on(before):
            runs[-1].append(step)
        else:
            runs.append([step])
        before = step
    return [_edit(sentence, target, run) for run in runs]


@dataclass(frozen=True, slots=True)
class _Step:
    """An operation that changes something or is labelled, and the labelled stretches that it touches."""

    op: Operation
    source: _Group | None
    target: _Group | None

    def goes_on(self, before: _Step) -> bool:
        """Whether it touches a stretch that the step before it touches."""
        same_source = self.source is not None and self.source == before.source
        return same_source or (self.target is not None and self.target == before.target)


def _edit(sentence: MiscSentence, target: MiscSentence, run: Sequence[_Step]) -> LabelledEdit:
    start, end = run[0].op.start, run[-1].op.end
    covered = _forms(sentence, start, end)
    corrected = _forms(target, run[0].op.target_start, run[-1].op.target_end)
    text = None if covered == corrected else " ".join(corrected)
    groups = [group for step in run for group in (step.source, step.target) if group is not None]
    labels = dict.fromkeys([label for group in groups for label in group[2].split(JOINER)])
    line = sentence.rows[min(start, len(sentence.rows) - 1)].line if sentence.rows else 0
    return start, end, JOINER.join(labels) or type_of(" ".join(covered), text), text, line


def _group(groups: Sequence[_Group], start: int, end: int) -> _Group | None:
    """Return the first labelled stretch that shares a token with others."""
    return next((group for group in groups if max(group[0], start) < min(group[1], end)), None)


def _forms(sentence: MiscSentence, start: int, end: int) -> list[str]:
    return [row.form for row in sentence.rows[start:end]]


def _sentence(sentence: MiscSentence) -> Sentence:
    tokens = [Token(row.form, row.lemma, row.upos) for row in sentence.rows]
    return Sentence(tuple(tokens), " ".join([row.form for row in sentence.rows]))
