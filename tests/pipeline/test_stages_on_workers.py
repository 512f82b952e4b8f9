"""Stages in several processes write the files that they write in one, to the byte."""

from functools import partial

import pytest

from misread.execution import Local
from misread.pipeline import system_tasks
from misread.pipeline.params import Params
from misread.pipeline.stages import compare, normalize, score

pytestmark = [pytest.mark.process, pytest.mark.pipeline]

REFERENCES = [f"line {number} of a page with some words" for number in range(23)]
READ = {
    "a": [text.replace("e", "c", number % 3) for number, text in enumerate(REFERENCES)],
    "b": [None if number == 7 else text.upper() for number, text in enumerate(REFERENCES)],
}
WRITTEN = ("normalized", "scores", "comparisons")


@pytest.fixture
def files(tmp_path, monkeypatch, write_results):
    """Contents of what the stages write with an executor; parts are of so many rows."""
    monkeypatch.chdir(tmp_path)
    clusters = [f"p{number // 3}" for number in range(len(REFERENCES))]
    # Nothing is too little to be sent.
    monkeypatch.setattr(system_tasks, "_BYTES_WORTH_WORKERS", 0)
    planners = {stage: stage.plan_parts for stage in (normalize, score)}

    def run(executor, rows):
        statistics = {"_target_": "misread.stats.StatisticsSettings", "seed": 1, "resamples": 199, "interval": "bca"}
        params = {"statistics": statistics, "crosscheck": {"segments": 2}}
        write_results(tmp_path, read=READ, references=REFERENCES, clusters=clusters, params=params)
        monkeypatch.setattr(Params, "executor", lambda _: executor)
        for stage, planner in planners.items():
            monkeypatch.setattr(stage, "plan_parts", partial(planner, most_rows=rows))
        for stage in (normalize, score, compare):
            stage.main("lines")
        return {
            path.relative_to(tmp_path).as_posix(): path.read_bytes()
            for kind in WRITTEN
            for path in sorted((tmp_path / "build" / kind).rglob("*"))
            if path.is_file()
        }

    return run


@pytest.mark.parametrize("processors", [1, 2, 8])
def test_files_are_equal_with_any_number_of_processes_and_rows_of_a_part(files, monkeypatch, processors):
    whole = files(Local(), 1000)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(processors))
    assert files(Local(), 4) == whole
    assert {"build/scores/lines/a/counts.parquet", "build/normalized/lines/b.json"} <= whole.keys()


def test_an_error_of_a_part_is_that_of_the_whole_stage(files, monkeypatch):
    errors = []
    for rows in (1000, 5):
        with monkeypatch.context() as patch:
            patch.setattr(Params, "missing", "error")
            with pytest.raises(Exception, match="line") as caught:
                files(Local(), rows)
        errors.append((caught.type, str(caught.value)))
    assert errors[0] == errors[1]


def test_texts_do_not_come_back_from_processes_that_normalize(tmp_path, files, monkeypatch):
    files(Local(), 1000)
    seen = []
    writer = normalize.write_parts
    monkeypatch.setattr(
        normalize, "write_parts", lambda parts, *rest: writer((seen.append(part) or part for part in parts), *rest)
    )
    normalize.main("lines")
    assert len(seen) == 2
    assert not any(REFERENCES[0] in str(vars(part)) for part in seen)
