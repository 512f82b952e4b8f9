"""When the capture stage reads again, and when it finds its readings in the journal."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

from misread.datasets import Table
from misread.engines import Threads
from misread.files import read_capture
from misread.pipeline import paths
from misread.records import Source


@dataclass
class Paid:
    """An engine that counts what it is asked to read."""

    revision: int = 1
    read_so_far: list[str] = field(default_factory=list)
    reads: frozenset[str] = frozenset({"line_image"})

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
def capture(tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Run the stage on two lines; give what the engine read."""
    (tmp_path / "data/few").mkdir(parents=True)
    for name in "ab":
        (tmp_path / f"data/few/{name}.png").write_text(name)
    (tmp_path / "data/few/lines.csv").write_text("id,text,upper,image\na,one,ONE,a.png\nb,two,TWO,b.png\n")
    monkeypatch.chdir(tmp_path)
    main = runpy.run_path(str(repository / "stages/capture.py"))["main"]

    def run(engine: Paid, *, reference: str = "text", plugin: str = "") -> list[str]:
        dataset = Table("data/few", "lines.csv", ["id"], reference, media="image")
        params = SimpleNamespace(
            dataset=lambda _: dataset,
            engine=lambda _: engine,
            system_settings=lambda _: {"_target_": "lab.Paid"},
            executor=lambda: Threads(1),
            data_root="..",
        )
        main.__globals__.update(load_params=lambda: params, describe_plugin=lambda _: plugin)
        main("few", "paid")
        return engine.read_so_far

    return run


def test_another_reader_of_the_data_set_is_seen_and_reads_nothing_again(capture):
    assert capture(Paid()) == ["a", "b"]
    assert capture(Paid(), reference="upper") == []
    texts = read_capture(paths.capture("few", "paid")).texts
    assert (list(texts.references), list(texts.hypotheses)) == (["ONE", "TWO"], ["read 1", "read 2"])


def test_an_adapter_of_another_revision_reads_again_though_no_setting_says_so(capture):
    capture(Paid(revision=1))
    assert capture(Paid(revision=2)) == ["a", "b"]


def test_another_content_of_a_plugin_reads_again_and_stands_in_the_capture(capture):
    capture(Paid(), plugin="lab@0123")
    assert capture(Paid(), plugin="lab@4567") == ["a", "b"]
    assert capture(Paid(), plugin="lab@4567") == []
    assert read_capture(paths.capture("few", "paid")).origin.engine == {"paid": "1.0", "plugin": "lab@4567"}
