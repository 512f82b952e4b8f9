"""Presets on real data: every stage script in order, and what the numbers must be."""

from __future__ import annotations

import contextlib
import csv
import json
import sys
from pathlib import Path

import pytest
from rapidfuzz.distance import Levenshtein

from misread.cli.compose import compose
from misread.pipeline.stages import capture, segments
from misread.storage import read_capture

from .conftest import Project, run_stages

pytestmark = [pytest.mark.pipeline, pytest.mark.process]
# Each process that reads loads an engine's models, which takes longer than a few lines.
ONE_READER = "executor.workers=1"
# No count depends on them.
FEW_RESAMPLES = "statistics.resamples=99"


def run_experiment(project: Project, shared_data: Path, name: str, *overrides: str) -> dict[str, object]:
    """Run all stages of a preset in this process, without DVC; return the comparison of its one data set."""
    with contextlib.chdir(project.root):
        compose(
            [f"+experiment={name}", f"data_root={shared_data}", "report.figure_formats=[]", FEW_RESAMPLES, *overrides]
        )
    run_stages(project.root)
    (result,) = (project.root / "build/comparisons").glob("*.json")
    return json.loads(result.read_text())


def table_of(project: Project, name: str) -> list[dict[str, str]]:
    with (project.root / f"reports/tables/{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_das22_counts_equal_those_of_rapidfuzz(project: Project, shared_data: Path) -> None:
    result = run_experiment(project, shared_data, "das22", ONE_READER)
    with (shared_data / "das22_directories/entries.jsonl").open("rb") as lines:
        entries = [json.loads(line) for line in lines]
    for system in ("pero", "tesseract4", "kraken"):
        errors = sum(Levenshtein.distance(entry["ref"], entry[system]) for entry in entries)
        length = sum(len(entry["ref"]) for entry in entries)
        assert result["systems"][system]["cer_raw"]["counts"]["errors"] == errors
        assert result["systems"][system]["cer_raw"]["counts"]["length"] == length
    assert result["clusters"] == 9
    assert any("below 10 clusters" in warning for warning in result["warnings"])
    assert [row["system"] for row in table_of(project, "das22_cer")] == ["pero", "tesseract4", "kraken"]
    ranks = {(row["regime"], row["average"], row["system"]): row["rank"] for row in table_of(project, "das22_regimes")}
    # Three averages of one regime, and one of five; by rates of characters or words alone or both.
    assert len(ranks) == 8 * 3
    assert {system for (_, _, system), rank in ranks.items() if rank == "1"} == {"pero"}
    assert (project.root / "reports/figures/das22_regimes_characters.svg").is_file()


def test_csrnab_counts_equal_those_of_sclite(project: Project, shared_data: Path) -> None:
    result = run_experiment(project, shared_data, "csrnab")
    wer = result["systems"]["csrnab_recogniser"]["wer"]
    assert [wer["counts"][name] for name in ("hits", "substitutions", "deletions", "insertions")] == [1263, 131, 12, 26]
    assert (wer["counts"]["length"], result["segments"], result["clusters"]) == (1406, 51, 3)
    assert [row["system"] for row in table_of(project, "csrnab_wer")] == ["csrnab_recogniser"]


def test_timeus_shows_how_badly_print_engines_read_handwriting(project: Project, shared_data: Path) -> None:
    result = run_experiment(project, shared_data, "timeus", "+datasets.timeus.limit=12", ONE_READER)
    assert result["segments"] == 12
    assert result["cluster_name"] == "page"
    rates = {system: of["cer"]["micro"] for system, of in result["systems"].items()}
    assert rates.keys() == {"tesseract", "rapidocr"}
    assert all(rate > 0.5 for rate in rates.values())


def test_printed_pages_are_read_but_too_few_for_a_verdict(project: Project, shared_data: Path) -> None:
    # The two shortest of four pages: engines take ten seconds for one of the others.
    pages = "datasets.printed_pages.images=[testing/eurotext.tif,testing/phototest.tif]"
    result = run_experiment(project, shared_data, "printed_pages", pages, ONE_READER)
    assert result["segments"] == 2
    assert result["systems"]["tesseract_page"]["cer"]["micro"] < 0.2
    assert any("no difference can be significant" in warning for warning in result["warnings"])
    assert {pair["verdict"] for pair in result["comparisons"]} == {"inconclusive"}


def test_missing_data_names_the_setting_and_the_source(project: Project) -> None:
    with contextlib.chdir(project.root):
        compose(["+experiment=das22", "data_root=nowhere"])
    done = project.run(sys.executable, "stages/segments.py", "das22", check=False)
    assert done.returncode == 1
    assert "data_root: nowhere" in done.stderr
    assert "soduco/paper-ner-bench-das22" in done.stderr


def test_a_pair_that_does_not_belong_together_is_left_out_and_named(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.chdir(project.root):
        compose(["systems=[tesseract,pero]", "datasets=[rendered_lines,das22]"])
        segments.main("rendered_lines")
        capture.main("rendered_lines", "pero")
    assert "pero is left out of rendered_lines" in capsys.readouterr().err


def test_unreadable_images_are_failed_segments_and_the_others_are_kept(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    images = [project.root / f"data/rendered_lines/images/ships_log-0{number}.png" for number in (1, 2, 3)]
    for image, content in zip(images, (images[0].read_bytes()[:500], b"", b"plain text"), strict=True):
        image.write_bytes(content)
    with contextlib.chdir(project.root):
        compose(["systems=[tesseract]", "+datasets.rendered_lines.limit=12", ONE_READER])
        segments.main("rendered_lines")
        capture.main("rendered_lines", "tesseract")
    read = read_capture(project.root / "build/captures/rendered_lines/tesseract.parquet")
    missing = [row for row, text in enumerate(read.texts.hypotheses) if text is None]
    assert {read.segments.segment_id[row] for row in missing} == {image.stem for image in images}
    for row in missing:
        assert f"{read.segments.segment_id[row]}.png" in (read.reasons[row] or "")
    assert "3 of 12 readings failed" in capsys.readouterr().err
