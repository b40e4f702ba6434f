"""The areas of fuzzing: for each, how a case is made and the properties that must hold for it.

A case is JSON, so that one that fails can be kept. Checks raise AssertionError, or let through an error that is not
a JperrantError: both are failures.
"""

from __future__ import annotations

import io
import json
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from fuzz import exchange, metrics, packs, text
from jperrant.alignment.documents import align_blocks
from jperrant.annotation.annotator import Annotator, load
from jperrant.core.edits import apply_edits
from jperrant.core.errors import FormatError, InputError, JperrantError
from jperrant.core.values import Block, Edit, format_block
from jperrant.evaluation.agreement.annotators import load_annotators
from jperrant.evaluation.agreement.measure import AgreementOptions, measure_agreement
from jperrant.io.conllu_files import read_conllu
from jperrant.io.dialects import read_cherrant, read_kagas, write_cherrant, write_kagas
from jperrant.io.m2 import FormatDeviations, LineKind, kind_of, parse_m2, read_m2, visible
from jperrant.io.parallel import RecordCheck, read_jsonl, read_lines_parallel, read_para, read_tsv
from jperrant.m2tools.check import ContentCheck, LabelCheck, check_m2, in_dialect
from jperrant.m2tools.m2_formats import to_characters

Case: TypeAlias = Any
_KAGAS = {"NOUN": {"kagas": "NOUN"}}


@dataclass(frozen=True)
class Area:
    """One area.

    Attributes:
        make: Makes a case, as JSON has it.
        check: Checks a case; may write into the folder.
        few: How many cases the ordinary tests run.
    """

    make: Callable[[Random], Case]
    check: Callable[[Case, Path], None]
    few: int = 60


def _m2_text(random: Random) -> Case:
    blocks = [text.block(random) for _ in range(random.randint(0, 4))]
    return text.mutated(random, "".join(_written(blocks)))


#: The pattern that types must match.
LABELS = LabelCheck(["DET", "NOUN:NUM", "VERB:SVA", "SPELL"])


def _written(blocks: list[Block]) -> list[str]:
    lines = []
    for block in blocks:
        with suppress(InputError):
            lines.append(format_block(block))
    return lines


def _read_m2(case: Case, folder: Path) -> None:
    path = folder / "x.m2"
    path.write_text(case, encoding="utf-8", newline="")
    findings = list(check_m2(str(path)))
    content = list(check_m2(str(path), ContentCheck(str(path), LABELS)))
    assert [f for f in content if f.code == "dialect"] == findings, (
        "the dialect is checked the same with a pack"
    )
    try:
        blocks = list(read_m2(str(path), deviations=FormatDeviations()))
    except JperrantError:
        assert findings, "an error of reading that check does not find"
        return
    lines = [visible(line) for line in case.split("\n")]
    sources = [line for line in lines if kind_of(line) is LineKind.SOURCE]
    assert [block.source for block in blocks] == [tuple(line[1:].split()) for line in sources]
    for block in blocks:
        for annotation in block.annotations:
            assert all(0 <= edit.start <= edit.end <= len(block.source) for edit in annotation.edits)
    with suppress(JperrantError):  # fewer than two annotators
        measure_agreement(load_annotators([blocks]), AgreementOptions(level=1 + len(case) % 3))
    for block in map(in_dialect, blocks):
        try:
            text_ = format_block(block)
        except InputError:
            continue
        assert list(parse_m2(text_.split("\n"), "x", FormatDeviations())) == [block]


def _blocks(random: Random) -> Case:
    return random.randrange(2**32)


def _write_m2(case: Case, _: Path) -> None:
    block = text.block(Random(case), wild=True)
    try:
        written = format_block(block)
    except InputError:
        return
    assert list(parse_m2(written.removesuffix("\n").split("\n"), "x", FormatDeviations())) == [block]


def _pairs(random: Random) -> Case:
    sources = [text.tokens(random, 9) for _ in range(random.randint(0, 5))]
    return [[source, text.changed(random, source), text.changed(random, source)] for source in sources]


def _annotate(case: Case, folder: Path) -> None:
    while case and not any(case[-1]):  # blank lines at the end are no sentences
        case = case[:-1]
    for n, name in enumerate("stu"):
        lines = "".join(" ".join(row[n]) + "\n" for row in case)
        # A byte-order mark at the start of a file is no part of its text.
        (folder / name).write_text("\ufeff" + lines, encoding="utf-8", newline="")
    check = RecordCheck(places=deque())
    try:
        records = read_lines_parallel(str(folder / "s"), [str(folder / "t"), str(folder / "u")], check)
        blocks = list(check.blocks(_annotator().annotate_many(records)))
    except FormatError as error:
        assert error.line  # noqa: PT017 - which record M2 cannot hold
        return
    for block, (source, *targets) in zip(blocks, case, strict=True):
        assert block.source == tuple(source)
        for annotation, target in zip(block.annotations, targets, strict=True):
            assert apply_edits(block.source, annotation.edits) == tuple(target)


@cache
def _annotator() -> Annotator:
    """Return an annotator that is loaded once, since loading takes longer than a case."""
    return load("generic", models="none")


def _file(random: Random) -> Case:
    kind = random.choice(["tsv", "conllu", "jsonl", "para", "cherrant", "kagas"])
    rows = [[text.tokens(random), text.tokens(random)] for _ in range(3)]
    content = {
        "tsv": "".join(f"{' '.join(a)}\t{' '.join(b)}\n" for a, b in rows),
        "para": "".join(f"1\t{' '.join(a)}\t{' '.join(b)}\n" for a, b in rows),
        "conllu": "".join(
            f"{n}\t{form}\t_\tX\t_\t_\t{n - 1}\tdep\t_\t_\n" for n, form in enumerate(rows[0][0], start=1)
        ),
        "jsonl": "".join(json.dumps({"source": a, "target": b}) + "\n" for a, b in rows),
    }.get(kind) or "S a b\nA 0 1|||S:NOUN|||c|||REQUIRED|||-NONE-|||0\nT0-A0 c b\n\n"
    return [kind, text.mutated(random, content)]


def _read_file(case: Case, folder: Path) -> None:
    kind, content = case
    path = folder / "x"
    path.write_text(content, encoding="utf-8", newline="")
    readers: dict[str, Callable[[str], Any]] = {
        "tsv": read_tsv, "conllu": read_conllu, "jsonl": read_jsonl, "para": read_para,
        "cherrant": lambda name: read_cherrant(name, deviations=FormatDeviations()),
        "kagas": lambda name: read_kagas(name, _KAGAS, FormatDeviations()),
    }  # fmt: skip
    try:
        deque(readers[kind](str(path)), maxlen=0)
    except FormatError as error:
        assert "\n" not in str(error)  # noqa: PT017 - any other error is a failure


def _convert(case: Case, folder: Path) -> None:
    random = Random(case)
    block = text.block(random)
    stream = io.StringIO()
    try:
        format_block(block)
        write_kagas([block], stream, _KAGAS)
    except InputError:
        return
    (folder / "k").write_text(stream.getvalue(), encoding="utf-8", newline="")
    [again] = read_kagas(str(folder / "k"), _KAGAS, FormatDeviations())
    assert _words(again) == _words(block)
    [characters] = to_characters([block])
    assert "".join(characters.source) == "".join(block.source)
    if any(edit.type == "X" for a in block.annotations for edit in a.edits):
        return  # ChERRANT has no letter for such a type
    stream = io.StringIO()
    try:
        write_cherrant([block], stream)
    except InputError:
        return
    (folder / "c").write_text(stream.getvalue(), encoding="utf-8", newline="")
    [again] = read_cherrant(str(folder / "c"), deviations=FormatDeviations())
    assert again.source == block.source


def _words(block: Block) -> Case:
    """Return spans and corrections, insertions and deletions word by word, as KAGAS writes them."""
    return [(a.annotator, [piece for edit in a.edits for piece in _pieces(edit)]) for a in block.annotations]


def _pieces(edit: Edit) -> list[Case]:
    words = edit.correction
    if edit.is_detection or words is None:
        return [(edit.start, edit.end, words)]
    if edit.start == edit.end and words:
        return [(edit.start, edit.end, (word,)) for word in words]
    if not words and edit.end > edit.start:
        return [(n, n + 1, words) for n in range(edit.start, edit.end)]
    return [(edit.start, edit.end, words)]


def _align(case: Case, _: Path) -> None:
    random = Random(case)
    words = text.tokens(random, 25)
    sides = []
    for _side in range(2):
        cuts = sorted(random.choices(range(len(words) + 1), k=random.randint(0, 5)))
        parts = [words[a:b] for a, b in zip([0, *cuts], [*cuts, len(words)], strict=True)]
        sides.append([Block(tuple(part), ()) for part in parts])
    aligned = align_blocks(*sides, "jp")
    for side in (aligned.hyp, aligned.ref):
        assert "".join(t for block in side for t in block.source) == "".join(words)


def _command(random: Random) -> Case:
    files = ["x.m2", "y.m2", "missing", "-"]
    commands = [
        ["m2", "check"], ["m2", "stats"], ["m2", "check", "--fix"], ["score"], ["compare"], ["explain"], ["agree"],
        ["m2", "merge"], ["m2", "convert", "--to", "text"], ["m2", "convert", "--to", "cherrant"], ["find"],
    ]  # fmt: skip
    options = [
        "--seed", "--samples", "--beta", "--sentences", "--category", "--annotator", "--metric",
        "--format", "--mode", "--strict", "--ci", "--json", "--factors", "--filter",
    ]  # fmt: skip
    values = [
        "-1",
        "0",
        "1",
        "1e200",
        "nan",
        "0-99999999999",
        "9" * 5000,
        "x",
        "",
        "cleme2",
        "csv",
        "dt",
        "1,2",
    ]
    chosen = [
        word for _ in range(random.randint(0, 2)) for word in (random.choice(options), random.choice(values))
    ]
    return [*random.choice(commands), *random.choices(files[:2] * 3 + files, k=random.randint(1, 2)), *chosen]


def _run(case: Case, folder: Path) -> None:
    from typer.testing import CliRunner

    from jperrant.cli.main import app

    for name in ("x.m2", "y.m2"):
        (folder / name).write_text("S a b\nA 1 2|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    arguments = [str(folder / word) if word in ("x.m2", "y.m2", "missing") else word for word in case]
    done = CliRunner().invoke(app, arguments, input="S a b\n")
    if done.exception is not None and not isinstance(done.exception, SystemExit | JperrantError):
        raise done.exception
    assert done.exit_code in (0, 1, 2, 3)
    if done.exit_code == 0:
        assert "nan" not in done.stdout.lower()


AREAS: dict[str, Area] = {
    "read-m2": Area(_m2_text, _read_m2),
    "write-m2": Area(_blocks, _write_m2),
    "annotate": Area(_pairs, _annotate),
    "read-files": Area(_file, _read_file),
    "convert": Area(_blocks, _convert),
    "align": Area(_blocks, _align),
    "metrics": Area(metrics.make, metrics.check),
    "packs": Area(packs.make, packs.check, 15),
    "exchange": Area(exchange.make, exchange.check, 25),
    "options": Area(_command, _run, 5),
}
