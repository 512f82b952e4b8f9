"""What SECURITY.md says of the whole package: what its source never does, what is locked, and tests of each claim."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
MODULES = sorted((REPOSITORY / "src/misread").rglob("*.py"))
# A process of misread gets its engine from the one that started it, through a pipe that nobody else has; an Evaluation
# is pickled by its user alone.
ALLOWED = {
    (name, "pickle")
    for name in ("engines/child.py", "evaluation/evaluation.py")
    # Images are opened in one place, which lists the formats: Pillow hands some of the others to programs.
} | {("io/image_files.py", "Image.open")}
# Logs of Inspect are archives, of which one place reads members by name into memory; no member becomes a file.
ALLOWED |= {("data/formats/inspect_log.py", "zipfile")}
# Modules that run what they read, or write where an archive says.
NEVER_IMPORTED = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve", "tarfile", "zipfile"}
NEVER_CALLED_OF_ANYTHING = {"extract", "extractall"}
NEVER_CALLED = {"eval", "exec", "compile", "__import__", "os.system", "os.popen", "shutil.unpack_archive"} | {
    *("yaml.load", "yaml.load_all", "yaml.unsafe_load", "yaml.full_load", "numba.core.serialize.loads"),
    *("pandas.read_pickle", "np.fromfile", "torch.load", "Image.open", "PIL.Image.open"),
}

# Tests by file, below the beginning of each claim of SECURITY.md that they hold.
HELD_BY = """
texts, tables, transcripts, images, audio
    test_security.py: test_nothing_is_unpickled_unpacked_or_evaluated
logs of Inspect, which are archives
    data/formats/test_inspect_log.py: test_members_that_are_too_large_together_are_refused_before_the_last_is_unpacked
    data/formats/test_inspect_log.py: test_no_more_is_unpacked_than_the_archive_says
    data/formats/test_inspect_log.py: test_a_damaged_archive_is_read_or_refused
XML
    data/formats/test_xml_files.py: test_entities_are_refused_before_they_grow test_nothing_is_fetched_for_an_entity
    features/answers/test_xml_validity.py: test_entities_are_refused_and_files_are_not_read
YAML
    io/test_yaml_files.py: test_what_cannot_be_read_names_the_file_and_the_line
images
    engines/test_loading.py: test_threads_that_read_at_once_say_the_same_and_leave_filters_of_warnings_as_they_were
    engines/test_loading.py: test_postscript_called_png_starts_no_ghostscript
broken input of every format, and numbers of any size
    tools/fuzz/test_targets.py
    io/checks/test_numbers.py: test_what_cannot_be_summed_up_is_refused
    evaluation/test_empty_texts.py: test_every_metric_and_view_has_a_result_or_a_reason
paths in manifests and tables
    data/test_base.py: test_whatever_leads_out_is_refused_and_all_else_is_below
    data/test_base.py: test_no_setting_of_a_data_set_leads_out_of_its_folder
    data/test_base.py: test_a_pipe_or_device_is_refused_and_not_waited_for
    data/test_paths_table.py: test_a_file_that_is_missing_or_stands_twice_is_named_with_its_cell
    features/disputes/test_dispute_command.py: test_a_path_of_a_table_cannot_lead_out_of_its_folder
    features/disputes/test_dispute_command.py: test_an_id_cannot_lead_out_of_the_folder_of_images
a folder that becomes a study
    study/test_plan.py: test_a_folder_that_is_a_link_to_elsewhere_is_refused
    cli/test_init.py: test_the_next_command_can_be_pasted_into_a_shell
cards of data sets
    cli/test_data.py: test_cards_of_others_are_shown_as_text
lists of files of a data set (`files.sha256`)
    io/test_file_lists.py: test_a_name_that_leads_out_of_the_folder_is_refused_with_its_line
    data/test_fetching.py: test_a_list_cannot_name_files_outside_and_none_are_written
source repositories of data sets
    data/test_fetching.py: test_a_link_of_the_repository_to_a_file_outside_is_refused
ids, names of files and systems
    text/test_display.py: test_a_name_from_outside_is_one_plain_file_name test_no_name_is_an_option_of_a_command
the same, and answers of models, shown
    cli/test_hostile_names.py
    test_errors.py: test_choices_from_a_file_cannot_act_in_a_terminal_or_tear_the_line
    text/test_display.py: test_no_control_line_end_or_mark_of_direction_is_left
    tables/render/test_markdown.py: test_names_are_not_read_as_markup
    tables/render/test_latex.py: test_names_are_escaped_in_rows_in_the_caption_and_below_the_table
    tables/render/test_html.py: test_whatever_a_name_holds_it_stays_text
answers of models, on the page
    report/page/test_page.py: test_only_its_own_script_and_style_are_allowed
    report/page/test_page.py: test_names_and_texts_from_outside_stay_texts
    report/page/test_in_browser.py: test_names_and_texts_from_outside_run_nothing
cells of CSV
    tables/render/test_csv.py: test_names_that_begin_a_formula_get_an_apostrophe_unless_texts_are_asked_for
    features/disputes/test_tables.py: test_no_cell_is_a_formula
    features/disputes/page/test_in_browser.py
answers of servers
    engines/test_http_client.py: test_an_answer_of_exactly_the_limit_is_taken_and_a_longer_one_is_not
    engines/test_http_client.py: test_a_bomb_takes_no_more_memory_than_the_limit_of_an_answer
    engines/test_http_client.py: test_a_server_that_never_comes_to_an_end_is_hung_up_at_the_time_limit_and_asked_again
    engines/test_http_client.py: test_an_answer_that_cannot_be_used_fails_its_segment_or_ends_the_capture
    engines/test_reading.py: test_whatever_is_answered_goes_into_the_journal_and_the_table_and_comes_out_again
    engines/test_journal.py: test_a_line_that_no_reading_can_be_made_of_is_asked_for_again
Composing and checking them
    pipeline/test_instantiation.py: test_what_is_no_class_of_misread_is_refused_with_what_is_allowed
    pipeline/test_instantiation.py: test_a_refused_target_has_not_run
    cli/test_compose.py: test_callbacks_of_hydra_do_not_run
A pattern that tries too many ways
    normalize/steps/test_steps.py: test_no_step_takes_long_on_hostile_texts
    features/answers/test_json_validity_schema_patterns.py
`misread compose` puts no value
    cli/test_compose.py: test_no_value_of_the_environment_is_composed
A token is taken
    pipeline/test_secrets.py: test_a_token_is_in_no_file_and_no_message
`dvc exp run` composes by itself.
    pipeline/test_check_stage.py: test_an_experiment_of_a_configuration_with_values_from_outside_is_refused
    pipeline/test_check_stage.py: test_a_section_that_nobody_reads_is_refused
Of DVC's files
    revisions/test_store.py: test_a_commit_cannot_choose_a_server_or_a_folder_of_dvc
    revisions/test_store.py: test_nothing_that_a_commit_imports_is_asked_for
    revisions/test_store.py: test_aliases_of_a_commit_that_stand_for_billions_of_values_are_refused
    revisions/test_store.py: test_a_matrix_of_billions_of_stages_is_not_written_out test_a_hash_is_never_a_path
A name is never an option
    revisions/test_store.py: test_a_name_is_never_an_option_or_a_file
Modules of a study come
    revisions/test_store.py: test_a_commit_cannot_choose_a_module_to_run
Files of stages that
    storage/test_parquet.py
`misread replay` makes
    revisions/test_replay.py: test_no_code_and_nothing_of_the_working_tree_takes_part
`misread data fetch` accepts
    data/test_fetching.py: test_a_source_that_git_would_run_or_that_leads_elsewhere_is_refused
    data/test_fetching.py: test_transports_that_run_programs_are_refused_whatever_the_settings_of_git
`reports/counts/` has ids
    pipeline/test_results_in_git.py: test_no_word_of_a_text_is_in_the_counts
    storage/test_counts.py: test_reasons_that_quote_references_are_left_out
Pseudonyms hide names
    storage/test_counts.py: test_pseudonyms_hide_ids_and_clusters_and_keep_categories
The key `.misread/pseudonyms.key`
    storage/test_counts.py: test_the_key_is_made_once_for_its_owner_alone
A file of counts of somebody else
    storage/test_counts.py: test_a_file_of_anybody_is_read_or_refused
    storage/test_counts.py: test_whatever_the_note_has_it_is_read_as_it_is_written_or_refused
    storage/test_counts.py: test_counts_that_cannot_be_are_refused_with_their_column
    storage/test_counts.py: test_counts_of_an_alignment_add_up test_counts_of_another_system_or_data_set_are_refused
It listens on this machine
    cli/test_serve.py: test_a_worker_reads_pages_at_the_port_of_the_specification
Tokens are compared
    serve/test_app.py: test_tokens_are_compared_in_constant_time
    serve/test_worker.py: test_whoever_watches_needs_no_token test_everybody_else_needs_the_token
Size, pixels, number
    serve/test_worker.py: test_an_image_of_too_many_pixels_is_refused_by_its_head
    serve/test_worker.py: test_a_question_without_an_announced_length_is_cut_off_where_it_is_too_large
    serve/test_worker.py: test_who_comes_when_the_queue_is_full_is_told_when_to_come_back
    serve/test_app.py: test_a_question_that_does_not_end_is_given_up_in_time
    serve/test_readers.py: test_an_image_that_takes_too_long_is_stopped_and_the_next_one_read
A question that is not whole
    serve/test_app.py: test_who_still_sends_takes_no_place
    serve/test_app.py: test_questions_that_are_being_sent_take_no_more_memory_than_all_that_may_wait
No address in a question
    serve/test_worker.py: test_a_chat_about_something_else_is_refused
No answer has a path
    tools/fuzz/test_worker.py: test_broken_questions_are_refused
`requirements.lock` has a hash
    test_security.py: test_every_locked_package_has_hashes_and_no_address
    test_security.py: test_the_environment_is_installed_by_hashes_alone
"""


def dotted(node: ast.AST) -> str:
    """Name with its dots; nothing stands for what is no name, such as a call."""
    if isinstance(node, ast.Name):
        return node.id
    return f"{dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def unwanted(name: str, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """What a module imports or calls that no module may, with its line."""
    yield from (f"imports {each}" for each in imported(nodes) if each in NEVER_IMPORTED and (name, each) not in ALLOWED)
    for call in (node for node in nodes if isinstance(node, ast.Call)):
        if dotted(call.func) in NEVER_CALLED and (name, dotted(call.func)) not in ALLOWED:
            yield f"calls {dotted(call.func)} in line {call.lineno}"
        if isinstance(call.func, ast.Attribute) and call.func.attr in NEVER_CALLED_OF_ANYTHING:
            yield f"calls {call.func.attr} in line {call.lineno}"
        for keyword in call.keywords:
            is_off = keyword.arg == "trust_remote_code" and ast.unparse(keyword.value) == "False"
            if keyword.arg in ("shell", "allow_pickle", "trust_remote_code") and not is_off:
                yield f"gives {keyword.arg} in line {call.lineno}"


@pytest.mark.slow
def test_nothing_is_unpickled_unpacked_or_evaluated():
    assert len(MODULES) > 400
    found = {}
    for path in MODULES:
        name = path.relative_to(REPOSITORY / "src/misread").as_posix()
        if wrong := list(unwanted(name, list(ast.walk(ast.parse(path.read_bytes()))))):
            found[name] = wrong
    assert not found


def test_the_check_of_calls_sees_what_it_looks_for():
    calls = ("yaml.load(x)", "run(y, shell=True)", "load(trust_remote_code=False)", "load(trust_remote_code=z)")
    code = "\n".join(["import yaml, pickle", *calls, "ZipFile(x).extractall()"])
    assert list(unwanted("new.py", list(ast.walk(ast.parse(code))))) == [
        "imports pickle",
        "calls yaml.load in line 2",
        "gives shell in line 3",
        "gives trust_remote_code in line 5",
        "calls extractall in line 6",
    ]


def test_every_locked_package_has_hashes_and_no_address():
    text = (REPOSITORY / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    entries = re.split(r"\n(?=\S)", "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#")))
    assert len(entries) > 100
    for entry in entries:
        first, *hashes = entry.split(" \\\n")
        assert re.fullmatch(r"[A-Za-z0-9_.-]+(\[[\w,-]+\])?==[^\s;]+( ; .+)?", first), first
        assert hashes, first
        assert all(re.fullmatch(r"\s+--hash=sha256:[0-9a-f]{64}", each) for each in hashes), first


def test_the_environment_is_installed_by_hashes_alone():
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    # `make floors` and `make newest` try other versions than the locked ones, in environments of their own.
    makefile = re.sub(r"^define test-versions$.*?^endef$", "", makefile, flags=re.MULTILINE | re.DOTALL)
    installed = [line for line in makefile.splitlines() if "pip install" in line and "$(PYTHON)" not in line]
    assert [line for line in installed if "--require-hashes -r requirements.lock" in line]
    assert all("--require-hashes" in line or "--no-deps -e ." in line or line.endswith(" uv") for line in installed)


def test_every_claim_of_the_page_has_tests_that_exist():
    page = (REPOSITORY / "SECURITY.md").read_text(encoding="utf-8")
    page = page[: page.index("## What is trusted")]
    rows = re.findall(r"^\| (.+?) \|", page, re.MULTILINE)[1:]
    items = re.findall(r"^- (.+)|^(`dvc exp run`.+)", page, re.MULTILINE)
    claims = [*rows, *map("".join, items)]
    entries = re.split(r"\n(?=\S)", HELD_BY.strip())
    assert len(claims) == len(entries)
    for entry in entries:
        start, *files = entry.splitlines()
        assert [claim for claim in claims if claim.startswith(start)], start
        assert files, start
        for path, _, names in (line.strip().partition(":") for line in files):
            source = (REPOSITORY / "tests" / path).read_text(encoding="utf-8")
            assert all(f"def {name}(" in source for name in names.split()), (path, names)
