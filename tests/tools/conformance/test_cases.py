"""Every case of the suite, by each implementation that its `held_by` names."""

import json
from collections import Counter

import jsonschema
import pytest
from conformance.runners import serve
from tools.conformance.completion import CASES, HOLDERS, complete, holds, runner
from tools.parts import ROOT

from tools.conformance import families

FILES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(CASES.glob("*.json"))}
SUITE = serve.read_cases()


def not_held(name):
    return [case["id"] for case in SUITE if name in case["held_by"] and not holds(name, case)]


def test_there_are_400_cases_and_each_has_an_id_of_its_own():
    assert len(SUITE) >= 400
    assert [name for name, number in Counter(case["id"] for case in SUITE).items() if number > 1] == []


def test_no_two_cases_ask_the_same():
    asked = Counter(json.dumps([case[key] for key in ("references", "hypotheses", "rule")]) for case in SUITE)
    assert [question for question, number in asked.items() if number > 1] == []


@pytest.mark.slow
def test_files_have_the_fields_that_the_schema_describes():
    schema = json.loads((ROOT / "conformance/schema.json").read_text(encoding="utf-8"))
    check = jsonschema.Draft202012Validator(schema)
    assert {name: error.message for name, file in FILES.items() for error in check.iter_errors(file)} == {}


@pytest.mark.slow
def test_every_case_is_held_by_the_enumeration():
    assert [case["id"] for case in SUITE if "enumeration" not in case["held_by"]] == []
    assert not_held("enumeration") == []


@pytest.mark.slow
def test_every_case_is_held_by_misread():
    assert [case["id"] for case in SUITE if "misread" not in case["held_by"]] == []
    assert not_held("misread") == []


@pytest.mark.parametrize("name", [name for name in HOLDERS if name != "misread"])
def test_other_scorers_hold_what_they_are_said_to_hold(name):
    pytest.importorskip(name)
    assert not_held(name) == []


@pytest.mark.sclite
def test_sclite_holds_what_it_is_said_to_hold(sctk, monkeypatch):
    monkeypatch.setattr(runner("sclite"), "PROGRAM", sctk("sclite"))
    assert not_held("sclite") == []


def test_families_are_those_of_their_lists():
    for subject, (name, cases) in families.FAMILIES.items():
        written = {case["id"]: case for case in FILES[name]["cases"]}
        for case in cases():
            assert written[case["id"]].items() >= {**case, "rule": written[case["id"]]["rule"]}.items()
            assert written[case["id"]]["rule"].items() >= case["rule"].items()
        assert FILES[name]["subject"] == subject


def test_a_case_that_misread_counts_otherwise_is_not_completed(monkeypatch):
    case = {key: SUITE[0][key] for key in ("id", "phenomenon", "references", "hypotheses", "reason", "source")}
    monkeypatch.setattr(serve, "grade", lambda *_: "differ")
    with pytest.raises(SystemExit, match=f"^{case['id']}: the enumeration expects"):
        complete({**case, "rule": {"unit": "word"}})
