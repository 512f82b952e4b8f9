"""`misread capture` on three images, with an engine that reads their widths."""

import pytest
import yaml
from PIL import Image
from tests.engines.stand_ins import Width

from misread.files import read_capture
from misread.pipeline import paths
from misread.pipeline.params import Params


@pytest.fixture
def engine(misread, tmp_path, monkeypatch):
    """The engine of the system `ruler` in a project of three images."""
    (tmp_path / "data/few").mkdir(parents=True)
    rows = ["id,text,image"]
    for width, name in enumerate("abc", start=11):
        Image.new("L", (width, 5), 255).save(tmp_path / f"data/few/{name}.png")
        rows.append(f"{name},{width},{name}.png")
    (tmp_path / "data/few/lines.csv").write_text("\n".join(rows) + "\n")
    table = {"_target_": "misread.datasets.Table", "root": "data/few", "file": "lines.csv", "segment_id": ["id"]}
    content = {
        "systems": {"ruler": {"_target_": "misread.engines.Tesseract", "max_failed": 1}},
        "datasets": {"few": {**table, "reference": "text", "media": "image", "medium": "line_image"}},
        "executor": {"_target_": "misread.engines.Processes"},
        "data_root": "..",
    }
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(content))
    chosen = Width()
    monkeypatch.setattr(Params, "engine", lambda *_: chosen)
    assert misread("stage", "segments", "few").status == 0
    return chosen


def texts():
    return list(read_capture(paths.capture("few", "ruler")).texts.hypotheses)


def test_it_captures_what_the_stage_does(misread, engine):
    assert misread("capture", "few", "ruler").status == 0
    assert (texts(), sorted(engine.done)) == (["11", "12", "13"], ["a", "b", "c"])
    assert misread("stage", "capture", "few", "ruler").status == 0
    assert sorted(engine.done) == ["a", "b", "c"]


def test_a_failure_is_read_again_on_request_alone(misread, engine):
    engine.fails = {"b": ValueError("out of luck")}
    done = misread("capture", "few", "ruler")
    assert "warning: segment 'b' of 'few': out of luck\nwarning: 1 of 3 readings failed" in done.err
    assert (done.status, texts()) == (0, ["11", None, "13"])
    engine.fails, engine.done = {}, []
    assert misread("capture", "few", "ruler").status == 0
    assert (texts(), engine.done) == (["11", None, "13"], [])
    done = misread("capture", "few", "ruler", "--retry-failed")
    assert done.out == "to use it: dvc commit --force captures/dvc.yaml:capture@few-ruler && dvc repro\n"
    assert (texts(), engine.done) == (["11", "12", "13"], ["b"])


def test_more_failures_than_may_be_end_it_with_one_line_and_without_a_capture(misread, engine):
    engine.fails = {name: ValueError(f"no {name}") for name in "ab"}
    done = misread("capture", "few", "ruler")
    assert done.status == 1
    assert done.err.splitlines()[-1] == (
        "error: 2 segments failed, and max_failed of the system is 1: nothing more is read. "
        "The first is segment 'a': no a."
    )
    assert not paths.capture("few", "ruler").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [(("fwe", "ruler"), "unknown dataset 'fwe' in params.yaml. Did you mean 'few'?"), (("few", "x"), "unknown system")],
)
def test_an_unknown_id_offers_those_there_are(misread, engine, given, said):
    done = misread("capture", *given)
    assert (done.status, said in done.err) == (1, True)
