import copy
import pickle
import sys
from dataclasses import FrozenInstanceError

import matplotlib as mpl
import pandas as pd
import pytest

from misread import Evaluation, evaluate
from misread.data import from_columns
from misread.errors import MissingDependencyError, UnknownNameError
from misread.evaluation import evaluate_table

OPTIONS = ("--segment-id", "line", "--cluster", "page", "--resamples", "99")


@pytest.fixture
def printed(misread, frame, tmp_path):
    """What `misread score` prints for the same lines."""

    def score(*arguments, systems="abc"):
        frame.to_parquet(tmp_path / "lines.parquet")
        named = [option for system in systems for option in ("--hyp", f"{system}={system}")]
        done = misread("score", "--table", "lines.parquet", "--ref", "ref", *named, *OPTIONS, *arguments)
        assert done.status == 0, done.err
        return done.out

    return score


def test_print_shows_the_tables_of_the_command(printed, evaluate_lines):
    assert f"{evaluate_lines(groups=['side'])}\n" == printed()


@pytest.mark.slow
@pytest.mark.parametrize("notes", [[], ["--notes"]])
def test_groups_and_notes_are_shown_where_they_are_asked_for(printed, evaluate_lines, notes):
    result = evaluate_lines(groups=["side"])
    assert result.to_text(by="side", notes=bool(notes)) == printed("--groups", "side", *notes)
    assert "by side" not in result.to_text(notes=True)


def test_rates_can_be_broken_down_by_known_columns_alone(evaluate_lines):
    with pytest.raises(UnknownNameError, match=r"unknown group column 'page'.*There are: side"):
        evaluate_lines(groups=["side"]).to_markdown(by="page")


def test_one_system_is_printed_as_by_the_command(printed, evaluate_lines):
    assert f"{evaluate_lines(systems='a')}\n" == printed(systems="a")


@pytest.mark.slow
@pytest.mark.parametrize("output", ["markdown", "latex", "html", "csv"])
@pytest.mark.parametrize("groups", [[], ["side"]])
def test_other_formats_are_those_of_the_command(printed, evaluate_lines, output, groups):
    expected = printed("--output", output, *(option for group in groups for option in ("--groups", group)))
    assert getattr(evaluate_lines(groups=["side"]), f"to_{output}")(by=next(iter(groups), None)) == expected


@pytest.mark.parametrize("output", ["markdown", "latex", "html", "csv"])
def test_a_metric_may_be_chosen(printed, evaluate_lines, output):
    write = getattr(evaluate_lines(), f"to_{output}")
    assert write("wer") == printed("--output", output, "--metrics", "wer")
    with pytest.raises(UnknownNameError, match=r"unknown metric 'ger'\. Did you mean 'wer'\? There are: cer, wer\."):
        write("ger")


def test_notebooks_get_tables_with_escaped_names():
    name = "<script>alert(1)</script>"
    table = from_columns(["one"], {name: ["on"]}, name=name)
    html = evaluate_table(table, metrics="cer", seed=1)._repr_html_()
    assert "<table>" in html
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "http" not in html


def test_an_evaluation_has_rates_signatures_and_confusions_and_one_short_line(evaluate_lines):
    result = evaluate_lines()
    assert repr(result) == "<Evaluation of 'lines': a, b, c; cer, wer; 4 segments>"
    assert str(result.systems["b"]["wer"].signature).startswith("wer|unit:word|norm:none|")
    assert str(result.signature).startswith("cer+wer|norm:none|")
    assert "|data:lines@" in str(result.signature)
    assert "|seed:1|" in str(result.signature)
    rate = result.systems["a"]["cer"]
    assert (rate.rate, rate.interval) == (rate.micro, rate.confidence_interval)
    assert (rate.segments, rate.exact_segments, rate.empty_references) == (4, 1, 0)
    assert rate.counts["errors"] / rate.counts["length"] == rate.rate
    assert None not in (rate.macro, rate.median)
    confusions = result.scored["a"].confusions.confusions["character"]
    assert ("k", "h", 1) in [(confusion.reference, confusion.hypothesis, confusion.count) for confusion in confusions]


def test_warnings_are_sentences_and_nothing_is_printed(evaluate_lines, capsys):
    assert "There are only 4 segments: intervals are wide" in " ".join(evaluate_lines().warnings)
    assert capsys.readouterr() == ("", "")


def test_an_evaluation_is_frozen(evaluate_lines):
    result = evaluate_lines()
    for name in ("result", "systems", "segments", "other"):
        with pytest.raises((FrozenInstanceError, AttributeError)):
            setattr(result, name, None)
    with pytest.raises(TypeError):
        result.systems["d"] = None


@pytest.mark.slow
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda of: pickle.loads(pickle.dumps(of))])  # noqa: S301
@pytest.mark.parametrize("tests", ["wilcoxon", "mapsswe"])
def test_copies_are_the_same(evaluate_lines, again, tests):
    result = evaluate_lines(
        statistics={"resamples": 99, "tests": [tests, "randomisation"]},
        normalizer="lower",
        metrics=["cer", "wer", "line_accuracy", "cer_raw"],
    )
    other = again(result)
    assert isinstance(other, Evaluation)
    assert other.result == result.result
    assert str(other) == str(result)
    pd.testing.assert_frame_equal(other.segments, result.segments)


def test_evaluations_are_equal_by_identity_and_their_results_by_numbers(evaluate_lines):
    one, two = evaluate_lines(), evaluate_lines()
    assert one != two
    assert one.result == two.result
    assert len({one, two}) == 2


@pytest.fixture
def pyplot():
    """Matplotlib's figures without a screen, closed behind the test."""
    with mpl.rc_context({"backend": "agg"}):
        import matplotlib.pyplot as plt

        yield plt
        plt.close("all")


def test_a_plot_has_a_row_per_system_best_first(evaluate_lines, many_pages, pyplot):
    result = evaluate_lines(many_pages)
    axes = result.plot()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b", "c"]
    assert (axes.get_xlabel(), axes.get_title()) == ("CER in %", "lines")
    ends = [line.get_xdata() for line in axes.get_lines() if len(line.get_xdata()) == 2]
    interval = result.systems["a"]["cer"].interval
    assert list(ends[0]) == [100 * interval.low, 100 * interval.high]


def test_a_plot_may_be_drawn_on_axes_of_another_metric_and_of_systems_without_interval(evaluate_lines, pyplot):
    _, (left, right) = pyplot.subplots(1, 2)
    assert evaluate_lines().plot("wer", right) is right
    assert right.get_xlabel() == "WER in %"
    assert not left.get_lines()
    with pytest.raises(UnknownNameError, match="unknown metric 'ger'"):
        evaluate_lines().plot("ger")
    axes = evaluate(["one"], {"$a": ["on"], "b": ["one"]}, metrics="cer", seed=1).plot()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["b", r"\$a"]


@pytest.mark.slow
def test_names_and_titles_of_a_plot_on_own_axes_are_inside_the_figure(evaluate_lines, frame, pyplot):
    name = "a system with a name that is wider than its margin"
    figure, (left, _) = pyplot.subplots(1, 2, figsize=(7, 1.6))
    evaluate_lines(frame.rename(columns={"b": name}), systems=["a", name]).plot("cer", left)
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in (*left.get_yticklabels(), left.xaxis.label)]
    assert all(figure.bbox.x0 <= box.x0 and figure.bbox.y0 <= box.y0 for box in boxes)
    arranged, axes = pyplot.subplots(layout="tight")
    evaluate_lines().plot(ax=axes)
    assert type(arranged.get_layout_engine()).__name__ == "TightLayoutEngine"


def test_without_matplotlib_the_line_that_installs_it_is_named(evaluate_lines, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'misread\[report\]'"):
        evaluate_lines().plot()
