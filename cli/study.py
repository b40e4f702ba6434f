"""``jperrant study``: a whole experiment from one file."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.groups import Cluster, Jobs, Quiet, option, switch


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("study")(study)


def study(
    file: Annotated[str, typer.Argument(metavar="FILE.yaml", help="The study file.")],
    out: Annotated[
        str | None, option("--out", "-o", metavar="OUT/", help="Write the output to this folder.")
    ] = None,
    check: Annotated[
        bool, switch("--check", help="Report every problem in the file without running it.")
    ] = False,
    folders: Annotated[
        list[str] | None,
        option("--set", metavar="NAME=FOLDER", help="Set a folder of the study file; repeatable."),
    ] = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Run an experiment from one file: its steps that are not done yet.

    Tables, plots and a manifest are written to the folder of the output.

    Example: jperrant study examples/languages/study.yaml -o results/
    """
    from jperrant.cli.output import say, show
    from jperrant.core.errors import UsageError
    from jperrant.evaluation.studies.study_file import check_study
    from jperrant.reporting.study import described, overview, run_study

    given = _folders(folders)
    if check:
        found, problems = check_study(file, given)
        show(
            "".join(f"{problem}\n" for problem in problems) if found is None or problems else described(found)
        )
        raise typer.Exit(1 if problems else 0)
    if out is None:
        raise UsageError("found no folder for the output; give it with -o OUT/ (or only --check the file)")
    report = None if quiet else _line
    result = run_study(file, out, folders=given, jobs=jobs, report=report, cluster=cluster)
    say(result.warnings())
    show(overview(result))


def _folders(given: list[str] | None) -> dict[str, str]:
    """Return folders by name.

    Raises:
        UsageError: Something is not of the form NAME=FOLDER, or a name is given twice.
    """
    from jperrant.core.errors import UsageError

    folders: dict[str, str] = {}
    for one in given or ():
        name, equals, folder = one.partition("=")
        if not equals or not name or not folder:
            raise UsageError(f"--set {one}: expected NAME=FOLDER")
        if name in folders:
            raise UsageError(f"--set {one}: {name} is given twice; give it once")
        folders[name] = folder
    return folders


def _line(step: object, seconds: float | None) -> None:
    """Print a step that is done, on stderr."""
    from jperrant.core.display import printable

    done = "reused" if seconds is None else f"done {seconds:.1f} s"
    typer.echo(f"{printable(str(step))}: {done}", err=True)
