"""What a language model is asked about a chunk, in the two ways of Ye et al.'s papers, in words of our own.

- ``edit`` (Ye et al. 2025, appendix A): the uncorrected sentence and the edit, a scale that is explained, and an
  example. The edit is the hypothesis's for TP, FPne and FPun, the reference's for FN.
- ``single-error`` (appendix D of the earlier version): the sentence has everything corrected as the reference has
  it, but for this one place, and what the edit is depends on the chunk. TP: from the source to the hypothesis;
  FN: from the source to the reference; FPne: from the hypothesis to the reference; FPun: two questions, the
  weight is that of undoing the change (hypothesis to reference) less that of making it (source to hypothesis),
  and may be negative.

The papers do not say how an insertion or deletion is written; here the missing side is ``(nothing)``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from jperrant.evaluation.metrics.cleme.chunk_labels import ChunkLabel, Label, LabelledSentence

NOTHING = "(nothing)"
PROMPTS = {
    "edit": """\
Below are a sentence written by a learner and one edit of it. Judge how much the edit matters to the sentence, \
whether it is right or wrong.
1: hardly at all; spelling variants, optional punctuation
2: a little; the meaning is as clear as before
3: noticeably; grammar or wording changes, the meaning stays
4: much; it changes how easily the sentence is understood
5: decisively; the meaning of the sentence depends on it

Example
Uncorrected sentence: She go to school by foots every days .
Edit: go → goes
Answer: 3

Answer with a single number from 1 to 5 and nothing else.
Uncorrected sentence: {sentence}
Edit: {before} → {after}
Answer:""",
    "single-error": """\
The sentence below has one error, which the edit corrects. How important is this edit, from 1 (not at all) to 5 \
(very)? Answer with a single number and nothing else.
Sentence: {sentence}
Edit: {before} → {after}
Answer:""",
}
LOWEST, HIGHEST = 1, 5
#: An answer is one digit; quotes, a full stop or decimals of zero may stand around it.
_ANSWER = re.compile(rf"[\s\"'*(]*([{LOWEST}-{HIGHEST}])(?:\.0+)?[\s\"'*).]*\Z")


class Question(NamedTuple):
    """A prompt and how its answer counts.

    Attributes:
        prompt: What is asked.
        sign: 1 if the answer is added, -1 if it is subtracted.
    """

    prompt: str
    sign: int = 1


def questions(sentence: LabelledSentence, mark: ChunkLabel, version: str) -> list[Question]:
    """Return what is asked about a chunk; the weight is the sum of the answers."""
    partition = sentence.partition
    source = partition.source[slice(*partition.regions[mark.region])]
    ours = partition.tokens(partition.hypothesis, mark.region)
    chunks = partition.references[sentence.reference]
    theirs = partition.tokens(chunks, mark.region)
    if version == "edit":
        after = theirs if mark.label is Label.FN else ours
        return [Question(_prompt(version, partition.source, source, after))]
    with_source, with_ours = (partition.corrected(chunks, mark.region, tokens) for tokens in (source, ours))
    if mark.label is Label.TP:
        return [Question(_prompt(version, with_source, source, ours))]
    if mark.label is Label.FN:
        return [Question(_prompt(version, with_source, source, theirs))]
    undo = Question(_prompt(version, with_ours, ours, theirs))
    if mark.label is Label.FP_NE:
        return [undo]
    return [undo, Question(_prompt(version, with_source, source, ours), -1)]


def parse_answer(text: str) -> int | None:
    """Return the number that an answer consists of, None if it is anything else.

    >>> parse_answer(" 4.\\n"), parse_answer("4 or 5"), parse_answer("7")
    (4, None, None)
    """
    match = _ANSWER.match(text)
    return int(match[1]) if match else None


def _prompt(version: str, sentence: Sequence[str], before: Sequence[str], after: Sequence[str]) -> str:
    shown = [" ".join(tokens) or NOTHING for tokens in (sentence, before, after)]
    return PROMPTS[version].format(sentence=shown[0], before=shown[1], after=shown[2])
