"""The hooks of the English pack: conditions on auxiliaries and on Lancaster stems."""

from __future__ import annotations

from jperrant.core.values import Sentence
from jperrant.edits.edit_context import EditContext
from jperrant.langpacks.en.lancaster import stem


def preceded_by_auxiliary(view: EditContext) -> bool:
    """Whether both verbs of a one-to-one edit follow an auxiliary (``does he goes`` → ``does he go``).

    If both verbs are auxiliaries themselves, the condition holds if on both sides the first auxiliary of the
    verb's head is another word. Source: ERRANT's classifier.
    """
    sides = [
        (view.source_sentence, view.span.start + 1),
        (view.target_sentence, view.span.target_start + 1),
    ]
    verbs = [sentence.tokens[position - 1] for sentence, position in sides]
    # Tests that may need a parse come after those that can decide without one.
    if view.may_be(verbs, _auxiliary) and all(_auxiliary(view.deprel(verb)) for verb in verbs):
        return all(_follows(view, *side) for side in sides)
    candidates = [[t for t in sentence.tokens if view.may_be([t], _auxiliary)] for sentence, _ in sides]
    return all(candidates) and all(
        any(t.head == position and view.deprel(t) in ("aux", "auxpass") for t in tokens)
        for tokens, (_, position) in zip(candidates, sides, strict=True)
    )


def _auxiliary(relation: str) -> bool:
    return relation.startswith("aux")


def _follows(view: EditContext, sentence: Sentence, position: int) -> bool:
    """Whether the first auxiliary of an auxiliary's head is another word than the auxiliary.

    A root counts as its own head.
    """
    auxiliary = sentence.tokens[position - 1]
    head = auxiliary.head or position
    for token in sentence.tokens:
        if token.head == head and _auxiliary(view.deprel(token)):
            return token.form != auxiliary.form
    return False


def same_stem(view: EditContext) -> bool:
    """Whether the two tokens of a one-to-one edit have the same Lancaster (Paice/Husk) stem."""
    source, target = view.source[0].form.lower(), view.target[0].form.lower()
    # Stemming is slow and keeps the first letter, so the first letters are compared first.
    return source[0] == target[0] and stem(source) == stem(target)


CONDITIONS = {"preceded_by_auxiliary": preceded_by_auxiliary, "same_stem": same_stem}
