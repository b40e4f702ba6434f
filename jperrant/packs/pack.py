"""Packs ready to use: what a pack's keys say, compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from jperrant.alignment.costs import AlignmentCosts
from jperrant.alignment.resegment import Misspelt
from jperrant.alignment.token_search import Substitution
from jperrant.core.display import shown
from jperrant.core.errors import InputError, MissingExtraError, PackError, nearest
from jperrant.core.messages import plural
from jperrant.edits.conditions import Compiler
from jperrant.edits.edit_context import Similarity, Vocabulary, Words, levenshtein, no_stems
from jperrant.edits.features import Inflection
from jperrant.edits.merge_rules import MergeRules
from jperrant.edits.one_error import OneError, compile_one_error
from jperrant.edits.properties import FEATURE
from jperrant.edits.rules import RuleSet
from jperrant.edits.values import UPOS
from jperrant.packs.dictionary import AUTO, Dictionary, advice, find_dictionary
from jperrant.packs.examples import Example, read_examples
from jperrant.packs.guards import Merge
from jperrant.packs.hook_files import allowed
from jperrant.packs.hooks import Hooks, run_hooks
from jperrant.packs.keys import compact_models
from jperrant.packs.labels import check_tables
from jperrant.packs.lexicon import read_lexicon, together
from jperrant.packs.problems import Problem, problem_of
from jperrant.packs.requirements import check_requires
from jperrant.packs.yaml_loader import FILE, read_yaml
from jperrant.parse.analyser import Analyser, Scheme

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class Pack:
    """A language pack, ready to use.

    Attributes:
        code: Code of the language, as in ``--lang``.
        name: The language's name.
        folder: Where the pack's files lie.
        stanza_lang: Stanza's code of the language; empty if Stanza does not know it.
        compact: Folder of the models that come with the pack or with one that it extends, or None.
        costs: Costs of the token alignment.
        merge_rules: The language's part in merging operations into edits.
        labels: The closed set of labels and what each means.
        label_sets: Other names of all labels, by the name of the set (``ud``).
        vocabulary: What the pack says of tokens.
        rules: The compiled rules that name the types.
        join: What stands between two tokens of running text: a space, or nothing. With nothing, edits that
            only cut the same string into other tokens are not edits.
        merge_hook: The pack's own last word on the spans of the merge strategy ``rules``, or None.
        example_reader: Reads ``examples``, at most once.
        encoder: Name of the language model that scoring by meaning uses; empty for the metric's own choice.
        groups: The group of labels, for ``labels.group_of``.
        counterparts: By label, its names in other schemes.
        unbroken: Strings that are one token however text is cut, such as a placeholder.
        merge_characters: As ``merge_hook``, where every character is a token.
        character_cost: What it costs to align two characters, or None for ``costs``.
        misspelt: Whether a text is a misspelling of another, or None.
        compiler: Makes what compiles conditions in the pack's words, for queries.
        one_error: Pairs of edits that are one error.
        requires: The modules that the hooks import, each with what pip takes to install it.
        dictionary: The Hunspell dictionary in use, or None.
        advice: What to do about a dictionary that the pack names and that is not installed; else empty.
    """

    code: str
    name: str
    folder: Path
    stanza_lang: str
    compact: Path | None
    costs: AlignmentCosts
    merge_rules: MergeRules
    labels: Mapping[str, str]
    label_sets: Mapping[str, Mapping[str, str]]
    vocabulary: Vocabulary
    rules: RuleSet
    join: str = " "
    merge_hook: Merge | None = None
    example_reader: Callable[[], tuple[Example, ...]] = tuple
    encoder: str = ""
    groups: Mapping[str, str] = field(default_factory=dict)
    counterparts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    unbroken: tuple[str, ...] = ()
    merge_characters: Merge | None = None
    character_cost: Substitution | None = None
    misspelt: Misspelt | None = None
    compiler: Callable[[], Compiler] = lambda: Compiler({}, {})
    one_error: tuple[OneError, ...] = ()
    requires: Mapping[str, str] = field(default_factory=dict)
    dictionary: Path | None = None
    advice: str = ""

    def __repr__(self) -> str:
        labels = plural(len(self.labels), "label")
        return f"<Pack {self.code!r} ({shown(self.name)}): {labels}, {shown(str(self.folder))}>"

    @property
    def examples(self) -> tuple[Example, ...]:
        """What the pack itself expects of its rules, read when it is asked for.

        Raises:
            InputError: The file of examples cannot be read, or is wrong.
        """
        return self.example_reader()

    def reading(self, analyser: Analyser) -> Pack:
        """Return the pack as it reads the relations of an analyser: of the scheme ``clear`` none is renamed."""
        deprels = self.vocabulary.deprels if analyser.scheme is Scheme.UD else {}
        vocabulary = replace(self.vocabulary, deprels=deprels, relations_of=analyser.relations_of)
        return replace(self, vocabulary=vocabulary)

    def names_in(self, scheme: str) -> Mapping[str, str]:
        """Return what another scheme calls the labels; where it has several names for one, the first."""
        mapped = {label: names.get(scheme) for label, names in self.counterparts.items()}
        first = {
            label: name[0] if isinstance(name, list) and name else name for label, name in mapped.items()
        }
        return {label: name for label, name in first.items() if isinstance(name, str)}


def build(keys: Mapping[str, Any], run_python: bool | None = None) -> tuple[Pack, list[Problem]]:
    """Make a pack of its keys, those of its ancestors filled in, and return what is wrong with it, too.

    What is wrong is left out of the pack, which is fit for use only where nothing is.

    Args:
        keys: The keys.
        run_python: Whether to run the hooks, as in ``load_pack``.

    Raises:
        MissingExtraError: Its Python needs packages that are not installed.
    """
    folder: Path = keys["folder"]
    file = str(folder / FILE)
    problems: list[Problem] = []

    def attempt(make: Callable[[], _Made], otherwise: _Made, place: str = "") -> _Made:
        try:
            return make()
        except InputError as error:
            problems.append(Problem(place, str(error)))
            return otherwise

    labels: Mapping[str, str] = keys.get("labels", {})
    groups, counterparts = keys.get("groups", {}), keys.get("counterparts", {})
    hooks = attempt(lambda: _hooks(keys, run_python), Hooks())
    problems += check_tables(keys, file)
    problems += _check_inflection(keys, hooks)
    lexicon = attempt(lambda: read_lexicon(keys["lexicon"]) if "lexicon" in keys else None, None, file)
    no_dictionary: tuple[Dictionary | None, str] = (None, "")
    dictionary, missing = attempt(lambda: _dictionary(keys), no_dictionary, file)
    one_error, wrong = _one_error(keys, hooks, file)
    problems += wrong
    rules, wrong = _rules(keys, hooks, file)
    problems += wrong
    example_reader = cache(lambda: read_examples(*examples_of(keys)))
    # A file of examples, which is often large, is read when it is needed.
    if not isinstance(keys.get("examples"), str):
        attempt(lambda: len(example_reader()), 0)
    pack = Pack(
        code=keys.get("code", ""),
        name=keys.get("name", keys.get("code", "")),
        folder=folder,
        stanza_lang=keys.get("stanza", ""),
        compact=compact_models(keys),
        costs=_settings(AlignmentCosts, keys.get("costs", {})),
        merge_rules=_settings(MergeRules, keys.get("merge", {})),
        labels=labels,
        label_sets=_label_sets(keys, labels),
        vocabulary=_vocabulary(keys, hooks.similarity, together(lexicon, dictionary), dictionary),
        rules=rules,
        join=keys.get("join", " "),
        merge_hook=hooks.merge,
        compiler=lambda: _compiler(keys, hooks),
        one_error=one_error,
        example_reader=example_reader,
        encoder=keys.get("encoder", ""),
        groups=groups,
        counterparts=counterparts,
        unbroken=tuple(keys.get("unbroken", ())),
        merge_characters=hooks.merge_characters,
        character_cost=hooks.character_cost,
        misspelt=hooks.misspelt,
        requires=keys.get("requires", {}) if run_python is not False else {},
        dictionary=dictionary.path if dictionary else None,
        advice=missing,
    )
    return pack, problems


def _hooks(keys: Mapping[str, Any], run_python: bool | None) -> Hooks:
    """Return what the hooks of a pack define.

    Raises:
        MissingExtraError: They cannot be run, and something that the pack requires is missing.
        PackError: They cannot be run.
    """
    try:
        return run_hooks(allowed(keys["hooks"], run_python), keys.get("join", " "))
    except PackError:
        check_requires(keys.get("code", ""), keys.get("requires", {}))
        raise


def _dictionary(keys: Mapping[str, Any]) -> tuple[Dictionary | None, str]:
    """Return the dictionary of a pack, and what to do about one that it names and that is not installed.

    Raises:
        InputError: The dictionary is broken, or not where the user says.
        MissingExtraError: The user says where it is, and Hunspell is not installed.
    """
    name, where = keys.get("dictionary", ""), keys.get("dictionaries", AUTO)
    if not name and where == AUTO:
        return None, ""
    path = find_dictionary(name or keys.get("code", ""), keys["chain"], where)
    try:
        if path is not None:
            return Dictionary(path), ""
    except MissingExtraError:
        if where != AUTO:
            raise
    return None, advice(keys.get("code", ""), name) if where == AUTO else ""


def _settings(kind: type[Any], values: Mapping[str, Any]) -> Any:
    return kind(**{k: frozenset(v) if isinstance(v, list) else v for k, v in values.items()})


def _label_sets(keys: Mapping[str, Any], labels: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """Return every set with a name for every label: its own, where the set has none."""
    sets: Mapping[str, Mapping[str, str]] = keys.get("label_sets", {})
    return {name: {label: table.get(label, label) for label in labels} for name, table in sets.items()}


def _vocabulary(
    keys: Mapping[str, Any],
    similarity: Similarity | None,
    lexicon: Words | None,
    dictionary: Dictionary | None,
) -> Vocabulary:
    return Vocabulary(
        classes=keys.get("classes", {}),
        upos_classes=keys.get("upos_classes", {}),
        deprels=keys.get("deprels", {}),
        lexicon=lexicon,
        stems=dictionary.stems if dictionary is not None else no_stems,
        similarity=similarity or levenshtein,
        inflection=Inflection(keys.get("inflection", {}), frozenset(keys.get("labels", {}))),
    )


def _classes(keys: Mapping[str, Any]) -> frozenset[str]:
    """Return the word classes that a token can have, unless a hook says otherwise."""
    return frozenset(
        [*keys.get("classes", {}).values(), *keys.get("upos_classes", {}).values(), *UPOS],
    )


def _check_inflection(keys: Mapping[str, Any], hooks: Hooks) -> Iterator[Problem]:
    """Check the word classes for which an inflection has a name of its own."""
    known = _classes(keys)
    for feature, names in keys.get("inflection", {}).items():
        for name in names if isinstance(names, Mapping) and "class" not in hooks.properties else ():
            if name != "*" and name not in known:
                message = f"inflection: {feature}: no token is of the class{nearest(name, known)}"
                yield problem_of(names, name, message)


def _compiler(keys: Mapping[str, Any], hooks: Hooks) -> Compiler:
    closed = {"class": _classes(keys)}
    if "inflection" in keys:  # which the generic pack has
        closed[FEATURE] = frozenset(keys["inflection"])
    return Compiler(hooks.conditions, keys.get("lists", {}), hooks.properties, closed)


def _one_error(
    keys: Mapping[str, Any], hooks: Hooks, file: str
) -> tuple[tuple[OneError, ...], list[Problem]]:
    compiled, lines = compile_one_error(keys.get("one_error"), _compiler(keys, hooks), file)
    return compiled, [Problem("", line) for line in lines]


def _rules(keys: Mapping[str, Any], hooks: Hooks, file: str) -> tuple[RuleSet, list[Problem]]:
    compiler = _compiler(keys, hooks)
    lines: list[str] = []
    rules = RuleSet(
        keys.get("rules", []), list(keys.get("labels", {})), compiler, keys.get("tables", {}), file, lines
    )
    files = tuple([str(folder / FILE) for folder in keys["chain"]]) if lines else ()
    return rules, [Problem("" if line.startswith(files) else file, line) for line in lines]


def examples_of(keys: Mapping[str, Any]) -> tuple[object, str]:
    """Return what a pack's key ``examples`` holds, read from its file if it names one, and where that stands.

    Raises:
        InputError: The file cannot be read.
    """
    examples = keys.get("examples", [])
    if not isinstance(examples, str):
        return examples, str(keys["folder"] / FILE)
    file: Path = keys["folder"] / examples
    return read_yaml(file), str(file)
