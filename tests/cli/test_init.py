"""`misread init`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import yaml
from tests.frame_logs import LOGS, harness_log

from misread.data import CountsSettings
from misread.io import write_record
from misread.io.json_files import dump_json
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.sockets import read_comparison
from misread.storage import read_segments, read_timings
from misread.study.template import RECORD
from misread.tables import explain_verdict
from misread.version import __version__

pytestmark = pytest.mark.slow

OPTIONS = ("--segment-id", "id", "--ref", "text", "--cluster", "page", "--hyp", "a=a", "--hyp", "b=b")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder in which DVC is set up already, so that no program has to do it."""
    (tmp_path / ".dvc").mkdir()
    (tmp_path / ".dvc/config").write_text("[hydra]\n    enabled = True\n")
    return tmp_path


def test_a_table_becomes_a_study_that_is_composed_and_checked(misread, project, write_table):
    done = misread("init", "--table", write_table(), *OPTIONS, "--groups", "side", ".")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith("lines: 4 segments in 3 clusters (page), read by a, b")
    assert [line[6:].split("  ")[0] for line in lines[-3:]] == [
        "dvc repro",
        "git add -A && git commit -m Results",
        "misread diff",
    ]
    assert "wrote 17 files in .: README.md says what they are" in lines
    params = load_params()
    assert params.systems == ["a", "b"]
    table = params.dataset("lines").segments()
    assert table.references[0] == "the quick brown fox"
    assert (table.cluster_name, list(table.groups)) == ("page", ["side"])
    assert misread("compose", "--check").status == 0
    for name in ("dvc.yaml", "stages/captures/dvc.yaml", "Makefile", "README.md", ".gitignore", ".dvcignore"):
        assert (project / name).is_file()
    assert (project / ".git").is_dir()


def test_a_table_with_a_row_per_system_and_run_becomes_a_study(misread, project, write_table):
    rows = [
        {"line": key, "text": f"text {key}", "model": model, "turn": run, "read": f"{model} {key} {run}"}
        | {"s": run / 2, "usd": run / 4, "out": 7}
        for key in "xyz"
        for model, run in (("Org/Big", 1), ("Org/Big", 2), ("small", 1))
    ]
    table = write_table("jsonl", rows)
    columns = "system=model,run=turn,measured={latency_seconds:s,usd:usd,output_tokens:out}"
    options = ("--segment-id", "line", "--ref", "text", "--hyp", "read")
    done = misread("init", "--table", f"{table}({columns})", *options, ".")
    assert (done.status, done.out.splitlines()[0]) == (0, "lines: 3 segments, read by org_big, small")
    params = load_params()
    hypotheses = params.dataset("lines").segments().hypotheses
    assert hypotheses["Org/Big.2"] == ["Org/Big x 2", "Org/Big y 2", "Org/Big z 2"]
    assert list(hypotheses) == ["Org/Big.1", "Org/Big.2", "small.1"]
    assert [params.capture_settings(system).runs for system in params.systems] == [2, 1]
    assert params.engine("org_big").output(2) == "Org/Big.2"
    assert misread("stage", "segments", "lines").status == 0
    assert misread("stage", "capture", "lines", "org_big").status == 0
    timings = read_timings(paths.timings("lines", "org_big"))
    assert timings.latency_seconds.tolist() == [0.5, 0.5, 0.5, 1.0, 1.0, 1.0]
    assert np.isnan(timings.attempts).all()
    assert timings.output_tokens.tolist() == [7] * 6
    assert timings.usd.tolist() == [0.25, 0.25, 0.25, 0.5, 0.5, 0.5]


def test_what_a_row_took_is_of_rows_with_one_system_each(misread, project, write_table):
    done = misread("init", "--table", f"{write_table()}(measured={{usd:usd}})", *OPTIONS, ".")
    needed = "--table 'FILE(measured=COLUMN)' needs --table 'FILE(system=COLUMN)'"
    assert done.err == f"error: {needed}: it is about rows with one system each.\n"


def test_logs_become_a_study_with_the_verdict_of_score(misread, project):
    done = misread("init", LOGS / "large.eval", LOGS / "small.eval", "--cluster", "box")
    first = "cards: 12 segments in 4 clusters (box), read by mockllm_large, mockllm_small"
    assert (done.status, done.err, done.out.splitlines()[0]) == (0, "", first)
    params = load_params()
    assert [params.capture_settings(system).runs for system in params.systems] == [2, 2]
    for system in params.systems:
        assert (project / f"data/cards/{system}/{system.removeprefix('mockllm_')}.eval").is_file()
    stages = [("capture", "cards", system) for system in params.systems]
    stages = [("segments", "cards"), *stages, *((stage, "cards") for stage in ("normalize", "score", "compare"))]
    for stage in stages:
        assert misread("stage", *stage).status == 0
    stored = read_comparison(paths.comparison("cards"))
    scored = misread("score", LOGS / "large.eval", LOGS / "small.eval", "--cluster", "box", "--output", "json").json
    for system, name in zip(params.systems, scored["systems"], strict=True):
        expected = scored["systems"][name]["recorded_exact"]
        rate = json.loads(dump_json(stored.systems[system]["recorded_exact"]))
        assert rate | {"signature": ""} == expected | {"signature": ""}
    (pair,), (expected,) = stored.comparisons, scored["comparisons"]
    named = {"baseline": expected["baseline"], "system": expected["system"], "verdict_reason": explain_verdict(pair)}
    assert json.loads(dump_json(pair)) | named == expected
    timings = read_timings(paths.timings("cards", "mockllm_large"))
    assert np.nansum(timings.output_tokens) == 156


def test_all_kinds_of_scores_are_metrics_and_logs_may_be_named(misread, project):
    done = misread("init", "--hyp", f"Before it={LOGS / 'graded.eval'}", "--groups", "box")
    assert (done.status, done.out.splitlines()[0]) == (0, "cards: 12 segments, read by before_it")
    settings = yaml.safe_load((project / "conf/config.yaml").read_text())
    assert settings["metrics"] == {
        f"recorded_{name}": f"recorded(scorer={name})" for name in ("exact", "graded", "likeness")
    }
    assert {"metrics": []} in settings["defaults"]
    dataset = yaml.safe_load((project / "conf/datasets/cards.yaml").read_text())["datasets"]["cards"]
    assert (dataset["recorded"], dataset["groups"]) == ({"before_it": "before_it/graded.eval"}, ["box"])


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ((LOGS / "large.eval", "gone.eval"), "gone.eval"),
        ((LOGS / "write_logs.py",), "write_logs.py is the reference; give the file of at least one system after it."),
        ((LOGS / "large.eval", "--segment-id", "id", "."), "--segment-id goes with --table or files, not with logs."),
        ((LOGS / "large.eval", "--preset", "das22", "."), "--preset and logs do not go together"),
    ],
)
def test_what_makes_no_study_of_logs_is_refused_and_nothing_is_written(misread, project, arguments, refusal):
    done = misread("init", *arguments)
    assert done.status != 0
    assert refusal in " ".join(done.err.split())
    assert not (project / "conf").exists()


def test_of_logs_without_pairs_no_pairing_is_looked_for(misread, project):
    # Half of the letters fit another question as well.
    rows = [json.loads(line) for line in harness_log("large", "choose_place").read_text().splitlines()]
    for row, other in zip(rows, [*rows[1:], rows[0]], strict=True):
        row["target"] = other["target"]
    (project / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = misread("init", "log.jsonl")
    assert (done.status, done.err) == (0, "")


PANGRAMS = [
    *("the quick brown fox", "jumps over a lazy dog", "pack my box with jugs", "how vexingly quick daft"),
    *("sphinx of black quartz", "judge my solemn vow", "five boxing wizards", "bright vixens jump"),
]
SHIFTED = [*PANGRAMS[1:], PANGRAMS[0]]


def shifted_rows():
    return [
        {"id": f"l{row}", "text": text, "page": "p", "a": text, "b": other}
        for row, (text, other) in enumerate(zip(PANGRAMS, SHIFTED, strict=True))
    ]


def test_outputs_that_fit_other_references_are_told_before_the_study_runs(misread, project, write_table):
    done = misread("init", "--table", write_table("jsonl", shifted_rows()), *OPTIONS, ".")
    assert done.status == 0
    assert "b: 7 of 8 outputs may be paired with wrong references. They are shifted by 1 segment from l0 on" in done.err


def test_outputs_in_folders_that_fit_other_references_are_told_too(misread, project):
    for folder, texts in (("truth", PANGRAMS), ("ocr", SHIFTED)):
        (project / "lines" / folder).mkdir(parents=True)
        for row, text in enumerate(texts):
            (project / "lines" / folder / f"l{row}.txt").write_text(text)
    done = misread("init", "--folder", "lines", "--ref", "truth", "--hyp", "one=ocr")
    assert done.status == 0
    assert "lines, one: 7 of 8 outputs may be paired with wrong references. They are shifted by 1 segment" in done.err
    assert "datasets.lines.pairing: as-given" in done.err


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ((), CountsSettings()),
        (("--counts", "git"), CountsSettings()),
        (("--counts", "cache"), CountsSettings(counts="cache")),
        (("--pseudonyms",), CountsSettings(pseudonyms=True)),
        (("--counts", "cache", "--pseudonyms"), CountsSettings(counts="cache", pseudonyms=True)),
    ],
)
def test_what_is_committed_of_counts_is_chosen_without_a_terminal(misread, project, write_table, options, settings):
    assert misread("init", "--table", write_table(), *OPTIONS, *options, ".").status == 0
    assert load_params().counts_settings("lines") == settings
    assert load_params().dataset("lines").segments().references[0] == "the quick brown fox"
    written = (project / "conf/datasets/lines.yaml").read_text()
    assert ("counts:" in written, "pseudonyms:" in written) == (settings.counts != "git", settings.pseudonyms)
    assert "/.misread/pseudonyms.key" in (project / ".gitignore").read_text().splitlines()


def test_stages_run_in_a_study_with_the_package_alone(misread, project, write_table):
    misread("init", "--table", write_table(), *OPTIONS)
    assert misread("stage", "check").status == 0
    noted = [line.split() for line in (project / "build/check.txt").read_text().splitlines()]
    assert [name for name, _ in noted] == ["misread", "src/study", "conf/programs"]
    assert noted[0][1] == __version__
    assert misread("stage", "segments", "lines").status == 0


def test_folders_of_texts_become_a_study(misread, project):
    for folder in ("truth", "ocr/one"):
        (project / "pages" / folder).mkdir(parents=True)
        for name in ("p1_a", "p1_b", "p2_a"):
            (project / "pages" / folder / f"{name}.txt").write_text(f"text of {name}")
    done = misread("init", "--folder", "pages", "--ref", "truth", "--hyp", "one=ocr/one", "--cluster", "^([^_]+)_")
    assert (done.status, done.err) == (0, "")
    assert "pages stays where it is; commit it, since `dvc repro` checks its files" in done.out
    assert misread("stage", "segments", "pages").status == 0
    (project / "pages/truth/p1_a.txt").write_text("another text")
    assert misread("stage", "segments", "pages").status == 0
    table, _ = read_segments(project / "build/segments/pages.parquet", data_root="..")
    assert table.references[0] == "another text"


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (("--table", "lines.csv", "--preset", "das22"), "--table and --preset do not go together"),
        (("--table", "lines.csv", "--hyp", "a=a"), "--table needs --segment-id and --ref as well"),
        (("--folder", "pages", "--ref", "truth"), "--folder needs --hyp as well"),
        (("--folder", "pages", "--segment-id", "id"), "--segment-id goes with --table or files, not with --folder."),
        (("--preset", "das22", "--ref", "x"), "--ref goes with --table, --folder or files, not with --preset."),
        (("--groups", "side"), "--groups goes with --table, logs or files."),
        (("--preset", "das22", "--pseudonyms"), "--pseudonyms goes with --table, --folder, logs or files, not with"),
        (("--counts", "cache"), "--counts goes with --table, --folder, logs or files."),
        (("--folder", "nowhere"), "--folder: there is no folder nowhere."),
        (("--table", "nowhere.csv", *OPTIONS), "there is no file nowhere.csv."),
        (("--table", "lines.csv", *OPTIONS, "--hyp", "c=d"), "unknown column 'd' in lines.csv."),
        (("--table", "lines.csv", *OPTIONS, "--hyp", "c"), "--hyp 'c': expected NAME=COLUMN"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line_and_writes_nothing(misread, project, write_table, arguments, refusal):
    write_table()
    before = sorted(project.rglob("*"))
    done = misread("init", *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"error: {refusal}")
    assert sorted(project.rglob("*")) == before


@pytest.mark.parametrize(
    ("folder", "command"),
    [("my study 100%", "cd 'my study 100%'"), ("a;$(x)", "cd 'a;$(x)'"), ("-x", "cd ./-x"), ("plain", "cd plain")],
)
def test_the_next_command_can_be_pasted_into_a_shell(misread, tmp_path, folder, command):
    (tmp_path / folder / ".dvc").mkdir(parents=True)
    (tmp_path / folder / ".dvc/config").write_text("[hydra]\n    enabled = True\n")
    done = misread("init", "--", folder)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[-4] == f"next: {command}"


@pytest.mark.parametrize(
    "arguments",
    [
        ("x\udcff",),
        ("--folder", "x\udcff"),
        ("--folder", "scans"),
        ("--folder", "link"),
        ("--table", "lines.csv", *OPTIONS, "--hyp", "x\udcff=a"),
        ("--table", "x\udcff.parquet", *OPTIONS),
    ],
)
def test_names_that_are_not_utf8_are_refused_in_one_line(misread, project, write_table, arguments):
    write_table()
    for folder in ("scans", "x\udcff"):
        (project / folder).mkdir()
        (project / folder / "y\udcff.png").write_bytes(b"")
        (project / folder / "y\udcff.gt.txt").write_text("a line")
    (project / "link").symlink_to("x\udcff")
    before = sorted(project.rglob("*"))
    done = misread("init", *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert "is not UTF-8, in which names are written; rename it." in done.err
    assert sorted(project.rglob("*")) == before


def test_uncommitted_changes_are_named_and_stay(misread, project, monkeypatch):
    (project / "notes.txt").write_text("mine")
    monkeypatch.setattr("misread.study.repository.list_uncommitted", lambda root: ["notes.txt"])
    done = misread("init")
    assert done.status == 0
    assert "left uncommitted changes as they are: notes.txt\n" in done.out
    assert load_params().datasets == ["lines"]
    assert (project / "notes.txt").read_text() == "mine"


def unstamped(record):
    """What a record holds, without what its file says of itself."""
    return {name: value for name, value in record.items() if name not in {"kind", "format", "crc32"}}


def test_an_older_misread_says_which_version_the_study_needs(misread, project):
    misread("init")
    record = json.loads((project / RECORD).read_text())
    write_record(project / RECORD, {**unstamped(record), "misread": "99.1"}, kind="study")
    for command in (("stage", "check"), ("compose",)):
        done = misread(*command)
        assert (done.status, done.err) == (
            1,
            f"error: this study was written by misread 99.1 (.misread/study.json), and {__version__} is installed: "
            "pip install 'misread[pipeline]>=99.1'.\n",
        )


def test_the_engines_of_images_are_those_that_are_installed(misread, project, repository, monkeypatch):
    (project / "scans").mkdir()
    (project / "scans/a.png").write_bytes(next((repository / "data/rendered_lines/images").glob("*.png")).read_bytes())
    (project / "scans/a.gt.txt").write_text("a line")
    monkeypatch.setattr("misread.cli.init.find_spec", lambda name: None)
    done = misread("init", "--folder", "scans")
    assert done.err == ("error: no engine is installed that could read images: pip install 'misread[tesseract]'.\n")
    monkeypatch.setattr("misread.cli.init.installed_engines", lambda: ["tesseract"])
    assert misread("init", "--folder", "scans").status == 0
    assert yaml.safe_load((project / "params.yaml").read_text())["system_ids"] == ["tesseract"]


def test_a_file_in_the_place_of_the_folder_is_named(misread, tmp_path):
    (tmp_path / "t.csv").write_text("id,ref,a\n1,x,y\n")
    (tmp_path / "file").touch()
    table = ("init", "--table", "t.csv", "--segment-id", "id", "--ref", "ref", "--hyp", "a=a")
    assert misread(*table, "file").err == "error: file is a file; name a folder for the study, or leave out --table.\n"
    assert misread(*table, "file/below").err.endswith("file is a file; name a folder.\n")
