"""An alignment of two M2 files, as JSON and in words."""

from __future__ import annotations

import json

from jperrant.alignment.documents import AlignedBlocks
from jperrant.core.messages import plural


def alignment_json(aligned: AlignedBlocks, method: str, hypothesis: str, references: str) -> str:
    """Return the object that ``align --json`` prints, ending in a newline.

    ``groups`` holds for each block written ``[[reference blocks], [hypothesis blocks]]``, numbers
    from 1; ``shapes`` counts them, reference first; ``similarity`` is Eq. 5's mean, 0 to 1.

    Args:
        aligned: The alignment.
        method: How it was made.
        hypothesis, references: Where the files were written.
    """
    document = {
        "method": method,
        "hypothesis": hypothesis,
        "references": references,
        "groups": aligned.groups,
        "shapes": aligned.shapes,
        "similarity": aligned.similarity,
        "counts": _counts(aligned),
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def alignment_summary(aligned: AlignedBlocks, method: str, hypothesis: str, references: str) -> str:
    """Return some lines for people; arguments as in :func:`alignment_json`."""
    counts = _counts(aligned)
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


def _counts(aligned: AlignedBlocks) -> dict[str, int]:
    return {
        "groups": len(aligned.groups),
        "reference_sentences": sum(len(ref) for ref, _ in aligned.groups),
        "hypothesis_sentences": sum(len(hyp) for _, hyp in aligned.groups),
        "unaligned": aligned.unaligned,
        "retokenised": aligned.retokenised,
        "missing_annotator": aligned.missing_annotator,
        "snapped": aligned.snapped,
        "merged": aligned.merged,
        "dropped": aligned.dropped,
    }
