import numpy as np
import pytest
from tests.whole_tables import write_scores

from misread.data.segment_table import Origin, SegmentKeys
from misread.pipeline import paths
from misread.sockets import METRICS
from misread.tally.scores import Counts, Scores

QUICK = ("--simulations", "20", "--resamples", "19")
RNG = np.random.default_rng(1)
ROWS = [
    {
        "id": f"l{row}",
        "text": "abcdefgh",
        "page": f"p{row // 4}",
        "a": "abcdefgh"[: RNG.integers(5, 9)],
        "b": "abcdefgh"[: RNG.integers(5, 9)],
    }
    for row in range(40)
]


@pytest.fixture
def table(write_table):
    return "--table", write_table(rows=ROWS), "--ref", "text", "--hyp", "a=a", "--hyp", "b=b", *QUICK


def test_every_test_has_its_share_and_interval(misread, table):
    (pair,) = misread("plan", "calibrate", *table, "--cluster", "page", "--output", "json").json
    assert (pair["baseline"], pair["system"], pair["exchanged"], pair["units"]) == ("a", "b", "page", 10)
    assert {(of["test"], of["unit"]) for of in pair["tests"]} == {
        *((test, "segment") for test in ("wilcoxon", "paired_t", "sign", "mcnemar", "mapsswe")),
        *((test, unit) for test in ("randomisation", "bootstrap") for unit in ("page", "segment")),
    }
    for of in pair["tests"]:
        assert 0 <= of["low"] <= of["type_1_error"] <= of["high"] <= 1


def test_the_text_says_what_is_safe(misread, table):
    done = misread("plan", "calibrate", *table, "--tests", "sign,wilcoxon")
    assert (done.status, done.err) == (0, "")
    assert "b against a, cer: 20 simulations in which neither is better" in done.out
    assert "Safe here: " in done.out
    assert "this says nothing about clusters" in done.out


def test_files_may_be_given_as_to_score(misread, write_lines):
    reference = write_lines("r.txt", "abc\n" * 12)
    first, second = (write_lines(f"{name}.txt", lines) for name, lines in (("a", "abd\n" * 12), ("b", "a\nabc\n" * 6)))
    done = misread("plan", "calibrate", "--ref", reference, "--hyp", f"a={first}", "--hyp", f"b={second}", *QUICK)
    assert (done.status, done.err) == (0, "")


def test_folders_are_paired_as_by_score(misread, tmp_path):
    for system, text in (("ref", "abc\n"), ("a", "abd\n"), ("b", "ab\n")):
        (tmp_path / system).mkdir()
        for page in range(12):
            (tmp_path / system / f"p{page}.txt").write_text(text)
    systems = (f"--hyp={system}={tmp_path / system}" for system in "ab")
    (pair,) = misread("plan", "calibrate", "--ref", tmp_path / "ref", *systems, *QUICK, "--output", "json").json
    assert pair["units"] == 12


def test_scores_of_the_pipeline_may_be_taken(misread, repository, monkeypatch):
    keys = SegmentKeys([row["id"] for row in ROWS], [row["page"] for row in ROWS], {})
    (folder := paths.BUILD).parent.mkdir(exist_ok=True)
    for system in ("tesseract", "rapidocr"):
        errors = RNG.integers(0, 5, len(ROWS))
        none = np.zeros_like(errors)
        counts = np.stack([errors, none + 20, 20 - errors, errors, none, none], axis=-1)
        made = Scores(
            Origin("rendered_lines", system, cluster_name="page"),
            keys,
            counts={"cer": Counts(METRICS["cer"].columns, counts)},
            signatures={"cer": METRICS["cer"].signature("none")},
            normalizer="none",
            reference_digest=["d"] * len(ROWS),
            missing="error",
        )
        write_scores(paths.scores("rendered_lines", system), made)
    assert folder.is_dir()
    (paths.BUILD.parent / "params.yaml").write_bytes((repository / "params.yaml").read_bytes())
    done = misread("plan", "calibrate", "--dataset", "rendered_lines", "--tests", "sign", *QUICK, "--output", "json")
    (pair,) = done.json
    assert {pair["baseline"], pair["system"]} == {"tesseract", "rapidocr"}
    assert pair["exchanged"] == "page"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name --dataset ID of the project, or references and two or more systems."),
        (("--ref", "r.txt", "--hyp", "a=a.txt", "--cluster", "page"), "name columns of --table FILE"),
        (("--tests", "signs"), "unknown test 'signs' in --tests. Did you mean 'sign'?"),
    ],
)
def test_a_wrong_use_is_one_line(misread, arguments, message):
    done = misread("plan", "calibrate", *arguments)
    assert (done.status, done.out) == (1, "")
    assert message in done.err


def test_one_system_is_refused(misread, table):
    done = misread("plan", "calibrate", *table[:6], *QUICK)
    assert "labels of two systems are permuted, but there is only a." in done.err
