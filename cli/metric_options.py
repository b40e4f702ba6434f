"""The options of metrics as flags of commands that score."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar

import typer
from typer.main import get_command

from jperrant.cli.lean import LeanCommand, lean

#: Where the values stand in the context of the command.
_KEY = "jperrant.metric_options"
#: Where the command's own options stand that were given on the command line.
_OWN = "jperrant.own_options"
_PARAMS = "jperrant.metric_params"
#: Options of commands that mean the same to metrics which have one of that name; others only sound alike.
_SHARED = frozenset({"seed"})
#: Whether the command line may name options of metrics.
_NAMED = "jperrant.metrics_named"


class ScoreCommand(LeanCommand):
    """A command that takes the options of all metrics without showing them: ``jperrant metrics NAME`` does.

    Metrics are imported only when an option is given that the command itself does not have.
    """

    hidden_options: ClassVar[bool] = True

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the command's own options and those of the metrics."""
        own = super().get_params(ctx)
        taken = {param.name for param in own}
        return [*own, *lean([param for param in self._of_metrics(ctx) if param.name not in taken])]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; options of metrics only if there may be some on it."""
        own = {flag for param in super().get_params(ctx) for flag in (*param.opts, *param.secondary_opts)}
        given = {word.partition("=")[0] for word in args if word.startswith("-")}
        ctx.meta[f"{_NAMED}.{self.name}"] = ctx.resilient_parsing or not given <= own
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Put the options of metrics aside for ``flags_given`` and run the command."""
        taken = {param.name for param in super().get_params(ctx)}
        names = [param.name for param in self._of_metrics(ctx) if param.name not in taken]
        ctx.meta[_KEY] = {name: ctx.params.pop(name) for name in names}
        ctx.meta[_OWN] = {name: value for name, value in ctx.params.items() if _was_given(ctx, name)}
        return super().invoke(ctx)

    def _of_metrics(self, ctx: Any) -> list[Any]:
        """Return the options of the metrics; made once a call, as another package may be there at the next one."""
        if not ctx.meta.get(f"{_NAMED}.{self.name}", True):
            return []
        key = f"{_PARAMS}.{self.name}"
        if key not in ctx.meta:
            ctx.meta[key] = self._made()
        params: list[Any] = ctx.meta[key]
        return params

    def _made(self) -> list[Any]:
        from jperrant.evaluation.metrics.registry import metric_options

        def command() -> None:
            """Carry the signature."""

        parameters = []
        names = {param.name for param in self.params}
        for option in metric_options():
            if option.name in names:
                continue
            flag = "--" + option.name.replace("_", "-")
            kind = list[option.kind] if option.several else option.kind  # type: ignore[name-defined]
            about = typer.Option(flag, autocompletion=_completing([*option.choices]), hidden=True)
            hint = Annotated[kind | None, about]  # type: ignore[valid-type]
            parameters.append(
                inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
            )
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {p.name: p.annotation for p in parameters}
        app = typer.Typer(add_completion=False)
        app.command(add_help_option=False)(command)
        return get_command(app).params


def _completing(choices: Sequence[str]) -> Callable[[str], list[str]] | None:
    """Return what completes a value on the command line, None where its values cannot be listed."""
    if not choices:
        return None

    def completing(incomplete: str) -> list[str]:
        return [choice for choice in choices if choice.startswith(incomplete)]

    return completing


def _was_given(ctx: Any, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def flags_given(ctx: typer.Context) -> dict[str, Any]:
    """Return the options of metrics that were given as flags, by the keyword of ``make_scorer``."""
    values = ctx.meta[_KEY]
    return {
        name: tuple(v) if isinstance(v, list) else v for name, v in values.items() if v not in (None, [], ())
    }


def shared_flags(ctx: typer.Context) -> dict[str, Any]:
    """Return the command's own options that were given and are meant for metrics too (``--seed``)."""
    own: dict[str, Any] = ctx.meta[_OWN]
    return {name: value for name, value in own.items() if name in _SHARED}
