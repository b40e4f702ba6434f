"""The Python of packs: what it raises and returns wrongly is one error that names it, and no edit is lost."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.alignment.tokens import align_tokens
from jperrant.cli.process import ENDING, _leave
from jperrant.core.edits import apply_edits
from jperrant.core.errors import MissingExtraError, PackError
from jperrant.core.values import Edit, Sentence
from jperrant.packs.hooks import Hook, checked_merge
from jperrant.packs.pack import load_pack
from tests.strategies import examples

RULE = "rules: [{type: OTHER, when: {%s}}]\n"


def _folder(tmp_path: Path, hooks: str, when: str = "", join: str = "' '") -> str:
    content = f"code: xx\nextends: generic\njoin: {join}\n{RULE % when if when else ''}"
    (tmp_path / "pack.yaml").write_text(content, "utf-8")
    (tmp_path / "hooks.py").write_text(hooks, "utf-8")
    return str(tmp_path)


def _annotate(folder: str, source: str = "a b c d", target: str = "a x c y", tokens: str = "given"):
    annotator = jperrant.load("xx", models="none", pack=folder, tokens=tokens)
    return annotator.annotate(annotator.parse(source), annotator.parse(target))


# MERGE: applying the edits must give the correction


@pytest.mark.parametrize(
    ("returned", "shown"),
    [
        ("None", "returns None"),
        ("True", "returns True"),
        ("[True, False]", "returns True"),
        ("3", "returns 3"),
        ("'spans'", "returns 'spans'"),
        ("(s for s in spans)", "returns <generator"),
        ("[(0, 1)]", r"returns \(0, 1\)"),
        ("[(0, 1, 0, 1.0)]", r"returns \(0, 1, 0, 1.0\)"),
        ("[(False, True, False, True)]", r"returns \(False, True, False, True\)"),
        ("()", "loses edits: .*'a b c d'.*'a x c y'.*token 0"),
        ("spans[1:]", "loses edits: .*'a b c'.*'a x c'"),
        ("spans[:1]", "loses edits: .*'c d'.*'c y'.*token 2"),
        ("[spans[0]._replace(end=3), spans[1]]", "loses edits"),
        ("spans[::-1]", "expected spans in order"),
        ("[*spans, spans[1]]", "do not overlap"),
        ("[spans[0], (3, 5, 3, 5)]", "inside sentences of 4 and 4"),
        ("[(-1, 2, 0, 2), spans[1]]", "inside sentences"),
        ("[spans[0], (2, 2, 2, 2), spans[1]]", "covers no token"),
    ],
)
@pytest.mark.parametrize(("name", "tokens"), [("MERGE", "given"), ("MERGE_CHARACTERS", "characters")])
def test_spans_that_would_lose_edits(tmp_path, returned, shown, name, tokens):
    folder = _folder(tmp_path, f"def {name}(spans, alignment): return {returned}\n")
    with pytest.raises(PackError, match=rf"hooks\.py: {name} .*{shown}"):
        _annotate(folder, tokens=tokens)


def test_spans_may_grow_and_join(tmp_path):
    folder = _folder(tmp_path, "def MERGE(spans, alignment): return [[1, 4, 1, 4]]\n")
    assert [(e.start, e.end, e.correction) for e in _annotate(folder)] == [(1, 4, ("x", "c", "y"))]


def test_without_spaces_spans_may_leave_out_what_is_only_cut_otherwise(tmp_path):
    folder = _folder(tmp_path, "def MERGE(spans, alignment): return ()\n", join="''")
    assert _annotate(folder, "ab c d", "a bc d") == ()
    with pytest.raises(PackError, match="loses edits"):
        _annotate(folder, "ab c d", "a bx d")


@given(st.data())
@examples(200)
def test_what_a_merge_may_return_applies_to_the_correction(data):
    words = st.lists(st.sampled_from("abc"), max_size=5)
    source, target = (Sentence.from_forms(data.draw(words)) for _ in range(2))
    numbers = st.integers(0, 5)
    spans = data.draw(st.lists(st.tuples(numbers, numbers, numbers, numbers), max_size=3))
    merge = checked_merge(Hook("hooks.py: MERGE", lambda _, __: sorted(spans), lambda _: True, ""), " ")
    try:
        merged = merge((), align_tokens(source, target))
    except PackError:
        return
    edits = [Edit(s.start, s.end, target.forms[s.target_start : s.target_end], "UNK:X") for s in merged]
    assert apply_edits(source.forms, edits) == target.forms


# Values of the other hooks

SIMILAR = "similarity: {above: 0.5}"


@pytest.mark.parametrize(
    "value", ["None", "'0.5'", "float('nan')", "2", "-0.1", "float('inf')", "True", "[0.5]"]
)
def test_a_similarity_that_is_no_number_from_0_to_1(tmp_path, value):
    folder = _folder(tmp_path, f"def SIMILARITY(text, other): return {value}\n", SIMILAR)
    with pytest.raises(
        PackError, match=r"pack\.yaml:4: rules\[0\]: .*hooks\.py: SIMILARITY returns .* 'b' and 'x'"
    ):
        _annotate(folder)


@pytest.mark.parametrize("value", ["0", "-1", "None", "'1'", "float('nan')", "float('inf')", "False"])
def test_a_character_cost_that_is_not_above_0(tmp_path, value):
    folder = _folder(tmp_path, f"def CHARACTER_COST(form, other): return {value}\n")
    with pytest.raises(
        PackError, match=r"hooks\.py: CHARACTER_COST returns .*, expected a finite number above 0"
    ):
        _annotate(folder, tokens="characters")


@pytest.mark.parametrize("value", ["None", "1", "''", "view.source"])
def test_a_condition_that_is_neither_true_nor_false(tmp_path, value):
    folder = _folder(tmp_path, f"CONDITIONS = {{'mine': lambda view: {value}}}\n", "hook: mine")
    with pytest.raises(
        PackError, match=r"pack\.yaml:4: rules\[0\]: .*condition 'mine' returns .*True or False"
    ):
        _annotate(folder)


def test_a_value_whose_repr_fails_or_is_long_is_named_all_the_same(tmp_path):
    hooks = "class Odd:\n    def __repr__(self): return 1 / 0\nCONDITIONS = {'mine': lambda view: Odd()}\n"
    with pytest.raises(PackError, match="a Odd whose repr raises ZeroDivisionError"):
        _annotate(_folder(tmp_path, hooks, "hook: mine"))
    hooks = "CONDITIONS = {'mine': lambda view: 'x\\n' * 1_000_000}\n"
    with pytest.raises(PackError) as raised:
        _annotate(_folder(tmp_path, hooks, "hook: mine"))
    assert len(str(raised.value)) < 400
    assert "\n" not in str(raised.value)


# What hooks raise

HOOKS = {
    "CONDITIONS = {{'mine': lambda *_: {0}()}}": ("hook: mine", "condition 'mine'"),
    "PROPERTIES = {{'mine': lambda *_: {0}()}}": ("source: {mine: x}", "property 'mine'"),
    "def SIMILARITY(*_): {0}()": (SIMILAR, "SIMILARITY"),
    "def MERGE(*_): {0}()": ("", "MERGE"),
    "def CHARACTER_COST(*_): {0}()": ("", "CHARACTER_COST"),
    "def MERGE_CHARACTERS(*_): {0}()": ("", "MERGE_CHARACTERS"),
}


@pytest.mark.parametrize("error", ["SystemExit(0)", "GeneratorExit", "Own", "ValueError('a\\nb')"])
@pytest.mark.parametrize("hook", HOOKS)
def test_whatever_a_hook_raises_is_named(tmp_path, hook, error):
    when, name = HOOKS[hook]
    hooks = f"class Own(BaseException): pass\ndef fail(): raise {error}\n{hook.format('fail')}\n"
    with pytest.raises(PackError, match=rf"hooks\.py: {name} raises {error.partition('(')[0]}") as raised:
        _annotate(_folder(tmp_path, hooks, when), tokens="characters" if "CHARACTER" in name else "given")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("leave", ["sys.exit(1)", "exit()"])
def test_a_hook_cannot_end_the_program(tmp_path, leave):
    hooks = f"import sys\nCONDITIONS = {{'mine': lambda view: {leave}}}\n"
    with pytest.raises(PackError, match="condition 'mine' raises SystemExit"):
        _annotate(_folder(tmp_path, hooks, "hook: mine"))


def test_a_missing_package_keeps_its_pip_line(tmp_path):
    hooks = (
        "from jperrant.core.errors import MissingExtraError\n"
        "def mine(view): raise MissingExtraError('pip install x')\nCONDITIONS = {'mine': mine}\n"
    )
    with pytest.raises(MissingExtraError, match="pip install x"):
        _annotate(_folder(tmp_path, hooks, "hook: mine"))


@pytest.mark.skipif(os.name != "posix", reason="os.kill ends the process elsewhere")
@pytest.mark.parametrize(
    ("handler", "error"), [(signal.default_int_handler, KeyboardInterrupt), (_leave, SystemExit)]
)
def test_a_signal_during_a_hook_is_not_the_hooks_doing(tmp_path, handler, error):
    interrupt = "(os.kill(os.getpid(), signal.SIGINT), time.sleep(20))"
    hooks = f"import os, signal, time\nCONDITIONS = {{'mine': lambda view: {interrupt} and True}}\n"
    folder = _folder(tmp_path, hooks, "hook: mine")
    before = {number: signal.getsignal(number) for number in ENDING}
    signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(error):
            _annotate(folder)
    finally:
        for number, old in before.items():
            signal.signal(number, old)


# What hooks print


def test_what_a_hook_prints_is_for_people(tmp_path, capsys):
    hooks = (
        "import sys\nprint('loaded')\n"
        "def mine(view):\n    print('seen', view.text, sep='-')\n    print('out', file=sys.stdout)\n"
        "    return True\nCONDITIONS = {'mine': mine}\n"
    )
    _annotate(_folder(tmp_path, hooks, "hook: mine"), "a b", "a x")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "loaded\nseen-b\nout\n"


def test_a_file_that_a_hook_names_is_printed_to(tmp_path):
    hooks = f"with open({str(tmp_path / 'log')!r}, 'w') as file:\n    print('x', file=file)\n"
    load_pack("", _folder(tmp_path, hooks))
    assert (tmp_path / "log").read_text() == "x\n"


def test_classes_that_look_for_their_module(tmp_path):
    """As dataclasses do whose annotations are strings; the module is not left among those of the process."""
    hooks = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Article:\n    form: str\n"
        "CONDITIONS = {'x': lambda view: Article('x').form == view.target_text}\n"
    )
    before = set(sys.modules)
    assert [edit.type for edit in _annotate(_folder(tmp_path, hooks, "hook: x"))] == ["R:OTHER", "R:OTHER"]
    assert not [name for name in set(sys.modules) - before if "hooks" in name]
