"""Systems side by side: corrections for many tests, differences by type, sentences and edits."""

from __future__ import annotations

import csv
import json
import math
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import JperrantError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.analysis import analyse
from jperrant.evaluation.comparison import SystemComparison
from jperrant.evaluation.shared_edits import count_shared
from jperrant.evaluation.statistics.correction import corrected
from jperrant.reporting.system_comparison import format_comparison

from .strategies import examples

DATA = Path(__file__).parent / "data" / "conll14"
AMU, CAMB, IITB = (str(DATA / f"conll14-{name}.errant") for name in ("AMU", "CAMB", "IITB"))
GOLD = str(DATA / "conll14.errant")
P = st.lists(st.floats(0.0001, 1), min_size=1, max_size=20)


@pytest.fixture(scope="module")
def found() -> SystemComparison:
    return jperrant.compare_systems({"A": AMU, "B": CAMB}, GOLD, samples=200)


def invoke(*words: str) -> str:
    result = CliRunner().invoke(app, ["compare-systems", *words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def test_corrections_as_r_does_them() -> None:
    # p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") and "BH" of R
    assert corrected([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert corrected([0.01, 0.04, 0.03, 0.005], "bh") == pytest.approx([0.02, 0.04, 0.04, 0.02])
    with pytest.raises(UsageError, match="did you mean 'holm'"):
        corrected([0.1], "holmes")


@given(P)
@examples(100)
def test_laws_of_corrections(p: list[float]) -> None:
    from scipy.stats import false_discovery_control  # which takes a second to import

    holm, bh = corrected(p), corrected(p, "bh")
    assert bh == pytest.approx(false_discovery_control(p, method="bh"))
    assert all(a <= b + 1e-12 <= c + 1e-9 for a, b, c in zip(p, bh, holm, strict=True))
    assert all(c <= min(1, len(p) * a) + 1e-12 for a, c in zip(p, holm, strict=True))
    order = np.argsort(p, kind="stable")
    assert list(np.diff(np.array(holm)[order]) >= -1e-12).count(False) == 0
    assert corrected(p, "none") == p


def test_figures_are_those_of_score(found: SystemComparison) -> None:
    one, other = jperrant.score([AMU, CAMB], GOLD)
    assert found.overall.values == (one.values["f"], other.values["f"])
    assert found.overall.support == (483 + 1934, 725 + 1886)
    types = {t.type: t for t in found.types}
    assert set(types) == set(one.by_type) | set(other.by_type)
    assert types["U:DET"].support[0] == sum(one.by_type["U:DET"][n] for n in (0, 2))
    assert found.overall.differences[0].value == pytest.approx(one.values["f"] - other.values["f"])


def test_the_bootstrap_is_that_of_score() -> None:
    files = [list(islice(jperrant.read_m2(file), 300)) for file in (AMU, CAMB, GOLD)]
    scores = jperrant.score(files[:-1], files[-1])
    compared = jperrant.compare_systems(files[:-1], files[-1], test="bootstrap", samples=300, seed=7)
    [expected] = analyse(scores, paired_bs=True, samples=300, seed=7)[1].comparisons
    assert compared.overall.differences[0].p == pytest.approx(expected.p["f"])


def test_a_type_with_one_edit_is_no_finding(found: SystemComparison) -> None:
    [contraction] = [t for t in found.types if t.type == "M:CONTR"]
    assert repr(contraction.values) == "(0.0, nan)", "one wrong edit of A, none of B"
    assert contraction.differences[0].p == 1
    assert [t.type for t in found.types if t.differences[0].p < 0.01] != []


def test_equal_systems_and_swapped_ones() -> None:
    amu, camb, gold = (list(islice(jperrant.read_m2(file), 300)) for file in (AMU, CAMB, GOLD))
    found = jperrant.compare_systems({"A": amu, "B": camb}, gold, samples=50)
    same = jperrant.compare_systems({"A": amu, "B": amu}, gold, samples=50)
    assert {d.p for part in (same.overall, *same.types) for d in part.differences} == {1.0}
    assert all(s.advantage == 0 for s in same.sentences)
    edits = [e for s in same.sentences for e in s.edits]
    assert count_shared(edits, 0, 1).first == count_shared(edits, 0, 1).second == (0, 0, 0)
    swapped = jperrant.compare_systems({"B": camb, "A": amu}, gold, samples=50)
    ours, theirs = found.overall.differences[0], swapped.overall.differences[0]
    assert ours.value == -theirs.value
    assert [s.advantage for s in found.sentences] == pytest.approx(
        [-s.advantage for s in swapped.sentences][::-1]
    )


def test_sentences_sum_to_what_they_are(found: SystemComparison) -> None:
    assert sorted(s.sentences for s in found.sentences) == [(n,) for n in range(1, 1313)]
    advantages = [s.advantage for s in found.sentences]
    assert advantages == sorted(advantages, reverse=True)
    counts = count_shared([e for s in found.sentences for e in s.edits], 0, 1)
    edits = [
        {
            (n, e.start, e.end, e.correction)
            for n, b in enumerate(jperrant.read_m2(f))
            for e in b.annotations[0].edits
        }
        for f in (AMU, CAMB)
    ]
    assert counts.shared[2] == len(edits[0] & edits[1])
    assert counts.first[2] == len(edits[0] - edits[1])
    for right, wrong, both in (counts.shared, counts.first, counts.second):
        assert right + wrong == both


def test_lower_is_better_where_it_is() -> None:
    source = ["a b c d", "e f g h"]
    blocks = [
        [Block(tuple(s.split()), (Annotation(0, edits),)) for s, edits in zip(source, side, strict=True)]
        for side in (
            ((Edit(0, 1, ("x",), "R:OTHER"),), ()),
            ((), (Edit(0, 1, ("y",), "R:OTHER"),)),
            ((Edit(0, 1, ("x",), "R:OTHER"),), ()),
        )
    ]
    compared = jperrant.compare_systems(
        dict(zip(["good", "bad"], blocks[:-1], strict=True)), blocks[-1], metrics="wer", samples=20
    )
    assert compared.overall.differences[0].value < 0
    assert all(s.advantage > 0 for s in compared.sentences)
    assert compared.types == ()
    assert "no figures by type" in compared.notes[0]
    assert [(e.right, e.systems) for s in compared.sentences for e in s.edits] == [
        (True, (0,)),
        (False, (1,)),
    ]
    assert "lower is better" in format_comparison(compared)
    assert "corrected" not in format_comparison(compared), "there is one test"


def test_sentences_that_were_aligned(tmp_path: Path) -> None:
    def block(tokens: str, *edits: Edit) -> Block:
        return Block(tuple(tokens.split()), (Annotation(0, edits),))

    change = Edit(1, 2, ("goes",), "R:VERB:SVA")
    gold = [block("He go home .", change), block("It is so .")]
    joined = [block("He go home . It is so .", change)]
    compared = jperrant.compare_systems({"split": gold, "joined": joined}, gold, samples=20)
    [sentence] = compared.sentences
    assert sentence.sentences == (1, 2)
    assert [(e.systems, e.right) for e in sentence.edits] == [((0, 1), True)]


def test_three_systems_and_layouts() -> None:
    args = (AMU, CAMB, IITB, "--ref", GOLD, "--samples", "50")
    printed = json.loads(invoke(*args, "--json", "--top", "2"))
    assert printed["systems"] == ["conll14-AMU", "conll14-CAMB", "conll14-IITB"]
    assert set(printed["overall"]["differences"]) == {"conll14-CAMB", "conll14-IITB"}
    assert len(printed["edits"]) == 2
    assert len(printed["sentences"]) == 4
    rows = list(csv.DictReader(invoke(*args, "--format", "tsv", "--sort", "p").splitlines(), delimiter="\t"))
    assert rows[0]["type"] == "all"
    # The better of two p decides the order.
    p = [min(float(r[f"p conll14-{name}"] or 1) for name in ("CAMB", "IITB")) for r in rows[1:]]
    assert p == sorted(p)
    latex = invoke(
        *args, "--format", "latex", "--names", "a,b,c", "--bold-best", "--percent", "--decimals", "1",
        "--table", "types", "--columns", "a,b,c",
    )  # fmt: skip
    assert r"type & a & b & c \\" in latex
    assert r"all & 32.1 & \textbf{33.5} & 5.7 \\" in latex
    with_marks = invoke(
        AMU, CAMB, "--ref", GOLD, "--samples", "2000", "--table", "types", "--intervals", "pm"
    )
    assert [line.split()[0] for line in with_marks.splitlines() if "‡ " in line and "‡:" not in line] != []


def test_orders_of_types(short_conll: Path) -> None:
    args = [
        *(str(short_conll / Path(file).name) for file in (AMU, CAMB)),
        "--ref",
        str(short_conll / Path(GOLD).name),
    ]
    orders = {
        sort: list(json.loads(invoke(*args, "--json", "--samples", "20", "--sort", sort))["types"].items())
        for sort in ("type", "support", "difference")
    }
    by_type = orders["type"]
    assert [name for name, _ in by_type] == sorted(name for name, _ in by_type)
    assert orders["support"] == sorted(by_type, key=lambda one: -max(one[1]["support"].values()))
    ahead = {name: one["differences"]["conll14-CAMB"]["value"] for name, one in by_type}
    known = {name: -math.inf if value is None else value for name, value in ahead.items()}
    assert orders["difference"] == sorted(by_type, key=lambda one: -known[one[0]])
    assert len({tuple(name for name, _ in order) for order in orders.values()}) == 3


def test_sentences_on_which_systems_agree_are_in_neither_end() -> None:
    def block(*edits: Edit) -> Block:
        return Block(("a", "b", "c"), (Annotation(0, edits),))

    right, wrong = block(Edit(0, 1, ("x",), "R:OTHER")), block(Edit(0, 1, ("y",), "R:OTHER"))
    systems = [right, right, wrong, right], [wrong, right, right, right]
    found = jperrant.compare_systems(dict(zip(["A", "B"], systems, strict=True)), [right] * 4, samples=20)
    shown = json.loads(format_comparison(found, "json", top=3))["sentences"]
    assert [one["sentences"] for one in shown] == [[1], [3]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((AMU, "--ref", GOLD), "fewer than two systems"),
        ((AMU, CAMB, "--ref", GOLD, "--test", "t"), "unknown test 't'"),
        ((AMU, CAMB, "--ref", GOLD, "--correction", "bonf"), "unknown correction 'bonf'"),
        ((AMU, CAMB, "--ref", GOLD, "--names", "A"), "1 name for 2 systems"),
        ((AMU, CAMB, "--ref", GOLD, "--names", "A,A"), "two systems have the same name"),
        ((AMU, CAMB, "--ref", GOLD, "--sort", "pp"), "cannot sort by 'pp'"),
        ((AMU, CAMB, "--ref", GOLD, "--table", "type"), "did you mean 'types'"),
        ((AMU, CAMB, "--ref", GOLD, "--top", "-1"), "-1 sentences"),
        ((AMU, CAMB, "--ref", GOLD, "--json", "--percent"), "--percent needs text, latex, md or html"),
        ((AMU, CAMB, "--ref", GOLD, "--columns", "f", "--samples", "2"), "no column 'f'"),
        ((AMU, CAMB, "--ref", GOLD, "--samples", "0"), "0 samples"),
        ((AMU, CAMB, "--ref", GOLD, "-m", "errant", "-m", "gleu"), "found 2 metrics"),
    ],
)
def test_bad_requests_are_one_line(words: tuple[str, ...], message: str, short_conll: Path) -> None:
    with pytest.raises(JperrantError) as caught:
        invoke(*(str(short_conll / Path(word).name) if word in (AMU, CAMB, GOLD) else word for word in words))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_repr_is_a_line(found: SystemComparison) -> None:
    assert repr(found).startswith("SystemComparison(A in errant f against B -0.0141")
    assert not any(math.isnan(v) for v in found.overall.values)


def test_a_type_of_which_a_system_has_no_edit_shows_no_difference() -> None:
    """A needless edit of one system alone: its F is 0, the other's ratios of nothing are no figure."""
    source = ("a", "b", "c")
    wrong = Edit(0, 1, ("x",), "R:ADJ")
    right = Edit(2, 3, ("y",), "R:NOUN")
    sides = [[Block(source, (Annotation(0, own),))] * 9 for own in ((wrong, right), (right,), (right,))]
    found = jperrant.compare_systems({"A": sides[0], "B": sides[1]}, sides[2], samples=100)
    [adjective, noun] = found.types
    assert adjective.values[0] == 0
    assert math.isnan(adjective.values[1])
    [difference] = adjective.differences
    assert math.isnan(difference.value)
    assert math.isnan(difference.low)
    assert difference.p == 1
    assert noun.differences[0].value == 0
    [line] = [
        line for line in format_comparison(found, tables=["types"]).splitlines() if line.startswith("R:ADJ")
    ]
    assert line.split() == ["R:ADJ", "0", "0", "0.0000"]
    for sort in ("difference", "p", "support"):
        assert "-1" not in format_comparison(found, "tsv", sort=sort)
    assert json.loads(format_comparison(found, "json"))["types"]["R:ADJ"]["differences"]["B"]["value"] is None
