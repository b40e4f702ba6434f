"""``jperrant review``: a page on which people accept, reject and change the edits of an M2 file."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.groups import Lang, Out, Pack, Strict, Title, switch


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("review")(review)


def review(
    file: Annotated[str, typer.Argument(metavar="FILE.m2", help="The M2 file; - is stdin.")],
    out: Out = "-",
    lang: Lang = None,
    pack: Pack = None,
    adjudicate: Annotated[
        bool, switch("--adjudicate", help="Make one version of those of several annotators.")
    ] = False,
    title: Title = "",
    strict: Strict = False,
) -> None:
    """Write a page on which people accept, reject and change edits; jperrant m2 convert reads what it saves.

    jperrant review gold.m2 --lang en -o review.html

    jperrant m2 convert gold.review.json gold.reviewed.m2 --from review --log changes.tsv
    """
    from jperrant.cli.output import input_paths, say
    from jperrant.io.files import check_output
    from jperrant.reporting.html.page import check_page
    from jperrant.reporting.html.review import review as make_review

    inputs = input_paths(file, pack=pack)
    check_output(out, inputs)
    check_page(out)
    page = make_review(file, lang=lang, pack=pack, adjudicate=adjudicate, title=title, strict=strict)
    say(page.notes)
    page.save(out, inputs)
