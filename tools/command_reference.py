#!/usr/bin/env python3
"""Write docs/commands.md and the table of docs/benchmarks.md from the code.

python tools/command_reference.py           # writes
python tools/command_reference.py --check   # exit code 1 if a page is not up to date
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from jperrant.cli.main import app

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
_TABLE = re.compile(r"(<!-- benchmarks -->\n).*?(<!-- end -->)", re.DOTALL)
_MARKUP = re.compile(r"\[/?(?:bold|italic|dim|red|green|yellow|cyan|blue)[^\]]*\]")
_OF_ALL = frozenset({"help"})


def main() -> int:
    """Write or check the pages; return the exit code."""
    if "--site" in sys.argv:
        write_rules()
    stale = []
    for name, made in pages().items():
        page = DOCS / name
        if not page.is_file() or page.read_text(encoding="utf-8") != made:
            stale.append(name)
            if "--check" not in sys.argv:
                page.write_text(made, encoding="utf-8")
    if "--check" in sys.argv and stale:
        print(f"not up to date: {', '.join(stale)}; run python tools/command_reference.py")
        return 1
    return 0


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    return {
        "commands.md": commands_page(),
        "benchmarks.md": benchmarks_page(),
    }


def commands_page() -> str:
    """Return the page of commands."""
    parts = [
        "# Commands\n\n<!-- Written by tools/command_reference.py. -->\n\n"
        "Every command with its arguments and options, as `--help` gives them. Every command also takes\n"
        "`--help` (`-h`). `jperrant --quiet COMMAND` hides progress, and `jperrant --verbose COMMAND` tells on\n"
        "stderr what was done and how long it took; commands that list `--quiet` (`-q`) take it behind their\n"
        "name, too. Exit codes: 0 done, 1 a check failed, 2 wrong input or usage, 3 a model or an extra is\n"
        "missing, 130 interrupted.\n"
    ]
    root = get_command(app)
    parts += [section(name, command, context) for name, command, context in walk(root, "jperrant", None)]
    return "\n".join(parts)


def walk(group: Any, path: str, parent: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the full name, the object and the context of every command that is not hidden, groups first."""
    context = group.make_context(path.split()[-1], [], parent, resilient_parsing=True)
    for name in group.list_commands(context):
        _, command, _ = group.resolve_command(context, [name])  # imports it
        if command.hidden:
            continue
        full = f"{path} {name}"
        if hasattr(command, "list_commands"):
            yield full, command, None
            yield from walk(command, full, context)
        else:
            yield full, command, command.make_context(name, [], context, resilient_parsing=True)


def section(name: str, command: Any, context: Any) -> str:
    """Return the section of one command, or the heading of a group."""
    level = "##" if name.count(" ") == 1 else "###"
    text = prose(command.help or "")
    if context is None:
        return f"{level} {name}\n\n{text}\n"
    usage = command.get_usage(context).removeprefix("Usage: ")
    shown = [param for param in command.get_params(context) if not param_hidden(param)]
    rows = [row(param, context) for param in shown if param.name not in _OF_ALL]
    table = "| argument or option | effect |\n| --- | --- |\n" + "".join(rows) if rows else ""
    return f"{level} {name}\n\n{text}\n\n```text\n{' '.join(usage.split())}\n```\n\n{table}"


def param_hidden(param: Any) -> bool:
    """Whether help leaves an option out."""
    return bool(getattr(param, "hidden", False))


def row(param: Any, context: Any) -> str:
    """Return the row of one argument or option."""
    names, effect = param.get_help_record(context)
    code = names.replace("|", "\\|")
    return f"| `{code}` | {escaped(prose(effect))} |\n"


def prose(text: str) -> str:
    """Return a help text without the markup of the terminal; examples become code."""
    text = _MARKUP.sub("", text).replace("\b", "").replace(r"\[", "[").strip()
    return re.sub(r"^(Examples?: |)(jperrant .+)$", r"\1`\2`", text, flags=re.MULTILINE)


def escaped(text: str) -> str:
    """Return a text as a cell of a table takes it."""
    text = " ".join(text.split()).replace("|", "\\|")
    return text.replace("<", "&lt;") if "`" not in text else text


def benchmarks_page() -> str:
    """Return the page of benchmarks: the first sentence of each, under what is written by hand."""
    page = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
    rows = ["| command | what it measures |\n| --- | --- |\n"]
    for path in sorted((ROOT / "benchmarks").glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        first = " ".join((ast.get_docstring(tree) or "").split("\n\n")[0].split())
        rows.append(f"| `python benchmarks/{path.name}` | {escaped(first.replace('``', '`'))} |\n")
    return _TABLE.sub(lambda m: f"{m[1]}{''.join(rows)}{m[2]}", page)


def write_rules() -> None:
    """Write a page for each pack that comes with jperrant, as ``packs show`` has it."""
    (DOCS / "rules").mkdir(exist_ok=True)
    for folder in sorted((ROOT / "langpacks").glob("*/pack.yaml")):
        code = folder.parent.name
        shown = CliRunner().invoke(app, ["packs", "show", code], env={"TERM": "dumb"}).stdout
        title, _, rest = shown.partition("\n")
        # Where files lie is of no use to readers of the site.
        rest = re.sub(r"^folder .*\n", "", rest, flags=re.MULTILINE).replace(f"{ROOT}/", "")
        rest = re.sub(r"^(dictionary +\S+) \(.*\)$", r"\1", rest, flags=re.MULTILINE)
        text = f"# {title.strip()}\n\nAs `jperrant packs show {code}` prints it.\n\n```text\n{rest.strip()}\n```\n"
        (DOCS / "rules" / f"{code}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
