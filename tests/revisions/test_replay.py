"""Tables of commits, made again from counts that Git has."""

from __future__ import annotations

import shutil

import pytest

from misread.cli.options import NOT_AT_HAND
from misread.data import CountsSettings
from misread.errors import InputFileError, MissingResultsError, RevisionError
from misread.io import write_record
from misread.report.write import write_table
from misread.revisions import replay_table
from misread.sockets import lay_out_sections, read_comparison
from misread.storage.signature_file import SignatureFile, read_signature_file, write_signature_file
from misread.tables import Table
from misread.tables.comparison import lay_out_comparison
from misread.tables.rates_layout import lay_out_overview
from misread.version import __version__

from .conftest import CLUSTERS, IDS, REFERENCES, Project, read_badly

TABLES = "reports/tables"
READ = {"a": read_badly(10), "b": read_badly(2)}
NOISE = {"noise": ["clean", "heavy"] * (len(REFERENCES) // 2)}
# Intervals are drawn, so that the order of segments and clusters matters.
DRAWN = {"statistics": {"_target_": "misread.stats.StatisticsSettings", "seed": 1, "interval": "bca", "resamples": 199}}


class Made:
    """A project whose counts and tables are committed, without DVC."""

    def __init__(self, root, write_results, counts, **options):
        self.root, self.project = root, Project(root)
        self.project.git("init", "--quiet", "--initial-branch=main")
        (root / ".gitignore").write_text("/build/\n/.misread/\n")
        options = {"references": REFERENCES, "ids": IDS, "clusters": CLUSTERS, "groups": NOISE} | options
        self.params = write_results(root, read=READ, counts=counts, **options)
        result = read_comparison(root / "build/comparisons/lines.json")
        settings = self.params.report()
        tables = [
            *lay_out_comparison(result, settings, lay_out_sections(result, settings)),
            lay_out_overview([result], settings),
        ]
        texts = Table(stem="lines_confused_words", caption="Words.", columns=[], rows=[], signature="wer|v:0.1.0")
        for table in [*tables, texts]:
            write_table(table, settings, root / TABLES)
        self.stems = [table.stem for table in tables]
        shutil.rmtree(root / "build")
        self.project.commit("first")

    def signature(self, stem="lines_cer"):
        return self.root / TABLES / f"{stem}.signature.json"

    def replay(self, stem="lines_cer", **options):
        return replay_table(self.root, self.signature(stem), **options)


@pytest.fixture
def make(tmp_path, write_results):
    def make(counts=CountsSettings(), **options):  # noqa: B008  frozen
        root = tmp_path / "project"
        root.mkdir()
        return Made(root, write_results, counts, **options)

    return make


@pytest.mark.slow
def test_every_table_of_counts_comes_out_again_byte_for_byte(make):
    made = make(params=DRAWN)
    assert len(made.stems) == 6
    for stem in made.stems:
        again = made.replay(stem)
        assert again.is_same_version
        assert again.is_identical, again.files
        assert [file.name for file in again.files] == [f"{stem}.{ending}" for ending in ("tex", "md", "csv", "html")]
        assert again.numbers == {}


@pytest.mark.slow
def test_the_present_commit_is_replayed_and_else_the_first_that_had_the_table(make, tmp_path):
    made = make()
    copy = shutil.copy(made.signature(), tmp_path / "from_a_paper.json")
    made.project.commit("second")
    assert replay_table(made.root, copy).commit.subject == "second"
    made.project.git("rm", "--quiet", "-r", "reports")
    made.project.commit("third")
    again = replay_table(made.root, copy)
    assert (again.commit.subject, again.is_identical) == ("first", True)
    assert replay_table(made.root, copy, "HEAD~1").commit.subject == "second"
    with pytest.raises(RevisionError, match=r"HEAD has no file like .*; leave out revision to find"):
        replay_table(made.root, copy, "HEAD")


@pytest.mark.slow
def test_a_table_edited_by_hand_is_not_the_signed_one(make):
    made = make()
    path = made.root / TABLES / "lines_cer.md"
    path.write_text(path.read_text().replace("CER", "Error"))
    made.project.commit("better words")
    by_name = {file.name: file.difference for file in made.replay().files}
    assert by_name["lines_cer.md"] == "the committed file is not the one that was signed"
    assert by_name["lines_cer.csv"] == ""


def sign_other_numbers(made, version):
    """A table as if another program had made it: one rate and one end of an interval are others."""
    path = made.root / TABLES / "lines_cer.csv"
    header, first, *rest = path.read_text().splitlines()
    cells = first.split(",")
    for name in ("rate", "low"):
        cells[header.split(",").index(name)] = "0.5"
    path.write_text("\n".join([header, ",".join(cells), *rest, ""]))
    record = read_signature_file(made.signature())
    signature = record.signature.rpartition("|v:")[0] + f"|v:{version}"
    write_signature_file("lines_cer", signature, list(record.files), made.root / TABLES)
    made.project.commit("other numbers")


@pytest.mark.slow
def test_numbers_that_come_out_otherwise_are_told_by_their_line_and_kind(make, misread, monkeypatch):
    made = make()
    version = made.replay().version
    sign_other_numbers(made, version)
    again = made.replay()
    assert again.is_same_version
    assert again.numbers == {"rates": 1, "intervals": 1}
    (difference,) = [file.difference for file in again.files if file.difference]
    assert difference.startswith("line 2: 'lines,cer,")
    monkeypatch.chdir(made.root)
    done = misread("replay", made.signature())
    assert (done.status, done.err) == (1, "")
    assert "DIFFERS    lines_cer.csv  line 2: " in done.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("is_edited", "sentence"),
    [(True, "installed 9.9: 2 numbers differ (rates, intervals)"), (False, "installed 9.9: no number differs")],
)
def test_a_table_of_another_version_has_a_status_of_its_own(make, misread, monkeypatch, is_edited, sentence):
    made = make()
    if is_edited:
        sign_other_numbers(made, __version__)
    for module in ("misread.revisions.replay", "misread.version"):
        monkeypatch.setattr(f"{module}.__version__", "9.9")
    monkeypatch.chdir(made.root)
    done = misread("replay", made.signature())
    assert (done.status, done.err) == (3, "")
    assert done.out.splitlines()[1] == f"made by misread {__version__}, {sentence}"


@pytest.mark.slow
def test_a_table_of_texts_says_how_to_make_it(make, misread, monkeypatch):
    made = make()
    monkeypatch.chdir(made.root)
    done = misread("replay", made.signature("lines_confused_words"))
    assert (done.status, done.out, done.err.count("\n")) == (NOT_AT_HAND, "", 1)
    assert "lines_confused_words needs texts, which Git does not have; make it with `git check" in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("counts", "options", "reason"),
    [
        (CountsSettings(counts="cache"), {}, "has sums over clusters"),
        (CountsSettings(pseudonyms=True), {}, "has pseudonyms in Git"),
        (None, {}, "has no counts of all systems on lines in Git"),
    ],
)
def test_what_git_does_not_have_is_named_with_the_way_to_it(make, counts, options, reason):
    made = make(counts, **options)
    with pytest.raises(MissingResultsError, match=f"{reason}.*(dvc pull|dvc repro)"):
        made.replay()


@pytest.mark.slow
def test_no_code_and_nothing_of_the_working_tree_takes_part(make):
    made = make()
    for name in ("params.yaml", "reports/counts/lines/a.csv", "reports/tables/lines_cer.csv"):
        (made.root / name).write_text("nothing")
    (made.root / "dvc.yaml").write_text("stages: [")
    assert made.replay(revision="HEAD").is_identical


def test_a_revision_with_another_table_says_how_to_replay_that(make):
    made = make()
    made.signature().write_text(made.signature().read_text() + "\n")
    shown = r"git show HEAD:reports/tables/lines_cer\.signature\.json > old\.signature\.json"
    with pytest.raises(RevisionError, match=f"HEAD has no file like .*{shown}"):
        made.replay(revision="HEAD")


def test_a_table_is_no_signature_file_and_its_own_is_named(make):
    made = make()
    table = made.signature().with_name("lines_cer.md")
    with pytest.raises(
        InputFileError, match=r"lines_cer\.md is no signature file: that of this table is .*lines_cer\.s"
    ):
        replay_table(made.root, table)
    (made.root / "notes.md").write_text("")
    with pytest.raises(
        InputFileError, match=r"notes\.md is no signature file; those are called TABLE\.signature\.json"
    ):
        replay_table(made.root, made.root / "notes.md")


def test_what_is_no_signature_file_is_refused(make, misread, tmp_path):
    made = make()
    other = tmp_path / "other.signature.json"
    write_record(other, SignatureFile("x", {}), kind="signature")
    with pytest.raises(RevisionError, match="no commit has a file like"):
        replay_table(made.root, other)
    write_record(other, SignatureFile("x", {"../../etc/passwd": "0"}), kind="signature")
    with pytest.raises(InputFileError, match="is not a signature file"):
        replay_table(made.root, other)
    for content, refusal in (("[]", "Expected `object`"), ('{"signature": "x"}', "is a file of kind None")):
        other.write_text(content, encoding="utf-8")
        with pytest.raises(InputFileError, match=refusal):
            replay_table(made.root, other)
    done = misread("replay", "nothing.json")
    assert (done.status, done.out) == (2, "")
    assert "there is no file nothing.json" in done.err
