"""The order of the rooms: which package imports which, read from the source; docs/house.md draws it."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter, defaultdict
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = {"jperrant": "jperrant", "jperrant.cli": "cli", "jperrant.langpacks": "langpacks"}
#: A room imports rooms of earlier lines only; rooms of one line do not import each other.
ORDER = [
    ["core"], ["cluster"], ["alignment"], ["compact"], ["parse"], ["edits"], ["io"], ["exchange"],
    ["encoders"], ["llm"], ["packs"], ["annotation"], ["evaluation.metrics"], ["evaluation.statistics"],
    ["evaluation"], ["evaluation.meta"], ["evaluation.studies"], ["m2tools"], ["reporting"], ["cli"],
]  # fmt: skip
LEVEL = {room: level for level, rooms in enumerate(ORDER) for room in rooms}
#: What a room does not import although it comes earlier: scorers know M2, not parsers; rules know no parser.
APART = {
    "compact": {"cluster", "alignment"},
    "edits": {"compact", "parse"},
    "io": {"compact", "parse"},
    "exchange": {"compact", "parse"},
    "encoders": {"alignment", "compact", "parse", "edits", "exchange"},
    "llm": {"alignment", "compact", "parse", "edits", "exchange"},
    "packs": {"encoders", "llm"},
    "evaluation.metrics": {"parse", "packs", "annotation"},
    "evaluation.statistics": {"parse", "packs", "annotation", "encoders", "llm"},
    "evaluation.meta": {"parse", "annotation"},
    "evaluation.studies": {"parse"},
    # Texts are annotated before they are scored; metrics themselves see M2 only.
    "evaluation": {"parse"},
}
#: What the Python of a language pack may import besides its own modules.
PACKS_IMPORT = {"core", "alignment", "edits"}
#: Rooms that may import a heavy library; everywhere else the library is behind one of these rooms.
LIBRARIES = {
    "stanza": {"parse"},
    "spacy": {"parse"},
    "torch": {"parse", "encoders", "llm"},
    "transformers": {"encoders"},
    "distributed": {"cluster"},
    "dask": {"cluster"},
    "typer": {"cli"},
}
LONGEST = 800
LAYOUT = {"COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENDMARKER"}
#: The most lines of code in a room, and in the folders beside the package, without docstrings, comments and blank
#: lines. Lower them with each removal: what comes later pays with a removal of its own. (cli counts
#: ``jperrant/__main__.py`` in.)
MOST_LINES = {
    "alignment": 1103, "annotation": 1192, "cli": 1899, "cluster": 223, "compact": 1415, "core": 1285,
    "edits": 1755, "encoders": 646, "evaluation": 9298, "exchange": 2562, "io": 1467, "langpacks": 1499,
    "llm": 350, "m2tools": 839, "packs": 1620, "parse": 1454, "reporting": 3083,
    "benchmarks": 2198, "fuzz": 676, "tests": 19644, "tools": 549, "training": 2106,
}  # fmt: skip
#: The most pairs of rooms of which one imports the other.
MOST_ARROWS = 70


def python_modules() -> dict[str, Path]:
    """Return every module by its import name, the packages as their ``__init__.py``."""
    modules = {}
    for package, folder in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            modules[".".join((package, *parts)).removesuffix(".__init__")] = path
    return modules


MODULES = python_modules()


@cache
def imported_names(module: str, path: Path) -> list[str]:
    """Return the full name of everything a module imports, also inside functions and for type checkers."""
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            names += [f"{origin}.{alias.name}" for alias in node.names]
    return names


def nearest_module(name: str) -> str | None:
    """Return the module of ours that holds a name, or None for other libraries."""
    while name.startswith("jperrant"):
        if name in MODULES:
            return name
        name = name.rpartition(".")[0]
    return None


@cache
def arrows() -> dict[str, set[str]]:
    """Return for every module the modules of ours that it imports."""
    return {
        module: {target for name in imported_names(module, path) if (target := nearest_module(name))}
        for module, path in MODULES.items()
    }


def room_of(module: str) -> str:
    """Return the room of a module: ``evaluation.metrics``, ``langpacks.ko``, or "" for ``jperrant`` itself."""
    if module == "jperrant.__main__":  # starts the program
        return "cli"
    parts = module.split(".")[1:]
    nested = ".".join(parts[:2])
    return nested if nested in LEVEL or parts[:1] == ["langpacks"] else ".".join(parts[:1])


def test_every_room_has_its_place_in_the_order() -> None:
    rooms = {room_of(module) for module in MODULES} - {""}
    assert {room for room in rooms if not room.startswith("langpacks")} <= set(LEVEL)
    assert all(LEVEL[lower] < LEVEL[room] for room, others in APART.items() for lower in others)


def test_rooms_import_only_rooms_below() -> None:
    assert {"jperrant.langpacks.ko.morphemes"} < arrows()["jperrant.langpacks.ko.hooks"], "relative imports"
    upward = [
        f"{module} imports {target}"
        for module, targets in arrows().items()
        if (room := room_of(module)) in LEVEL
        for target in sorted(targets)
        if (below := room_of(target)) != room
        and not (room == "cli" and target == "jperrant")  # the version
        and target != "jperrant.langpacks"  # the folder in which packs are looked for, not a pack
        and (LEVEL.get(below, len(ORDER)) >= LEVEL[room] or below in APART.get(room, ()))
    ]
    assert upward == []


def test_a_pack_knows_the_values_and_no_other_pack() -> None:
    wrong = [
        f"{module} imports {target}"
        for module, targets in arrows().items()
        if (pack := room_of(module)).startswith("langpacks.")
        for target in sorted(targets)
        if room_of(target) not in PACKS_IMPORT | {pack}
    ]
    assert wrong == []


def test_no_module_imports_itself_round_a_circle() -> None:
    # A circle is an error that names its modules.
    TopologicalSorter({module: targets - {module} for module, targets in arrows().items()}).prepare()


def test_heavy_libraries_stay_in_their_rooms() -> None:
    users: dict[str, set[str]] = defaultdict(set)
    for module, path in MODULES.items():
        for name in imported_names(module, path):
            users[name.partition(".")[0]].add(room_of(module))
    assert [library for library, rooms in LIBRARIES.items() if users[library] - rooms] == []
    assert "training" not in users, "which is not installed"


def test_nothing_is_loose_at_the_top() -> None:
    top = {path.name for path in (ROOT / "jperrant").iterdir() if path.is_file()}
    assert top == {"__init__.py", "__main__.py", "py.typed"}


def test_a_name_is_of_one_module() -> None:
    # Modules of the command line are named as their commands.
    names = Counter(path.stem for module, path in MODULES.items() if not module.startswith("jperrant.cli"))
    assert {name for name, times in names.items() if times > 1} <= {"__init__", "__main__", "hooks"}


def test_modules_are_short() -> None:
    files = [*MODULES.values(), *(ROOT / "tests").rglob("*.py")]
    lengths = {path: path.read_text(encoding="utf-8").count("\n") for path in files}
    assert {str(p.relative_to(ROOT)): n for p, n in lengths.items() if n > LONGEST} == {}


def code_lines(path: Path) -> int:
    """Return the lines of a module without docstrings, comments and blank lines."""
    source = path.read_text(encoding="utf-8")
    documented = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and ast.get_docstring(node, clean=False) is not None
        for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = (range(t.start[0], t.end[0] + 1) for t in tokens if tokenize.tok_name[t.type] not in LAYOUT)
    return len({line for own in lines for line in own} - documented)


def test_rooms_do_not_grow() -> None:
    tops = {module: room_of(module).partition(".")[0] for module in MODULES}
    lines: Counter[str] = Counter()
    for module, path in MODULES.items():
        lines[tops[module]] += code_lines(path)
    for folder in ("benchmarks", "fuzz", "tests", "tools", "training"):
        lines[folder] = sum(map(code_lines, (ROOT / folder).rglob("*.py")))
    assert {room: n for room, n in lines.items() if room and n > MOST_LINES[room]} == {}
    pairs = {(tops[module], tops[target]) for module, targets in arrows().items() for target in targets}
    assert len([one for one in pairs if one[0] != one[1] and all(one)]) <= MOST_ARROWS


def test_the_drawing_names_every_room() -> None:
    page = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
    rooms = {room_of(module) for module in MODULES} & set(LEVEL)
    assert [room for room in sorted(rooms) if room.replace(".", "/") + "/`" not in page] == []
    paths = set(re.findall(r"`((?:jperrant|cli|langpacks|tests|tools|benchmarks)/[\w/.]*)`", page))
    assert len(paths) > 15
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []
