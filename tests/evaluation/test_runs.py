"""Repeated runs in Python: mappings of texts, wide frames and long ones say the same."""

import numpy as np
import pandas as pd
import pytest

from misread import evaluate, evaluate_frame
from misread.errors import InputTypeError, InputValueError, NoResultError, UndefinedResultError, UnknownNameError

REFERENCES = ["the quick", "brown fox", "jumps over", "the lazy dog", "pack my box", "with five"]
ONE = ["the quick", "brovn fox", "jumps over", "the lazy dog", "pack my box", "with fivc"]
RUNS = {
    "1": ["the quick", "brown fox", "jump over", "the lazy dog", "pack my b0x", "with five"],
    "2": ["thc quick", "brown fox", "jump over", "the lazy dog", "pack my box", "with five"],
    "3": ["the quick", "brown f0x", "jump over", "the lazy dog", "pack my b0x", "with f"],
}
PAGES = ["p1", "p1", "p2", "p2", "p3", "p3"]
IDS = ["a", "b", "c", "d", "e", "f"]
OPTIONS = {"metrics": "cer", "seed": 1, "statistics": {"resamples": 99}}

WIDE = pd.DataFrame(
    {"id": IDS, "text": REFERENCES, "page": PAGES, "one": ONE, **{f"m{run}": of for run, of in RUNS.items()}}
)
LONG = pd.DataFrame(
    [
        {
            "id": key,
            "text": text,
            "page": page,
            "m": of[row],
            "one": ONE[row],
            "run": int(run),
            "request": f"{run}-{key}",
        }
        for run, of in RUNS.items()
        for row, (key, text, page) in enumerate(zip(IDS, REFERENCES, PAGES, strict=True))
    ]
)
READINGS = pd.DataFrame(
    [
        {"id": key, "text": text, "page": page, "engine": engine, "run": run, "read": texts[row]}
        for engine, run, texts in [("one", 1, ONE), *(("m", int(run), texts) for run, texts in RUNS.items())]
        for row, (key, text, page) in enumerate(zip(IDS, REFERENCES, PAGES, strict=True))
    ]
)
COLUMNS = {"reference": "text", "segment_id": "id", "cluster": "page"}


def of_texts(runs=RUNS, **options):
    return evaluate(REFERENCES, {"one": ONE, "m": runs}, ids=IDS, clusters=PAGES, **{**OPTIONS, **options})


def of_long(frame=LONG, systems=("m",), **options):
    return evaluate_frame(frame, systems=systems, **{"run": "run", **COLUMNS, **OPTIONS, **options})


def test_texts_wide_frames_and_long_frames_say_the_same():
    wide = evaluate_frame(WIDE, systems={"one": "one", "m": ["m1", "m2", "m3"]}, **COLUMNS, **OPTIONS)
    row_per_run = of_long(LONG.sample(frac=1, random_state=1), systems=["one", "m"])
    row_per_reading = evaluate_frame(READINGS, hypothesis="read", system="engine", run="run", **COLUMNS, **OPTIONS)
    expected = of_texts()
    for result in (wide, row_per_run, row_per_reading):
        assert result.systems["m"]["cer"].counts == expected.systems["m"]["cer"].counts
        assert result.systems["m"]["cer"].interval == expected.systems["m"]["cer"].interval
        assert result.sections["runs"]["cer"]["m"].rates == expected.sections["runs"]["cer"]["m"].rates
    # Every row of this frame has a text of the other system, three times the same one.
    assert row_per_run.sections["runs"]["cer"]["one"].deviation == 0
    # Here it has a row for its only run.
    assert row_per_reading.result == wide.result


def test_segments_have_a_row_for_each_run_whose_counts_add_up_and_tables_are_rendered():
    result = of_texts()
    frame = result.segments
    sizes = frame.groupby(["system", "run"]).size().to_dict()
    assert sizes == {("one", "1"): 6, **{("m", run): 6 for run in RUNS}}
    assert frame.groupby("system")["cer_errors"].sum()["m"] == result.systems["m"]["cer"].counts["errors"]
    assert frame[frame.run == "2"]["hypothesis"].tolist() == RUNS["2"]
    assert "run" not in evaluate(REFERENCES, {"one": ONE}, **OPTIONS).segments
    for render in (result.to_text, result.to_markdown, result.to_html, result.to_latex):
        shown = render(notes=True)
        assert "Repeated runs" in shown
        assert "Repeated runs" not in render()
        assert "SD of runs" in shown or "SD of runs".replace(" ", "~") in shown


def test_one_run_is_no_repeated_run():
    of = of_texts({"1": RUNS["1"]})
    assert of.result.sections == {}
    assert of.systems["m"]["cer"].counts == evaluate(REFERENCES, {"m": RUNS["1"]}, **OPTIONS).systems["m"]["cer"].counts
    assert of_long(LONG[LONG.run == 2]).result.sections == {}
    assert list(of_texts().sections["runs"]["cer"]) == ["m"]
    with pytest.raises(NoResultError, match=r"section 'runs'.*there is nothing to say"):
        of.sections["runs"]
    with pytest.raises(UnknownNameError, match="unknown section 'run'"):
        of.sections["run"]


def test_crossed_runs_are_decided_by_the_test_that_knows_them():
    crossed = {"runs": "crossed", "deciding_test": "jackknife", "tests": ["wilcoxon", "jackknife"]}
    result = of_texts(statistics={"resamples": 99, **crossed})
    assert result.result.comparisons[0].decided_by == "jackknife"
    assert "|ci:two-way95|" in str(result.signature)


def test_a_test_of_alignments_is_not_made_of_several_runs():
    of = of_texts(statistics={"resamples": 99, "tests": ["mapsswe", "randomisation"]})
    assert "mapsswe" not in of.result.comparisons[0].tests
    assert "mapsswe leaves out m: a system with several runs has no single alignment." in of.warnings


HALF = {**RUNS, "2": [*RUNS["2"][:3], None, None, None]}


def test_a_run_that_failed_half_is_an_error_or_what_the_policy_says():
    with pytest.raises(UndefinedResultError, match=r"system 'm', run 2, has no hypothesis for 3 of 6 segments .*d: no"):
        of_texts(HALF)
    dropped = of_texts(HALF, missing="drop")
    assert (dropped.result.segments, dropped.result.excluded) == (3, 3)
    assert dropped.systems["m"]["cer"].counts["length"] == 3 * len("".join(REFERENCES[:3]))
    assert any("3 segments are left out" in of for of in dropped.warnings)
    empty = of_texts(HALF, missing="empty")
    assert empty.sections["runs"]["cer"]["m"].rates[1] > 0.5
    counted = "m: 3 of 18 hypotheses are missing and count as empty texts (d in run 2, e in run 2, f in run 2)."
    assert counted in empty.warnings
    with pytest.raises(UndefinedResultError, match="in all of its 3 runs: there is nothing to average"):
        of_texts({**HALF, "1": [None, None, None, *RUNS["1"][3:]]}, missing="drop")


def changed(**columns):
    frame = LONG.copy()
    for column, (row, value) in columns.items():
        frame[column] = frame[column].astype(object)
        frame.loc[row, column] = value
    return frame


@pytest.mark.parametrize(
    ("frame", "options", "words"),
    [
        (LONG.drop(index=7), {}, r"segment 'b' has runs 1, 3 instead of 1, 2, 3: every run needs every segment"),
        (changed(run=(7, 3)), {}, r"segment 'b' has run '3' twice, the first time on row 7"),
        (changed(text=(7, "other")), {}, r"'text' of segment 'b' in run '2' is not that of row 1"),
        (changed(page=(7, "p9")), {}, r"'page' of segment 'b' in run '2' is not that of row 1"),
        (
            changed(request=(7, "1-b")),
            {"run": "run", "request": "request"},
            r"request '1-b' was answered on row 1 already: a cache repeated one answer, which is no further run",
        ),
        (LONG, {"segment_id": None}, "several rows of a segment need segment ids"),
    ],
)
def test_runs_that_do_not_belong_together_are_refused_with_their_place(frame, options, words):
    with pytest.raises(InputValueError, match=words):
        of_long(frame, **options)


def test_a_cell_without_a_text_is_a_missing_one_of_that_run():
    with pytest.raises(UndefinedResultError, match="system 'm', run 2, has no hypothesis for 1 of 6"):
        of_long(changed(m=(7, None)))


def test_request_ids_that_are_all_different_are_accepted():
    assert of_long(request="request").systems["m"]["cer"].counts == of_texts().systems["m"]["cer"].counts


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: of_texts({}), InputValueError, r"systems\['m'\] is empty, expected texts of at least one run"),
        (lambda: of_texts({"1": ONE, "2": ONE}), InputValueError, "same texts for runs 1 and 2; give each run once"),
        (lambda: of_texts({"1": ONE, "2": ONE[:3]}), Exception, r"systems\['m'\]\['2'\] has 3"),
        (
            lambda: evaluate_frame(WIDE, systems={"m": ["m1", "m1"]}, **COLUMNS, **OPTIONS),
            InputValueError,
            "same columns for runs 1 and 2",
        ),
        (
            lambda: evaluate_frame(WIDE, systems={"m": []}, **COLUMNS, **OPTIONS),
            InputValueError,
            "is empty, expected columns",
        ),
        (
            lambda: of_long(systems={"m": ["m", "one"]}),
            InputTypeError,
            "run names a column, so that each system has one",
        ),
        (lambda: of_long(run="turn"), UnknownNameError, "'turn'"),
        (lambda: of_long(run=["run"]), InputTypeError, "run is of type list"),
    ],
)
def test_what_is_no_set_of_runs_is_refused(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_an_evaluation_with_runs_survives_pickling():
    import pickle

    of = pickle.loads(pickle.dumps(of_texts()))  # noqa: S301
    assert of.sections["runs"]["cer"]["m"].rates == of_texts().sections["runs"]["cer"]["m"].rates
    assert np.isclose(of.systems["m"]["cer"].rate, np.mean(of.sections["runs"]["cer"]["m"].rates))
