"""Explaining the type of an edit, and checking a pack: all of its problems, and its own examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TypeAlias

from jperrant.annotation.annotator import Annotator
from jperrant.core.edits import apply_edits
from jperrant.core.errors import InputError, MissingExtraError
from jperrant.core.messages import plural
from jperrant.core.values import Edit, Sentence, Span, Token
from jperrant.edits.edit_context import EditContext
from jperrant.edits.forms import is_word
from jperrant.edits.rules import Step
from jperrant.packs import Pack, known_packs
from jperrant.packs.dictionary import missing_dictionary
from jperrant.packs.discovery import FILE, folder_of
from jperrant.packs.examples import Example, ExpectedEdit, analysed
from jperrant.packs.pack import build, examples_of
from jperrant.packs.read import PackData, checked_pack, missing_packages
from jperrant.packs.yaml_file import Problem
from jperrant.parse.analyser import PretokenisedParser


@dataclass(frozen=True, slots=True)
class Explanation:
    """An edit and how the rules came to its type.

    Attributes:
        edit: The edit.
        source, target: Its tokens on both sides, as the rules see them.
        steps: The rules that were tried, in order.
    """

    edit: Edit
    source: tuple[Token, ...]
    target: tuple[Token, ...]
    steps: tuple[Step, ...]


def explain(
    annotator: Annotator, source: Sentence, target: Sentence, given: Sequence[Span] | None = None
) -> tuple[Explanation, ...]:
    """Return the edits between two sentences, each with the rules that were tried on it.

    Args:
        annotator: Whose pack and merging are used.
        source, target: The sentences, parsed as far as they can be.
        given: The spans of the edits, where they are not to be looked for.

    Raises:
        PackError: A rule or hook fails.
    """
    pack = annotator.pack
    if given is not None:
        spans = tuple(given)
    else:
        spans = annotator.merge(annotator.align(source, target)) if source.forms != target.forms else ()
    explanations = []
    for span in spans:
        edit = annotator.classify(source, target, span)  # first, as its errors name the rule
        view = EditContext(source, target, span, pack.vocabulary)
        steps = tuple(pack.rules.trace(view))
        explanations.append(Explanation(edit, tuple(view.source), tuple(view.target), steps))
    return tuple(explanations)


def sentences(annotator: Annotator, source: str, target: str, given: bool) -> tuple[Sentence, Sentence]:
    """Return two sentences to explain the edits between.

    Args:
        annotator: Parses them, unless their analysis is given.
        source, target: Tokens separated by white space; with ``given`` in the short form of examples,
            ``form/UPOS/lemma/FEATS/XPOS/deprel/head``.
        given: Whether the analysis is given.

    Raises:
        PackError: A token is not in that form.
    """
    if given:
        return analysed(source, "source"), analysed(target, "target")
    return annotator.parse_pair(source, target)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which rules of a pack its examples try, and which words of theirs it knows.

    Attributes:
        rules: For each rule of the pack's own that names a type, by its place, the examples in which it does.
        words: How many different words of letters the corrections of the examples have.
        known: How many of them the lexicon and the dictionary know; all, where the pack has neither.
    """

    rules: Mapping[str, tuple[str, ...]]
    words: int
    known: int

    @property
    def tried(self) -> int:
        """How many of the rules an example tries."""
        return sum([bool(examples) for examples in self.rules.values()])


def annotator_of(pack: Pack, example: Example) -> Annotator:
    """Return what annotates an example: with the analysis and the known words that it gives, and no models."""
    if example.known is not None:
        pack = replace(pack, vocabulary=replace(pack.vocabulary, lexicon=example.known))
    return Annotator(pack, PretokenisedParser())


Explained: TypeAlias = tuple[Explanation, ...] | InputError
"""The explained edits of an example, or what keeps it from being annotated."""


def explain_examples(pack: Pack) -> list[Explained]:
    """Return the explained edits of each example of a pack."""
    return [_explained(pack, example) for example in pack.examples]


def _explained(pack: Pack, example: Example) -> Explained:
    try:
        return explain(annotator_of(pack, example), example.source, example.target, example.spans())
    except InputError as error:
        return error


def coverage(pack: Pack, explained: Sequence[Explained] | None = None) -> Coverage:
    """Return which rules of a pack its own examples try.

    Args:
        pack: The pack.
        explained: What ``explain_examples`` returns of it, where that is known.

    Raises:
        PackError: A rule or hook fails.
    """
    own = f"{pack.folder / FILE}:"
    rules: dict[str, list[str]] = {place: [] for place in pack.rules.leaves if place.startswith(own)}
    words: set[str] = set()
    for number, (example, found) in enumerate(
        zip(pack.examples, explained or explain_examples(pack), strict=True)
    ):
        if isinstance(found, InputError):
            raise found
        words.update(form for form in example.target.forms if is_word(form))
        for explanation in found:
            place = explanation.steps[-1].where if explanation.steps else ""
            if place in rules:
                rules[place].append(_name(number, example))
    known = sum([pack.vocabulary.knows(word) for word in words])
    return Coverage({place: tuple(names) for place, names in rules.items()}, len(words), known)


def _name(number: int, example: Example) -> str:
    return example.name or f"examples[{number}]"


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
