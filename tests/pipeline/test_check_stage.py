"""The stage that comes first: what it refuses, and what it notes of the code that the others run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from misread.data import Table, pin
from misread.errors import ConfigurationError, InputFileError, UnknownNameError
from misread.pipeline import paths
from misread.pipeline.stages import check
from misread.provenance import plugins
from misread.version import __version__

SYSTEMS = {"a": {"_target_": "misread.engines.Recorded"}}
TABLE = {
    "_target_": "misread.data.Table",
    "root": "{data_root}/few",
    "watched": "data/few",
    "file": "few.csv",
    "segment_id": ["id"],
    "reference": "text",
    "recorded": ["a"],
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study whose data lies outside of it and is pinned."""
    monkeypatch.chdir(tmp_path)
    for folder in ("elsewhere/few", "src/study", "conf/programs", "data/few"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "elsewhere/few/few.csv").write_text("id,text,a\n1,one,one\n")
    pin(Table(root="elsewhere/few", file="few.csv", segment_id=["id"], reference="text"), paths.card("few"))
    write(tmp_path)
    return tmp_path


def write(root: Path, *, always: bool = False, **settings: object) -> None:
    content = {"systems": SYSTEMS, "datasets": {"few": TABLE}, "data_root": "elsewhere", "plugins": [], **settings}
    (root / "params.yaml").write_text(yaml.safe_dump(content))
    stage = {"deps": ["conf", "params.yaml", "src/study"], **({"always_changed": True} if always else {})}
    (root / "dvc.yaml").write_text(yaml.safe_dump({"stages": {"check": stage}}))


def noted() -> dict[str, str]:
    return dict(line.split() for line in paths.CHECK.read_text().splitlines())


def test_it_notes_prices_in_a_file_of_their_own(project: Path) -> None:
    check.main()
    assert json.loads(paths.PRICES.read_text()) == {}
    code = paths.CHECK.read_text()
    price = {"usd_per_segment": 0.5, "date": "2026-03-01", "source": "a contract"}
    write(project, prices={"a": price})
    check.main()
    assert json.loads(paths.PRICES.read_text())["a"].items() >= price.items()
    assert paths.CHECK.read_text() == code


def test_it_notes_the_version_and_digests_of_own_code_and_programs(project: Path) -> None:
    check.main()
    before = noted()
    assert list(before) == ["misread", "src/study", "conf/programs"]
    assert before["misread"] == __version__
    (project / "src/study/metrics.py").write_text("A = 1\n")
    (project / "src/study/__pycache__").mkdir()
    (project / "src/study/__pycache__/metrics.pyc").write_text("x")
    check.main()
    changed = {name for name, digest in noted().items() if before[name] != digest}
    assert changed == {"src/study"}
    (project / "conf/programs/ocr.sh").write_text("cat\n")
    check.main()
    assert {name for name, digest in noted().items() if before[name] != digest} == {"src/study", "conf/programs"}


def test_a_cache_changes_nothing(project: Path) -> None:
    check.main()
    before = paths.CHECK.read_bytes()
    (project / "src/study/__pycache__").mkdir()
    (project / "src/study/__pycache__/metrics.cpython-311.pyc").write_text("x")
    check.main()
    assert paths.CHECK.read_bytes() == before


def test_an_installed_plugin_is_noted_where_the_stage_runs_always_and_refused_elsewhere(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "site/lab-1.dist-info").mkdir(parents=True)
    (project / "site/lab.py").write_text("A = 1\n")
    (project / "site/lab-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: lab\nVersion: 1\n")
    (project / "site/lab-1.dist-info/entry_points.txt").write_text("[misread.plugins]\nlab = lab\n")
    monkeypatch.syspath_prepend(project / "site")
    write(project, plugins=["lab"])
    with pytest.raises(
        ConfigurationError, match=r"lab is an installed package, .* `always_changed: true` in the stage"
    ):
        check.main()
    assert not paths.CHECK.exists()
    write(project, plugins=["lab"], always=True)
    check.main()
    before = noted()
    (project / "site/lab.py").write_text("A = 2\n")
    plugins.digest_plugin.cache_clear()
    check.main()
    assert {name for name, digest in noted().items() if before[name] != digest} == {"lab"}
    plugins.digest_plugin.cache_clear()


def test_data_from_outside_that_changed_is_refused(project: Path) -> None:
    (project / "elsewhere/few/few.csv").write_text("id,text,a\n1,one,two\n")
    with pytest.raises(
        InputFileError, match=r"'few' at elsewhere/few is not what data/few/files.sha256 lists: few.csv"
    ):
        check.main()
    # Where it is not at hand, as in a clone, results come from DVC's cache.
    (project / "elsewhere").rename(project / "moved")
    check.main()


def test_pseudonyms_without_the_key_of_those_in_git_are_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, datasets={"few": {**TABLE, "pseudonyms": True}})
    # The first run makes a key.
    check.main()
    assert capsys.readouterr().err == ""
    paths.counts("few", "a").parent.mkdir(parents=True)
    paths.counts("few", "a").write_text("")
    check.main()
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("warning: reports/counts/few has pseudonyms, and there is no .misread/pseudonyms.key here: ")
    paths.PSEUDONYM_KEY.parent.mkdir()
    paths.PSEUDONYM_KEY.write_text("key")
    check.main()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "value",
    [
        "${oc.env:PLANTED}",
        "x${ oc.env :PLANTED,none}",
        "${oc.${of}:PLANTED}",
        "${${of}:PLANTED}",
        "${oc.decode:'x'}",
        ["a", {"b": "${seed} ${oc.env:PLANTED}"}],
        {"${oc.env:PLANTED}": 1},
    ],
)
@pytest.mark.parametrize("name", ["config.yaml", "datasets/few.yaml"])
def test_an_experiment_of_a_configuration_with_values_from_outside_is_refused(project, monkeypatch, value, name):
    monkeypatch.setenv("DVC_EXP_NAME", "one")
    monkeypatch.setenv("PLANTED", "sk-5ecret")
    (project / "conf/datasets").mkdir()
    (project / "conf/config.yaml").write_text("seed: 1\nids: ${oc.dict.keys:systems}\n")
    check.main()
    (project / "conf" / name).write_text(yaml.safe_dump({"provenance": value}))
    with pytest.raises(ConfigurationError, match=f"conf/{name} has .* is from outside of conf/") as caught:
        check.main()
    assert "sk-5ecret" not in str(caught.value)


def test_a_section_that_nobody_reads_is_refused(project):
    write(project, data_note="x")
    with pytest.raises(UnknownNameError, match="unknown section 'data_note'"):
        check.main()
