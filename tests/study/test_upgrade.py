"""A later version of misread: what it writes is merged with what became of the files."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from misread.errors import ConfigurationError, InputFileError
from misread.io.json_files import to_json
from misread.study.content import describe_example
from misread.study.plan import plan_study, write_plan
from misread.study.template import MOVED, RECORD, read_study, render
from misread.study.upgrade import _renamed, plan_upgrade, write_upgrade
from misread.version import __version__

OLD_LINE, NEW_LINE = "    desc: apply the normalizer to references and hypotheses\n", "    desc: normalize\n"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A committed study that an older version wrote, in which a description differed."""
    root = tmp_path / "study"
    (root / ".dvc").mkdir(parents=True)
    (root / ".dvc/config").write_text("[hydra]\n    enabled = True\n")
    write_plan(root, plan_study(root, describe_example()))
    record = read_study(root)
    written = {**record.written, "dvc.yaml": record.written["dvc.yaml"].replace(OLD_LINE, NEW_LINE)}
    assert written != record.written
    (root / "dvc.yaml").write_text(written["dvc.yaml"])
    (root / RECORD).write_bytes(to_json(replace(record, misread="0.0.1", written=written)))
    commit(root)
    return root


def commit(root: Path) -> None:
    subprocess.run(["git", "add", "--all"], cwd=root, check=True)
    subprocess.run(["git", "commit", "--quiet", "-m", "x"], cwd=root, check=True)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_file_that_nobody_edited_becomes_that_of_the_version(study: Path) -> None:
    upgrade = plan_upgrade(study)
    write_upgrade(study, upgrade)
    assert list(upgrade.files) == ["dvc.yaml"]
    assert f"-{NEW_LINE}+{OLD_LINE}" in upgrade.differences["dvc.yaml"] + "\n"
    assert OLD_LINE in (study / "dvc.yaml").read_text()
    assert read_study(study).misread == __version__
    assert not plan_upgrade(study).files


def test_an_edit_elsewhere_in_the_file_is_kept(study: Path) -> None:
    edit(study / "dvc.yaml", "title: error rate by system (micro)", "title: my title")
    commit(study)
    write_upgrade(study, plan_upgrade(study))
    text = (study / "dvc.yaml").read_text()
    assert OLD_LINE in text
    assert "title: my title" in text


def test_an_edit_of_what_the_version_does_not_change_is_kept(study: Path) -> None:
    edit(study / "conf/config.yaml", "seed: 1", "seed: 7")
    write_upgrade(study, plan_upgrade(study))
    assert "seed: 7" in (study / "conf/config.yaml").read_text()


def in_earlier_form(text: str) -> str:
    """conf/config.yaml as a version wrote it that had a list of metrics, and settings beside it."""
    first, last = text.index("# Metrics beside"), text.index("# Who decides")
    return (
        text[:first].replace("  - metrics: [ocr]\n", "  - configured_metrics: []\n")
        + "# Ids of metrics: those of `configured_metrics` or, where it has none of an id, those that are built in.\n"
        + "metrics: [cer, wer, cer_raw, wer_raw]\n\n"
        + "# Metrics with settings of your own, by id. Without a `_target_` it is the built-in metric of that id with "
        + "other settings,\n# such as `wer: {alignment: sclite}`.\nconfigured_metrics: {}\n\n"
        + text[last:]
    )


@pytest.mark.slow
@pytest.mark.parametrize("edited", [False, True])
def test_metrics_of_an_earlier_version_become_names_by_id(study: Path, edited: bool) -> None:
    content = json.loads((study / RECORD).read_text())
    config = in_earlier_form(content["written"]["conf/config.yaml"])
    settings = {name: value for name, value in content["settings"].items() if name != "metric_sets"}
    settings |= {"metrics": ["cer", "wer", "cer_raw", "wer_raw"], "configured_metrics": {}}
    earlier = {"misread": "0.0.1", "settings": settings, "written": {**content["written"], "conf/config.yaml": config}}
    (study / RECORD).write_text(json.dumps(earlier))
    (study / "conf/config.yaml").write_text(config)
    if edited:
        edit(
            study / "conf/config.yaml",
            "metrics: [cer, wer, cer_raw, wer_raw]",
            "# Words as NIST has them.\nmetrics: [wer, own]",
        )
        own = "configured_metrics:\n  wer: {alignment: sclite}\n  own: {_target_: study.metrics.Own, unit: char}"
        edit(study / "conf/config.yaml", "configured_metrics: {}", own)
        edit(study / "conf/config.yaml", "seed: 1", "seed: 7")
    commit(study)
    upgrade = plan_upgrade(study)
    write_upgrade(study, upgrade)
    assert (upgrade.conflicts, upgrade.left) == ([], [])
    text = (study / "conf/config.yaml").read_text()
    made = yaml.safe_load(text)
    assert "configured_metrics" not in text
    assert {"metrics": []} in made["defaults"]
    if edited:
        assert made["metrics"] == {"wer": "wer(alignment=sclite)", "own": "study.metrics.Own(unit=char)"}
        assert made["seed"] == 7
        assert "# Words as NIST has them.\nmetrics: {" in text
    else:
        assert text == render(read_study(study).settings)["conf/config.yaml"]
        assert list(made["metrics"].items()) == [(name, name) for name in ("cer", "wer", "cer_raw", "wer_raw")]
    commit(study)
    assert not plan_upgrade(study).files


def test_an_edit_of_the_same_line_is_kept_and_named_until_it_is_merged(study: Path) -> None:
    edit(study / "dvc.yaml", NEW_LINE, "    desc: mine\n")
    commit(study)
    upgrade = plan_upgrade(study)
    write_upgrade(study, upgrade)
    assert (upgrade.conflicts, upgrade.files) == (["dvc.yaml"], {})
    assert f"+{OLD_LINE}" in upgrade.differences["dvc.yaml"] + "\n"
    assert "    desc: mine\n" in (study / "dvc.yaml").read_text()
    assert read_study(study).misread == "0.0.1"
    edit(study / "dvc.yaml", "    desc: mine\n", OLD_LINE)
    assert plan_upgrade(study).conflicts == []


def test_a_file_that_was_removed_stays_so(study: Path) -> None:
    (study / "Makefile").unlink()
    upgrade = plan_upgrade(study)
    write_upgrade(study, upgrade)
    assert upgrade.left == ["Makefile"]
    assert not (study / "Makefile").exists()


def test_a_file_that_is_not_from_misread_stays_as_it_is(study: Path) -> None:
    record = read_study(study)
    (study / "README.md").write_text("ours\n")
    others = {path: text for path, text in record.written.items() if path != "README.md"}
    (study / RECORD).write_bytes(to_json(replace(record, written=others)))
    for _ in range(2):
        upgrade = plan_upgrade(study)
        assert upgrade.left == ["README.md"]
        commit(study)
        write_upgrade(study, upgrade)
    assert (study / "README.md").read_text() == "ours\n"


def test_a_file_that_is_new_in_the_version_is_written(study: Path) -> None:
    record = read_study(study)
    (study / "Makefile").unlink()
    older = {path: text for path, text in record.written.items() if path != "Makefile"}
    (study / RECORD).write_bytes(to_json(replace(record, written=older)))
    commit(study)
    write_upgrade(study, plan_upgrade(study))
    assert (study / "Makefile").is_file()


def test_folders_that_have_moved_are_moved_with_what_lies_in_them(study: Path) -> None:
    record = read_study(study)
    (study / "src/study/README.md").unlink()
    (study / "src/study/metrics.py").write_text("")
    for old, new in MOVED.items():
        (study / new).mkdir(exist_ok=True, parents=True)
        (study / old).parent.mkdir(exist_ok=True)
        (study / new).rename(study / old)
    edit(study / "captures/dvc.yaml", "../..", "..")
    edit(study / "conf/config.yaml", "plugins: []", "plugins: [study]")
    (study / "captures/dvc.lock").write_text("schema: '2.0'\n")
    (study / "judged/few").mkdir()
    (study / "judged/few/anna.jsonl").write_text("decided\n")
    older = {_renamed(path, {new: old for old, new in MOVED.items()}): text for path, text in record.written.items()}
    older["captures/dvc.yaml"] = (study / "captures/dvc.yaml").read_text()
    del older["study/README.md"]
    (study / RECORD).write_bytes(to_json(replace(record, misread="0.0.1", written=older)))
    commit(study)
    upgrade = plan_upgrade(study)
    write_upgrade(study, upgrade)
    assert "stages/captures/dvc.yaml" in upgrade.files
    assert upgrade.left == upgrade.conflicts == []
    assert "wdir: ../..\n" in (study / "stages/captures/dvc.yaml").read_text()
    assert (study / "stages/captures/dvc.lock").is_file()
    assert (study / "data/judged/few/anna.jsonl").read_text() == "decided\n"
    assert not any((study / old).exists() for old in MOVED)
    assert read_study(study).written.keys() == record.written.keys()
    again = plan_upgrade(study)
    assert (again.moves, again.files) == ({}, {})


def test_changes_that_are_not_committed_are_not_mixed_with_those_of_a_version(study: Path) -> None:
    edit(study / "dvc.yaml", "title: error rate by system (micro)", "title: my title")
    before = (study / "dvc.yaml").read_bytes()
    with pytest.raises(
        ConfigurationError, match=r"dvc\.yaml in .* would be changed, and has changes that are not comm"
    ):
        plan_upgrade(study)
    assert (study / "dvc.yaml").read_bytes() == before


def test_a_folder_that_is_not_a_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"is not a study of misread \(it has no \.misread/study\.json\)"):
        plan_upgrade(tmp_path)


@pytest.mark.parametrize(("version", "is_newer"), [("99.0", True), (__version__, False), ("0.0.9", False)])
def test_a_study_of_a_newer_version_is_refused(study: Path, version: str, is_newer: bool) -> None:
    (study / RECORD).write_bytes(to_json(replace(read_study(study), misread=version)))
    if not is_newer:
        assert read_study(study).misread == version
        return
    refusal = rf"written by misread 99\.0 .* and {__version__} is installed: pip install 'misread\[pipeline\]>=99\.0'"
    with pytest.raises(ConfigurationError, match=refusal):
        read_study(study)


def test_a_record_that_is_none_is_named(study: Path) -> None:
    (study / RECORD).write_text("{}")
    with pytest.raises(InputFileError, match=r"study\.json: .*git checkout HEAD -- \.misread"):
        read_study(study)


@pytest.mark.parametrize("version", ["", "one", "0." + "9" * 5000])
def test_what_is_not_a_version_is_named(study: Path, version: str) -> None:
    (study / RECORD).write_bytes(to_json(replace(read_study(study), misread=version)))
    with pytest.raises(InputFileError, match=r"study\.json: misread is '.*', expected the version that wrote it"):
        read_study(study)


def test_nothing_is_written_through_a_link_to_elsewhere(study: Path, tmp_path: Path) -> None:
    (study / ".misread").rename(tmp_path / "elsewhere")
    (study / ".misread").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigurationError, match=r"\.misread is a link to .*/elsewhere, outside of the study"):
        plan_upgrade(study)
