"""Complete cases: what the enumeration expects, the costs under which that holds, and the scorers that hold it."""

import json
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from conformance.runners import serve

from tools.conformance.enumeration import expect
from tools.parts import ROOT

CASES: Final = ROOT / "conformance/cases"
RUNNERS: Final = ROOT / "conformance/runners"
HOLDERS: Final = ("misread", "rapidfuzz", "jiwer", "kaldialign", "meeteval")
"""Scorers of this environment; sclite holds cases, too, where it is installed."""
_RULE: Final = {"unit": "char", "method": "alignment", "notation": "plain", "normalization": [], "pooling": "sum"}
_TEXTS: Final = ("references", "hypotheses")


@cache
def runner(name: str) -> Any:
    """Load the runner of a scorer."""
    return serve.load(RUNNERS / f"with_{name}.py")


def holds(name: str, case: Mapping[str, Any]) -> bool:
    """Whether a scorer of this environment, or the enumeration, gives what a case expects."""
    if name == "enumeration":
        return all(expect(case, scheme) == case["expected"] for scheme in case["rule"]["costs"])
    return serve.grade(case, serve.ask(runner(name), case)) == "agree"


def complete(case: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in the rule, what is expected and who holds it; SystemExit if misread counts otherwise."""
    rule = {**_RULE, **case["rule"]}
    costs = rule.pop("costs", ["unit", "sclite"] if _may_be_weighed(rule) else ["unit"])
    rule["white_space"] = "separates" if rule["unit"] == "word" else "counts"
    rule["equality"] = "canonical" if rule["unit"] == "grapheme" else "code points"
    expected = expect({**case, "rule": rule}, costs[0])
    rule["costs"] = [scheme for scheme in costs if expect({**case, "rule": rule}, scheme) == expected]
    order = ("id", "phenomenon", *_TEXTS, "rule", "expected", "reason", "source", "held_by")
    full = {**case, "rule": rule, "expected": expected}
    full["held_by"] = ["enumeration", *(name for name in (*HOLDERS, "sclite") if holds(name, full))]
    if "misread" not in full["held_by"]:
        answer = serve.ask(runner("misread"), full)
        raise SystemExit(f"{case['id']}: the enumeration expects {expected}, misread answers {answer}.")
    return {key: full[key] for key in order}


def _may_be_weighed(rule: Mapping[str, Any]) -> bool:
    return (rule["unit"], rule["method"], rule["pooling"]) == ("word", "alignment", "sum")


def write_cases(path: Path, subject: str, cases: Iterable[Mapping[str, Any]]) -> None:
    """Write a file of cases, one line a field; texts that an editor could change or hide are escaped."""
    blocks = [
        "  {\n" + ",\n".join(f'   "{key}": {_write(key, value)}' for key, value in case.items()) + "\n  }"
        for case in cases
    ]
    text = f'{{\n "subject": {json.dumps(subject)},\n "cases": [\n' + ",\n".join(blocks) + "\n ]\n}\n"
    path.write_text(text, encoding="utf-8")


def _write(key: str, value: object) -> str:
    plain = json.dumps(value, ensure_ascii=False)
    safe = plain.isprintable() and all(unicodedata.normalize(form, plain) == plain for form in ("NFC", "NFD"))
    return plain if key not in _TEXTS or safe else json.dumps(value)
