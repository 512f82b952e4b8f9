"""A format of a study: a record in a module of one's own, as the guide has it."""

import re
import sys

import pytest

from misread.data import read_segment_files
from misread.pipeline.params import Params

TRUTH, HEARD = "a: one two\nb: three four\n", "b: three for\na: one two\n"


@pytest.fixture
def study(repository, tmp_path, monkeypatch):
    """A folder with the module of the guide, in which one is."""
    page = (repository / "docs/how-to/code-of-your-own.md").read_text(encoding="utf-8")
    ((name, code),) = re.findall(r"```python\n# src/(study/formats\.py)\n(.*?)```", page, re.DOTALL)
    (tmp_path / "study").mkdir()
    (tmp_path / name).write_text(code, encoding="utf-8")
    (tmp_path / "truth.cards").write_text(TRUTH)
    (tmp_path / "one.cards").write_text(HEARD)
    yield tmp_path
    for module in [each for each in sys.modules if each.split(".")[0] == "study"]:
        del sys.modules[module]


def test_the_command_scores_files_of_a_format_of_a_module_beside_them(misread, study):
    done = misread(
        *("score", "truth.cards", "one.cards", "--format", "study.formats.CARDS"),
        *("--metrics", "wer", "--output", "json", "--resamples", "99"),
    )
    counts = done.json["systems"]["one"]["wer"]["counts"]
    assert (counts["errors"], counts["length"], done.json["segments"]) == (1, 4, 2)


def test_a_broken_file_and_a_wrong_name_are_named(misread, study):
    (study / "one.cards").write_text("b three for\n")
    done = misread("score", "truth.cards", "one.cards", "--format", "study.formats.CARDS")
    assert (done.status, "one.cards, line 1: expected ID: TEXT." in done.err) == (1, True)
    for name, message in {
        "study.formats.CARD": "'study.formats.CARD' is not a Format of study",
        "study.formats.read_cards": "'study.formats.read_cards' is not a Format of study",
        "elsewhere.CARDS": "'elsewhere.CARDS' is not of a plug-in",
    }.items():
        refused = misread("score", "truth.cards", "one.cards", "--format", name)
        assert (refused.status, message in refused.err) == (1, True)
    refused = misread("score", "truth.cards", "one.cards", "--format", "cards")
    assert (refused.status, "unknown value 'cards' in --format." in refused.err) == (2, True)


def test_it_is_converted(misread, study):
    done = misread("convert", "truth.cards", "truth.trn", "--from", "study.formats.CARDS", "--to", "trn")
    assert (done.status, (study / "truth.trn").read_text()) == (0, "one two (a)\nthree four (b)\n")


def test_a_study_names_it_in_conf(study):
    (study / "src").mkdir()
    (study / "study").rename(study / "src/study")
    section = {
        "_target_": "misread.data.SegmentFiles",
        "root": str(study),
        "reference": "truth.cards",
        "recorded": {"one": "one.cards"},
        "format": "study.formats.CARDS",
        "provenance": "made for this test",
    }
    params = Params({"plugins": ["study"], "datasets": {"cards": section}}, root=study)
    table = params.dataset("cards").segments()
    assert (table.segment_id, table.hypotheses) == (["a", "b"], {"one": ["one two", "three for"]})


def test_python_takes_the_record_itself(study, monkeypatch):
    monkeypatch.syspath_prepend(study)
    from study.formats import CARDS

    table = read_segment_files(study / "truth.cards", {"one": study / "one.cards"}, CARDS)
    assert table.references == ["one two", "three four"]
