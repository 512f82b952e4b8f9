"""Decisions of the judge stage: asked once, kept, taken from a file, scored and compared."""

from __future__ import annotations

import json

import pytest
from tests.engines.scripted_server import reply, serve

from misread.data.segment_table import Origin, SegmentKeys
from misread.engines.base import Reading
from misread.errors import InputFileError, MisreadError, UndefinedResultError
from misread.features.judges import paths as judge_paths
from misread.features.judges import stage as judge
from misread.features.judges.decision_files import Decision, Decisions, read_decisions, write_decisions
from misread.features.judges.params_section import JudgesSection
from misread.pipeline import paths
from misread.pipeline.params import Params
from misread.pipeline.stages import compare, normalize, score
from misread.report.page import write_page
from misread.report.report_input import DatasetResults, ReportInput
from misread.report.write import write_report
from misread.sockets import read_comparison
from misread.storage import write_capture
from misread.tables import ReportSettings

REFERENCES = ["one", "two", "three", "four", "five", "six"]
READ = {"a": ["won", "too", "tree", "for", "five", "sex"], "b": ["one", "too", "three", "fur", "hive", "sicks"]}
WRONG = {"tree", "hive", "sex"}


def answer(handler, question):
    asked = json.loads(question.body)["messages"][0]["content"]
    said = "no" if any(word in asked for word in WRONG) else "yes"
    reply(handler, json.dumps({"choices": [{"message": {"content": said}, "finish_reason": "stop"}]}))


def accept_all(pairs):
    return Decisions({"model": "anna"}, {pair: Decision(pair[1] not in WRONG - {"sex"}) for pair in pairs})


def all_pairs():
    return [(one, other) for read in READ.values() for one, other in zip(REFERENCES, read, strict=True) if one != other]


@pytest.fixture
def study(tmp_path, monkeypatch):
    """Captures of two systems, normalized; gives the function that sets the judges."""
    monkeypatch.chdir(tmp_path)
    keys = SegmentKeys([f"s{row}" for row in range(6)], ["p1", "p1", "p2", "p2", "p3", "p3"], {})
    for system, texts in READ.items():
        readings = [Reading(key, text, None, 0.0, None) for key, text in zip(keys.segment_id, texts, strict=True)]
        origin = Origin("lines", system, cluster_name="page")
        write_capture(paths.capture("lines", system), origin, keys, REFERENCES, readings)

    def configure(judges, metrics=("cer",)):
        section = {"_target_": "misread.stats.StatisticsSettings", "seed": 1, "resamples": 99}
        content = {
            "judges": judges,
            "metrics": {name: name for name in (*metrics, *judges)},
            "system_ids": [*READ],
            "normalizer": "none",
            "missing": "error",
            "equivalents": [],
            "baseline": None,
            "statistics": section,
            "crosscheck": {"segments": 0},
            "executor": {"_target_": "misread.execution.Local", "workers": 1},
            "plugins": [],
        }
        for stage in (normalize, judge, score, compare):
            monkeypatch.setattr(stage, "load_params", lambda: Params(content))
        normalize.main("lines")

    return configure


def asked_of(url):
    return {"_target_": "misread.features.judges.OpenAIJudge", "url": url, "model": "qwen", "attempts": 1}


ANNA = {"anna": {"_target_": "misread.features.judges.RecordedDecisions", "file": "anna.jsonl"}}


def write_anna(pairs=None):
    write_decisions(paths.card("lines") / "anna.jsonl", accept_all(all_pairs() if pairs is None else pairs))


@pytest.mark.slow
def test_a_pair_is_asked_about_once_and_the_decisions_alone_replay_it(study):
    with serve(answer) as server:
        study({"qwen": asked_of(server.url)})
        judge.main("lines", "qwen")
        assert len(server.asked) == 8
        url = server.url
    first = judge_paths.decisions("lines", "qwen").read_bytes()
    # Another machine: neither the journal nor the server.
    judge_paths.journal("lines", "qwen").unlink()
    study({"qwen": asked_of(url)})
    judge.main("lines", "qwen")
    assert judge_paths.decisions("lines", "qwen").read_bytes() == first


@pytest.mark.slow
def test_only_a_new_pair_is_asked_about_and_another_prompt_asks_again(study):
    with serve(answer) as server:
        study({"qwen": asked_of(server.url)})
        judge.main("lines", "qwen")
        path = judge_paths.decisions("lines", "qwen")
        kept = read_decisions(path)
        write_decisions(path, Decisions(kept.judge, dict(list(kept.by_texts.items())[1:])))
        judge_paths.journal("lines", "qwen").unlink()
        judge.main("lines", "qwen")
        assert len(server.asked) == 9
        study({"qwen": asked_of(server.url) | {"prompt": "{reference} or {hypothesis}?"}})
        judge.main("lines", "qwen")
        assert len(server.asked) == 17


@pytest.mark.slow
def test_judges_are_metrics_with_kappa_by_cluster_in_every_form_of_the_report(study, tmp_path):
    write_anna()
    with serve(answer) as server:
        study({"qwen": asked_of(server.url), **ANNA})
        judge.main("lines", "qwen")
    judge.main("lines", "anna")
    score.main("lines")
    compare.main("lines")
    result = read_comparison(paths.comparison("lines"))
    assert result.systems["a"]["qwen"].counts == {"wrong": 2, "compared": 6, "decided": 5}
    assert result.systems["b"]["anna"].counts == {"wrong": 1, "compared": 6, "decided": 4}
    digest = "|judge:qwen|prompt:"
    assert digest in str(result.systems["a"]["qwen"].signature)
    assert "|decisions:" in str(result.systems["a"]["anna"].signature)
    (pair,) = result.sections["judges"].pairs
    of = pair.agreement
    assert (pair.first, pair.second, result.sections["judges"].together) == ("qwen", "anna", None)
    # Of nine readings that differ, "too" for "two" twice.
    assert (of.both, of.first_only, of.second_only, of.neither) == (6, 0, 1, 2)
    assert of.kappa == pytest.approx((8 / 9 - (6 * 7 + 3 * 2) / 81) / (1 - (6 * 7 + 3 * 2) / 81))
    # Three pages leave two degrees of freedom.
    assert of.interval is None

    settings = ReportSettings(["cer"], names={"anna": "Anna"})
    run = ReportInput([DatasetResults(comparison=result)])
    rendered = write_report(run, settings, tmp_path / "reports")
    write_page(run, rendered, settings, tmp_path / "reports/index.html")
    assert "Agreement of judges on texts" in (tmp_path / "reports/index.html").read_text(encoding="utf-8")
    (table,) = (table for table in rendered["lines"].tables if table.stem == "lines_agreement")
    for ending in ("tex", "md", "csv", "html"):
        text = (tmp_path / f"reports/tables/lines_agreement.{ending}").read_text(encoding="utf-8")
        assert "0.727" in text or "0.7272727272727273" in text
        assert "Anna" in text or ending == "csv"
    assert table.signature == str(result.signature)


def test_without_a_server_the_stage_says_what_it_needs_in_one_line(study):
    with serve(answer) as server:
        url = server.url
    study({"qwen": asked_of(url)})
    with pytest.raises(MisreadError) as caught:
        judge.main("lines", "qwen")
    assert "\n" not in str(caught.value)
    assert url in str(caught.value)
    assert not judge_paths.decisions("lines", "qwen").is_file()


def test_a_wrong_key_ends_the_stage_in_one_line(study, monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", "wrong")
    with serve(lambda handler, _: reply(handler, "who are you?", status=401)) as server:
        study({"qwen": asked_of(server.url) | {"token_env": "JUDGE_KEY"}})
        with pytest.raises(MisreadError) as caught:
            judge.main("lines", "qwen")
    assert "\n" not in str(caught.value)
    assert "401" in str(caught.value)


def test_decisions_of_other_segments_are_refused(study):
    write_anna([("seven", "eleven")])
    study(ANNA)
    with pytest.raises(InputFileError, match=r"anna\.jsonl has 1 decisions, none of them on the 8 pairs of texts here"):
        judge.main("lines", "anna")


@pytest.mark.slow
def test_a_pair_that_a_judge_left_open_is_counted_by_the_rule_of_the_judge(study, capsys):
    write_anna(all_pairs()[1:])
    study({"anna": ANNA["anna"] | {"undecided": "wrong"}})
    judge.main("lines", "anna")
    assert "anna has not decided 1 of 8 pairs of lines" in capsys.readouterr().err
    score.main("lines")
    study(ANNA)
    with pytest.raises(UndefinedResultError, match="no decision for the pair 'one' and 'won'"):
        score.main("lines")


@pytest.mark.parametrize(
    ("judges", "words"),
    [
        ({"cer": ANNA["anna"]}, r"judges\.cer has the id of a metric"),
        ({"anna": ANNA["anna"] | {"file": "../anna.jsonl"}}, "expected a path below the folder data/DATASET"),
        ({"anna": ANNA["anna"] | {"undecided": "maybe"}}, "drop, error, wrong"),
        ({"anna": "a file"}, r"judges\.anna is 'a file', expected settings"),
        ({"anna": {"_target_": "misread.engines.Tesseract"}}, "expected Judge, got Tesseract"),
    ],
)
def test_a_judge_that_cannot_be_is_refused_before_anything_is_read(judges, words):
    params = Params({"judges": judges, "metrics": {"cer": "cer"}, "plugins": []})
    with pytest.raises(MisreadError, match=words):
        JudgesSection().check(params)
