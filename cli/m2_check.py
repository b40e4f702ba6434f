"""``jperrant m2 check``: everything that is wrong with M2 files, and what can be fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from jperrant.cli.groups import Json, Labels, Lang, Out, Pack, Quiet, option, switch

if TYPE_CHECKING:
    from jperrant.io.spool import Aside
    from jperrant.m2tools.check import Finding, Fixes, LabelCheck


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE.m2...", help="The M2 files; - is stdin.")],
    lang: Lang = None,
    pack: Pack = None,
    labels: Labels = "pack",
    content: Annotated[
        bool,
        switch("--content", help="Check what annotators did, as --lang, --pack, --together and --fix do."),
    ] = False,
    together: Annotated[
        bool, switch("--together", help="Compare the files as annotators of the same sentences.")
    ] = False,
    allow: Annotated[
        list[str] | None,
        option("--allow", metavar="KIND", help="Leave out a kind of findings; repeatable."),
    ] = None,
    fix: Annotated[
        bool, switch("--fix", help="Write the file to --out with the safe fixes applied.")
    ] = False,
    out: Out = "-",
    json: Json = False,
    _quiet: Quiet = False,
) -> None:
    """List everything that is wrong, with file and line; exit code 1 if there is anything but warnings.

    Without options that is what is not in the dialect of M2.

    jperrant m2 check anna.m2 ben.m2 --lang en --together
    """
    from jperrant.core.errors import UsageError
    from jperrant.m2tools.check import check_codes, labels_of_pack

    if together and len(files) < 2:
        raise UsageError("--together compares two or more files; give one for each annotator")
    if together and "-" in files:
        raise UsageError(
            "--together reads each file twice, which is not possible with standard input (-); give files"
        )
    if labels != "pack" and lang is None and pack is None:
        raise UsageError("--labels chooses labels of a pack; give the pack with --lang or --pack")
    if not fix and out != "-":
        raise UsageError("--out is for --fix; findings go to stdout")
    known = labels_of_pack(lang or "", pack, labels) if lang or pack else None
    left_out = check_codes(allow or ())
    if fix:
        if len(files) > 1:
            raise UsageError(f"found {len(files)} files, but --fix writes one; run it once for each")
        failed = _fix(files[0], known, out, left_out, json)
    else:
        failed = _check(files, known, content or together or known is not None, together, left_out, json)
    if failed:
        raise typer.Exit(1)


def _check(
    files: list[str],
    labels: LabelCheck | None,
    content: bool,
    together: bool,
    left_out: frozenset[str],
    json: bool,
) -> bool:
    """Print the findings and return whether there is one that is no warning."""
    from itertools import chain

    from jperrant.io.files import check_stdin, open_output
    from jperrant.io.spool import aside
    from jperrant.m2tools.check import ContentCheck, Finding, check_m2, check_together

    check_stdin(files)
    found = chain.from_iterable(
        check_m2(file, ContentCheck(file, labels, left_out) if content else None) for file in files
    )
    across = check_together(files) if together else iter(())
    kept = (finding for finding in chain(found, across) if finding.code not in left_out)
    if json:
        with aside(Finding) as findings:
            findings.extend(kept)
            return _write_json(files, findings)
    failed = False
    with open_output("-") as stream:
        for finding in kept:
            stream.write(f"{finding}\n")
            failed |= not finding.is_warning
    return failed


def _fix(file: str, labels: LabelCheck | None, out: str, left_out: frozenset[str], json: bool) -> bool:
    """Write the fixed file, say each change on stderr, and return whether anything is left that is no warning."""
    from itertools import chain

    from jperrant.core.display import printable
    from jperrant.core.errors import UsageError
    from jperrant.io.files import open_output
    from jperrant.io.m2 import write_m2
    from jperrant.io.spool import aside
    from jperrant.m2tools.check import Finding, Fixes, fix_m2

    if json and out == "-":
        raise UsageError("--json and the fixed file both go to stdout; give the fixed file a name with --out")
    with aside(Finding) as fixed, aside(Finding) as found, aside(Finding) as left:
        fixes = Fixes(fixed, found)
        with open_output(out, [file]) as stream:
            write_m2(fix_m2(file, labels, fixes, left_out), stream)
        left.extend(finding for finding in found if finding.code not in left_out)
        if json:
            return _write_json([file], left, fixes)
        lines = chain(
            fixes.dialect,
            (f"{one.file}:{one.line}: fixed: {one.problem}; {_done(one)}" for one in fixed),
            (f"{one.file}:{one.line}: left: {one.problem}" for one in left),
        )
        for line in lines:
            typer.echo(printable(line), err=True)
        return any(not finding.is_warning for finding in left)


def _write_json(files: list[str], findings: Aside[Finding], fixes: Fixes | None = None) -> bool:
    """Write findings to stdout and return whether there is one that is no warning."""
    from jperrant.io.files import open_output
    from jperrant.reporting.findings import findings_json

    warnings = sum(finding.is_warning for finding in findings)
    fixed, dialect = (fixes.fixed, fixes.dialect) if fixes else (None, ())
    with open_output("-") as stream:
        for piece in findings_json(files, findings, warnings, findings.count, fixed, dialect):
            stream.write(piece)
    return findings.count > warnings


def _done(fixed: Finding) -> str:
    """Return what was done about a finding."""
    from jperrant.m2tools.check import REMOVE

    return "removed" if fixed.fix == REMOVE else f"now {fixed.fix}"
