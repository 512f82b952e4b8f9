"""docs/specification.md speaks of what is there: names import, tests and files exist, metrics are known."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from subprocess import run

import misread
from misread.sockets import METRICS

# What the specifications and their users call by name.
PUBLIC = (
    *("cer", "ger", "wer", "ser", "mer", "wil", "wip", "cer_wer_batch", "edit_distance", "get_edit_operations"),
    *("precision_recall_f1", "line_accuracy", "reverse_line_accuracy", "exact_line_prf", "exact_line_prf_from_text"),
    *("evaluate_prediction", "token_accuracy", "confusion_matrix", "field_extraction_f1", "validate_json_output"),
    *("validate_xml_output", "token_efficiency", "evaluate_downstream_task", "LatencyMeter", "throughput"),
    "bootstrap_ci",
)
ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "specification.md").read_text(encoding="utf-8")
ROWS = [line.split(" | ") for line in TEXT.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
CODE = re.findall(r"`([^`]+)`", TEXT)
NAMES = sorted({code for code in CODE if re.fullmatch(r"misread(\.\w+)+", code)})
TESTS = sorted({code for code in CODE if code.startswith("tests/")})


def rows() -> Iterator[tuple[str, str, str]]:
    for what, here, test in (row for row in ROWS if row[0] != "| specification"):
        yield what.removeprefix("| "), here, test.removesuffix(" |")


def test_every_function_that_users_call_is_public() -> None:
    assert set(PUBLIC) <= {*misread.__all__, *misread.spec.__all__}
    assert all(callable(getattr(misread if name in misread.__all__ else misread.spec, name)) for name in PUBLIC)


def test_every_name_can_be_imported() -> None:
    assert NAMES
    for name in NAMES:
        found: object = import_module("misread")
        module = "misread"
        for part in name.split(".")[1:]:
            module = f"{module}.{part}"
            try:
                found = getattr(found, part)
            except AttributeError:
                found = import_module(module)
        assert found is not None, name


@cache
def functions_of(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_test_is_there() -> None:
    assert TESTS
    for name in TESTS:
        path, _, function = name.partition("::")
        assert not function or function in functions_of(path), name
        assert (ROOT / path).is_file(), name


def test_every_row_has_a_place_and_a_test() -> None:
    found = list(rows())
    assert len(found) > 80
    for what, here, test in found:
        assert what
        assert here
        assert test.startswith("`tests/"), what


def test_every_configuration_file_is_there() -> None:
    files = [code for code in CODE if re.fullmatch(r"(conf/\S+|dvc\.yaml)", code)]
    assert files
    assert all((ROOT / name).is_file() for name in files)


def test_runs_that_presets_keep_are_ignored() -> None:
    command = ["git", "check-ignore", "--no-index", "data/results/benchmarks/invoices_0/config.json"]
    assert run(command, cwd=ROOT, check=False, capture_output=True).returncode == 0


def test_every_metric_is_known() -> None:
    named = {
        metric
        for _, here, _ in rows()
        for part in re.findall(r"[Mm]etrics? ((?:`\w+`(?:, | and | \.\.\. )?)+)", here)
        for metric in re.findall(r"`(\w+)`", part)
    }
    assert len(named) > 25
    assert named <= METRICS.keys()


def test_every_example_of_a_specification_is_named() -> None:
    source = (ROOT / "tests" / "test_specification_examples.py").read_text(encoding="utf-8")
    examples = {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    named = {code.partition("::")[2] for code in TESTS}
    assert {name for name in examples if name.startswith("test_")} <= named


def test_slips_of_the_specifications_are_marked() -> None:
    assert TEXT.count("**slip**") - 1 == 9
