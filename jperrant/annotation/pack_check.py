"""Explaining the type of an edit, and checking a pack: all of its problems, and its own examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from jperrant.annotation.annotator import Annotator
from jperrant.core.edits import apply_edits
from jperrant.core.errors import InputError, MissingExtraError
from jperrant.core.messages import plural
from jperrant.core.values import Edit, Sentence, Token
from jperrant.edits.edit_context import EditContext
from jperrant.edits.rules import Step
from jperrant.packs.dictionary import missing_dictionary
from jperrant.packs.discovery import folder_of, known_packs
from jperrant.packs.examples import Example, ExpectedEdit, analysed
from jperrant.packs.pack import Pack, build
from jperrant.packs.read import WrongPackError, missing_packages, pack_data
from jperrant.packs.yaml_file import Problem
from jperrant.parse.analyser import PretokenisedParser


@dataclass(frozen=True, slots=True)
class Explanation:
    """An edit and the rules that determine its type.

    Attributes:
        edit: The edit.
        source, target: The tokens of the edit on both sides, as the rules see them.
        steps: The rules that were tried, in order.
    """

    edit: Edit
    source: tuple[Token, ...]
    target: tuple[Token, ...]
    steps: tuple[Step, ...]


def explain(annotator: Annotator, source: Sentence, target: Sentence) -> tuple[Explanation, ...]:
    """Return the edits between two sentences, each with the rules that were tried on it.

    Args:
        annotator: The annotator with the pack and the merging.
        source, target: The sentences, parsed if there are models.

    Raises:
        PackError: A rule or hook fails.
    """
    pack = annotator.pack
    explanations = []
    for span, edit in annotator.placed_edits(source, target):
        view = EditContext(source, target, span, pack.vocabulary)
        steps: list[Step] = []
        pack.rules.classify(view, steps)
        explanations.append(Explanation(edit, tuple(view.source), tuple(view.target), tuple(steps)))
    return tuple(explanations)


def sentences(annotator: Annotator, source: str, target: str, given: bool) -> tuple[Sentence, Sentence]:
    """Return the two sentences whose edits are to be explained.

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
    return annotator.parse(source), annotator.parse(target)


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking a pack.

    Attributes:
        name: The code or folder of the pack.
        problems: The problems, one line each, beginning with the file and, if known, the line.
        labels, examples: The number of labels and examples of the pack.
        missing: The package or dictionary that the pack needs and that is not installed, with the command to
            install it; the examples have then not been run.
    """

    name: str
    problems: tuple[str, ...]
    labels: int = 0
    examples: int = 0
    missing: str = ""

    def __str__(self) -> str:
        if self.missing:
            found = f"checked in part only, as it needs {self.missing}"
        elif self.problems:
            found = plural(len(self.problems), "problem")
        else:
            found = f"{plural(self.labels, 'label')}, {plural(self.examples, 'example')}, no problems"
        return "\n".join([*self.problems, f"{self.name}: {found}"])


def check_pack(name: str, hooks: bool | None = None) -> Checked:
    """Check an installed pack, or one in a folder.

    Args:
        name: A code, an alias, or a folder with a ``pack.yaml``.
        hooks: Whether to run its Python, as in ``load_pack``.

    Raises:
        PackError: There is no such pack.
    """
    folder, missing = folder_of(name), ""
    try:
        data = pack_data("" if folder else name, folder)
        missing = missing_packages(data.keys.requires) if hooks is not False else ""
        pack = build(data, hooks)
        if pack.advice:
            missing = missing or missing_dictionary(data.keys.dictionary)
        problems = () if missing else tuple(map(str, failing_examples(pack)))
        return Checked(name, problems, len(pack.labels), len(pack.examples), missing)
    except MissingExtraError:
        return Checked(name, (), missing=missing)
    except InputError as error:
        problems = error.problems if isinstance(error, WrongPackError) else (str(error),)
        if not folder and name not in known_packs():
            raise
        return Checked(name, problems, missing=missing)


def failing_examples(pack: Pack) -> Iterator[Problem]:
    """Yield a problem for each example whose edits differ from what the pack's rules find.

    Examples are annotated with the analysis and the known words that they give, and no models.
    """
    for n, example in enumerate(pack.examples):
        try:
            problem = _wrong(example, pack) or _differs(example, _found(pack, example))
        except InputError as error:
            problem = str(error)
        if problem:
            name = f" ({example.name})" if example.name else ""
            yield Problem(example.place, f"examples[{n}]{name}: {problem}")


def _found(pack: Pack, example: Example) -> list[Edit]:
    """Return the edits that a pack finds in an example."""
    if example.known is not None:
        pack = replace(pack, vocabulary=replace(pack.vocabulary, lexicon=example.known))
    annotator = Annotator(pack, PretokenisedParser())
    source, target = example.source, example.target
    if example.given:
        return [annotator.classify(source, target, span) for span in example.spans()]
    return [edit for _, edit in annotator.placed_edits(source, target)]


def _wrong(example: Example, pack: Pack) -> str:
    """Return the problem of an example itself: unknown types, or edits that do not give the target."""
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
    """Return the first difference between the edits that the rules find and those of an example."""
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
