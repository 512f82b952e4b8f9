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


def with_blanks(repository):
    """Files of the repository, not of its tests, that have something for people to fill in, beside the list of them."""
    ways = ("*.md", "*.cff", "*.json", "docs/paper/*")
    return {path.relative_to(repository).as_posix() for way in ways for path in repository.glob(way)
            if "TO FILL IN" in path.read_text(encoding="utf-8")} - {"CONTRIBUTING.md"}  # fmt: skip


def test_what_people_have_to_fill_in_is_listed_and_in_no_release(repository):
    listing = (repository / "CONTRIBUTING.md").read_text(encoding="utf-8").split("`TO FILL IN`")[1].split("## Make")[0]
    blanks = with_blanks(repository)
    assert blanks == {name for name in blanks if f"`{name}`" in listing}
    assert not blanks or ".dev" in __version__


def test_codemeta_says_what_the_citation_says(repository):
    codemeta, citation = json.loads((repository / "codemeta.json").read_text()), read_citation(repository)
    assert (codemeta["version"], codemeta["keywords"]) == (citation["version"], citation["keywords"])
    assert codemeta["license"].endswith(f"/{citation['license']}")
    assert [author["name"] for author in codemeta["author"]] == [author["name"] for author in citation["authors"]]
    assert (repository / codemeta["referencePublication"]).is_file()


def test_every_number_of_the_paper_is_in_the_guide_and_every_source_in_its_list(repository):
    paper, sources = (
        (repository / "docs/paper" / name).read_text(encoding="utf-8") for name in ("paper.md", "paper.bib")
    )
    guide = "".join(path.read_text(encoding="utf-8") for path in (repository / "docs").glob("[er]*/*.md"))
    text = paper.split("# Summary")[1]
    numbers = set(re.findall(r"\d+\.\d+|542", text))
    assert len(numbers) > 6
    assert {number for number in numbers if number not in guide} == set()
    assert set(re.findall(r"@(\w+)", text)) == set(re.findall(r"@\w+\{(\w+),", sources))
    assert all((repository / "docs/paper" / link).is_file() for link in re.findall(r"\]\(([^)]+)\)", paper))
