"""Small made files for tests of the report page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

HOSTILE_NAMES = ["</script><img src=x onerror=alert(1)>", "javascript:alert(1)", '"><b>B</b>']
#: Source, edits of two annotators, edits of two systems; an edit is ``start end type correction``.
SENTENCES = [
    ("This are gramamtical sentence .", ["1 2 R:VERB:SVA is", "2 2 M:DET a", "2 3 R:SPELL grammatical"],
     ["1 2 R:VERB:SVA is", "3 4 R:NOUN:NUM sentences"],
     ["1 2 R:VERB:SVA is", "2 3 R:SPELL grammatical"], ["1 2 R:VERB:TENSE was", "3 4 R:NOUN:NUM sentences"]),
    ("He go home .", ["1 2 R:VERB:SVA goes"], ["1 2 R:VERB:TENSE went"],
     ["1 2 R:VERB:SVA goes", "3 3 M:ADV now"], []),
    ("All is well here today .", [], [], [], ["2 3 R:ADJ good"]),
    ("I like the the cats .", ["2 3 U:DET "], ["3 4 U:DET "], ["2 3 U:DET "], ["2 4 U:DET "]),
]  # fmt: skip


def m2(source: str, *annotations: list[str]) -> str:
    """Return one block."""
    lines = [f"S {source}"]
    for number, edits in enumerate(annotations):
        for edit in edits or ["-1 -1 noop -NONE-"]:
            start, end, kind, correction = edit.split(" ", 3)
            lines.append(f"A {start} {end}|||{kind}|||{correction}|||REQUIRED|||-NONE-|||{number}")
    return "\n".join(lines) + "\n\n"


def write_files(folder: Path, times: int = 12) -> tuple[list[Path], Path]:
    """Write two systems and their references; return the paths.

    Args:
        folder: Where.
        times: How often the sentences follow one another, each time with another last word.
    """
    paths = [folder / f"{name}.m2" for name in ("alpha", "beta", "gold")]
    rows = [(f"{source} n{n}", *annotations) for n in range(times) for source, *annotations in SENTENCES]
    blocks = [(m2(text, ours), m2(text, theirs), m2(text, *gold)) for text, *gold, ours, theirs in rows]
    for path, own in zip(paths, zip(*blocks, strict=True), strict=True):
        path.write_text("".join(own), encoding="utf-8")
    return paths[:2], paths[2]


def press(page: Any, *parts: str) -> None:
    """Press keys, with texts that are typed between them: every second part is a text."""
    for number, part in enumerate(parts):
        if number % 2:
            page.keyboard.type(part)
        else:
            for key in part.split():
                page.keyboard.press(key)
