"""`misread list`: every name of the registries, in one line each."""

import re
import subprocess
import sys

import pytest

from misread.cli.list_names import Kind
from misread.data.formats import FORMATS, TABLES
from misread.engines import Tesseract
from misread.features.regimes.regime import read_regimes
from misread.normalize import PROFILES
from misread.normalize.steps import STEPS
from misread.pipeline.composition import CONF, names_in
from misread.sockets.metrics import NAMES
from misread.sockets.views import VIEWS

GROUPS = {"systems": "systems", "datasets": "datasets", "sets": "metrics"}
LISTED = {
    "normalizers": list(PROFILES),
    "steps": list(STEPS),
    "formats": [*FORMATS, *TABLES],
    "regimes": [regime.label for regime in read_regimes()],
    "views": list(VIEWS),
    **{kind: names_in(CONF, group) for kind, group in GROUPS.items()},
}


@pytest.fixture
def rows_of(misread):
    def ask(*kind):
        done = misread("list", *kind)
        assert (done.status, done.err) == (0, "")
        return [re.split("  +", line) for line in done.out.splitlines()]

    return ask


@pytest.mark.parametrize("kind", LISTED)
def test_every_name_has_one_line_that_says_what_it_is(rows_of, kind):
    titles, *rows = rows_of(kind)
    assert [row[0] for row in rows] == LISTED[kind]
    assert all(len(row[-1]) > 1 and len(row) > 1 for row in rows)
    assert titles[0] == kind.removesuffix("s")


def test_every_kind_is_listed(rows_of):
    assert {*LISTED, "engines", "metrics"} == {kind.value for kind in Kind}
    assert all(len(rows_of(kind)) > 5 for kind in Kind)


def test_engines_are_the_classes_that_a_configuration_names(rows_of):
    documented = dict(rows_of("engines")[1:])
    assert documented["misread.engines.Tesseract"] == Tesseract.__doc__.partition("\n")[0]
    assert not {"misread.engines.Engine", "misread.engines.Judge", "misread.engines.Reading"} & documented.keys()


def test_metrics_are_listed_by_family_and_explained_family_by_family(rows_of, misread):
    families = {family: names.split(", ") for family, names in rows_of("metrics")[1:]}
    assert sorted(name for names in families.values() for name in names) == sorted(NAMES)
    assert [row[0] for row in rows_of("metrics", "flags")[1:]] == families["flags"]
    assert [row[0] for row in rows_of("metrics", "all")[1:]] == list(NAMES)
    assert "There are: all, answers" in misread("list", "metrics", "flag").err
    assert "views have no families" in misread("list", "views", "flags").err


def test_metrics_say_in_which_direction_they_are_better(rows_of):
    better = {row[0]: row[1] for row in rows_of("metrics", "all")[1:]}
    assert (better["wer"], better["field_f1"], better["judged"]) == ("lower", "higher", "lower")


def test_normalizers_are_listed_with_the_settings_of_their_steps(rows_of):
    rows = dict(rows_of("normalizers")[1:])
    assert rows["none"] == "no step"
    assert "fold_case(language='tr')" in rows["turkish"]


def test_formats_say_by_what_they_are_paired_and_whether_they_are_converted(rows_of):
    rows = {row[0]: row[1:] for row in rows_of("formats")[1:]}
    assert rows["stm"][:2] == ["time", "from to"]
    assert rows["kaldi"][0] == FORMATS["kaldi"].paired_by


def test_a_kind_that_is_not_there_is_a_wrong_use_with_the_choices(misread):
    done = misread("list", "metric")
    assert (done.status, done.out) == (2, "")
    assert "Did you mean 'metrics'?" in done.err


WITHOUT = """
import sys
sys.modules |= dict.fromkeys(PACKAGES)
from misread.cli.app import main
sys.argv = ["misread", *ARGUMENTS]
main()
"""
OPTIONAL = [
    "whisper_normalizer",
    "num2words",
    "opencc",
    "markdown_it",
    "tiktoken",
    "jsonschema",
    "pandas",
    "matplotlib",
]


def without_extras(*arguments):
    code = WITHOUT.replace("PACKAGES", repr(OPTIONAL)).replace("ARGUMENTS", repr(list(arguments)))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.process
@pytest.mark.parametrize("kind", LISTED)
def test_a_list_needs_no_extra(kind):
    done = without_extras("list", kind)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.process
def test_regimes_that_need_nothing_run_where_packages_of_others_are_missing(tmp_path):
    (tmp_path / "r.txt").write_text("a b\nc d\n")
    done = without_extras("regimes", str(tmp_path / "r.txt"), str(tmp_path / "r.txt"))
    text = " ".join(done.stdout.split())
    assert done.returncode == 0
    assert "jiwer" in text
    assert "Not applied: whisper_english (Whisper's normalizers need whisper-normalizer: pip install" in text


def test_every_family_of_metrics_fits_a_screen(misread):
    families = [line.split()[0] for line in misread("list", "metrics").out.splitlines()[1:]]
    for family in families:
        lines = misread("list", "metrics", family).out.splitlines()
        assert sum(1 + (len(line) - 1) // 80 for line in lines) <= 30, family
