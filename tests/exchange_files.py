"""M2 files that exchange formats must carry, and a round trip through one."""

from __future__ import annotations

from pathlib import Path

from jperrant.exchange.base import ToolFormat, format_class
from jperrant.exchange.collect import Findings, placed_texts
from jperrant.exchange.marks import MarkedText
from jperrant.exchange.side_file import SUFFIX
from jperrant.m2tools.convert import convert_m2

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


def texts_of(format: ToolFormat, path: str, findings: Findings | None = None) -> list[MarkedText]:
    """Return what a format reads, regions on whole tokens; a place that cannot be read is an error."""
    findings = findings or Findings()
    texts = list(placed_texts(format.read_texts(path, findings), findings))
    findings.check()
    return texts


def round_trip(text: str, format: str, folder: Path, *, side_of: str = "", **options: object) -> str:
    """Return what comes back of an M2 file.

    Args:
        text: The file.
        format: The format.
        folder: Where everything is written.
        side_of: Another M2 file of the same sentences, whose side file is used.
        **options: Options of the export.
    """
    source, back = folder / "gold.m2", folder / "back.m2"
    out, other = [
        folder / f"{name}{format_class(format.partition(':')[0]).suffix}" for name in ("out", "other")
    ]
    side = None
    if side_of:
        source.write_bytes(side_of.encode())
        done = convert_m2(str(source), str(other), "m2", format, **options)  # type: ignore[arg-type]
        side = next(file for file in done.files if file.endswith(SUFFIX))
    source.write_bytes(text.encode())
    convert_m2(str(source), str(out), "m2", format, **options)  # type: ignore[arg-type]
    convert_m2(str(out), str(back), format, "m2", side=side)
    return back.read_bytes().decode()
