"""A view and a section of the study, by the names that the guide gives them, from params.yaml to the files."""

import re
from pathlib import Path

import pytest

from misread.data.segment_table import Origin, SegmentKeys
from misread.engines.base import Reading
from misread.pipeline import paths
from misread.pipeline.params import Params
from misread.pipeline.stages import compare, normalize, score
from misread.report import DatasetResults, ReportInput, write_report
from misread.sockets import read_comparison
from misread.storage import StoredTexts, write_capture
from misread.tally import ScoredSystem

GUIDE = Path(__file__).resolve().parents[2] / "docs/how-to/code-of-your-own.md"
READ = {"a": ["one", "t", "three"], "b": ["one", "", "tree"]}


@pytest.fixture
def params(tmp_path, monkeypatch):
    """Parameters of a study whose folder has the modules of the guide, and captures of two systems."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(
        r"```python\n# src/study/(views|sections)\.py\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL
    )
    for name, code in blocks:
        (tmp_path / "src/study").mkdir(parents=True, exist_ok=True)
        (tmp_path / "src/study" / f"{name}.py").write_text(code)
    keys = SegmentKeys(["s1", "s2", "s3"], None, {})
    for system, texts in READ.items():
        readings = [Reading(key, text, None, 0.0, None) for key, text in zip(keys.segment_id, texts, strict=True)]
        write_capture(paths.capture("lines", system), Origin("lines", system), keys, ["one", "two", "three"], readings)
    settings = {"_target_": "misread.stats.StatisticsSettings", "seed": 1, "resamples": 99}
    views = ["study.views.Short", "tiny=study.views.Short(longest=0)", "parts(steps=lower_case)"]
    kind = {"_target_": "misread.tables.ReportSettings"}
    report = {**kind, "metrics": ["cer"], "figure_formats": ["png"], "views": views}
    content = {
        "judges": {},
        "metrics": {"cer": "cer"},
        "system_ids": [*READ],
        "normalizer": "none",
        "missing": "error",
        "baseline": None,
        "statistics": {**settings, "sections": ["study.sections.Perfect"]},
        "report": report,
        "crosscheck": {"segments": 0},
        "executor": {"_target_": "misread.execution.Local", "workers": 1},
        "plugins": ["study"],
    }
    made = Params(content, root=tmp_path)
    for stage in (normalize, score, compare):
        monkeypatch.setattr(stage, "load_params", lambda: made)
    return made


@pytest.mark.slow
def test_what_the_guide_writes_is_computed_stored_and_shown(params, tmp_path):
    normalize.main("lines")
    score.main("lines")
    compare.main("lines")
    settings = params.report()
    result = read_comparison(paths.comparison("lines"))
    assert result.sections == {"study.sections.Perfect": 1}
    metrics = params.metrics()
    scored = {name: ScoredSystem(StoredTexts(paths.normalized("lines", name)), metrics, "error", None) for name in READ}
    write_report(ReportInput([DatasetResults(comparison=result, scored=scored)]), settings, tmp_path / "reports")

    def rows(stem):
        lines = (tmp_path / "reports" / "tables" / f"{stem}.csv").read_text(encoding="utf-8").splitlines()
        return [line.removesuffix(",") for line in lines]

    assert rows("lines_short") == ["dataset,system,segment,characters,signature", "lines,a,s2,1", "lines,b,s2,0"]
    assert rows("lines_tiny")[1:] == ["lines,b,s2,0"]
    assert rows("lines_perfect") == ["segments,signature", "1"]
    parts = [row.split(",") for row in rows("lines_parts_lower_case")]
    assert parts[0][:4] == ["dataset", "part", "part_a", "part_b"]
    values = {part: [float(rate) for rate in rates] for _, part, *rates in (row[:4] for row in parts[1:])}
    # "two" is "t" and nothing; "three" is "three" and "tree"; eleven characters.
    assert values["sum"] == pytest.approx([2 / 11, 4 / 11])
    assert values["rest"] == pytest.approx(values["sum"])
    assert "is 18.18 points behind a" in (tmp_path / "reports/tables/lines_parts_lower_case.tex").read_text()
    assert (tmp_path / "reports/figures/lines_parts_lower_case.png").read_bytes().startswith(b"\x89PNG")
