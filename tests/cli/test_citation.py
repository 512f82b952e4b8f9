"""CITATION.cff is valid, and `misread --cite` says what it says."""

import json
import re
from importlib.resources import files

import yaml
from jsonschema import Draft7Validator

from misread.version import __version__


def read_citation(repository):
    # The schema wants a date as text, as a file of JSON has it.
    return yaml.load((repository / "CITATION.cff").read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506


def test_the_file_conforms_to_the_citation_file_format(repository):
    schema = files("check_jsonschema").joinpath("builtin_schemas/vendor/citation-file-format.json")
    errors = Draft7Validator(json.loads(schema.read_text(encoding="utf-8"))).iter_errors(read_citation(repository))
    assert [f"{error.json_path}: {error.message}" for error in errors] == []


def test_the_file_has_this_version_and_the_licence_of_the_package(repository):
    citation = read_citation(repository)
    assert citation["version"] == __version__
    assert f'license = "{citation["license"]}"' in (repository / "pyproject.toml").read_text(encoding="utf-8")


def test_a_release_has_a_date_and_a_version_before_it_has_none(repository):
    assert ("date-released" in read_citation(repository)) == (re.fullmatch(r"[\d.]+", __version__) is not None)


def test_a_line_and_an_entry_name_authors_title_and_version(misread, repository):
    citation = read_citation(repository)
    done = misread("--cite")
    assert (done.status, done.err) == (0, "")
    line, blank, first, *fields, last = done.out.splitlines()
    assert (blank, first, last) == ("", "@misc{misread,", "}")
    entry = dict(re.fullmatch(r"  (\w+) = \{(.*)\},", field).groups() for field in fields)
    (author,) = citation["authors"]
    assert entry["author"] == f"{{{author['name']}}}"
    assert entry["title"] == f"{{{citation['title']}}}"
    assert entry["version"] == __version__
    assert all(text in line for text in (author["name"], citation["title"], f"Version {__version__}"))


def test_a_date_gives_the_year(misread, monkeypatch, repository, tmp_path):
    from misread.cli import citation

    text = (repository / "CITATION.cff").read_text(encoding="utf-8")
    (tmp_path / "CITATION.cff").write_text(f'{text}date-released: "2027-01-31"\n', encoding="utf-8")
    monkeypatch.setattr(citation, "_FOLDERS", (tmp_path,))
    out = misread("--cite").out
    assert "authors (2027). misread:" in out
    assert "  year = {2027},\n" in out
