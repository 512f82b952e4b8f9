"""`misread score --output eval-results`: entries that the client of Hugging Face reads."""

import csv
import io

import pytest
import yaml

QUICK = ("--resamples", "99")
HUB = pytest.importorskip("huggingface_hub")
TABLE = ("--ref", "truth", "--hyp", "Heron: 1=heron", "--hyp", "ibis=ibis", "--hyp", "jay=jay", "--segment-id", "id")


@pytest.fixture
def rows(write_lines):
    lines = [f"{row},seven old bells,seven old bells,sevxn old bells,xxvxn xxx bells" for row in range(20)]
    write_lines("rows.csv", "".join(f"{line}\n" for line in ["id,truth,heron,ibis,jay", *lines]))
    return ("--table", "rows.csv", *TABLE)


def test_entries_are_read_by_the_client_and_have_the_rates_of_the_table(misread, rows):
    done = misread("score", *rows, *QUICK, "--output", "eval-results", "--name", "cards/index")
    entries = HUB.parse_eval_result_entries(yaml.safe_load(done.out))
    table = misread("score", *rows, *QUICK, "--output", "csv").out
    expected = {(row["system"], row["metric"]): 100 * float(row["rate"]) for row in csv.DictReader(io.StringIO(table))}
    found = {(entry.notes.rpartition(": " + entry.task_id.upper())[0], entry.task_id): entry for entry in entries}
    assert found.keys() == expected.keys()
    for key, entry in found.items():
        assert entry.dataset_id == "cards/index"
        assert entry.value == pytest.approx(expected[key], abs=1e-4)
    assert HUB.eval_result_entries_to_yaml(entries) == yaml.safe_load(done.out)


def test_notes_have_interval_ranks_and_signature(misread, rows):
    done = misread("score", *rows, *QUICK, "--output", "eval-results", "--metrics", "cer", "--name", "cards/index")
    notes = {entry["notes"].split(": CER")[0]: entry["notes"] for entry in yaml.safe_load(done.out)}
    signature = misread("score", *rows, *QUICK, "--metrics", "cer", "--output", "json").json["systems"]["jay"]["cer"]
    assert notes["jay"].endswith(signature["signature"])
    assert "rank 3 of 3, group c" in notes["jay"]
    assert "lower is better" in notes["Heron: 1"]
    assert (done.status, done.err.count("\n")) == (0, 1)
    assert "each entry goes to the repository of its own model" in done.err
    done = misread("score", *rows, *QUICK, "--output", "eval-results")
    assert "'rows' is no data set of Hugging Face; --name OWNER/NAME gives the id of the benchmark." in done.err


@pytest.mark.parametrize(
    "option", [("--view", "worst"), ("--confusions", "3"), ("--tests", "sign"), ("--groups", "id")]
)
def test_tables_next_to_the_rates_are_refused(misread, rows, option):
    done = misread("score", *rows, *QUICK, "--output", "eval-results", *option)
    assert (done.status, done.out) == (1, "")
    assert f"{option[0]} is for tables, not for --output eval-results." in done.err


def test_other_commands_say_that_it_is_for_rates(misread, rows):
    done = misread("regimes", *rows, "--regimes", "jiwer", "--resamples", "99", "--output", "eval-results")
    assert "--output eval-results is for rates, which `misread score` prints." in done.err
