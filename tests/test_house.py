"""What import contracts and linters cannot see: names of modules in strings, names of variables, folders."""

import ast
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from tools.house import (
    BUDGETS,
    code_by_package,
    count_marked_words,
    import_circles,
    measure_house,
    options_by_command,
)

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGE = REPOSITORY / "src/misread"
# Lists of what features plug in, and names that configurations give to classes.
NAMING_FEATURES = {
    *("cli/app.py", "pipeline/stages/__init__.py"),
    *("sockets/metrics.py", "sockets/sections.py", "sockets/settings.py", "sockets/views.py"),
}
_LAYERS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]["layers"]
LAYERS = [[name.strip().removeprefix("misread.") for name in layer.split("|")] for layer in _LAYERS]
CORE = {name for layer in LAYERS[LAYERS.index(["execution"]) + 1 :] for name in layer}

# Files outside of the folder of a feature that have its word, at most; some use it as a verb.
FILES_WITH_WORD = {"judge": 17, "regime": 11, "suspect": 4, "dispute": 4}

# The most lines of code of each package; one may have more if another gets as much less.
CODE = {
    "alignment": 4_215,
    "cli": 3_216,
    "compiled": 148,
    "conf": 4,
    "data": 8_770,
    "engines": 3_161,
    "evaluation": 718,
    "execution": 99,
    "features": 9_782,
    "io": 1_330,
    "metrics": 1_239,
    "normalize": 3_075,
    "pairing": 856,
    "pipeline": 1_942,
    "provenance": 573,
    "report": 1_563,
    "revisions": 1_954,
    "root": 245,
    "serve": 423,
    "sockets": 402,
    "stats": 3_944,
    "storage": 1_384,
    "study": 651,
    "tables": 2_867,
    "tally": 1_115,
    "text": 688,
}
# The most options of a command that has more than ten.
OPTIONS = {
    "score": 46,
    "init": 24,
    "regimes": 24,
    "dispute": 27,
    "decide": 27,
    "judge record": 30,
    "judge agreement": 21,
    "inspect align": 32,
    "plan size": 31,
    "plan next": 16,
    "plan predict": 23,
}
MOST_MARKED_WORDS = 5

# Names of variables that are no nouns of what they hold.
NO_NOUNS = {"of", "found", "place", "each", "one", "named", "kept", "given", "begin", "here", "there"}


@cache
def look_at(path):
    """Names of variables, arguments, fields and captures that a module binds, and what its strings name of misread."""
    bound, texts = set(), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                bound.add(node.id)
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                texts.add(node.value)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            bound.add(node.name)
    names = {match[1] for text in texts if (match := re.fullmatch(r"misread\.(\w+)(?:[.:]\w+)*", text))}
    return bound, names & {package for _, package, _ in modules()}


def variables(path):
    return look_at(path)[0]


def named_in(path):
    return look_at(path)[1]


@cache
def modules():
    """Every module of misread: its name from the package, its part of the house, and its path."""
    files = [(path.relative_to(PACKAGE), path) for path in PACKAGE.rglob("*.py")]
    return [(file.as_posix(), file.parts[0].removesuffix(".py"), path) for file, path in files]


@pytest.mark.slow
def test_core_names_neither_rim_nor_features_in_a_string():
    beyond = {file: named_in(path) - CORE for file, package, path in modules() if package in CORE}
    assert {file: names for file, names in beyond.items() if names} == {}


@pytest.mark.slow
def test_only_the_lists_of_the_rim_name_features_in_a_string():
    naming = {file for file, package, path in modules() if package != "features" and "features" in named_in(path)}
    assert naming == NAMING_FEATURES


@pytest.mark.slow
@pytest.mark.parametrize("word", FILES_WITH_WORD)
def test_few_files_outside_of_a_feature_have_its_word(word):
    whole = re.compile(rf"\b{word}s?\b", re.IGNORECASE)
    having = [file for file, package, path in modules() if package != "features" and whole.search(path.read_text())]
    assert len(having) <= FILES_WITH_WORD[word], having


def test_every_package_has_its_place_in_the_layers():
    placed = {name for layer in LAYERS for name in layer}
    assert {package for _, package, _ in modules()} - placed == {"__init__", "conf"}


def test_the_root_has_eleven_folders():
    folders = {path.name for path in REPOSITORY.iterdir() if path.is_dir() and not path.name.startswith(".")}
    made = {"build", "node_modules", "dist"}
    expected = "conf conformance data docs examples findings reports src stages tests tools"
    assert folders - made == {*expected.split()}


@pytest.mark.slow
def test_variables_are_nouns():
    no_nouns = {file: NO_NOUNS & {*variables(path)} for file, _, path in modules()}
    assert {file: names for file, names in no_nouns.items() if names} == {}


@pytest.mark.slow
def test_no_modules_import_each_other_not_even_for_types_or_inside_functions():
    assert import_circles() == []


@cache
def measured():
    return measure_house()


@pytest.mark.slow
@pytest.mark.parametrize("subject", BUDGETS)
def test_the_house_keeps_its_budgets(subject):
    assert measured()[subject] <= BUDGETS[subject]


@pytest.mark.slow
def test_every_package_keeps_its_budget_and_all_of_them_that_of_the_house():
    assert code_by_package() <= Counter(CODE)
    assert sum(CODE.values()) <= BUDGETS["code of src"]


@pytest.mark.slow
def test_every_command_keeps_its_number_of_options():
    most = {name: OPTIONS.get(name, 10) for name in options_by_command()}
    assert {name: number for name, number in options_by_command().items() if number > most[name]} == {}


@pytest.mark.slow
def test_turns_of_phrase_that_slow_a_reader_down_become_no_more():
    assert count_marked_words() <= MOST_MARKED_WORDS
