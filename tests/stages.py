"""Which tests need models and which take long: they get markers, and ``make test-fast`` leaves both out."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

#: Libraries that networks run on.
LIBRARIES = ("torch", "stanza", "transformers")
#: What imports them when it is imported, or as soon as it is used.
NETWORKS = (*LIBRARIES, "jperrant.parse.stanza", "jperrant.training")
#: Fixtures that hold a network; tests that take them directly or through another fixture need models.
FIXTURES = {"parsers", "english", "tiny_bert", "tiny_gpt", "trained"}

#: Modules and tests that start processes, score whole corpora or draw: seconds each.
SLOW = {
    "test_align_sentences::test_adversarial_input_is_complete_and_memory_is_linear",
    "test_align_sentences::test_deterministic_on_any_text",
    "test_cherrant::test_markers",
    "test_cleme",
    "test_cleme_docs",
    "test_cli",
    "test_compare_systems",
    "test_errant_parity::test_m2_of_the_stored_sample",
    "test_extras::test_a_missing_extra_is_asked_for",
    "test_extras::test_packs_say_what_is_missing",
    "test_extras::test_runs_without_optional_packages",
    "test_fuzz::test_a_short_run",
    "test_house::test_heavy_libraries_stay_in_their_rooms",
    "test_merge::test_time_grows_with_the_length_of_a_run",
    "test_metric_goto::test_all_references_choose_each_sentence_s_annotator",
    "test_metric_goto::test_conll14_has_the_figures_of_the_published_program",
    "test_metric_goto::test_without_weights_every_chunk_counts_1",
    "test_metric_m2::test_conll14_has_the_counts_of_the_published_scorer",
    "test_metrics_docs",
    "test_outputs",
    "test_pack_docs::test_a_new_language_in_ten_minutes",
    "test_pack_wheel",
    "test_plan::test_plot",
    "test_processes",
    "test_rejected_records",
    "test_notebook_browser",
    "test_score_alignment::test_resegmented_copies_score_as_the_joined_blocks",
    "test_score_errant::test_golden_numbers",
    "test_score_plots",
    "test_score_tables",
    "test_score_texts::test_the_last_file_is_not_taken_for_references_without_a_word",
    "test_scoring_docs",
    "test_spans_outside::test_every_metric_scores_the_part_inside",
    "test_strange_packs::test_a_long_chain_of_packs_is_read_in_linear_time",
    "test_text_metrics::test_counts_of_the_published_i_measure",
    "test_text_metrics::test_figures_of_published_programs",
    "test_text_tables",
    "test_token_alignment::test_long_unrelated_sentences_are_aligned_in_pieces",
    "test_tuning",
    "test_weights::test_similarity_on_conll",
}


class NoNetworks:
    """An import hook that refuses the libraries networks run on."""

    def find_spec(self, name: str, *_: object) -> None:
        """Raise for those libraries; leave everything else to the other hooks."""
        if name.partition(".")[0] in LIBRARIES:
            raise ImportError(f"{name} is not for this test: mark it with pytest.mark.models")


def is_slow(item: pytest.Item) -> bool:
    """Return whether a test or its module is in the list of those that take long."""
    module = item.path.stem
    return module in SLOW or f"{module}::{getattr(item, 'originalname', item.name)}" in SLOW


def without_models(config: pytest.Config) -> bool:
    """Return whether pytest runs with ``-m "not models and not slow"`` or the like."""
    return "not models" in config.option.markexpr


def imports_networks(path: Path) -> bool:
    """Return whether a test module imports networks for all its tests."""
    return path.suffix == ".py" and "" in _importing(path)


def needs_models(item: pytest.Item) -> bool:
    """Return whether a test is marked, takes a fixture with models, or imports a library of networks."""
    if item.get_closest_marker("models") or FIXTURES.intersection(getattr(item, "fixturenames", ())):
        return True
    return imports_networks(item.path) or getattr(item, "originalname", item.name) in _importing(item.path)


@cache
def _importing(path: Path) -> frozenset[str]:
    """Return the top-level functions of a module that import a network; "" where the module itself does."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(
        getattr(node, "name", "") for node in tree.body for part in ast.walk(node) if _imports_network(part)
    )


def _imports_network(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and not node.level:
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "importorskip":
        names = [part.value for part in node.args if isinstance(part, ast.Constant)]
    else:
        return False
    return any(f"{name}.".startswith(f"{network}.") for name in names for network in NETWORKS)
