import contextlib
import shutil
from pathlib import Path

import pytest
import yaml

import misread
from misread.errors import InputFileError, RevisionError, UnknownNameError
from misread.revisions import replay, replay_table
from misread.revisions.replay import lend_machine_code
from misread.storage.signature_file import write_signature_file

from .conftest import Project, make_project

TABLES = "reports/tables"
PIPELINE = {
    "capture": {"cmd": "python stages/capture.py", "deps": ["source.txt"], "outs": ["build/capture.txt"]},
    "report": {
        "cmd": "python stages/report.py",
        "deps": ["build/capture.txt"],
        "outs": [{TABLES: {"cache": False}}],
    },
}
CAPTURE = """
from pathlib import Path

Path("build").mkdir(exist_ok=True)
Path("build/capture.txt").write_text(Path("source.txt").read_text())
"""
REPORT = """
from pathlib import Path
from shown import show

Path("reports/tables").mkdir(parents=True)
Path("reports/tables/rates.md").write_text(show(Path("build/capture.txt").read_text()))
"""
SHOW = 'def show(text):\n    return f"rate: {text}"\n'


class Made:
    """A project of two stages whose table is committed with its signature."""

    def __init__(self, root):
        self.root = root
        self.project = Project(root)

    def build(self):
        root = self.root
        make_project(root)
        for folder in ("stages", "src", TABLES):
            (root / folder).mkdir(parents=True)
        self.write("source.txt", "3.01\n")
        self.write("stages/capture.py", CAPTURE)
        self.write("stages/report.py", REPORT)
        self.write("src/shown.py", SHOW)
        self.write("dvc.yaml", yaml.safe_dump({"stages": PIPELINE}, sort_keys=False))
        self.write("build/capture.txt", "3.01\n")
        self.write(f"{TABLES}/rates.md", "rate: 3.01\n")
        self.sign()
        self.commit("first")

    @property
    def signature(self):
        return self.root / TABLES / "rates.signature.json"

    def write(self, name, text):
        (self.root / name).parent.mkdir(exist_ok=True)
        (self.root / name).write_text(text, encoding="utf-8")

    def sign(self):
        write_signature_file("rates", "cer|unit:char|v:0.1.0", ["rates.md"], self.root / TABLES)

    def commit(self, message):
        from dvc.repo import Repo

        with contextlib.chdir(self.root), Repo() as repo:
            repo.commit(force=True)
        return self.project.commit(message)

    def replay(self, folder, *, first_stage="report", signature=None, **options):
        return replay_table(self.root, signature or self.signature, folder / "tree", first_stage=first_stage, **options)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    root = tmp_path_factory.mktemp("built")
    Made(root).build()
    return root


@pytest.fixture
def made(built, tmp_path):
    """A copy, to be changed."""
    return Made(shutil.copytree(built, tmp_path / "project", symlinks=True))


@pytest.mark.process
def test_a_table_comes_out_again_by_the_code_of_its_own_commit(made, tmp_path):
    brought = made.project.git("rev-parse", "HEAD")
    copy = shutil.copy(made.signature, tmp_path / "from_a_paper.json")
    # Later the code, the data and the table change; results of the first commit stay in the cache.
    made.write("src/shown.py", SHOW.replace("rate", "RATE"))
    made.write("source.txt", "9\n")
    made.write("build/capture.txt", "9\n")
    made.write(f"{TABLES}/rates.md", "RATE: 9\n")
    made.sign()
    made.commit("second")
    again = made.replay(tmp_path, signature=copy)
    assert (again.commit.hash, again.stages, again.is_identical) == (brought, ["report"], True)
    assert again.signature == "cer|unit:char|v:0.1.0"
    assert made.project.git("status", "--porcelain") == ""
    assert len(made.project.git("worktree", "list").splitlines()) == 1


@pytest.mark.process
def test_a_table_that_comes_out_otherwise_is_told_by_its_line(made, tmp_path):
    made.write("src/shown.py", SHOW.replace("rate", "other"))
    made.commit("code that the table does not come from")
    again = made.replay(tmp_path, revision="HEAD")
    (file,) = again.files
    assert not again.is_identical
    assert file.difference == "line 1: 'rate: 3.01' was committed, 'other: 3.01' made"


@pytest.mark.process
def test_a_table_edited_by_hand_is_not_the_signed_one(made, tmp_path):
    made.write(f"{TABLES}/rates.md", "rate: 1.00\n")
    made.project.commit("better numbers")
    (file,) = made.replay(tmp_path, revision="HEAD").files
    assert file.difference == "the committed file is not the one that was signed"


@pytest.mark.process
def test_the_table_of_an_experiment_is_replayed_by_the_name_of_the_experiment(made, tmp_path):
    from dvc.repo import Repo

    made.write("source.txt", "2.50\n")
    made.write("build/capture.txt", "2.50\n")
    made.write(f"{TABLES}/rates.md", "rate: 2.50\n")
    made.sign()
    signature = shutil.copy(made.signature, tmp_path / "of_the_experiment.json")
    with contextlib.chdir(made.root), Repo() as repo:
        repo.commit(force=True)
        repo.experiments.save(name="calm")
    made.project.git("reset", "--hard", "--quiet")
    for revision in ("calm", None):
        with pytest.raises(RevisionError, match="not in the history of the commit that is checked out"):
            made.replay(tmp_path, signature=signature, revision=revision)
        again = made.replay(tmp_path, signature=signature, revision=revision, trust=True)
        assert again.is_identical
        assert again.commit.subject.startswith("dvc: commit experiment")


@pytest.mark.process
def test_code_of_somebody_elses_branch_runs_only_where_it_is_trusted(made, tmp_path):
    git, hit = made.project.git, tmp_path / "hit"
    git("checkout", "--quiet", "--orphan", "theirs")
    made.write("stages/report.py", f"open({str(hit)!r}, 'w')\n")
    # Dated before all others, so that it would be the first that has the table.
    made.project.git("-c", "user.name=x", "commit", "--quiet", "--all", "--message", "x", "--date=1990-01-01T00:00:00")
    git("checkout", "--quiet", "main")
    for revision in ("theirs", None):
        with contextlib.suppress(RevisionError):
            assert made.replay(tmp_path, revision=revision).is_identical
        assert not hit.exists()
    with contextlib.suppress(RevisionError):
        made.replay(tmp_path, revision="theirs", trust=True)
    assert hit.exists()


@pytest.mark.process
def test_files_that_dvc_tracks_beside_the_stages_are_brought_along(made, tmp_path):
    from dvc.repo import Repo

    made.write("data/scan.txt", "a scan")
    made.write("data/elsewhere.dvc", yaml.safe_dump({"deps": [{"path": "../source.txt", "hash": "md5"}]}))
    with contextlib.chdir(made.root), Repo() as repo:
        repo.add("data/scan.txt")
    made.write("src/shown.py", SHOW + "assert open('data/scan.txt').read() == 'a scan'\n")
    made.commit("a scan")
    assert made.replay(tmp_path, revision="HEAD").is_identical


@pytest.mark.process
def test_every_stage_can_be_run_again(made, tmp_path, misread, monkeypatch):
    monkeypatch.chdir(made.root)
    done = misread("replay", f"{TABLES}/rates.signature.json", "--from", "capture")
    assert (done.status, done.err) == (0, "")
    assert "ran again: capture, report" in done.out
    assert "identical  rates.md" in done.out


@pytest.mark.process
def test_a_clone_without_the_cache_says_how_to_run_every_stage_again(made, tmp_path, misread, monkeypatch):
    made.project.git("clone", "--quiet", str(made.root), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    command = ("replay", f"{TABLES}/rates.signature.json", "--from", "report")
    done = misread(*command)
    assert (done.status, done.out, done.err.count("\n")) == (4, "", 1)
    assert done.err.endswith(
        "neither in the cache nor in the remote; run `dvc pull --all-commits build/capture.txt`, or every stage again, "
        "engines too, with --from capture.\n"
    )
    again = misread(*command[:-1], "capture")
    assert (again.status, "identical  rates.md" in again.out) == (0, True)


def test_missing_results_give_the_line_that_brings_them(made, tmp_path):
    shutil.rmtree(made.root / ".dvc/cache")
    with pytest.raises(RevisionError, match=r"run `dvc pull --all-commits build/capture.txt`, or every stage again"):
        made.replay(tmp_path)
    assert len(made.project.git("worktree", "list").splitlines()) == 1


@pytest.mark.process
def test_a_stage_that_fails_says_why(made, tmp_path):
    made.write("src/shown.py", "raise SystemExit('out of paper')\n")
    made.commit("broken")
    with pytest.raises(RevisionError, match=r"could not be run again from 'report': .*out of paper"):
        made.replay(tmp_path, revision="HEAD")


def test_what_cannot_be_replayed_is_refused(made, tmp_path, misread):
    with pytest.raises(
        UnknownNameError, match=r"unknown stage 'score' in the pipeline of \w+. There are: capture, report"
    ):
        made.replay(tmp_path, first_stage="score")
    other = tmp_path / "other.signature.json"
    other.write_text('{"signature": "x", "files": {}}', encoding="utf-8")
    with pytest.raises(RevisionError, match="no commit has a file like"):
        made.replay(tmp_path, signature=other)
    with pytest.raises(RevisionError, match=r"HEAD has a file like .* leave out revision"):
        made.replay(tmp_path, signature=other, revision="HEAD")
    for content in ("[]", '{"signature": "x"}', '{"signature": "x", "files": {"../../etc/passwd": "0"}}'):
        other.write_text(content, encoding="utf-8")
        with pytest.raises(InputFileError, match="is not a signature file"):
            made.replay(tmp_path, signature=other)
    done = misread("replay", "nothing.json")
    assert (done.status, done.out) == (1, "")
    assert "there is no file nothing.json" in done.err


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with machine code of two modules, one of them in a folder of its own."""
    own = tmp_path / "own"
    for folder in ("", "kernels"):
        (own / folder / "__pycache__").mkdir(parents=True)
        for ending in ("nbi", "nbc", "pyc"):
            (own / folder / f"__pycache__/module.{ending}").write_text(f"{folder} {ending}")
    monkeypatch.setattr(replay, "_PACKAGE", own)
    return own


def test_machine_code_goes_beside_the_same_modules_and_byte_code_does_not(package, tmp_path):
    other = tmp_path / "other"
    (other / "kernels").mkdir(parents=True)
    lend_machine_code(other)
    found = {path.relative_to(other).as_posix(): path.read_text() for path in other.rglob("*.*")}
    assert found == {
        f"{folder}__pycache__/module.{ending}": f"{folder[:-1]} {ending}"
        for folder in ("", "kernels/")
        for ending in ("nbi", "nbc")
    }


def test_a_copy_without_these_folders_or_none_at_all_is_left_as_it_is(package, tmp_path):
    lend_machine_code(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()
    shutil.rmtree(package / "kernels")
    (tmp_path / "other").mkdir()
    lend_machine_code(tmp_path / "other")
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["__pycache__"]


def test_the_package_is_the_one_that_runs():
    assert Path(misread.__file__).parent == replay._PACKAGE
