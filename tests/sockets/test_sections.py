"""Sections by name: what one class in one module adds to a comparison, and how it is read again."""

import subprocess
import sys

import pytest

from misread import evaluate
from misread.errors import ConfigurationError, InputFileError, UnknownNameError
from misread.io import write_record
from misread.io.json_files import to_plain
from misread.provenance.plugins import use_study_modules
from misread.sockets import lay_out_sections, read_comparison
from misread.sockets.sections import SECTIONS, get_section
from misread.stats.significance.agreement import Agreement, RaterPair, RatersResult
from misread.tables import ReportSettings, Section, render_csv

REFERENCES = ["the quick", "brown fox", "jumps over", "the lazy dog"] * 3
OPTIONS = {
    "clusters": [f"p{row // 2}" for row in range(12)],
    "metrics": ["cer"],
    "statistics": {"seed": 1, "resamples": 99},
}
READ = {"1": REFERENCES, "2": ["the quich", *REFERENCES[1:]]}
JUDGES = RatersResult(
    pairs=(
        RaterPair(
            first="qwen",
            second="anna",
            agreement=Agreement(
                kappa=0.5, interval=None, agreement=0.75, both=2, first_only=1, second_only=0, neither=1
            ),
        ),
    ),
    together=None,
)
OWN_SECTION = '''
from dataclasses import dataclass
from misread.stats import SectionResult
from misread.tables import Column, Section, Table

@dataclass(frozen=True)
class LongestSegments(Section):
    """The segments with the longest references."""

    most: int = 1

    record = dict[str, int]

    def compute(self, shared, metrics, settings):
        lengths = next(iter(shared.counts.values()))["cer"]["length"].tolist()
        by_length = sorted(zip(lengths, shared.keys.segment_id), reverse=True)
        if by_length[0][0] < 10:
            return SectionResult(warnings=["No segment is long."])
        return SectionResult({segment: length for length, segment in by_length[: self.most]})

    def tables(self, record, result, settings):
        yield Table(
            stem=f"{result.dataset}_longest",
            columns=[
                Column("segment", lambda row: row[0], kind="name", name="segment"),
                Column("characters", lambda row: row[1], name="characters"),
            ],
            rows=list(record.items()),
        )
'''


def with_sections(*names):
    return {**OPTIONS, "statistics": {**OPTIONS["statistics"], "sections": [*names]}}


@pytest.fixture
def with_runs():
    return evaluate(REFERENCES, {"one": REFERENCES, "m": READ}, **OPTIONS).result


@pytest.mark.parametrize("name", SECTIONS)
def test_every_name_is_a_section(name):
    assert isinstance(get_section(name), Section)


@pytest.mark.process
def test_listing_names_loads_no_feature():
    code = "import sys; from misread.sockets.sections import SECTIONS; print(len(SECTIONS), *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    number, *modules = done.stdout.split()
    assert number == str(len(SECTIONS))
    assert not [module for module in modules if module.startswith(("misread.features.", "numpy", "misread.stats"))]


def test_sections_are_read_as_they_were_computed(with_runs, tmp_path):
    write_record(tmp_path / "lines.json", with_runs, kind="comparison")
    assert list(with_runs.sections) == ["runs"]
    assert read_comparison(tmp_path / "lines.json") == with_runs


def test_a_section_of_another_shape_is_refused_with_its_file_and_key(with_runs, tmp_path):
    content = to_plain(with_runs)
    content["sections"]["runs"]["cer"]["m"]["flip_rate"] = "often"
    write_record(tmp_path / "lines.json", content, kind="comparison")
    with pytest.raises(InputFileError, match=r"lines\.json: sections\.runs: .*run `dvc repro` to write it again"):
        read_comparison(tmp_path / "lines.json")


def test_a_section_of_the_users_own_module_is_named_like_a_view(tmp_path):
    (tmp_path / "own_sections.py").write_text(OWN_SECTION)
    use_study_modules(["own_sections"], tmp_path)
    name = "own_sections.LongestSegments(most=2)"
    result = evaluate(REFERENCES, {"one": REFERENCES}, **with_sections(name)).result
    assert result.sections == {name: {"8": 12, "4": 12}}
    (table,) = lay_out_sections(result, ReportSettings(["cer"]))
    assert render_csv([table]).splitlines()[:2] == ["segment,characters,signature", "8,12,"]
    path = tmp_path / "lines.json"
    write_record(path, result, kind="comparison")
    assert read_comparison(path) == result
    short = evaluate(["a"], {"one": ["a"]}, metrics="cer", statistics={"seed": 1, "resamples": 99, "sections": [name]})
    assert (short.result.sections, "No segment is long." in short.warnings) == ({}, True)


def test_a_section_of_a_plug_in_that_is_not_in_use_stays_as_it_is(with_runs, tmp_path):
    content = to_plain(with_runs)
    content["sections"]["elsewhere.sections.Words"] = {"a": 1}
    write_record(tmp_path / "lines.json", content, kind="comparison")
    assert read_comparison(tmp_path / "lines.json").sections["elsewhere.sections.Words"] == {"a": 1}


def test_a_name_that_means_nothing_is_refused():
    with pytest.raises(UnknownNameError, match=r"unknown section 'run' in sections"):
        evaluate(["a"], {"one": ["a"]}, metrics="cer", statistics={"seed": 1, "resamples": 99, "sections": ["run"]})
    with pytest.raises(ConfigurationError, match=r"'json\.dumps' is not of a plug-in"):
        get_section("json.dumps")
