"""``jperrant m2 check``: everything that is wrong with M2 files, and what can be fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from jperrant.cli.options import Json

if TYPE_CHECKING:
    from jperrant.m2tools.edit_check import LabelCheck
    from jperrant.m2tools.findings import Finding


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE.m2…", help="The M2 files; - is stdin.")],
    lang: Annotated[
        str | None, typer.Option("--lang", "-l", help="Language: types must be those of its pack.")
    ] = None,
    pack: Annotated[str | None, typer.Option(help="Folder of a language pack of your own.")] = None,
    labels: Annotated[
        str, typer.Option(help="pack, or another label set of the pack (en: errant, ud).")
    ] = "pack",
    content: Annotated[
        bool,
        typer.Option("--content", help="Check what annotators did; --lang, --pack, --together and --fix do."),
    ] = False,
    together: Annotated[
        bool, typer.Option("--together", help="The files are annotators of the same sentences.")
    ] = False,
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", metavar="KIND", help="Leave out a kind of findings; repeatable."),
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Write the file to --out with the safe fixes applied.")
    ] = False,
    out: Annotated[str, typer.Option("--out", "-o", help="Where the fixed file goes; - is stdout.")] = "-",
    json: Json = False,
) -> None:
    """List everything that is wrong, with file and line; exit code 1 if there is anything but warnings.

    Without options that is what is not in the dialect of M2.

    jperrant m2 check anna.m2 ben.m2 --lang en --together
    """
    from jperrant.core.errors import UsageError
    from jperrant.m2tools.content_check import check_codes, labels_of_pack

    if together and len(files) < 2:
        raise UsageError("--together compares two files or more; give one for each annotator")
    if together and "-" in files:
        raise UsageError("--together reads each file twice, which standard input (-) cannot be")
    if labels != "pack" and lang is None and pack is None:
        raise UsageError("--labels names labels of a pack; say which with --lang or --pack")
    if not fix and out != "-":
        raise UsageError("--out is for --fix; findings go to stdout")
    known = labels_of_pack(lang or "", pack, labels) if lang or pack else None
    left_out = check_codes(allow or ())
    if fix:
        if len(files) > 1:
            raise UsageError(f"--fix writes one file, {len(files)} are given")
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

    from jperrant.io.files import open_output
    from jperrant.m2tools.check import check_m2, check_together
    from jperrant.m2tools.content_check import ContentCheck
    from jperrant.reporting.findings import findings_json

    found = chain.from_iterable(
        check_m2(file, ContentCheck(file, labels) if content else None) for file in files
    )
    across = check_together(files) if together else iter(())
    kept = (finding for finding in chain(found, across) if finding.code not in left_out)
    if json:
        findings = list(kept)
        with open_output("-") as stream:
            stream.write(findings_json(files, findings))
        return _has_error(findings)
    failed = False
    with open_output("-") as stream:
        for finding in kept:
            stream.write(f"{finding}\n")
            failed |= not finding.is_warning
    return failed


def _fix(file: str, labels: LabelCheck | None, out: str, left_out: frozenset[str], json: bool) -> bool:
    """Write the fixed file, say each change on stderr, and return whether anything is left that is no warning."""
    from jperrant.core.errors import UsageError
    from jperrant.core.visible import printable
    from jperrant.io.files import open_output
    from jperrant.io.m2 import write_m2
    from jperrant.m2tools.fix import Fixes, fix_m2
    from jperrant.reporting.findings import findings_json

    if json and out == "-":
        raise UsageError("--json prints to stdout, where the fixed file goes; give it a name with --out")
    fixes = Fixes()
    with open_output(out, [file]) as stream:
        write_m2(fix_m2(file, labels, fixes), stream)
    left = [finding for finding in fixes.left if finding.code not in left_out]
    if json:
        with open_output("-") as stream:
            stream.write(findings_json([file], left, fixes.fixed, fixes.dialect))
        return _has_error(left)
    fixed = [f"{one.file}:{one.line}: fixed: {one.problem}; {_done(one)}" for one in fixes.fixed]
    for line in (*fixes.dialect, *fixed, *(f"{one.file}:{one.line}: left: {one.problem}" for one in left)):
        typer.echo(printable(line), err=True)
    return _has_error(left)


def _done(fixed: Finding) -> str:
    """Return what was done about a finding."""
    from jperrant.m2tools.findings import REMOVE

    return "removed" if fixed.fix == REMOVE else f"now {fixed.fix}"


def _has_error(findings: list[Finding]) -> bool:
    return any(not finding.is_warning for finding in findings)
