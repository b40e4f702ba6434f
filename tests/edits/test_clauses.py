"""Rules about clauses: agreement, subjects, and the position of constituents."""

from __future__ import annotations

import pytest

from jperrant.core.values import Span

from .test_rule_language import holds, view

#: Yesterday (1) bought (2) the (3) boys (4), who (6) sleeps (7), a (9) car (10); the fifth and eighth are commas.
CLAUSES = (
    "igår/ADV/igår//advmod/2 köpte/VERB/köpa/Number=Plur/root/0 de/DET/den/Number=Plur/det/4 "
    "pojken/NOUN/pojke/Number=Sing|Gender=Com/nsubj/2 ,/PUNCT/,//punct/7 som/PRON/som//nsubj/7 "
    "sover/VERB/sova/Number=Sing/acl:relcl/4 ,/PUNCT/,//punct/7 en/DET/en/Number=Sing/det/10 "
    "bil/NOUN/bil/Number=Sing/obj/2 i/ADP/i//case/12 stan/NOUN/stad//obl/2"
)


@pytest.mark.parametrize(
    ("place", "tests", "wanted"),
    [
        (1, {"disagrees": {"with": "subject", "in": "Number"}}, True),
        (1, {"agrees": {"with": "subject", "in": "Number"}}, False),
        (1, {"agrees": {"with": "subject", "in": ["Tense", "Person"]}}, False),  # neither has them
        (1, {"disagrees": {"with": "subject", "in": ["Tense", "Person"]}}, False),
        (2, {"disagrees": {"with": "head", "in": ["Gender", "Number"]}}, True),
        (8, {"agrees": {"with": "head", "in": "Number"}}, True),
        (3, {"disagrees": {"with": {"dependent": ["amod", "det"]}, "in": "Number"}}, True),
        (3, {"disagrees": {"with": {"dependent": "amod"}, "in": "Number"}}, False),
        (0, {"constituent": 1}, True),
        (1, {"constituent": 2}, True),
        (3, {"constituent": 3}, True),
        (2, {"constituent": 3}, True),
        (9, {"constituent": 4}, True),
        (10, {"constituent": 5}, True),
        (5, {"constituent": 1}, True),
        (6, {"constituent": 2}, True),
        (5, {"position": {"first": "clause"}}, True),
        (6, {"position": {"last": "clause"}}, True),
        (6, {"position": {"last": "sentence"}}, False),
        (11, {"position": {"last": "clause"}}, True),
        (11, {"position": {"last": "sentence"}}, True),
        (1, {"before": {"upos": "ADV"}}, True),
        (8, {"before": {"word": "som"}}, False),
        (8, {"before": {"word": "som", "within": 3}}, True),
        (8, {"after": {"word": "stan", "within": 3}}, True),
        (8, {"after": {"word": "stan", "within": 2}}, False),
    ],
)
def test_clauses_agreement_and_position(place, tests, wanted):
    edit = view(CLAUSES, CLAUSES, Span(place, place + 1, place, place + 1))
    assert holds({"source": tests}, edit) is wanted
    bare = " ".join(word.split("/")[0] for word in CLAUSES.split())
    unknown = view(bare, bare, Span(place, place + 1, place, place + 1))
    needs_tree = "within" not in str(tests) and "ADV" not in str(tests) and "sentence" not in str(tests)
    if needs_tree:
        assert not holds({"source": tests}, unknown)
