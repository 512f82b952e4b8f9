import json
import re
import shutil

import pytest
import yaml

from misread.storage.signature_file import write_signature_file
from misread.version import __version__

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
        (["metrics=ocr"], {"cer": "cer", "wer": "wer"}),
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


OWN_METRIC = ["plugins=[study]", "metrics=[]", "+metrics.own='study.metrics.Own(unit=char)'"]


@pytest.mark.parametrize(
    ("code", "refusal"),
    [
        ("import numpy\n\n1 / 0\n", "plug-in study cannot be imported: {path}, line 3: ZeroDivisionError: division"),
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
    assert (done.status, done.err) == (
        1,
        f"error: conf: plugins names {name}, in which no stage would notice a change; move its modules "
        "into src/study/, name them from study on, and set plugins: [study].\n",
    )


def test_a_file_of_a_metric_outside_of_that_folder_is_refused(misread, project):
    (project / "src/study").mkdir(parents=True)
    for path in ("rules.yaml", "src/study/rules.yaml"):
        (project / path).write_text("total: {compare: number}\n", encoding="utf-8")
    assert misread("compose", "+metrics.fields='field_f1(rules=src/study/rules.yaml)'").err == ""
    done = misread("compose", "+metrics.fields='field_f1(rules=rules.yaml)'")
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert "rules.yaml, in which no stage would notice a change; move it into src/study/" in done.err


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


@pytest.mark.parametrize("edited", [None, "seed: 2\n"], ids=["missing", "edited"])
def test_check_fails_and_writes_nothing_when_the_file_is_another(misread, project, edited):
    path = project / "params.yaml"
    if edited:
        path.write_text(edited, encoding="utf-8")
    done = misread("compose", "--check")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("error: params.yaml is not what conf/ composes to")
    assert (path.read_text(encoding="utf-8") if path.exists() else None) == edited


@pytest.mark.parametrize(
    ("override", "reason"),
    [
        ("systems=[nope]", "unknown systems 'nope' in conf. There are: amazon, "),
        ("+experiment=nope", "unknown experiment 'nope' in conf. There are: csrnab, "),
        ("x=[", "conf cannot be composed: no viable alternative"),
        ("foo=1", "conf cannot be composed: Could not override 'foo'"),
        ("statistics=7", "conf cannot be composed: Config group override must be a string or a list"),
        ("seed=${nosuch:1}", "conf cannot be composed: Unsupported interpolation type nosuch"),
        ("metrics=[ocr,entitis]", "unknown metrics 'entitis' in conf. Did you mean 'entities'? There are: answers, "),
        (
            "metrics=[cer,ger]",
            "'ger' is a metric and no set of metrics in conf: '+metrics.ger=ger' adds it. Sets are: ",
        ),
        ("+metrics.ger=gre", "unknown metric 'gre' in conf: metrics.ger. Did you mean 'ger'?"),
        (
            "metrics.ger=ger",
            "conf cannot be composed: Could not override 'metrics.ger'. To append to your config use +",
        ),
        ("~metrics.wr", "conf cannot be composed: Could not delete from config. 'metrics.wr' does not exist."),
        ("+metrics.x=wer(alignment=sclite)", "conf cannot be composed: a name with settings needs quotes of its own"),
        ("+metrics.x='wer(aligment=sclite)'", "unknown setting 'aligment' in conf: metrics.x: wer. Did you mean"),
        ("metrics=[]", "metrics is empty in conf; choose at least one in conf/config.yaml."),
        ("normalizer=lowr", "unknown normalizer 'lowr' in conf: normalizer. Did you mean 'lower'?"),
        ("ablation.normalizers=[none,lowr]", "unknown normalizer 'lowr' in conf: ablation.normalizers[1]."),
        ("plugins=[lab]", "unknown plug-in 'lab'"),
    ],
)
def test_an_override_that_does_not_fit_is_refused_in_one_line(misread, project, override, reason):
    done = misread("compose", override)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"error: {reason}")
    assert not (project / "params.yaml").exists()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"a: [", "config.yaml"),
        (b"caf\xe9: 1", "not valid UTF-8"),
        (b"a: ${nowhere}", "nowhere"),
        (b"a: 1\na: 2", "occurs twice"),
        (b"", "error: conf does not set systems, datasets, "),
    ],
)
def test_a_broken_file_is_refused_in_one_line(misread, project, content, reason):
    (project / "conf" / "config.yaml").write_bytes(content)
    done = misread("compose")
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert reason in done.err
    assert not (project / "params.yaml").exists()


def test_aliases_that_stand_for_billions_of_values_name_the_file(misread, project):
    lists = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    (project / "conf" / "metrics" / "bomb.yaml").write_text("\n".join(["a0: &a0 [x]", *lists]), encoding="utf-8")
    done = misread("compose")
    assert done.status == 1
    assert "bomb.yaml holds more than 100,000 values" in done.err
    assert done.err.count("\n") == 1


def test_a_list_of_metrics_says_how_they_are_written(misread, project):
    config = project / "conf/config.yaml"
    config.write_text(re.sub("(?m)^metrics: .*\n", "metrics: [cer]\n", config.read_text()))
    done = misread("compose")
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert "is a list where entries have ids, as in `metrics: {cer: cer}`; sets are chosen in `defaults`" in done.err
    assert not (project / "params.yaml").exists()


@pytest.mark.usefixtures("project")
def test_check_also_refuses_what_would_fail_later(misread):
    misread("compose")
    done = misread("compose", "--check", "baseline=teseract")
    assert done.status == 1
    assert done.err.startswith("error: unknown system 'teseract' in conf (baseline). Did you mean 'tesseract'?")


def test_outside_a_project_it_says_where_to_go(misread):
    done = misread("compose")
    assert (done.status, done.err) == (
        1,
        "error: there is no conf/config.yaml here; run this in the project's folder.\n",
    )


@pytest.mark.parametrize("where", ["config.yaml", "hydra/callbacks/default.yaml"])
def test_callbacks_of_hydra_do_not_run(misread, project, where):
    callback = {"hit": {"_target_": "pathlib.Path.touch", "self": str(project / "hit")}}
    if where == "config.yaml":
        path = project / "conf/config.yaml"
        path.write_text(path.read_text().replace("\nhydra:\n", f"\nhydra:\n  callbacks: {json.dumps(callback)}\n"))
    else:
        (project / "conf/hydra/callbacks").mkdir(parents=True)
        (project / "conf" / where).write_text(json.dumps(callback))
    misread("compose")
    assert not (project / "hit").exists()


@pytest.mark.parametrize("value", ["${oc.env:PLANTED}", "x${oc.env:PLANTED,none}", "${oc.${of}:PLANTED}"])
def test_no_value_of_the_environment_is_composed(misread, project, monkeypatch, value):
    monkeypatch.setenv("PLANTED", "sk-5ecret")
    path = project / "conf/config.yaml"
    path.write_text(re.sub(r"(?m)^data_root:.*$", f"of: env\ndata_root: '{value}'", path.read_text()))
    done = misread("compose")
    assert done.status == 1
    assert "environment variable PLANTED would stand in params.yaml" in done.err
    assert "sk-5ecret" not in done.out + done.err
    assert not (project / "params.yaml").exists()


def test_a_group_whose_name_no_file_can_have_is_refused(misread, project):
    path = project / "conf/config.yaml"
    path.write_text(path.read_text().replace("defaults:\n", f"defaults:\n  - systems: {'a' * 300}\n", 1))
    done = misread("compose")
    assert done.status == 1
    assert len(done.err.splitlines()) == 1


def test_results_of_another_version_are_told(misread, project):
    tables = project / "reports/tables"
    tables.mkdir(parents=True)
    (tables / "a.csv").write_text("1")
    write_signature_file("a", "cer|unit:char|v:0.0.9", ["a.csv"], tables)
    installed = f"{__version__} is installed; run `dvc repro` to make it again."
    note = f"note: reports/tables is of misread 0.0.9, and {installed}\n"
    assert misread("compose").out.endswith(note)
    assert misread("compose", "--check").out.endswith(note)
    assert "0.0.9" in misread("doctor").out
