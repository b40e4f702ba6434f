"""Reports on rules: why edits have their types, and problems of packs and their examples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from jperrant.annotation.pack_check import Checked, Explanation
from jperrant.core.display import printable
from jperrant.core.values import Token
from jperrant.edits.rules import Step
from jperrant.packs.yaml_file import flow, plain
from jperrant.reporting.listings import as_json

#: The place of a rule: file, line, and the names of the rule and of the rules around it; its own name comes last.
_WHERE = re.compile(r"(?:.*[/\\])?([^/\\]+[/\\][^/\\]+:\d+): rules.*\]( \(.*\))?")
_FIELDS = ("form", "lemma", "upos", "xpos", "feats", "deprel")


def explanations_text(explanations: Sequence[Explanation]) -> str:
    """Return for each edit its tokens, the rules that were tried, and the condition that stopped each."""
    if not explanations:
        return "no edits\n"
    return printable("\n".join([line for explanation in explanations for line in _lines(explanation)]) + "\n")


def explanations_json(explanations: Iterable[Explanation]) -> str:
    """Return explanations as JSON: a list of edits with ``tokens`` and ``rules``."""
    return as_json([_object(e) for e in explanations])


def checks_json(checked: Iterable[Checked]) -> str:
    """Return the problems found in packs as JSON: an object for each pack."""
    return as_json([
        {
            "pack": pack.name,
            "problems": pack.problems,
            "missing": pack.missing,
        }
        for pack in checked
    ])  # fmt: skip


def _lines(explanation: Explanation) -> Iterator[str]:
    edit = explanation.edit
    source = " ".join([token.form for token in explanation.source]) or "∅"
    target = " ".join([token.form for token in explanation.target]) or "∅"
    yield f"{edit.start} {edit.end}  {source} → {target}  {edit.type}"
    for name, side in (("source", explanation.source), ("target", explanation.target)):
        for token in side:
            yield f"  {name}  {_analysis(token)}"
    for step in explanation.steps:
        yield f"  {'  ' * step.depth}{_mark(step)} {_place(step.where)}{_reason(step)}"


def _mark(step: Step) -> str:
    if not step.fires:
        return "no "
    return "yes" if step.concludes else "in "


def _place(where: str) -> str:
    """Return the file with its folder, the line and the name of a rule, without the names of rules around it."""
    match = _WHERE.fullmatch(where)
    return f"{match[1]}{match[2] or ''}" if match else where


def _reason(step: Step) -> str:
    return f": fails {step.key}: {flow(step.value)}" if step.key else ""


def _analysis(token: Token) -> str:
    return "  ".join([f"{name}={value}" for name in _FIELDS if (value := getattr(token, name))])


def _object(explanation: Explanation) -> dict[str, Any]:
    edit = explanation.edit
    return {
        "start": edit.start,
        "end": edit.end,
        "correction": list(edit.correction or ()),
        "type": edit.type,
        "tokens": {
            side: [{name: getattr(token, name) for name in _FIELDS} for token in tokens]
            for side, tokens in (("source", explanation.source), ("target", explanation.target))
        },
        "rules": [
            {
                "rule": step.where,
                "depth": step.depth,
                "fires": step.fires,
                "fails": {step.key: plain(step.value)} if step.key else None,
            }
            for step in explanation.steps
        ],
    }
