#!/usr/bin/env python3
"""Does M2 survive a conversion to annotation tools and back, and are published corpora read completely?

    python benchmarks/exchange.py FILE.m2... [--formats brat ua-gec]
    python benchmarks/exchange.py --ua-gec DIR --iceec FILE.xml...

Round trips convert M2 to every format that can be read and written, and back. They count the blocks that differ
(none is expected; the files are then equal byte for byte), and the blocks that differ without the side file:
their content shows what the tool itself cannot hold. Corpora: the counts that are read beside those in the files.
``DIR`` holds ``.ann`` files; with the package ``ua_gec`` its marks and texts are compared with ours, else a
regular expression counts them.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from bench import CONLL, ROOT, Row, parser_of, share

from jperrant import Block, convert_m2, read_m2
from jperrant.core.edits import apply_edits
from jperrant.core.errors import JperrantError
from jperrant.core.tables import Cell, Table, render
from jperrant.exchange.collect import Collector, Findings
from jperrant.exchange.formats import ToolFormat, format_class, formats
from jperrant.exchange.iceec_tei import IceecTeiFormat
from jperrant.exchange.marks import MarkedText
from jperrant.exchange.side_file import SUFFIX
from jperrant.exchange.ua_gec import UaGecFormat, parse
from jperrant.io.m2 import FormatDeviations

HELD = ROOT / "tests" / "data" / "exchange"
#: Corpus, what is counted, what is read of it, what there is.
Count = tuple[str, str, int, int]


def rows() -> Iterator[Row]:
    """Yield how many formats give M2 back, and how much is read of corpora."""
    multi = ROOT / "benchmarks" / "data" / "multi" / "uk_uagec_60.m2"
    for name, path in (("CoNLL-2014", CONLL / "conll14.errant"), ("60 sentences of UA-GEC", multi)):
        same = [round_trip(str(path), spec)[-1] for spec in specs()]
        yield share(f"formats that give M2 back byte for byte: {name}", sum(same), len(same))
    for corpus, what, read, there in corpora(str(HELD), [str(HELD / "verslo-JA2-t6.xml")]):
        yield share(f"{corpus}: {what} read", read, there)


def specs() -> list[str]:
    """Return every format that goes both ways."""
    tools = {n: c for n in sorted(formats()) if issubclass(c := format_class(n), ToolFormat)}
    return [n for n, tool in tools.items() if tool.can_write and tool.can_read]


def round_trip(path: str, spec: str) -> tuple[list[Cell], bool]:
    """Return the cells of a file and a format, and whether the file came back byte for byte."""
    blocks = blocks_of(path)
    head: list[Cell] = [
        Path(path).name,
        spec,
        len(blocks),
        sum(len(a.edits) for b in blocks for a in b.annotations),
    ]
    with tempfile.TemporaryDirectory() as folder:
        out, back = Path(folder, "out" + format_class(spec.partition(":")[0]).suffix), Path(folder, "back.m2")
        try:
            done = convert_m2(path, str(out), "m2", spec)
            convert_m2(str(out), str(back), spec, "m2")
        except JperrantError as error:
            return [*head, str(error), ""], False
        differ, same = different_blocks(path, str(back)), Path(path).read_bytes() == back.read_bytes()
        next(Path(file) for file in done.files if file.endswith(SUFFIX)).unlink()
        try:
            convert_m2(str(out), str(back), spec, "m2")
            without: Cell = different_blocks(path, str(back))
        except JperrantError as error:
            without = str(error)
    return [*head, differ, without], same


def different_blocks(path: str, other: str) -> int:
    return sum(a != b for a, b in zip_longest(blocks_of(path), blocks_of(other)))


def blocks_of(path: str) -> list[Block]:
    return list(read_m2(path, deviations=FormatDeviations()))


def corpora(ua: str | None, icelandic: list[str]) -> Iterator[Count]:
    """Yield what is read of each corpus that is given."""
    yield from ua_gec(ua) if ua else ()
    for path in icelandic:
        yield from iceec(path)


def read_texts(format_: ToolFormat, path: str) -> tuple[list[MarkedText], list[Block]]:
    """Return the texts and the blocks of a file or folder; what is counted goes to standard error."""
    findings = Findings(skips=True)
    texts = format_.read_texts(path, findings)
    blocks = [block for block, _ in Collector(findings=findings).blocks(texts)]
    print(*findings.lines(), sep="\n", end="\n" if findings.lines() else "", file=sys.stderr)
    return texts, blocks


def ua_gec(folder: str) -> Iterator[Count]:
    """Yield what UA-GEC's own library, or a regular expression, says of marks, and of texts."""
    try:
        from ua_gec.annotated_text import AnnotatedText
    except ImportError:
        AnnotatedText = None
    marks = same_marks = texts_equal = files = 0
    for path in sorted(Path(folder).glob("*.ann")):
        content = path.read_text(encoding="utf-8").removesuffix("\n")
        read = parse(content, str(path))
        if AnnotatedText is None:
            marks += len(re.findall(r"\{[^{]*=>.*?\}", content))
            same_marks += len(read.marks)
            continue
        theirs = AnnotatedText(content)
        annotations = theirs.get_annotations()
        marks += len(annotations)
        same_marks += sum(
            (a.suggestions, a.meta.get("error_type"))
            == ([] if m.correction is None else [m.correction, *m.alternatives], m.type)
            # The library reads a mark with a line break in it as text.
            for a, m in zip(annotations, read.marks, strict=False)
        )
        files += 1
        texts_equal += "".join(read.parts) == theirs.get_original_text()
    yield "UA-GEC", "marks", same_marks, marks
    if AnnotatedText is not None:
        yield "UA-GEC", "source texts as its library makes them", texts_equal, files
        yield "UA-GEC", "corrected texts as its library makes them", *corrected_texts(folder, AnnotatedText)


def corrected_texts(folder: str, annotated_text: Any) -> tuple[int, int]:
    """Return how many corrected texts are those of UA-GEC's library, and how many there are."""
    texts, blocks = read_texts(UaGecFormat(text="raw"), folder)
    rest = iter(blocks)
    by_document: dict[str, list[MarkedText]] = defaultdict(list)
    for marked in texts:
        by_document[marked.document].append(marked)
    equal = 0
    for versions in by_document.values():
        sentences = [next(rest) for _ in versions[0].text.split("\n")]
        for marked in versions:
            target = (
                annotated_text(Path(marked.file).read_text(encoding="utf-8")).get_corrected_text().split()
            )
            equal += corrected(sentences, int(marked.annotator)) == target
    return equal, len(texts)


def corrected(blocks: list[Block], annotator: int) -> list[str]:
    """Return the corrected tokens of sentences by one annotator."""
    found = [block.annotation(annotator) for block in blocks]
    edits = [annotation.edits if annotation else () for annotation in found]
    return [t for block, own in zip(blocks, edits, strict=True) for t in apply_edits(block.source, own)]


def iceec(path: str) -> Iterator[Count]:
    """Yield sentences, revisions and errors."""
    content = Path(path).read_text(encoding="utf-8")
    _, blocks = read_texts(IceecTeiFormat(), path)
    edits = [edit for block in blocks for edit in block.annotations[0].edits]
    name, errors = f"IceEC {Path(path).name}", sum(len(edit.type.split("+")) for edit in edits)
    yield name, "sentences", len(blocks), content.count("<s n=")
    yield name, "revisions", len(edits), content.count("<revision ")
    yield name, "errors", errors, content.count("<error ")


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE.m2", help="M2 files for round trips")
    parser.add_argument("--formats", nargs="+", metavar="FORMAT", help="default: all that go both ways")
    parser.add_argument("--ua-gec", metavar="DIR")
    parser.add_argument("--iceec", nargs="+", default=[], metavar="FILE.xml")
    given = parser.parse_args()
    counts = list(corpora(given.ua_gec, given.iceec))
    if counts:
        print(render([Table(("corpus", "what", "read", "of"), tuple(counts))], "text"), end="")
    if given.files:
        found = [round_trip(path, spec) for path in given.files for spec in given.formats or specs()]
        cells = tuple((*row, "same" if same else "differ") for row, same in found)
        header = ("file", "format", "sentences", "edits", "differ", "differ without side file", "bytes")
        print(render([Table(header, cells)], "text"), end="")


if __name__ == "__main__":
    main()
