"""Checking a pack: everything that is wrong with it at once, its own examples included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from jperrant.annotation.annotator import Annotator
from jperrant.core.apply import apply_edits
from jperrant.core.errors import InputError, MissingExtraError
from jperrant.core.values import Edit
from jperrant.packs import Pack, known_packs, pack_keys
from jperrant.packs.examples import Example, ExpectedEdit
from jperrant.packs.pack import build
from jperrant.packs.problems import Problem
from jperrant.packs.requirements import missing_packages
from jperrant.packs.yaml_loader import FILE
from jperrant.parse.pretokenised import PretokenisedParser


@dataclass(frozen=True, slots=True)
class Checked:
    """What checking a pack has found.

    Attributes:
        name: The code or folder that was asked for.
        problems: One line each, beginning with the file and, where it is known, the line; empty if all is well.
        labels, examples: How many the pack has.
        missing: What the pack needs and is not installed, with the command that installs it; the examples have
            then not been run.
    """

    name: str
    problems: tuple[str, ...]
    labels: int = 0
    examples: int = 0
    missing: str = ""

    def __str__(self) -> str:
        if self.missing:
            return "\n".join(
                [*self.problems, f"{self.name}: not checked in full, because it needs {self.missing}"]
            )
        if not self.problems:
            return f"{self.name}: {self.labels} labels, {self.examples} examples, no problems"
        count = len(self.problems)
        return "\n".join([*self.problems, f"{self.name}: {count} problem{'s' if count > 1 else ''}"])


def check_pack(name: str, hooks: bool | None = None) -> Checked:
    """Check an installed pack, or one in a folder.

    Args:
        name: A code, an alias, or a folder with a ``pack.yaml``.
        hooks: Whether to run its Python, as in ``load_pack``.

    Raises:
        PackError: There is no such pack.
    """
    is_folder = name not in known_packs() and (Path(name).is_dir() or "/" in name or "\\" in name)
    try:
        keys, problems = pack_keys("" if is_folder else name, name if is_folder else None)
    except InputError as error:
        if not is_folder and name not in known_packs():
            raise
        return Checked(name, (str(error),))
    missing = missing_packages(keys.get("requires", {})) if hooks is not False else ""
    try:
        pack, wrong = build(keys, hooks)
    except MissingExtraError:
        return Checked(name, _lines(problems), missing=missing)
    problems += wrong
    if not problems and not missing:  # what wrong rules find says nothing
        problems = [Problem(str(pack.folder / FILE), line) for line in failing_examples(pack)]
    return Checked(name, _lines(problems), len(pack.labels), len(pack.examples), missing)


def _lines(problems: Iterable[Problem]) -> tuple[str, ...]:
    """Return each problem once."""
    return tuple(dict.fromkeys(map(str, problems)))


def failing_examples(pack: Pack) -> Iterator[str]:
    """Yield one line for each example whose edits differ from what the pack's rules find.

    Examples are annotated with the analysis they give and no models.
    """
    annotator = Annotator(pack, PretokenisedParser())
    for n, example in enumerate(pack.examples):
        try:
            problem = _wrong(example, pack) or _differs(example, annotator)
        except InputError as error:
            problem = str(error)
        if problem:
            name = f" ({example.name})" if example.name else ""
            yield f"examples[{n}]{name}: {problem}"


def _wrong(example: Example, pack: Pack) -> str:
    """Return what is wrong with an example, whatever the pack."""
    types = [type_ for edit in example.edits for type_ in edit.types]
    for type_ in types:
        letter, _, label = type_.partition(":")
        if type_ != "UNK" and (letter not in ("M", "U", "R") or label not in pack.labels):
            return f"{type_!r} is not a type of the pack: M:, U: or R: and a label"
    edits = [Edit(e.start, e.end, e.correction, e.types[0]) for e in example.edits]
    if "UNK" in types:
        return ""
    made = pack.join.join(apply_edits(example.source.forms, edits))
    wanted = pack.join.join(example.target.forms)
    return "" if made == wanted else f"its edits make {made!r} of the source, not {wanted!r}"


def _differs(example: Example, annotator: Annotator) -> str:
    edits = annotator.annotate(example.source, example.target)
    for wanted, edit in zip_longest(example.edits, edits):
        if wanted is None or edit is None or not wanted.fits(edit):
            return f"expected {_shown(wanted)}, found {_shown(edit)}"
    return ""


def _shown(edit: Edit | ExpectedEdit | None) -> str:
    if edit is None:
        return "no further edit"
    types = " or ".join(edit.types) if isinstance(edit, ExpectedEdit) else edit.type
    return f"{edit.start} {edit.end} {' '.join(edit.correction or ())!r} {types}"
