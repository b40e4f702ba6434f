"""Packs ready to use: what a pack's keys say, compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jperrant.alignment.projection import Misspelt
from jperrant.alignment.tokens import AlignmentCosts, Substitution
from jperrant.core.display import shown
from jperrant.core.errors import MissingExtraError, PackError, nearest
from jperrant.core.messages import plural
from jperrant.core.values import UPOS
from jperrant.edits.compiler import Compiler
from jperrant.edits.edit_context import ClosedClasses, Inflection, Vocabulary, Words, levenshtein
from jperrant.edits.merge import MergeRules
from jperrant.edits.one_error import OneError, compile_one_error
from jperrant.edits.rules import RuleSet
from jperrant.edits.values import FEATURE, position_of
from jperrant.packs.dictionary import AUTO, Dictionary, advice, read_lexicon, together
from jperrant.packs.hooks import Hooks, Merge, run_hooks
from jperrant.packs.keys import PackKeys
from jperrant.packs.languages import script_problem
from jperrant.packs.read import PackData, check_requires, pack_data, raise_all
from jperrant.packs.yaml_file import Problem, read_yaml
from jperrant.parse.analyser import Analyser, Scheme
from jperrant.parse.rule_tokenizer import TokenRules

if TYPE_CHECKING:
    from jperrant.packs.examples import Example


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
        tokens: The rules that cut raw text without models; None for a language without spaces.
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
    tokens: TokenRules | None = None
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

    def script_problem(self, characters: Mapping[str, int]) -> str:
        """Return what is wrong with a text in another script than those of the language; empty if nothing is.

        Args:
            characters: How often each character occurs in a sample of the text.
        """
        return script_problem(self.stanza_lang or self.code, f"{self.name} ({self.code})", characters)

    def reading(self, analyser: Analyser) -> Pack:
        """Return the pack as it reads the relations of an analyser: of the scheme ``clear`` none is renamed."""
        deprels = self.vocabulary.deprels if analyser.scheme is Scheme.UD else {}
        vocabulary = replace(self.vocabulary, deprels=deprels, relations_of=analyser.relations_of)
        return replace(self, vocabulary=vocabulary)


def load_pack(
    lang: str,
    folder: str | None = None,
    lexicon: str | None = None,
    hooks: bool | None = None,
    dictionary: str = AUTO,
) -> Pack:
    """Load the pack of a language.

    Args:
        lang: Code, alias or name of an installed pack (``en``, ``English``), or the code or name of any language
            Stanza knows, which gets the generic pack. Ignored where ``folder`` is given.
        folder: A folder with a pack of one's own.
        lexicon: A list of known words to use instead of the pack's list and dictionary; a Hunspell dictionary if
            its name ends in ``.dic``.
        hooks: Whether to run the ``hooks.py`` of the pack and of those it extends: False runs none, True all; None
            runs those of installed packs and of ``folder``, and warns of others.
        dictionary: Where the pack's Hunspell dictionary is: ``auto``, ``none``, a folder, or a ``.dic`` file.

    Raises:
        PackError: There is no such pack or language (known and nearest ones are named), or the pack is wrong.
    """
    return build(pack_data(lang, folder), hooks, lexicon, dictionary)


def build(
    data: PackData, run_python: bool | None = None, lexicon: str | None = None, dictionary: str = AUTO
) -> Pack:
    """Make a pack of what it says.

    Args:
        data: What it says.
        run_python, lexicon, dictionary: As ``hooks``, ``lexicon`` and ``dictionary`` of ``load_pack``.

    Raises:
        InputError: Its rules, its hooks, or files that it names are wrong.
        MissingExtraError: Its Python needs packages that are not installed.
    """
    keys, file = data.keys, str(data.file)
    hooks = _hooks(data, run_python)
    spelling, missing = _dictionary(data, lexicon, dictionary)
    problems = [*_check_inflection(keys, hooks, file)]
    one_error, lines = compile_one_error(keys.one_error, _compiler(keys, hooks), file)
    problems += lines
    rules = RuleSet(keys.rules, list(keys.labels), _compiler(keys, hooks), keys.tables, file, problems)
    if not isinstance(keys.examples, str):  # a file of examples, often large, is read when it is needed
        problems += map(str, examples_of(data)[1])
    raise_all(problems)
    return Pack(
        code=keys.code,
        name=keys.name or keys.code,
        folder=data.folder,
        stanza_lang=keys.stanza,
        compact=data.models,
        costs=AlignmentCosts(**keys.costs.model_dump(exclude_none=True)),
        merge_rules=MergeRules(**keys.merge.model_dump(exclude_none=True)),
        labels=keys.labels,
        label_sets={
            name: {label: table.get(label, label) for label in keys.labels}
            for name, table in keys.label_sets.items()
        },
        vocabulary=Vocabulary(
            classes=keys.classes,
            upos_classes=keys.upos_classes,
            deprels=keys.deprels,
            lexicon=together(_lexicon(data, lexicon), spelling),
            similarity=hooks.similarity or levenshtein,
            inflection=Inflection(keys.inflection, frozenset(keys.labels)),
            closed=ClosedClasses(keys.words, keys.contractions, keys.endings),
        ),
        rules=rules,
        join=keys.join,
        merge_hook=hooks.merge,
        compiler=lambda: _compiler(keys, hooks),
        one_error=one_error,
        example_reader=cache(lambda: _right_examples(data)),
        encoder=keys.encoder,
        groups=keys.groups,
        counterparts=keys.counterparts,
        tokens=TokenRules(**keys.tokens.model_dump()) if keys.join else None,
        unbroken=tuple(keys.unbroken),
        merge_characters=hooks.merge_characters,
        character_cost=hooks.character_cost,
        misspelt=hooks.misspelt,
        requires=keys.requires if run_python is not False else {},
        dictionary=spelling.path if spelling else None,
        advice=missing,
    )


def examples_of(data: PackData) -> tuple[tuple[Example, ...], list[Problem]]:
    """Return the examples of a pack, read from their file if it names one, and everything that is wrong with them.

    Raises:
        InputError: The file cannot be read.
    """
    from jperrant.packs.examples import read_examples  # a model that annotating does without

    examples = data.keys.examples
    if not isinstance(examples, str):
        return read_examples(data.sources[0].content.get("examples") or [], data.file)
    return read_examples(read_yaml(data.folder / examples), data.folder / examples)


def _right_examples(data: PackData) -> tuple[Example, ...]:
    examples, problems = examples_of(data)
    raise_all(problems)
    return examples


def _hooks(data: PackData, run_python: bool | None) -> Hooks:
    """Return what the hooks of a pack define.

    Raises:
        MissingExtraError: They cannot be run, and something that the pack requires is missing.
        PackError: They cannot be run.
    """
    try:
        return run_hooks(data.hooks, run_python, data.keys.join)
    except PackError:
        check_requires(data.keys.code, data.keys.requires)
        raise


def _lexicon(data: PackData, lexicon: str | None) -> Words | None:
    """Return the known words: those of the user's own list, or of the pack's; None where a dictionary has them."""
    path = lexicon or (str(data.lexicon) if data.lexicon else "")
    return read_lexicon(path) if path and not path.endswith(".dic") else None


def _dictionary(data: PackData, lexicon: str | None, where: str) -> tuple[Dictionary | None, str]:
    """Return the dictionary of a pack, and what to do about one that it names and that is not installed.

    Raises:
        InputError: The dictionary is broken, or not where the user says.
        MissingExtraError: The user says where it is, and Hunspell is not installed.
    """
    path, wanted = data.dictionary(lexicon, where), data.keys.dictionary and where == AUTO and not lexicon
    try:
        if path is not None:
            return Dictionary(path), ""
    except MissingExtraError:
        if not wanted:
            raise
    return None, advice(data.keys.code, data.keys.dictionary) if wanted else ""


def _classes(keys: PackKeys) -> frozenset[str]:
    """Return the word classes that a token can have, unless a hook says otherwise."""
    return frozenset([*keys.classes.values(), *keys.upos_classes.values(), *UPOS])


def _check_inflection(keys: PackKeys, hooks: Hooks, file: str) -> Iterator[str]:
    """Check the word classes for which an inflection has a name of its own."""
    known = _classes(keys)
    for feature, names in keys.inflection.items():
        for name in names if isinstance(names, Mapping) and "class" not in hooks.properties else ():
            if name != "*" and name not in known:
                where = f"{position_of(names, name) or file}: {name}"
                yield f"{where}: inflection: {feature}: no token is of the class{nearest(name, known)}"


def _compiler(keys: PackKeys, hooks: Hooks) -> Compiler:
    closed = {"class": _classes(keys)}
    if keys.inflection:  # which the generic pack has
        closed[FEATURE] = frozenset(keys.inflection)
    return Compiler(hooks.conditions, keys.lists, hooks.properties, closed)
