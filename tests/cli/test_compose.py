import shutil

import pytest
import yaml

pytestmark = pytest.mark.slow


@pytest.fixture
def project(tmp_path, repository):
    """Copy of the configuration in the working folder."""
    shutil.copytree(repository / "conf", tmp_path / "conf")
    return tmp_path


def test_it_writes_what_is_committed(misread, project, repository):
    done = misread("compose")
    assert (done.status, done.out) == (0, "wrote params.yaml\n")
    assert (project / "params.yaml").read_bytes() == (repository / "params.yaml").read_bytes()


def test_a_file_of_the_study_comes_before_that_of_the_package(misread, project, repository):
    own = project / "conf" / "executor"
    (own / "local.yaml").write_text("_target_: misread.execution.Local\nworkers: 7\n", encoding="utf-8")
    misread("compose")
    committed = (repository / "params.yaml").read_text(encoding="utf-8")
    assert (project / "params.yaml").read_text(encoding="utf-8") == committed.replace("workers: 2", "workers: 7")


def test_overrides_are_applied(misread, project):
    misread("compose", "+experiment=das22")
    assert "baseline: tesseract4\n" in (project / "params.yaml").read_text(encoding="utf-8")


def test_overrides_are_recorded_and_it_is_said_where_they_are_dropped(misread, project):
    done = misread("compose", "systems=[tesseract]", "normalizer={name: x, steps: [lower_case]}")
    assert done.out.splitlines() == [
        "wrote params.yaml",
        "note: `dvc exp run -S` composes conf/ again without the overrides systems=[tesseract], "
        "normalizer={name: x, steps: [lower_case]}; give them again "
        "(dvc exp run -S 'systems=[tesseract]' -S 'normalizer={name: x, steps: [lower_case]}'), "
        "or set them in conf/config.yaml.",
    ]
    first, rest = (project / "params.yaml").read_text(encoding="utf-8").split("\n", 1)
    assert first == '# misread compose: ["systems=[tesseract]", "normalizer={name: x, steps: [lower_case]}"]'
    assert rest.startswith("systems:")


@pytest.mark.usefixtures("project")
def test_check_takes_the_recorded_overrides(misread):
    misread("compose", "systems=[tesseract]", "normalizer=lower")
    done = misread("compose", "--check")
    assert (done.status, done.out) == (0, "params.yaml is what conf/ composes to with its overrides\n")
    assert misread("compose", "--check", "systems=[tesseract]", "normalizer=lower").status == 0
    assert misread("compose", "--check", "systems=[tesseract]").status == 1


def test_a_check_that_fails_gives_the_command_with_its_overrides(misread, project):
    misread("compose", "systems=[tesseract]", "normalizer=lower")
    path = project / "params.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("seed: 1", "seed: 2"), encoding="utf-8")
    done = misread("compose", "--check")
    assert (done.status, done.out) == (1, "")
    assert "run `misread compose 'systems=[tesseract]' normalizer=lower`." in done.err


@pytest.mark.parametrize("record", ["[", "{}", "[1]", '"a"'])
def test_a_record_edited_by_hand_is_refused(misread, project, repository, record):
    path = project / "params.yaml"
    committed = (repository / "params.yaml").read_text(encoding="utf-8")
    path.write_text(f"# misread compose: {record}\n{committed}", encoding="utf-8")
    done = misread("compose", "--check")
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert "params.yaml, line 1: expected a JSON list of overrides" in done.err
    assert misread("compose").status == 0


@pytest.mark.usefixtures("project")
def test_composing_without_overrides_drops_the_record(misread):
    misread("compose", "normalizer=lower")
    misread("compose")
    done = misread("compose", "--check")
    assert (done.status, done.out) == (0, "params.yaml is what conf/ composes to\n")


@pytest.mark.parametrize(
    ("overrides", "metrics"),
    [
        (["metrics=ocr"], {"cer": "cer", "wer": "wer", "cer_raw": "cer_raw", "wer_raw": "wer_raw"}),
        (["metrics=entities"], {"entity_error_rate": "entity_error_rate"}),
        (
            ["metrics=[sclite,entities]"],
            {"wer": "wer(alignment=sclite)", "ser": "ser", "entity_error_rate": "entity_error_rate"},
        ),
        (["metrics=sclite", "+metrics.ger=ger"], {"wer": "wer(alignment=sclite)", "ser": "ser", "ger": "ger"}),
        (["~metrics.wer"], {"cer": "cer", "cer_raw": "cer_raw", "wer_raw": "wer_raw"}),
        (["metrics=[]", "+metrics.wer='wer(alignment=sclite)'"], {"wer": "wer(alignment=sclite)"}),
        (
            ["metrics=[]", "+metrics.fields='field_f1(rules={total:{compare:number}})'"],
            {"fields": "field_f1(rules={total:{compare:number}})"},
        ),
        (["metrics=sclite", "metrics.wer=wer"], {"wer": "wer", "ser": "ser"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_metrics_are_chosen_as_sets_and_one_by_one(misread, project, overrides, metrics):
    done = misread("compose", *overrides)
    assert (done.status, done.err) == (0, "")
    content = yaml.safe_load((project / "params.yaml").read_text())
    # In order, which is that of the tables.
    assert list(content["metrics"].items()) == list(metrics.items())
    assert content["report"]["metrics"] == list(metrics)


@pytest.mark.parametrize("normalizer", ["lower", "{name: letters, steps: [unwrap_code_fence, lower_case]}"])
@pytest.mark.usefixtures("project")
def test_a_normalizer_is_a_name_or_its_own_name_and_steps(misread, normalizer):
    done = misread("compose", f"normalizer={normalizer}", "ablation.normalizers=[none,'${normalizer}']")
    assert (done.status, done.err) == (0, "")


@pytest.mark.usefixtures("project")
def test_check_passes_on_what_was_composed(misread):
    misread("compose")
    done = misread("compose", "--check")
    assert (done.status, done.err) == (0, "")


@pytest.mark.usefixtures("project")
def test_a_plugin_that_is_not_installed_is_named(misread):
    done = misread("compose", "plugins=[lab]")
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert done.err.startswith("error: unknown plug-in 'lab'")


OWN_METRIC = ["plugins=[study]", "metrics=[]", "+metrics.own='study.metrics.Own(unit=char)'"]


@pytest.mark.parametrize(
    ("code", "refusal"),
    [
        (
            "import numpy\n\n1 / 0\n",
            "plug-in study cannot be imported: {path}, line 3: ZeroDivisionError: division",
        ),
        ("class Own(:\n", "plug-in study cannot be imported: {path}, line 1: SyntaxError: "),
        ("import os\nos.chdir('/')\n", "plug-in study changes the working directory ("),
        ("exit()\n", "plug-in study cannot be imported: {path}, line 1: it ends the process (status None)."),
        ("class Other: ...\n", "conf: metrics.own: 'study.metrics.Own' is not a class of study."),
    ],
)
def test_a_module_of_the_study_that_cannot_be_used_is_named_in_one_line(misread, project, code, refusal):
    path = project / "src" / "study" / "metrics.py"
    path.parent.mkdir(parents=True)
    path.write_text(code, encoding="utf-8")
    done = misread("compose", *OWN_METRIC)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"error: {refusal.format(path=path)}")
    assert not (project / "params.yaml").exists()


@pytest.mark.parametrize("name", ["study", "own_study"])
def test_a_module_outside_of_the_folder_that_dvc_looks_at_is_refused(misread, project, name):
    (project / name).mkdir()
    (project / name / "metrics.py").write_text("", encoding="utf-8")
    done = misread("compose", f"plugins=[{name}]")
    remedy = (
        "`misread init --upgrade` moves it to src/study/"
        if name == "study"
        else "move it into src/study/, call it study.own_study, and set plugins: [study]"
    )
    assert (done.status, done.err) == (
        1,
        f"error: conf: plugins names {name}, a change of which no stage would see; {remedy}.\n",
    )


def test_a_file_of_a_metric_outside_of_that_folder_is_refused(misread, project):
    (project / "src/study").mkdir(parents=True)
    for path in ("rules.yaml", "src/study/rules.yaml"):
        (project / path).write_text("total: {compare: number}\n", encoding="utf-8")
    assert misread("compose", "+metrics.fields='field_f1(rules=src/study/rules.yaml)'").err == ""
    done = misread("compose", "+metrics.fields='field_f1(rules=rules.yaml)'")
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert "rules.yaml, a change of which no stage would see; move it into src/study/" in done.err


def test_a_data_set_without_a_folder_to_look_at_says_which(misread, project):
    path = project / "conf/datasets/lines.yaml"
    path.parent.mkdir(exist_ok=True, parents=True)
    table = "_target_: misread.data.Table, root: scans, file: a.csv, segment_id: [id], reference: text, recorded: [one]"
    path.write_text(f"# @package _global_\ndatasets: {{lines: {{{table}}}}}\n", encoding="utf-8")
    one = "systems={one: {_target_: misread.engines.Recorded, name: one}}"
    done = misread("compose", "datasets=[lines]", "systems=[]", f"+{one}")
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert (
        "datasets.lines.watched is None, expected the folder in which DVC looks for changes of the data: " in done.err
    )
    assert "`watched: scans` or, with the list that `misread pin` writes, `watched: data/lines`" in done.err
