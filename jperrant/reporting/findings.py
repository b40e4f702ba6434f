"""What a check found, as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from jperrant.m2tools.findings import Finding


def findings_json(
    files: Sequence[str],
    findings: Sequence[Finding],
    fixed: Sequence[Finding] | None = None,
    dialect: Sequence[str] = (),
) -> str:
    """Return findings as the JSON object that ``m2 check --json`` prints.

    Args:
        files: The files.
        findings: What is wrong with them; with ``--fix`` what is left.
        fixed: What was fixed; None without ``--fix``.
        dialect: What was done about the dialect, a line each.
    """
    warnings = sum(finding.is_warning for finding in findings)
    document: dict[str, object] = {
        "files": list(files),
        "errors": len(findings) - warnings,
        "warnings": warnings,
        "findings": [finding.to_dict() for finding in findings],
    }
    if fixed is not None:
        document |= {"fixed": [finding.to_dict() for finding in fixed], "dialect": list(dialect)}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
