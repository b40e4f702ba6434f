"""Which tests need models, which take long and which only CI runs: they get markers, by which ``make`` chooses."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

#: Libraries that networks run on.
LIBRARIES = ("torch", "stanza", "transformers", "spacy")
#: What imports them when it is imported, or as soon as it is used.
NETWORKS = (*LIBRARIES, "jperrant.parse.stanza_analyser", "training")
#: Their last words: no module imports one of them without writing its word.
_WORDS = {name.rpartition(".")[2] for name in NETWORKS}
#: Fixtures that hold a network; tests that take them directly or through another fixture need models.
FIXTURES = {"parsers", "english", "small_hub", "spacy", "tiny_bert", "tiny_gpt", "trained"}

#: Modules and tests that start processes, score whole corpora or draw: seconds each.
SLOW = {
    "test_align_sentences::test_adversarial_input_is_complete_and_memory_is_linear",
    "test_align_sentences::test_deterministic_on_any_text",
    "test_analysers::test_worker_processes_find_it",
    "test_baseline",
    "test_cherrant::test_markers",
    "test_cleme",
    "test_cleme_docs",
    "test_cli",
    "test_cluster",
    "test_corpus_rows",
    "test_errant_parity::test_m2_of_the_stored_sample",
    "test_extras::test_a_missing_extra_is_asked_for",
    "test_extras::test_packs_say_what_is_missing",
    "test_extras::test_runs_without_optional_packages",
    "test_fast_training",
    "test_fuzz::test_a_short_run",
    "test_hub",
    "test_house::test_heavy_libraries_stay_in_their_rooms",
    "test_merge::test_time_grows_with_the_length_of_a_run",
    "test_metric_goto::test_all_references_choose_each_sentence_s_annotator",
    "test_metric_goto::test_conll14_has_the_figures_of_the_published_program",
    "test_metric_goto::test_without_weights_every_chunk_counts_1",
    "test_metric_m2::test_conll14_has_the_counts_of_the_published_scorer",
    "test_metrics_docs",
    "test_official_models",
    "test_outputs",
    "test_pack_docs::test_a_new_language_in_ten_minutes",
    "test_pack_wheel",
    "test_plan::test_plot",
    "test_processes",
    "test_rejected_records",
    "test_score_alignment::test_resegmented_copies_score_as_the_joined_blocks",
    "test_score_errant::test_golden_numbers",
    "test_score_plots",
    "test_score_tables",
    "test_scoring_docs",
    "test_shard_faults",
    "test_shards",
    "test_site::test_the_example_on_the_front",
    "test_site::test_what_each_metric_rewards",
    "test_spans_outside::test_every_metric_scores_the_part_inside",
    "test_strange_packs::test_a_long_chain_of_packs_is_read_in_linear_time",
    "test_segmentation",
    "test_text_metrics::test_counts_of_the_published_i_measure",
    "test_text_metrics::test_figures_of_published_programs",
    "test_text_parts",
    "test_text_tables",
    "test_text_without_torch",
    "test_token_alignment::test_long_unrelated_sentences_are_aligned_in_pieces",
    "test_training_errors::test_a_seed_makes_the_same_errors",
    "test_training_errors::test_training_and_test_share_no_misspelt_word",
    "test_training_errors::test_trees_stay_trees_and_tokens_stay_whole",
    "test_training_teacher",
    "test_weights::test_similarity_on_conll",
}

#: Tests that ``make test`` leaves to ``make test-all`` and CI: whole corpora and pages, larger samples of what
#: smaller ones show, processes started or ended one by one, browsers. Of each area some tests stay.
CI = {
    "test_store::test_programs_that_come_and_go_are_never_inside_together",
    "test_store::test_one_program_holds_a_folder_and_lets_go_when_it_is_killed",
    "test_fit::test_several_sets_are_held_out_by_the_command",
    "test_fit::test_fitting_finds_the_best_of_the_grid",
    "test_metric_goto::test_weight_files_make_different_metrics",
    "test_studies::test_tables_of_scores_against_people",
    "test_agreement::test_gaps_as_items_of_conll14",
    "test_agreement::test_kappa_is_that_of_scikit_learn",
    "test_agreement_docs",
    "test_align_sentences::test_adversarial_input_is_complete_and_memory_is_linear",
    "test_analysers::test_worker_processes_find_it",
    "test_baseline::test_laws_of_corrections",
    "test_baseline::test_three_systems_and_layouts",
    "test_characters::test_models_cut_words_and_name_types",
    "test_chinese_docs::test_first_example",
    "test_cleme::test_intervals_and_paired_tests",
    "test_cleme::test_length_weights_are_those_of_the_published_code",
    "test_cleme_docs",
    "test_cli::test_missing_and_corrupt_models_exit_with_3",
    "test_cluster",
    "test_contributions::test_every_metric_over_many_sentences",
    "test_corpus_rows::test_memory_of_the_command_does_not_grow_with_text",
    "test_corpus_rows::test_parts_of_conll_score_as_the_whole",
    "test_counted_agreement::test_counts_give_the_agreement_of_conll",
    "test_extras::test_a_missing_extra_is_asked_for",
    "test_extras::test_packs_say_what_is_missing",
    "test_extras::test_runs_without_optional_packages",
    "test_fast_parse::test_the_same_as_a_plain_pipeline",
    "test_fast_parse::test_very_long_sentences",
    "test_house::test_the_readers_of_this_test_see_imports_of_every_kind",
    "test_html_page::test_what_the_policy_forbids_fails_a_test",
    "test_hub::test_an_unreachable_hub",
    "test_hub::test_the_addresses_of_the_real_hub",
    "test_merge::test_time_grows_with_the_length_of_a_run",
    "test_meta_analyses::test_analyses_of_the_command",
    "test_meta_analyses::test_plots_and_tables_of_the_command",
    "test_meta_analyses::test_plots_are_the_same_bytes_and_hold_every_name",
    "test_metric_goto::test_all_references_choose_each_sentence_s_annotator",
    "test_metric_goto::test_conll14_has_the_figures_of_the_published_program",
    "test_metric_m2::test_conll14_has_the_counts_of_the_published_scorer",
    "test_metrics_docs",
    "test_model_training::test_evaluate_prints_and_keeps_scores",
    "test_model_training::test_the_same_training_gives_the_same_bytes",
    "test_model_training::test_jperrant_takes_the_folder",
    "test_model_training::test_the_command_trains_measures_and_keeps_scores",
    "test_model_training::test_the_folder_is_complete_and_stanza_takes_it",
    "test_official_models::test_a_transformer_that_is_not_there",
    "test_official_models::test_companions_change_nothing",
    "test_official_models::test_every_architecture_finds_what_plain_stanza_finds",
    "test_outputs::test_a_reader_that_has_gone_is_silent",
    "test_outputs::test_file_names_that_are_not_utf8",
    "test_outputs::test_messages_that_nobody_can_read_stop_nothing",
    "test_outputs::test_what_cannot_be_written_is_one_line_and_its_code",
    "test_pack_docs::test_a_new_language_in_ten_minutes",
    "test_pack_explain::test_built_in_packs_have_no_near_miss_that_fails",
    "test_pack_wheel",
    "test_packs::test_label_sets_are_total",
    "test_packs::test_text_without_any_analysis_is_typed_all_the_same",
    "test_parse_on_demand::test_single_edits_have_the_types_of_full_parses",
    "test_plan::test_plot",
    "test_plan::test_plots_that_cannot_be_drawn",
    "test_plots::test_identifiers_of_two_pictures_in_one_page_are_not_confused",
    "test_plots::test_the_same_plot_is_the_same_bytes",
    "test_processes::test_a_signal_ends_the_program_and_its_workers",
    "test_processes::test_workers_end_when_their_parent_is_killed",
    "test_processes::test_workers_outlive_the_thread_that_started_them_and_not_the_process",
    "test_project::test_joined_sentences_of_real_data_keep_every_edit",
    "test_reference_free_models::test_models_of_images_are_refused",
    "test_rejected_records::test_every_record_comes_out_or_is_rejected",
    "test_rejected_records::test_the_command",
    "test_report_browser::test_a_metric_without_references",
    "test_report_browser::test_a_notebook_shows_it_in_a_frame",
    "test_report_browser::test_a_transport_plan_is_drawn",
    "test_report_browser::test_copies",
    "test_report_browser::test_differences_of_other_systems",
    "test_report_browser::test_downloads_are_what_the_filters_leave",
    "test_report_browser::test_filters_and_order",
    "test_report_browser::test_it_can_be_read",
    "test_report_browser::test_keyboard",
    "test_report_browser::test_tables_are_sorted_by_a_click",
    "test_reporting::test_completion_offers_commands_metrics_and_formats",
    "test_reporting::test_two_processes_share_a_cache",
    "test_reproducible::test_threads_share_an_annotator",
    "test_review_browser::test_clicks_on_tokens_and_gaps",
    "test_review_browser::test_everybody_can_use_it",
    "test_review_browser::test_types_are_those_that_span_and_correction_allow",
    "test_review_browser::test_work_is_kept_and_loaded",
    "test_score_alignment::test_resegmented_copies_score_as_the_joined_blocks",
    "test_score_errant::test_golden_numbers",
    "test_score_plots::test_names_of_files_differ",
    "test_score_shards::test_a_study_on_a_cluster",
    "test_score_tables::test_score_command_for_several_systems",
    "test_scoring_docs",
    "test_scoring_texts_docs::test_example",
    "test_shard_faults",
    "test_shards::test_a_process_that_dies_is_replaced_and_one_that_always_dies_is_named",
    "test_shards::test_processes_share_the_shards_of_a_folder",
    "test_site::test_coming_from",
    "test_site::test_the_journey_of_evaluation",
    "test_spacy::test_an_analyser_is_made_without_importing_spacy",
    "test_spacy::test_another_scheme_than_the_rules_read_is_said",
    "test_spacy::test_another_spacy_and_missing_packages",
    "test_spacy::test_components_that_change_the_tokens",
    "test_spacy::test_damaged_pipelines",
    "test_spacy::test_raw_text_is_segmented_by_spacy_and_analysed_once",
    "test_spacy::test_relations_of_ud_are_renamed_if_so_wished",
    "test_spacy::test_the_batch_size_changes_nothing",
    "test_spacy::test_tokens_have_what_spacy_says_of_each_text_alone",
    "test_spacy::test_what_a_pipeline_lacks_is_said",
    "test_spacy::test_where_batches_are_not_exact_documents_are_run_one_by_one",
    "test_spacy::test_whole_texts_and_words",
    "test_spacy::test_worker_processes",
    "test_stanza_parser::test_output_does_not_depend_on_the_number_of_processes",
    "test_stems",
    "test_strange_packs::test_a_long_chain_of_packs_is_read_in_linear_time",
    "test_studies::test_a_changed_system_alone_is_computed_again",
    "test_studies::test_files_of_the_user_in_the_folder_stay",
    "test_studies::test_killed_and_run_again_gives_the_same_bytes_also_with_processes",
    "test_studies::test_metrics_against_people",
    "test_studies::test_more_metrics_and_other_names_compute_what_is_new",
    "test_studies::test_one_annotator_against_another",
    "test_studies::test_plots_of_each_dataset",
    "test_studies::test_the_systems_of_the_example_are_made_from_its_references",
    "test_study_docs::test_the_example_gives_the_tables_of_the_page",
    "test_study_pages",
    "test_table_commands::test_chunks_of_several_systems",
    "test_text_metrics::test_counts_of_the_published_i_measure",
    "test_text_metrics::test_figures_of_published_programs",
    "test_text_parts::test_texts_in_parts_score_as_the_whole",
    "test_text_tables::test_a_table_for_a_paper",
    "test_text_tables::test_the_best_is_bold_and_marks_are_explained",
    "test_token_alignment::test_long_unrelated_sentences_are_aligned_in_pieces",
    "test_token_alignment::test_memory_grows_with_the_length_where_little_differs",
    "test_training_teacher::test_a_teacher_learns_its_treebank_by_heart",
    "test_training_teacher::test_models_learn_from_a_teacher",
    "test_training_teacher::test_texts_are_cut_by_networks_as_training_leaves_them",
    "test_training_teacher::test_what_the_treebank_has_is_not_labelled_again",
    "test_uot::test_company_changes_nothing",
    "test_uot_docs::test_example",
    "test_uot_docs::test_python_examples",
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
    return _is_in(item, SLOW)


def is_for_ci(item: pytest.Item) -> bool:
    """Return whether a test or its module is in the list of those that ``make test`` leaves out."""
    return _is_in(item, CI)


def _is_in(item: pytest.Item, names: set[str]) -> bool:
    module = item.path.stem
    return module in names or f"{module}::{getattr(item, 'originalname', item.name)}" in names


def mostly_for_ci(values: Iterable[object], *kept: object) -> list[object]:
    """Return the parameters of a test of which ``make test`` runs those that are kept, and CI all."""
    return [value if value in kept else pytest.param(value, marks=pytest.mark.ci) for value in values]


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
    text = path.read_text(encoding="utf-8")
    if not any(word in text for word in _WORDS):
        return frozenset()
    tree = ast.parse(text)
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
