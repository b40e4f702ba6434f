"""The Python of packs: what it raises and returns wrongly is one error that names it, and no edit is lost."""

from __future__ import annotations

import os
import signal
import sys

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
from tests.strategies import examples

#: By the names of hooks in messages: how one is defined that returns a value, and the condition that calls it.
HOOKS = {
    "condition 'mine'": ("CONDITIONS = {{'mine': lambda view: {}}}", "hook: mine"),
    "property 'mine'": ("PROPERTIES = {{'mine': lambda *_: {}}}", "source: {mine: x}"),
    "SIMILARITY": ("def SIMILARITY(text, other): return {}", "similarity: {above: 0.5}"),
    "MERGE": ("def MERGE(spans, alignment): return {}", ""),
    "MERGE_CHARACTERS": ("def MERGE_CHARACTERS(spans, alignment): return {}", ""),
    "CHARACTER_COST": ("def CHARACTER_COST(form, other): return {}", ""),
}


@pytest.fixture
def annotate(pack):
    """Return a function that annotates with a pack whose hook returns a value, in which ``before`` is defined."""

    def annotate(name, value, before="", source="a b c d", target="a x c y", join="' '"):
        definition, when = HOOKS[name]
        rules = f"rules: [{{type: OTHER, when: {{{when}}}}}]\n" if when else ""
        content = f"code: xx\nextends: generic\njoin: {join}\n{rules}"
        folder = pack(content, hooks=f"{before}\n{definition.format(value)}\n")
        tokens = "characters" if "CHARACTER" in name else "given"
        annotator = jperrant.load("xx", models="none", pack=folder, tokens=tokens)
        return annotator.annotate(annotator.parse(source), annotator.parse(target))

    return annotate


RAISING = """
class Own(BaseException): pass
class Odd:
    def __repr__(self): return 1 / 0
def fail(error): raise error
"""


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("MERGE", "None", "returns None"),
        ("MERGE", "[(0, 1)]", r"returns \(0, 1\)"),
        ("MERGE", "[(0, 1, 0, 1.0)]", r"returns \(0, 1, 0, 1.0\)"),
        ("MERGE", "[(False, True, False, True)]", r"returns \(False, True, False, True\)"),
        # Applying the edits must give the correction.
        ("MERGE", "()", "loses edits: .*'a b c d'.*'a x c y'.*token 0"),
        ("MERGE", "spans[:1]", "loses edits: .*'c d'.*'c y'.*token 2"),
        ("MERGE", "[spans[0]._replace(end=3), spans[1]]", "loses edits"),
        ("MERGE", "spans[::-1]", "expected spans in order"),
        ("MERGE", "[*spans, spans[1]]", "do not overlap"),
        ("MERGE", "[spans[0], (3, 5, 3, 5)]", "inside sentences of 4 and 4"),
        ("MERGE", "[(-1, 2, 0, 2), spans[1]]", "inside sentences"),
        ("MERGE", "[spans[0], (2, 2, 2, 2), spans[1]]", "covers no token"),
        ("MERGE_CHARACTERS", "spans[1:]", "loses edits"),
        *(("SIMILARITY", value, "returns .* 'b' and 'x'")
          for value in ("None", "float('nan')", "-0.1", "2", "True")),
        *(("CHARACTER_COST", value, "returns .*, expected a finite number above 0")
          for value in ("'1'", "float('nan')", "float('inf')", "0", "True")),
        *(("condition 'mine'", value, "returns .*True or False") for value in ("None", "1", "view.source")),
        ("property 'mine'", "3", "returns 3, expected a string"),
        ("condition 'mine'", "Odd()", "returns a Odd whose repr raises ZeroDivisionError"),
        ("condition 'mine'", "'x\\n' * 1_000_000", "returns 'x"),
        *((name, "fail(SystemExit(0))", "raises SystemExit") for name in HOOKS),
        *(("MERGE", f"fail({error})", f"raises {error[:3]}")
          for error in ("GeneratorExit()", "Own()", "ValueError('a\\nb')")),
    ],
)  # fmt: skip
def test_what_a_hook_does_wrong_is_named_in_one_line(annotate, name, value, shown):
    rule = r"pack\.yaml:4: rules\[0\]: .*" if HOOKS[name][1] else ""
    with pytest.raises(PackError, match=rf"{rule}hooks\.py: {name} .*{shown}") as raised:
        annotate(name, value, RAISING)
    assert len(str(raised.value)) < 400
    assert "\n" not in str(raised.value)


def test_spans_may_grow_and_join(annotate):
    [edit] = annotate("MERGE", "[[1, 4, 1, 4]]")
    assert (edit.start, edit.end, edit.correction) == (1, 4, ("x", "c", "y"))


def test_without_spaces_spans_may_leave_out_what_is_only_cut_otherwise(annotate):
    assert annotate("MERGE", "()", source="ab c d", target="a bc d", join="''") == ()
    with pytest.raises(PackError, match="loses edits"):
        annotate("MERGE", "()", source="ab c d", target="a bx d", join="''")


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


def test_a_missing_package_keeps_its_pip_line(annotate):
    before = "from jperrant.core.errors import MissingExtraError\ndef fail(error): raise error\n"
    with pytest.raises(MissingExtraError, match="pip install x"):
        annotate("condition 'mine'", "fail(MissingExtraError('pip install x'))", before)


@pytest.mark.skipif(os.name != "posix", reason="os.kill ends the process elsewhere")
@pytest.mark.parametrize(
    ("handler", "error"), [(signal.default_int_handler, KeyboardInterrupt), (_leave, SystemExit)]
)
def test_a_signal_during_a_hook_is_not_the_hooks_doing(annotate, handler, error):
    before = {number: signal.getsignal(number) for number in ENDING}
    signal.signal(signal.SIGINT, handler)
    interrupt = "(os.kill(os.getpid(), signal.SIGINT), time.sleep(20)) and True"
    try:
        with pytest.raises(error):
            annotate("condition 'mine'", interrupt, "import os, signal, time")
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def test_what_a_hook_prints_is_for_people(annotate, tmp_path, capsys):
    """Unless it names another file."""
    before = (
        f"import sys\nprint('loaded')\nwith open({str(tmp_path / 'log')!r}, 'w') as file: print('x', file=file)\n"
        "def mine(view):\n    print('seen', view.text, sep='-')\n    print('out', file=sys.stdout)\n"
        "    return True\n"
    )
    annotate("condition 'mine'", "mine(view)", before, "a b", "a x")
    assert capsys.readouterr() == ("", "loaded\nseen-b\nout\n")
    assert (tmp_path / "log").read_text() == "x\n"


def test_classes_that_look_for_their_module(annotate):
    """As dataclasses do whose annotations are strings; the module is not left among those of the process."""
    before = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Article:\n    form: str\n"
    )
    modules = set(sys.modules)
    found = annotate("condition 'mine'", "Article('x').form == view.target_text", before)
    assert [edit.type for edit in found] == ["R:OTHER", "R:OTHER"]
    assert not [name for name in set(sys.modules) - modules if "hooks" in name]
