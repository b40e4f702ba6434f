"""jperrant: grammatical error annotation and evaluation for any language.

::

    annotator = jperrant.load("en")                       # an Annotator: text in, Blocks of typed edits out
    blocks = list(jperrant.read_m2("gold.m2"))            # and jperrant.write_m2(blocks, "copy.m2")
    aligned = jperrant.align("system.m2", "gold.m2")      # both sides over the same blocks and tokens
    scores = jperrant.score(["a.m2", "b.m2"], "gold.m2")  # files, blocks or sentences: a table, to_dict() …
    agreed = jperrant.agreement("anna.m2", "ben.m2")      # how far annotators agree
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jperrant.alignment.documents import AlignedBlocks
    from jperrant.annotation.annotator import Annotator, load
    from jperrant.core.errors import JperrantError
    from jperrant.core.values import Annotation, Block, Edit, Parallel, Sentence, Span, Token
    from jperrant.evaluation.agreement.measure import Agreement, agreement
    from jperrant.evaluation.aligning import align
    from jperrant.evaluation.explain import explain
    from jperrant.evaluation.meta.evaluation import MetaEvaluation, meta_evaluate
    from jperrant.evaluation.metrics.system_score import Score
    from jperrant.evaluation.score_set import Scores
    from jperrant.evaluation.scoring import score
    from jperrant.evaluation.statistics.ranking import rank_systems
    from jperrant.evaluation.statistics.significance import intervals, paired_tests
    from jperrant.io.m2 import read_m2, write_m2
    from jperrant.m2tools.convert import convert_m2
    from jperrant.parse.library_documents import from_spacy, from_stanza
    from jperrant.reporting.html.report import Report, report
    from jperrant.reporting.html.review import Review, review
    from jperrant.reporting.plots.figure import Plot
    from jperrant.reporting.plots.scores import plot
    from jperrant.reporting.study import run_study

__all__ = [
    "Agreement",
    "AlignedBlocks",
    "Annotation",
    "Annotator",
    "Block",
    "Edit",
    "JperrantError",
    "MetaEvaluation",
    "Parallel",
    "Plot",
    "Report",
    "Review",
    "Score",
    "Scores",
    "Sentence",
    "Span",
    "Token",
    "agreement",
    "align",
    "convert_m2",
    "explain",
    "from_spacy",
    "from_stanza",
    "intervals",
    "load",
    "meta_evaluate",
    "paired_tests",
    "plot",
    "rank_systems",
    "read_m2",
    "report",
    "review",
    "run_study",
    "score",
    "write_m2",
]

#: Where each name lives; imported when it is first asked for.
_HOMES = {
    "jperrant.alignment.documents": ("AlignedBlocks",),
    "jperrant.annotation.annotator": ("Annotator", "load"),
    "jperrant.core.values": ("Annotation", "Block", "Edit", "Parallel", "Sentence", "Span", "Token"),
    "jperrant.core.errors": ("JperrantError",),
    "jperrant.evaluation.statistics.ranking": ("rank_systems",),
    "jperrant.evaluation.statistics.significance": ("intervals", "paired_tests"),
    "jperrant.parse.library_documents": ("from_spacy", "from_stanza"),
    "jperrant.m2tools.convert": ("convert_m2",),
    "jperrant.io.m2": ("read_m2", "write_m2"),
    "jperrant.evaluation.agreement.measure": ("Agreement", "agreement"),
    "jperrant.evaluation.aligning": ("align",),
    "jperrant.evaluation.explain": ("explain",),
    "jperrant.evaluation.meta.evaluation": ("MetaEvaluation", "meta_evaluate"),
    "jperrant.evaluation.metrics.system_score": ("Score",),
    "jperrant.evaluation.scoring": ("score",),
    "jperrant.evaluation.score_set": ("Scores",),
    "jperrant.reporting.html.report": ("Report", "report"),
    "jperrant.reporting.html.review": ("Review", "review"),
    "jperrant.reporting.plots.figure": ("Plot",),
    "jperrant.reporting.plots.scores": ("plot",),
    "jperrant.reporting.study": ("run_study",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from jperrant.core.version import VERSION

        return VERSION
    if name not in _HOME_OF:
        raise AttributeError(f"module 'jperrant' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    own = {name for name in globals() if name.startswith("__")}  # not what this module imports for itself
    return sorted({*own, *__all__, "__version__"})
