"""Options that several commands take, declared once: a dataclass of options is spread into a command's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from jperrant.cli.completion import metric_names
from jperrant.cli.input_options import (
    INPUTS,
    Answers,
    Cache,
    Hyp,
    Lang,
    Models,
    OnePerLine,
    Pack,
    Raw,
    Ref,
    Source,
    SplitOn,
    StrictInputs,
    SystemFiles,
    Tokens,
    input_paths,
)
from jperrant.cli.layout_options import Names, listed

if TYPE_CHECKING:
    from collections.abc import Sequence


def takes_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that takes the fields of its dataclasses as options, and is called with those values.

    Args:
        command: A function; parameters whose type is a dataclass stand for the options of that group.
    """
    hints = get_type_hints(command, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters = []
    for own in signature(command).parameters.values():
        if own.name not in groups:
            parameters.append(own.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[own.name]))
            continue
        types = get_type_hints(groups[own.name], include_extras=True)
        parameters += [
            Parameter(f.name, Parameter.KEYWORD_ONLY, default=f.default, annotation=types[f.name])
            for f in fields(groups[own.name])
        ]

    @wraps(command)
    def spread(**given: Any) -> None:
        made = {
            name: group(**{f.name: given.pop(f.name) for f in fields(group)})  # type: ignore[operator]
            for name, group in groups.items()
        }
        command(**given, **made)

    spread.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    spread.__annotations__ = {p.name: p.annotation for p in parameters}
    return spread


@dataclass(frozen=True)
class ScoredInputs:
    """Systems, references and metrics, and how texts become edits: the options of everything that scores."""

    files: SystemFiles = None
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            autocompletion=metric_names,
            metavar="NAME[:OPTION=VALUE,...]",
            help="A metric; repeatable. 'jperrant metrics' lists them.",
            rich_help_panel=INPUTS,
        ),
    ] = None
    hyp: Hyp = None
    ref: Ref = None
    strict: StrictInputs = False
    source: Source = None
    lang: Lang = None
    raw: Raw = False
    split_on: SplitOn = None
    one_sentence_per_line: OnePerLine = False
    answers: Answers = ""
    tokens: Tokens = "given"
    models: Models = None
    pack: Pack = None
    cache: Cache = ""
    names: Names = ""

    def paths(self) -> list[str]:
        """Return the files that are read, which no output may overwrite.

        Raises:
            PackError: The folder of a pack holds none that can be read.
        """
        return input_paths(self.files, self.hyp, self.ref, self.source, pack=self.pack)

    def arguments(self, metrics: Sequence[str] = ("errant",)) -> dict[str, Any]:
        """Return the arguments of ``jperrant.score``.

        Args:
            metrics: The metrics where none is given.

        Raises:
            UsageError: Systems stand in two places, their names do not fit, or a metric or its options are unknown.
        """
        from jperrant.core.errors import UsageError
        from jperrant.core.text import Splitting
        from jperrant.evaluation.inputs import with_names
        from jperrant.evaluation.scorers import make_scorers

        if self.files and self.hyp:
            raise UsageError(
                f"systems stand in two places: {self.files[0]} and, after --hyp, {self.hyp[0]}; give all of them "
                "in one place, and references after --ref"
            )
        return {
            "systems": with_names(self.files or self.hyp or [], listed(self.names)),
            "references": self.ref or None,
            "source": self.source,
            "metrics": make_scorers(self.metric or metrics, self.lang, cache=self.cache),
            "lang": self.lang,
            "raw": self.raw,
            "split_on": Splitting.of_options(self.split_on, self.one_sentence_per_line),
            "tokens": self.tokens,
            "models": self.models,
            "pack": self.pack,
            "cache": self.cache,
            "strict": self.strict,
            "answers": self.answers,
        }


@dataclass(frozen=True)
class NamedInputs(ScoredInputs):
    """The same where systems go by the names of their files."""

    names: Names = "stems"
