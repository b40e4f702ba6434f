"""Read published learner corpora and compare counts and corrected texts with what the corpora say themselves.

    python benchmarks/exchange_corpora.py --ua-gec DIR --iceec FILE.xml... --swell ORIGINAL.conllu CORRECTED.conllu

``DIR`` is a folder of ``.ann`` files; if the package ``ua_gec`` is installed, its marks and corrected texts are
what ours are compared with, else a regular expression counts them.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from jperrant import Block
from jperrant.core.edits import apply_edits
from jperrant.core.tables import Cell, Table, render
from jperrant.exchange.base import Findings, MarkedText
from jperrant.exchange.collect import collect
from jperrant.exchange.conllu_misc import LABELS, ConlluFormat, read_misc
from jperrant.exchange.iceec_tei import IceecTeiFormat
from jperrant.exchange.tool import ToolFormat
from jperrant.exchange.ua_gec import UaGecFormat, parse

HEADER = ("corpus", "what", "read", "of")
Row = tuple[Cell, ...]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ua-gec", metavar="DIR")
    parser.add_argument("--iceec", nargs="+", default=[], metavar="FILE.xml")
    parser.add_argument("--swell", nargs=2, metavar="FILE.conllu")
    arguments = parser.parse_args()
    rows: list[Row] = []
    if arguments.ua_gec:
        rows += ua_gec(arguments.ua_gec)
    for path in arguments.iceec:
        rows += iceec(path)
    if arguments.swell:
        rows += swell(*arguments.swell)
    print(render([Table(HEADER, tuple(rows))], "text"), end="")
    return 0


def blocks_of(format_: ToolFormat, path: str) -> tuple[list[MarkedText], list[Block]]:
    """Return the texts and the blocks of a file or folder; what is counted goes to standard error."""
    findings = Findings(skips=True)
    texts = list(format_.texts(path, findings))
    blocks = [block for block, _ in collect(texts, findings=findings)]
    print(*findings.lines(), sep="\n", file=sys.stderr)
    return texts, blocks


def ua_gec(folder: str) -> Iterator[Row]:
    """Yield what UA-GEC's own library says of marks, texts and corrected texts."""
    try:
        from ua_gec.annotated_text import AnnotatedText
    except ImportError:
        AnnotatedText = None
    marks = same_marks = texts_equal = files = 0
    for path in sorted(Path(folder).glob("*.ann")):
        content = path.read_text(encoding="utf-8").removesuffix("\n")
        read = parse(content, str(path))
        text, ours = "".join(read.parts), read.marks
        if AnnotatedText is None:
            marks += len(re.findall(r"\{[^{]*=>.*?\}", content))
            same_marks += len(ours)
            continue
        theirs = AnnotatedText(content)
        annotations = theirs.get_annotations()
        marks += len(annotations)
        same_marks += sum(
            (a.suggestions, a.meta.get("error_type")) == (list(m.corrections or ()), m.type)
            # The library reads a mark with a line break in it as text.
            for a, m in zip(annotations, ours, strict=False)
        )
        files += 1
        texts_equal += text == theirs.get_original_text()
    yield "UA-GEC", "marks", same_marks, marks
    if AnnotatedText is None:
        return
    yield "UA-GEC", "source texts as its library makes them", texts_equal, files
    texts, blocks = blocks_of(UaGecFormat(text="raw"), folder)
    rest = iter(blocks)
    by_document: dict[str, list[MarkedText]] = defaultdict(list)
    for marked in texts:
        by_document[marked.document].append(marked)
    equal = 0
    for versions in by_document.values():
        sentences = [next(rest) for _ in versions[0].text.split("\n")]
        for marked in versions:
            target = AnnotatedText(Path(marked.file).read_text(encoding="utf-8")).get_corrected_text().split()
            equal += corrected(sentences, int(marked.annotator)) == target
    yield "UA-GEC", "corrected texts as its library makes them", equal, len(texts)


def corrected(blocks: list[Block], annotator: int) -> list[str]:
    """Return the corrected tokens of sentences by one annotator."""
    found = [block.annotation(annotator) for block in blocks]
    edits = [annotation.edits if annotation else () for annotation in found]
    return [t for block, own in zip(blocks, edits, strict=True) for t in apply_edits(block.source, own)]


def iceec(path: str) -> Iterator[Row]:
    """Yield revisions and errors."""
    content = Path(path).read_text(encoding="utf-8")
    _, blocks = blocks_of(IceecTeiFormat(), path)
    edits = [edit for block in blocks for edit in block.annotations[0].edits]
    yield f"IceEC {Path(path).name}", "sentences", len(blocks), content.count("<s n=")
    yield f"IceEC {Path(path).name}", "revisions", len(edits), content.count("<revision ")
    yield (
        f"IceEC {Path(path).name}",
        "errors",
        sum(len(e.type.split("+")) for e in edits),
        content.count("<error "),
    )


def swell(path: str, target: str) -> Iterator[Row]:
    """Yield labelled stretches, and corrected sentences."""
    rows = [row for sentence in read_misc(path) for row in sentence.rows if LABELS in row.misc]
    _, marked = blocks_of(ConlluFormat(), path)
    stretches = [row for row in rows if ":" not in row.misc[LABELS]]
    edits = sum(len(block.annotations[0].edits) for block in marked)
    yield "SweLL", "labelled stretches", edits, len(stretches)
    _, blocks = blocks_of(ConlluFormat(target=target), path)
    targets = [tuple([row.form for row in sentence.rows]) for sentence in read_misc(target)]
    equal = sum(
        apply_edits(block.source, block.annotations[0].edits) == forms
        for block, forms in zip(blocks, targets, strict=True)
    )
    yield "SweLL", "corrected sentences", equal, len(targets)


if __name__ == "__main__":
    sys.exit(main())
