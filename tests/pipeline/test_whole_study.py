"""`misread stage all`: the order of stages, what is removed before them, and what only DVC can run."""

import pytest

from misread.io.yaml_files import dump_yaml

pytestmark = [pytest.mark.process, pytest.mark.slow]
WRITE = "python -c 'import sys, pathlib; [pathlib.Path(name).write_text(name) for name in sys.argv[1:]]'"


@pytest.fixture
def stage_all(misread, tmp_path):
    """Run the stages of the two pipeline files, and give status and standard error."""
    (tmp_path / "stages/captures").mkdir(parents=True)
    params = {"ids": {"b": {"n": 2}, "a": {"n": 1}}, "datasets": {}, "systems": {}}

    def run(stages, captures=()):
        for name, content in {
            "params.yaml": params,
            "dvc.yaml": {"stages": stages},
            "stages/captures/dvc.yaml": {"stages": dict(captures)},
        }.items():
            (tmp_path / name).write_text(dump_yaml(content))
        done = misread("stage", "all")
        return done.status, done.err

    return run


def test_a_stage_runs_after_those_whose_outputs_it_reads_in_whatever_file_they_are(stage_all, tmp_path):
    last = {"cmd": f"{WRITE} last", "deps": ["made"], "outs": ["last"]}
    first = {"cmd": f"{WRITE} made/x", "outs": ["made/x"]}
    (tmp_path / "made").mkdir()
    assert stage_all({"last": last}, {"first": first}) == (0, f"Running: {WRITE} made/x\nRunning: {WRITE} last\n")
    assert (tmp_path / "last").read_text() == "last"


@pytest.mark.parametrize(
    ("stage", "expected"),
    [
        ({"foreach": "${ids}", "do": {"cmd": f"{WRITE} ${{key}}${{item.n}}"}}, {"b2", "a1"}),
        ({"matrix": {"one": "${ids}", "two": ["x", "y"]}, "cmd": f"{WRITE} ${{item.one}}${{item.two}}"},
         {"bx", "by", "ax", "ay"}),
        ({"matrix": {"one": []}, "cmd": f"{WRITE} ${{item.one}}"}, set()),
    ],
)  # fmt: skip
def test_a_stage_runs_for_each_of_its_ids(stage_all, tmp_path, stage, expected):
    assert stage_all({"each": stage})[0] == 0
    assert {path.name for path in tmp_path.iterdir() if path.is_file() and "." not in path.name} == expected


def test_earlier_outputs_are_removed_but_those_that_persist(stage_all, tmp_path):
    for name in ("folder/old", "alone", "persisting", "linked/other"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to(tmp_path / "linked")
    outs = ["folder", "link", {"persisting": {"persist": True}}, {"alone": {"persist": False}}]
    assert stage_all({"one": {"cmd": f"{WRITE} new", "outs": outs}})[0] == 0
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.suffix != ".yaml"}
    assert left == {"linked", "linked/other", "new", "persisting", "stages", "stages/captures"}


@pytest.mark.parametrize("out", ["..", "/", ".", "a/../..", "../other"])
def test_an_output_outside_of_the_project_is_refused_before_anything_runs(stage_all, tmp_path, out):
    refusal = f"error: dvc.yaml: the output {out!r} is not inside the project.\n"
    assert stage_all({"a": {"cmd": f"{WRITE} new"}, "b": {"cmd": f"{WRITE} new", "outs": [out]}}) == (1, refusal)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "stage",
    [
        *({"cmd": f"{WRITE} ${{none}}"}, {"cmd": [WRITE, WRITE]}, {"cmd": "a 'b"}, {"outs": ["a"]}),
        *({"foreach": ["a"], "do": {"cmd": WRITE}}, {"cmd": WRITE, "deps": ["a"], "outs": ["a"]}),
    ],
)
def test_what_only_dvc_can_run_is_refused_before_anything_runs(stage_all, stage):
    status, error = stage_all({"one": stage})
    assert (status, error.count("\n")) == (1, 1)
    assert error.startswith("error: dvc.yaml has what only `dvc repro` can run: ")


def test_no_stage_runs_after_one_that_fails(stage_all, tmp_path):
    failing = {"cmd": "python -c 'raise SystemExit(3)'", "outs": ["a"]}
    status, error = stage_all({"two": {"cmd": f"{WRITE} b", "deps": ["a"]}, "one": failing})
    assert status == 1
    assert error.endswith("error: `python -c 'raise SystemExit(3)'` failed, and no stage has run after it.\n")
    assert not (tmp_path / "b").exists()
