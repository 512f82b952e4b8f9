"""Readings of the capture stage: made again, or found in the journal."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

from misread.data import PairingSettings, Slice, Table, read_pinned
from misread.data.segment_table import Origin, Source
from misread.engines import CaptureSettings, Recorded, describe_capture
from misread.execution import Local
from misread.pipeline import paths
from misread.pipeline.stages import capture, segments
from misread.storage import read_capture, read_segments, read_timings, write_segments


@dataclass
class Paid:
    """An engine that counts what it is asked to read."""

    revision: int = 1
    read_so_far: list[str] = field(default_factory=list)
    reads: frozenset[str] = frozenset({"line_image"})
    concurrency: int = 1

    def versions(self) -> dict[str, str]:
        return {"paid": "1.0"}

    def open(self) -> Paid:
        return self

    def read(self, source: Source) -> str:
        self.read_so_far.append(source.segment_id)
        return f"read {len(self.read_so_far)}"

    def close(self) -> None:
        pass


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Run the stage on two lines; give what the engine read."""
    (tmp_path / "data/few").mkdir(parents=True)
    for name in "ab":
        (tmp_path / f"data/few/{name}.png").write_text(name)
    (tmp_path / "data/few/lines.csv").write_text("id,text,upper,image\na,one,ONE,a.png\nb,two,TWO,b.png\n")
    monkeypatch.chdir(tmp_path)

    def run(engine: Paid, *, reference: str = "text", plugin: str = "", recorded: Sequence[str] = ()) -> list[str]:
        dataset = Table(
            root="data/few",
            file="lines.csv",
            segment_id=["id"],
            reference=reference,
            media="image",
            recorded=list(recorded),
        )
        params = SimpleNamespace(
            dataset=lambda _: dataset,
            slice=lambda _: Slice(),
            pairing=lambda _: PairingSettings(),
            engine=lambda _: engine,
            system_settings=lambda _: {"_target_": "lab.Paid"},
            capture_settings=lambda _: CaptureSettings(),
            executor=lambda: Local(1),
            entries=lambda *_, **__: {},
            data_root="..",
            dataset_folder=lambda _: "data/few",
            watched=lambda _: Path("data/few"),
        )
        for stage in (segments, capture):
            monkeypatch.setattr(stage, "load_params", lambda: params)
        monkeypatch.setattr(capture, "describe_plugin", lambda _: plugin)
        segments.main("few")
        capture.main("few", "paid")
        return getattr(engine, "read_so_far", [])

    return run


def test_another_reader_of_the_data_set_is_seen_and_reads_nothing_again(read):
    assert read(Paid()) == ["a", "b"]
    assert read(Paid(), reference="upper") == []
    texts = read_capture(paths.capture("few", "paid")).texts
    assert (list(texts.references), list(texts.hypotheses)) == (["ONE", "TWO"], ["read 1", "read 2"])


def test_an_adapter_of_another_revision_reads_again_though_no_setting_says_so(read):
    read(Paid(revision=1))
    assert read(Paid(revision=2)) == ["a", "b"]


def test_another_content_of_a_plugin_reads_again_and_stands_in_the_capture(read):
    read(Paid(), plugin="lab@0123")
    assert read(Paid(), plugin="lab@4567") == ["a", "b"]
    assert read(Paid(), plugin="lab@4567") == []
    assert read_capture(paths.capture("few", "paid")).origin.engine == {"paid": "1.0", "plugin": "lab@4567"}


def test_what_empty_cells_are_taken_for_goes_from_the_segments_into_the_capture(read, tmp_path):
    Path("data/few/lines.csv").write_text("id,text,image,old\na,one,a.png,\nb,two,b.png,two\n")
    table = Table(
        root="data/few", file="lines.csv", segment_id=["id"], reference="text", recorded=["old"], empty="missing"
    ).segments()
    path = tmp_path / "segments.parquet"
    write_segments(path, table, offers=frozenset(), root="data/few", folder=Path("data/few"))
    again, _ = read_segments(path, data_root="")
    assert (again.facts.empty_cells, again.hypotheses["old"]) == ("missing", [None, "two"])
    assert describe_capture(Origin("few", "old"), again).facts.empty_cells == "missing"


class InBrackets(Recorded):
    """Recorded outputs that are read in a way of its own."""

    def open(self):
        return self

    def read(self, source):
        return f"[{source.recorded['upper']}]"

    def close(self):
        pass


@pytest.mark.parametrize(("engine", "texts"), [(Recorded, ["ONE", "TWO"]), (InBrackets, ["[ONE]", "[TWO]"])])
def test_recorded_outputs_are_taken_unless_an_engine_reads_them_otherwise(read, engine, texts):
    read(engine("upper"), recorded=["upper"])
    assert list(read_capture(paths.capture("few", "paid")).texts.hypotheses) == texts
    assert len(read_timings(paths.timings("few", "paid")).latency_seconds) == 0
    assert not paths.journal("few", "paid").exists()


def test_moved_data_gives_the_same_segments_and_another_image_gives_others(read, tmp_path):
    read(Paid())
    before = paths.segments("few").read_bytes()
    shutil.move("data", tmp_path / "elsewhere")
    table = Table(root="elsewhere/few", file="lines.csv", segment_id=["id"], reference="text", media="image")
    folder = "{data_root}/few"
    found = read_pinned("few", table, Path("elsewhere/few"), data_root="elsewhere")
    write_segments(tmp_path / "moved.parquet", found, offers=table.offers, root=folder, folder=Path(table.root))
    moved, offers = read_segments(tmp_path / "moved.parquet", data_root="elsewhere")
    first, _ = read_segments(paths.segments("few"), data_root="")
    assert (moved.digest, offers) == (first.digest, {"line_image"})
    assert moved.media == [Path("elsewhere/few/a.png"), Path("elsewhere/few/b.png")]
    assert moved.media[0].read_text() == "a"
    shutil.move("elsewhere", "data")
    Path("data/few/a.png").write_text("another")
    assert read(Paid()) == ["a"]
    assert paths.segments("few").read_bytes() != before
