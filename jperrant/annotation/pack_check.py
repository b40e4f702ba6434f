"""Checking a pack: everything that is wrong with it at once, its own examples included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from jperrant.annotation.explain import Coverage, Explained, coverage, explain_examples
from jperrant.core.apply import apply_edits
from jperrant.core.errors import InputError, MissingExtraError
from jperrant.core.messages import plural
from jperrant.core.values import Edit
from jperrant.packs import Pack, known_packs
from jperrant.packs.dictionary import missing_dictionary
from jperrant.packs.discovery import folder_of
from jperrant.packs.examples import Example, ExpectedEdit
from jperrant.packs.pack import build, examples_of, missing_packages
from jperrant.packs.read import PackData, checked_pack
from jperrant.packs.yaml_model import Problem


@dataclass(frozen=True, slots=True)
class Checked:
    """What checking a pack has found.

    Attributes:
        name: The code or folder that was asked for.
        problems: One line each, beginning with the file and, where it is known, the line; empty if all is well.
        labels, examples: How many the pack has.
        missing: What the pack needs and is not installed, with the command that installs it; the examples have
            then not been run.
        coverage: Which rules the examples try, and which of their words are known; None where they were not run.
        without_group: The labels that belong to no group of the table for all languages.
        words: The name of the dictionary that knows words, or an empty string.
    """

    name: str
    problems: tuple[str, ...]
    labels: int = 0
    examples: int = 0
    missing: str = ""
    coverage: Coverage | None = None
    without_group: tuple[str, ...] = ()
    words: str = ""

    def __str__(self) -> str:
        if self.missing:
            return "\n".join(
                [*self.problems, f"{self.name}: checked in part only, as it needs {self.missing}"]
            )
        if not self.problems:
            facts = [
                plural(self.labels, "label"),
                plural(self.examples, "example"),
                *self._covered(),
                "no problems",
            ]
            return f"{self.name}: {', '.join(facts)}"
        count = len(self.problems)
        return "\n".join([*self.problems, f"{self.name}: {count} problem{'s' if count > 1 else ''}"])

    def _covered(self) -> Iterator[str]:
        """Yield how far the examples go."""
        if self.coverage is not None and self.coverage.rules:
            yield f"{self.coverage.tried} of {plural(len(self.coverage.rules), 'rule')} with an example"
        if self.without_group:
            yield f"{plural(len(self.without_group), 'label')} without group"
        if self.coverage is not None and self.words:
            yield f"{self.words} knows {self.coverage.known} of {plural(self.coverage.words, 'word')}"

    def incomplete(self) -> tuple[str, ...]:
        """Return a line for each rule of the pack that no example tries, and for each label without group."""
        rules = self.coverage.rules if self.coverage is not None else {}
        lines = [f"{place}: no example" for place, examples in rules.items() if not examples]
        return (*lines, *(f"label {label}: not in any group" for label in self.without_group))


def check_pack(name: str, hooks: bool | None = None) -> Checked:
    """Check an installed pack, or one in a folder.

    Args:
        name: A code, an alias, or a folder with a ``pack.yaml``.
        hooks: Whether to run its Python, as in ``load_pack``.

    Raises:
        PackError: There is no such pack.
    """
    folder = folder_of(name)
    try:
        data, problems = checked_pack("" if folder else name, folder)
    except InputError as error:
        if not folder and name not in known_packs():
            raise
        return Checked(name, (str(error),))
    missing = missing_packages(data.keys.requires) if hooks is not False else ""
    try:
        pack, wrong = build(data, hooks)
    except MissingExtraError:
        return Checked(name, _lines(problems), missing=missing)
    problems += wrong
    examples, wrong = _examples(data)
    problems += wrong
    if pack.advice:
        missing = missing or missing_dictionary(data.keys.dictionary)
    covered = None
    if not problems and not missing:  # what wrong rules find says nothing
        explained = explain_examples(pack)
        problems = list(failing_examples(pack, explained))
        covered = None if problems else coverage(pack, explained)
    words = pack.dictionary.stem if pack.dictionary else ""
    return Checked(
        name,
        _lines(problems),
        labels=len(pack.labels),
        examples=len(examples),
        missing=missing,
        coverage=covered,
        without_group=_without_group(pack),
        words=words,
    )


def _examples(data: PackData) -> tuple[Sequence[Example], list[Problem]]:
    """Return the examples of a pack and everything that is wrong with them."""
    try:
        return examples_of(data)
    except InputError as error:
        return (), [Problem("", str(error))]


def _without_group(pack: Pack) -> tuple[str, ...]:
    """Return the labels that have no group in the table for all languages, nor does one that they begin with."""
    return tuple([
        label for label in pack.labels
        if not any([label.rsplit(":", cut)[0] in pack.groups for cut in range(label.count(":") + 1)])
    ])  # fmt: skip


def _lines(problems: Iterable[Problem]) -> tuple[str, ...]:
    """Return each problem once."""
    return tuple(dict.fromkeys(map(str, problems)))


def failing_examples(pack: Pack, explained: Sequence[Explained] | None = None) -> Iterator[Problem]:
    """Yield a problem for each example whose edits differ from what the pack's rules find.

    Examples are annotated with the analysis they give and no models.

    Args:
        pack: The pack.
        explained: What ``explain_examples`` returns of it, where that is known.
    """
    for n, (example, found) in enumerate(
        zip(pack.examples, explained or explain_examples(pack), strict=True)
    ):
        problem = _problem(example, pack, found)
        if problem:
            name = f" ({example.name})" if example.name else ""
            yield Problem(example.place, f"examples[{n}]{name}: {problem}")


def _problem(example: Example, pack: Pack, found: Explained) -> str:
    try:
        wrong = _wrong(example, pack)
    except InputError as error:
        return str(error)
    if isinstance(found, InputError):
        return wrong or str(found)
    return wrong or _differs(example, [explanation.edit for explanation in found])


def _wrong(example: Example, pack: Pack) -> str:
    """Return what is wrong with an example, whatever the pack."""
    types = [*example.never, *(type_ for edit in example.edits for type_ in edit.types)]
    for type_ in types:
        letter, _, label = type_.partition(":")
        if type_ != "UNK" and (letter not in ("M", "U", "R") or label not in pack.labels):
            return f"{type_!r} is not a type of the pack; expected M:, U: or R: and one of its labels"
    edits = [Edit(e.start, e.end, e.correction, e.types[0]) for e in example.edits]
    if "UNK" in types or example.near_miss:
        return ""
    made = pack.join.join(apply_edits(example.source.forms, edits))
    wanted = pack.join.join(example.target.forms)
    return "" if made == wanted else f"its edits turn the source into {made!r}, expected {wanted!r}"


def _differs(example: Example, edits: Sequence[Edit]) -> str:
    """Return how the edits that the rules find differ from those of an example."""
    for edit in edits:
        if edit.type in example.never:
            return f"found {_shown(edit)}, which the example lists under never"
    if example.near_miss:
        return ""
    for wanted, edit in zip_longest(example.edits, edits):
        if wanted is None or edit is None or not wanted.fits(edit):
            return f"found {_shown(edit)}, expected {_shown(wanted)}"
    return ""


def _shown(edit: Edit | ExpectedEdit | None) -> str:
    if edit is None:
        return "no further edit"
    types = " or ".join(edit.types) if isinstance(edit, ExpectedEdit) else edit.type
    return f"{edit.start} {edit.end} {' '.join(edit.correction or ())!r} {types}"
