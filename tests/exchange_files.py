"""M2 files that exchange formats must carry, and how files of formats are read and written in tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jperrant.core.values import Block
from jperrant.exchange.collect import Collector, Findings, placed_texts
from jperrant.exchange.formats import Corpus, ToolFormat, format_class, make_format
from jperrant.exchange.marks import Document, MarkedText
from jperrant.exchange.side_file import SUFFIX
from jperrant.m2tools.convert import convert_m2

#: The running example of docs/exchange.md.
EXAMPLE = """\
S This are gramamtical sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 2 3|||R:SPELL|||grammatical|||REQUIRED|||-NONE-|||0

"""
#: Several annotators, one who did not look, detection edits, alternatives, edits at one place, an empty sentence,
#: letters outside of the basic plane, combining marks, right-to-left text, tokens of many shapes.
HARD = """\
S This are gramamtical sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 2 3|||R:SPELL|||grammatical|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||is||was|||REQUIRED|||-NONE-|||1
A 2 5|||UNK|||-NONE-|||REQUIRED|||-NONE-|||1

S 😀 go home 😀😀
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 4 4|||M:PUNCT|||.|||REQUIRED|||-NONE-|||0
A 4 4|||M:OTHER|||👍 👍🏽|||REQUIRED|||-NONE-|||0

S
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S e\u0301te\u0301 \u05e9\u05dc\u05d5\u05dd \u202eabc {a=>b} a\\b "q" <i> & [1] it's a||b
A 0 2|||R:WO:NOM: FORM|||\u05e9\u05dc\u05d5\u05dd e\u0301te\u0301|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER||||||REQUIRED|||-NONE-|||0
A 3 4|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 5 6|||UNK|||"p"|||REQUIRED|||-NONE-|||0
A 8 9|||R:OTHER|||[2] {c=>d} </c> &amp;|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S nobody looked
"""
#: The same sentence in other bytes than ours.
ODD = (
    "\ufeff\r\nS  two  spaces\r\nA 0 1|||R:X |||a  b|||REQUIRED|||-NONE-|||0\r\n\r\n\r\n"
    "S x y z\nA -1 -1|||noop|||-NONE-|||-NONE-|||-NONE-|||0\nA 0 3|||R:WO|||z y x|||OPTIONAL|||note|||2\n"
    "A 1 2|||R:SPELL|||-NONE-|||REQUIRED|||-NONE-|||2"
)


def tool(spec: str) -> ToolFormat:
    """Return a format of a tool or corpus with its options."""
    made = make_format(spec)
    assert isinstance(made, ToolFormat)
    return made


def texts_of(format: str, path: Path, findings: Findings | None = None) -> list[MarkedText]:
    """Return what a format reads, regions on whole tokens; a place that cannot be read is an error."""
    findings = findings or Findings()
    texts = list(placed_texts(tool(format).read_texts(str(path), findings), findings))
    findings.check()
    return texts


def put(folder: Path, files: Mapping[str, str]) -> Path:
    """Write texts to files in a folder, by their paths in it, and return the folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def marks_of(marked: MarkedText) -> list[tuple[str, str, str | None]]:
    """Return covered text, type and correction of each region."""
    return [(marked.text[r.start : r.end], r.type, r.correction) for r in marked.regions]


def blocks_of(format: str, path: Path, findings: Findings | None = None) -> list[Block]:
    """Return the blocks of what a format reads."""
    findings = findings or Findings()
    return [block for block, _ in Collector(findings=findings).blocks(texts_of(format, path, findings))]


def edits_of(block: Block, annotator: int = 0) -> list[tuple[int, int, str, str | None]]:
    """Return start, end, type and correction of the edits of an annotator."""
    found = block.annotation(annotator)
    assert found is not None
    texts = [None if edit.correction is None else " ".join(edit.correction) for edit in found.edits]
    return [(e.start, e.end, e.type, text) for e, text in zip(found.edits, texts, strict=True)]


def written(format: str, *blocks: Block) -> str:
    """Return the one file that a format makes of a document ``d``."""
    [content] = tool(format).export(Corpus((Document("d", blocks),))).values()
    return "".join(content)


def svala_graph(source: str, target: str, *edges: tuple[str, str], comment: str = "") -> dict[str, Any]:
    """Return a graph of SVALA: ``_`` is the end of a line, an edge its ids and its labels."""
    tokens = {
        side: [
            {"id": f"{side[0]}{k}", "text": text.replace("_", "\n") + " "}
            for k, text in enumerate(texts.split())
        ]
        for side, texts in (("source", source), ("target", target))
    }
    listed = {
        f"e{k}": {"id": f"e{k}", "ids": ids.split(), "labels": labels.split(), "manual": False}
        for k, (ids, labels) in enumerate(edges)
    }
    return {**tokens, "edges": listed, "comment": comment}


def exported(text: str, format: str, folder: Path, name: str = "out", **options: Any) -> Path:
    """Return the file or folder that an M2 file ``gold.m2`` is exported to."""
    (folder / "gold.m2").write_bytes(text.encode())
    convert_m2(folder / "gold.m2", folder / name, "m2", format, **options)
    return folder / name


def imported(path: Path, format: str, **options: Any) -> tuple[str, list[str]]:
    """Return the M2 of what a tool wrote, which is also beside it, and the notes."""
    done = convert_m2(path, path.parent / "back.m2", format, "m2", **options)
    return (path.parent / "back.m2").read_bytes().decode(), list(done.notes)


def change(file: Path, old: str, new: str) -> None:
    """Replace the first place where a text stands in a file."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def round_trip(text: str, format: str, folder: Path, *, side_of: str = "", **options: Any) -> str:
    """Return what comes back of an M2 file.

    Args:
        text: The file.
        format: The format.
        folder: Where everything is written.
        side_of: Another M2 file of the same sentences, whose side file is used.
        **options: Options of the export.
    """
    suffix, side = format_class(format.partition(":")[0]).suffix, None
    if side_of:
        exported(side_of, format, folder, f"other{suffix}", **options)
        side = str(next(folder.rglob(f"*{SUFFIX}")))
    return imported(exported(text, format, folder, f"out{suffix}", **options), format, side=side)[0]
