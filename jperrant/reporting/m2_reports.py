"""Reports on M2 files: statistics, problems, and the alignment of two files."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jperrant.core.messages import plural
from jperrant.core.tables import Cell, Layout, Table, render
from jperrant.core.values import NOOP
from jperrant.m2tools.check import REMOVE, Finding, Fixes
from jperrant.reporting.listings import as_json

if TYPE_CHECKING:  # findings need no numpy
    from jperrant.alignment.documents import AlignedBlocks
    from jperrant.m2tools.stats import AnnotatorStats, CorpusStats, FileStats


def format_stats(
    files: Sequence[FileStats], format: str = "text", labels: Mapping[str, str] | None = None
) -> str:
    """Return the statistics of files in one of the formats, ending in a newline.

    Args:
        files: The files.
        format: ``json``, a list of one object for each file, or a format of tables.
        labels: The meaning of each label, for the table of types.

    Raises:
        UsageError: The format is unknown.
    """
    if format == "json":
        return as_json([_object(file) for file in files])
    tables = [corpus_table(files), annotators_table(files)]
    for file in files:
        name = f"Edits by type: {file.name}" if len(files) > 1 else "Edits by type"
        tables.append(_types_table(file.stats, labels or {}, name))
        if file.agreement is not None:
            tables.append(_agreement_table(file, len(files) > 1))
    return render(tables, format)


def corpus_table(files: Sequence[FileStats]) -> Table:
    """Return sentences and tokens of each file, and of all files together if there are several."""
    rows: list[tuple[Cell, ...]] = []
    for file in files:
        own = file.stats
        counts = (own.sentences, own.empty, own.repeated, own.tokens, _mean(own.tokens, own.sentences))
        rows.append((file.name, *counts, len(own.annotators), own.jointly))
    if len(files) > 1:
        names = ("sentences", "empty", "tokens", "jointly")
        sums = {name: sum(getattr(file.stats, name) for file in files) for name in names}
        mean = _mean(sums["tokens"], sums["sentences"])
        rows.append(
            ("all", sums["sentences"], sums["empty"], None, sums["tokens"], mean, None, sums["jointly"])
        )
    header = (
        "file", "sentences", "empty", "repeated", "tokens", "tokens per sentence", "annotators", "by two or more",
    )  # fmt: skip
    note = "by two or more: sentences with annotations by two annotators or more"
    return Table(header, tuple(rows), "Corpus", (note,))


def annotators_table(files: Sequence[FileStats]) -> Table:
    """Return the numbers of sentences and edits of each annotator of each file."""
    rows: list[tuple[Cell, ...]] = []
    for file in files:
        for annotator, own in sorted(file.stats.annotators.items()):
            counts = (own.sentences, own.changed, own.unchanged, own.edits)
            operations = (own.operations["M"], own.operations["U"], own.operations["R"], own.detection)
            rows.append((file.name, str(annotator), *counts, *operations, own.edits_per_100_tokens))
    header = (
        "file", "annotator", "sentences", "changed", "unchanged", "edits", "insertions", "deletions",
        "replacements", "detection", "edits per 100 tokens",
    )  # fmt: skip
    return Table(header, tuple(rows), "Annotators")


def _types_table(stats: CorpusStats, labels: Mapping[str, str], title: str) -> Table:
    """Return a table with one row a type, the most frequent first, and one column an annotator."""
    counts = [own.types for _, own in sorted(stats.annotators.items())]
    total = sum(counts, Counter[str]())
    total.pop(NOOP, None)
    rows: list[tuple[Cell, ...]] = []
    for name in sorted(total, key=lambda name: (-total[name], name)):
        meaning = [labels.get(name[2:], "")] if labels else []
        rows.append((name, *(own[name] for own in counts), 100 * total[name] / total.total(), *meaning))
    last = [None, *([""] if labels else [])]
    rows.append(("all edits", *(own.total() - own[NOOP] for own in counts), *last))
    rows.append(("unchanged", *(own[NOOP] for own in counts), *last))
    annotators = [f"annotator {number}" for number in sorted(stats.annotators)]
    return Table(("type", *annotators, "per cent", *(["meaning"] if labels else [])), tuple(rows), title)


def _agreement_table(file: FileStats, several: bool) -> Table:
    from jperrant.reporting.agreement_tables import agreement_table  # most corpora have one annotator

    assert file.agreement is not None
    table = agreement_table(file.agreement, Layout())
    return Table(table.header, table.rows, f"Agreement: {file.name}" if several else "Agreement", table.notes)


def _mean(tokens: int, sentences: int) -> float | None:
    return tokens / sentences if sentences else None


def _object(file: FileStats) -> dict[str, Any]:
    stats = file.stats
    record: dict[str, Any] = {
        "file": file.name,
        "sentences": stats.sentences,
        "empty_sentences": stats.empty,
        "repeated_sentences": stats.repeated,
        "tokens": stats.tokens,
        "sentences_by_two_or_more": stats.jointly,
        "annotators": {str(n): _annotator_object(own) for n, own in sorted(stats.annotators.items())},
        "agreement": None,
    }
    if file.agreement is not None:
        agreed = file.agreement.to_dict()
        record["agreement"] = {name: agreed[name] for name in ("signature", "values", "intervals", "pairs")}
    return record


def _annotator_object(own: AnnotatorStats) -> dict[str, Any]:
    density, operations = own.edits_per_100_tokens, own.operations
    return {
        **{name: getattr(own, name) for name in ("sentences", "tokens", "changed", "unchanged", "edits")},
        "insertions": operations["M"],
        "deletions": operations["U"],
        "replacements": operations["R"],
        "detection": own.detection,
        "edits_per_100_tokens": None if math.isnan(density) else density,
        "types": {type_: count for type_, count in sorted(own.types.items()) if type_ != NOOP},
    }


def findings_json(files: Sequence[str], findings: Sequence[Finding], fixes: Fixes | None = None) -> str:
    """Return the JSON object that ``m2 check --json`` prints.

    Args:
        files: The files.
        findings: The problems of the files; with ``--fix`` only those that remain.
        fixes: The problems that were fixed; None without ``--fix``.
    """
    warnings = sum([finding.is_warning for finding in findings])
    document: dict[str, Any] = {
        "files": list(files),
        "errors": len(findings) - warnings,
        "warnings": warnings,
        "findings": [finding.to_dict() for finding in findings],
    }
    if fixes is not None:
        document |= {"fixed": [one.to_dict() for one in fixes.fixed], "dialect": fixes.dialect}
    return as_json(document)


def fixes_lines(left: Sequence[Finding], fixes: Fixes) -> Iterator[str]:
    """Yield a line for each problem that was fixed and for each that a person must fix."""
    yield from fixes.dialect
    for one in fixes.fixed:
        done = "removed" if one.fix == REMOVE else f"now {one.fix}"
        yield f"{one.file}:{one.line}: fixed: {one.problem}; {done}"
    for one in left:
        yield f"{one.file}:{one.line}: left: {one.problem}"


def alignment_json(aligned: AlignedBlocks, method: str, hypothesis: str, references: str) -> str:
    """Return the JSON object that ``align --json`` prints, ending in a newline.

    ``groups`` holds for each written block ``[[reference blocks], [hypothesis blocks]]``, numbered from 1.
    ``shapes`` counts groups by the numbers of their blocks, reference first. ``similarity`` is the mean similarity
    of the two sides of a group, from 0 to 1.

    Args:
        aligned: The alignment.
        method: The method of the alignment.
        hypothesis, references: The paths of the written files.
    """
    document = {
        "method": method,
        "hypothesis": hypothesis,
        "references": references,
        "groups": aligned.groups,
        "shapes": aligned.shapes,
        "similarity": aligned.similarity,
        "counts": _alignment_counts(aligned),
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def alignment_summary(aligned: AlignedBlocks, method: str, hypothesis: str, references: str) -> str:
    """Return a summary in a few lines; the arguments are those of :func:`alignment_json`."""
    counts = _alignment_counts(aligned)
    shapes = ", ".join(f"{shape}: {count}" for shape, count in aligned.shapes.items())
    return (
        f"{plural(counts['groups'], 'group')} ({method}) of {counts['reference_sentences']} reference and "
        f"{plural(counts['hypothesis_sentences'], 'hypothesis sentence')}, "
        f"mean similarity {aligned.similarity:.4f}\n"
        f"shapes, reference first: {shapes or 'none'}\n"
        f"groups: {counts['unaligned']} unaligned, {counts['retokenised']} on other tokens, "
        f"{counts['missing_annotator']} with an annotator missing in a part\n"
        f"hypothesis edits on other tokens: {counts['snapped']} widened to whole tokens, "
        f"{counts['merged']} merged, {counts['dropped']} dropped\n"
        f"written: {hypothesis}, {references}\n"
    )


def _alignment_counts(aligned: AlignedBlocks) -> dict[str, int]:
    sides = {"reference_sentences": 0, "hypothesis_sentences": 1}
    counts = {"groups": len(aligned.groups)}
    counts |= {name: sum(len(group[side]) for group in aligned.groups) for name, side in sides.items()}
    return counts | {name: count for name, count in aligned.counts.items() if name != "mixed"}
