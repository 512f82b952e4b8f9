"""The example of the suite's README, as an author of another scorer runs it."""

import io
import json
import re
import sys
from types import ModuleType, SimpleNamespace

import pytest
from conformance.runners import serve
from tools.parts import ROOT


def score(references, hypotheses, *, words):
    """A scorer that counts units by their positions, and refuses an empty reference."""
    if "" in references:
        raise ValueError("an empty reference")
    sides = [[text.split() if words else list(text) for text in side] for side in (references, hypotheses)]
    pairs = list(zip(*sides, strict=True))
    errors = sum(a != b for pair in pairs for a, b in zip(*pair, strict=False))
    insertions = sum(max(0, len(b) - len(a)) for a, b in pairs)
    deletions = sum(max(0, len(a) - len(b)) for a, b in pairs)
    return SimpleNamespace(
        n=sum(len(a) for a, _ in pairs), errors=errors + insertions + deletions, insertions=insertions
    )


@pytest.fixture
def runner(monkeypatch, tmp_path):
    mine = ModuleType("mine")
    mine.score = score
    monkeypatch.setitem(sys.modules, "mine", mine)
    readme = (ROOT / "conformance/README.md").read_text(encoding="utf-8")
    path = tmp_path / "with_mine.py"
    path.write_text(re.search(r"```python\n(.*?)```", readme, re.DOTALL)[1], encoding="utf-8")
    return path


def test_the_example_of_the_readme_reports_what_differs(runner, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["serve.py", str(runner), "--report"])
    serve.main()
    *lines, totals = capsys.readouterr().out.splitlines()
    reported = [line.split(":")[0] for line in lines]
    assert "characters-plain-06" in reported
    assert "characters-plain-03" not in reported
    assert next(line for line in lines if line.startswith("empty-reference-01")).startswith(
        "empty-reference-01: {'error': 'ValueError: an empty reference'}, expected {'length': [0, 0], 'errors': [1, 1]"
    )
    counts = json.loads(totals.replace("'", '"'))
    assert sum(counts.values()) == len(serve.read_cases())
    assert counts["differ"] + counts["refuse"] == len(lines)


def test_a_program_asks_with_json_and_gets_an_answer_for_every_case(runner, monkeypatch, capsys):
    cases = [case for case in serve.read_cases() if case["id"] in ("characters-plain-03", "speakers-01")]
    monkeypatch.setattr(sys, "argv", ["serve.py", str(runner)])
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(cases)))
    serve.main()
    assert json.loads(capsys.readouterr().out) == [{"length": 4, "errors": 1, "insertions": 0}, None]


def test_steps_of_a_rule_are_applied_to_streams_of_speakers_too():
    rule = {"normalization": ["lower", "collapse_white_space"]}
    case = {"references": [["A  b", " C"]], "hypotheses": [["a\u3000B"]], "rule": rule}
    assert serve.normalize(case) == {**case, "references": [["a b", "c"]], "hypotheses": [["a b"]]}
