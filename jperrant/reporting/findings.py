"""What a check found, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from jperrant.m2tools.check import Finding


def findings_json(
    files: Sequence[str],
    findings: Iterable[Finding],
    warnings: int,
    count: int,
    fixed: Iterable[Finding] | None = None,
    dialect: Sequence[str] = (),
) -> Iterator[str]:
    """Yield pieces of the JSON object that ``m2 check --json`` prints; findings need not be in memory.

    Args:
        files: The files.
        findings: What is wrong with them; with ``--fix`` what is left.
        warnings: How many of the findings are warnings.
        count: How many findings there are.
        fixed: What was fixed; None without ``--fix``.
        dialect: What was done about the dialect, a line each.
    """
    head = {"files": list(files), "errors": count - warnings, "warnings": warnings}
    yield _opened(head)
    yield from _list("findings", findings)
    if fixed is not None:
        yield from _list("fixed", fixed)
        yield ",\n" + _opened({"dialect": list(dialect)}).removeprefix("{\n")
    yield "\n}\n"


def _opened(document: dict[str, object]) -> str:
    """Return an object as JSON, without its closing brace."""
    return json.dumps(document, ensure_ascii=False, indent=2).removesuffix("\n}")


def _list(name: str, findings: Iterable[Finding]) -> Iterator[str]:
    """Yield one more key of an object: a list of findings."""
    yield f',\n  "{name}": ['
    between = "\n"
    for finding in findings:
        text = json.dumps(finding.to_dict(), ensure_ascii=False, indent=2)
        yield between + "\n".join(f"    {line}" for line in text.split("\n"))
        between = ",\n"
    yield "]" if between == "\n" else "\n  ]"
