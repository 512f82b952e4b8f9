from types import SimpleNamespace

import pytest

from misread.data import Table, pin
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.pipeline.stages import report


@pytest.fixture
def pinned(tmp_path, monkeypatch, write_results):
    """A project with results of a data set that lies beside it; gives the file of the data set."""
    monkeypatch.chdir(tmp_path)
    table = {"_target_": "misread.data.Table", "root": "{data_root}/few", "file": "few.csv"}
    table |= {"segment_id": ["id"], "reference": "text"}
    write_results(tmp_path, params={"datasets": {"lines": table}, "data_root": "elsewhere", "seed": 1})
    (tmp_path / "elsewhere/few").mkdir(parents=True)
    path = tmp_path / "elsewhere/few/few.csv"
    path.write_text("id,text\n1,a\n", encoding="utf-8")
    pin(Table(root="elsewhere/few", file="few.csv", segment_id=["id"], reference="text"), paths.card("lines"))
    return path


def test_a_change_is_told_with_the_folder_that_the_setting_stands_for(pinned):
    assert load_params().data_changes("lines") == ""
    pinned.write_text("id,text\n1,b\n", encoding="utf-8")
    said = load_params().data_changes("lines")
    assert said.startswith(
        "data set 'lines' at elsewhere/few is not what data/lines/files.sha256 lists: few.csv missing"
    )
    assert said.endswith("accept them with `misread pin lines` and commit the list.")


def test_the_report_warns_of_data_that_is_not_what_its_results_come_from(pinned, monkeypatch, capsys):
    for name in ("read_results", "write_report", "write_page", "_write_counts"):
        monkeypatch.setattr(report, name, lambda *arguments: None)
    monkeypatch.setattr(report, "ReportInput", lambda *arguments: SimpleNamespace(datasets=[]))
    monkeypatch.setattr(report, "STAGE_RESULTS", {})
    report.main()
    assert capsys.readouterr().err == ""
    pinned.write_text("id,text\n1,b\n", encoding="utf-8")
    report.main()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("warning: data set 'lines' at elsewhere/few is not what")
    assert line.endswith("The results are those of the listed files; the page shows those that are there.")


def test_data_that_is_not_at_hand_is_no_matter_of_the_report(pinned, monkeypatch, capsys):
    pinned.parent.rename("moved")
    assert load_params().data_changes("lines") == ""
