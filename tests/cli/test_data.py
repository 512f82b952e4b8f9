"""`misread data`: what is said before, and what is in place after."""

import hashlib
import re
import shlex
import shutil

import pytest
from tests.copies import copy_writable

from misread.data import fetching

pytestmark = pytest.mark.process


@pytest.fixture
def project(tmp_path, repository):
    """The configuration and the cards of the repository."""
    copy_writable(repository / "conf", tmp_path / "conf")
    copy_writable(repository / "data/csrnab", tmp_path / "data/csrnab")
    return tmp_path


@pytest.fixture
def sctk(tmp_path, shared_data):
    """A check-out of the source of csrnab as it would be."""
    root = tmp_path / "SCTK"
    copy_writable(shared_data / "sctk", root / "src/sclite/testdata")
    (root / "src/sclite/testdata/LICENSE.md").rename(root / "LICENSE.md")
    return root


@pytest.fixture
def checkout(project, data_of_every_format):
    """The same check-out, or one of made-up files, which the card of the project lists."""
    root = project / "SCTK"
    copy_writable(data_of_every_format / "sctk", root / "src/sclite/testdata")
    files = sorted(path for path in root.rglob("*") if path.is_file())
    lines = (
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(root / 'src/sclite/testdata')}\n"
        for path in files
    )
    (project / "data/csrnab/files.sha256").write_text("".join(lines), encoding="utf-8")
    (root / "src/sclite/testdata/LICENSE.md").rename(root / "LICENSE.md")
    return root


def test_the_list_says_licence_size_and_place(misread, project):
    done = misread("data", "list")
    (line,) = (line for line in done.out.splitlines() if line.startswith("csrnab"))
    assert re.split("  +", line) == ["csrnab", "NIST software licence", "0.4 MB", "misread data fetch csrnab"]
    (project / "downloads/sctk").mkdir(parents=True)
    assert "at downloads/sctk" in misread("data", "list").out


def test_licence_and_source_come_first_and_then_the_verified_files(misread, project, checkout):
    done = misread("data", "fetch", "csrnab", "--from", str(checkout))
    assert (done.status, done.err) == (0, "")
    said, licence, made, _ = done.out.splitlines()
    assert said.startswith("csrnab: read news of three speakers")
    assert licence.startswith(f"licence NIST software licence; from {checkout} at 9688a26 to downloads/sctk")
    assert made == "8 files in downloads/sctk, as data/csrnab/files.sha256 lists"
    again = misread("data", "fetch", "csrnab")
    assert "downloads/sctk is there already" in again.out
    (project / "downloads/sctk/csrnab.hyp").write_text("")
    again = misread("data", "fetch", "csrnab")
    assert again.status == 1
    assert "csrnab.hyp missing, new or changed" in again.err


def test_in_any_folder_the_sets_of_the_presets_are_listed_and_fetched(misread, tmp_path, sctk):
    assert {line.split()[0] for line in misread("data", "list").out.splitlines()[1:]} == {
        *("csrnab", "das22", "earnings21", "printed_pages", "timeus")
    }
    done = misread("data", "fetch", "csrnab", "--from", str(sctk))
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "downloads/sctk/csrnab.ref").is_file()
    assert not (tmp_path / "data").exists()
    assert "at downloads/sctk" in misread("data", "list").out


def test_in_a_study_without_the_preset_it_is_there_all_the_same(misread, tmp_path):
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf/config.yaml").write_text("data_root: elsewhere\n")
    assert "misread data fetch csrnab" in misread("data", "list").out


@pytest.mark.parametrize(
    ("dataset", "folder", "rates"),
    [("csrnab", "sctk", "csrnab_recogniser"), ("das22", "das22_directories", "tesseract4")],
)
def test_the_last_line_scores_what_was_fetched(misread, tmp_path, shared_data, dataset, folder, rates):
    (tmp_path / "downloads").mkdir()
    (tmp_path / "downloads" / folder).symlink_to(shared_data / folder)
    said, _, line = misread("data", "fetch", dataset).out.splitlines()[-1].partition(": misread ")
    assert said == "score it"
    done = misread(*shlex.split(line), "--resamples", "9", "--metrics", "wer")
    assert done.status == 0
    assert rates in done.out


def test_of_a_set_without_outputs_the_last_line_makes_a_study(misread, tmp_path, shared_data):
    (tmp_path / "downloads").mkdir()
    (tmp_path / "downloads/timeus_handwriting").symlink_to(shared_data / "timeus_handwriting")
    last = misread("data", "fetch", "timeus").out.splitlines()[-1]
    assert last == "score it: misread init --preset timeus . && dvc repro"


def test_a_study_gets_the_card_on_which_its_stages_depend(misread, project, sctk, monkeypatch, tmp_path):
    shutil.rmtree(project / "data")
    # As that of an installation that nobody may change; the card of the study is to be written.
    card = shutil.copytree(fetching.find_card(project / "data", "csrnab"), tmp_path / "installed/csrnab")
    for path in card.iterdir():
        path.chmod(0o444)
    monkeypatch.setattr(fetching, "find_card", lambda *_: card)
    done = misread("data", "fetch", "csrnab", "--from", str(sctk))
    assert "wrote data/csrnab; commit it" in done.out
    assert (project / "data/csrnab/files.sha256").stat().st_mode & 0o200


def test_a_typo_lists_the_choices(misread, project):
    done = misread("data", "fetch", "csrnap")
    assert done.status == 1
    assert "'csrnap'" in done.err
    assert "'csrnab'" in done.err


def test_without_a_network_it_says_how_a_copy_is_used(misread, project):
    source = project / "data/csrnab/source.yaml"
    source.write_text(source.read_text().replace("github.com", "misread.invalid"))
    done = misread("data", "fetch", "csrnab")
    assert done.status == 1
    assert "a check-out that you have: misread data fetch csrnab --from FOLDER" in done.err
    assert done.err.count("\n") == 1


def test_cards_of_others_are_shown_as_text(misread, project, checkout):
    card = project / "data/csrnab/source.yaml"
    lines = [line for line in card.read_text().splitlines() if not line.startswith("licence:")]
    card.write_text("\n".join([*lines, r'licence: "free \e[2J\u202e"']) + "\n")
    listed, fetched = misread("data", "list"), misread("data", "fetch", "csrnab", "--from", str(checkout))
    for done in (listed, fetched):
        assert (done.status, done.err) == (0, "")
        assert r"free \x1b[2J\u202e" in done.out
        assert not {"\x1b", "\u202e"} & {*done.out}
