"""Small made files for tests of the report page."""

from __future__ import annotations

from pathlib import Path

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
    blocks: list[list[str]] = [[], [], []]
    for n in range(times):
        for source, first, second, ours, theirs in SENTENCES:
            text = f"{source} n{n}"
            blocks[0].append(m2(text, ours))
            blocks[1].append(m2(text, theirs))
            blocks[2].append(m2(text, first, second))
    paths = [folder / "alpha.m2", folder / "beta.m2", folder / "gold.m2"]
    for path, own in zip(paths, blocks, strict=True):
        path.write_text("".join(own), encoding="utf-8")
    return paths[:2], paths[2]
