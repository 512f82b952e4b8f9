"""Which scorers differ where: every scorer in an environment of its own, and the table of its answers."""

import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from conformance.runners import serve

from tools.bench.measure import PATH
from tools.conformance.completion import RUNNERS, runner
from tools.parts import ROOT

ANSWERS: Final = ROOT / "conformance/answers.json"
PAGE: Final = ROOT / "docs/reference/conformance.md"
COMMAND: Final = "python -m tools.conformance"
VERDICTS: Final = ("agree", "differ", "refuse", "cannot express")


@dataclass(frozen=True, slots=True)
class Scorer:
    """A scorer, the packages that its environment has, and its runner."""

    label: str
    runner: str
    packages: tuple[str, ...] = ()
    kernels: bool = False


SCORERS: Final = (
    Scorer("misread", "misread"),
    Scorer("misread, kernels", "misread", kernels=True),
    Scorer("jiwer", "jiwer", ("jiwer==4.0.0", "rapidfuzz==3.14.6")),
    Scorer("rapidfuzz", "rapidfuzz", ("rapidfuzz==3.14.6",)),
    Scorer("kaldialign", "kaldialign", ("kaldialign==0.12.0",)),
    Scorer("meeteval", "meeteval", ("meeteval==0.4.3", "kaldialign==0.12.0")),
    Scorer("torchmetrics", "torchmetrics", ("torchmetrics==1.9.0", "torch==2.15.0")),
    Scorer("werpy", "werpy", ("werpy==3.5.0",)),
    Scorer("stringalign", "stringalign", ("stringalign==0.1.5",)),
    # With multimethod 2, word_error_rate_n refuses every pair of texts.
    Scorer("dinglehopper", "dinglehopper", ("dinglehopper==0.11.0", "multimethod==1.12")),
    Scorer("sclite", "sclite"),
)


def ask(scorer: Scorer, cases: Sequence[Mapping[str, Any]]) -> list[dict[str, Any] | None]:
    """Answers of a scorer to all cases, in a process of its own."""
    command = [sys.executable]
    if scorer.packages:
        packages = [part for package in scorer.packages for part in ("--with", package)]
        command = ["uv", "run", "--quiet", "--no-project", *packages, "python"]
    environment = {**os.environ, "PATH": PATH} | ({"MISREAD_KERNELS": "1"} if scorer.kernels else {})
    done = subprocess.run(
        [*command, RUNNERS / "serve.py", RUNNERS / f"with_{scorer.runner}.py"],
        input=json.dumps(cases),
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answers: list[dict[str, Any] | None] = json.loads(done.stdout)
    return answers


def version(scorer: Scorer) -> str:
    """Version that the table names; sclite's own, and none for misread, which is this commit."""
    if scorer.packages:
        return scorer.packages[0].split("==")[1]
    if scorer.runner != "sclite":
        return ""
    said = subprocess.run([runner("sclite").PROGRAM], capture_output=True, text=True, check=False)
    match = re.search(r"Version: (\S+?),", said.stdout + said.stderr)
    return match[1] if match else "unknown"


def record(scorer: Scorer, cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Verdicts by subject, and every answer that differs."""
    subjects: dict[str, Counter[str]] = defaultdict(Counter)
    differences = {}
    for case, answer in zip(cases, ask(scorer, cases), strict=True):
        verdict = serve.grade(case, answer) or "cannot express"
        subjects[case["subject"]][verdict] += 1
        if verdict in ("differ", "refuse"):
            differences[case["id"]] = answer
    counts = {subject: [verdicts[name] for name in VERDICTS] for subject, verdicts in subjects.items()}
    return {"version": version(scorer), "subjects": counts, "differences": differences}


def write_answers(cases: Sequence[Mapping[str, Any]]) -> None:
    """Ask all scorers and write what they say; of one that does not install, the answers stay."""
    before = json.loads(ANSWERS.read_text(encoding="utf-8"))
    records = {}
    for scorer in SCORERS:
        try:
            records[scorer.label] = record(scorer, cases)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{scorer.label} was not asked, and its answers stay as they are: {error}", file=sys.stderr)
            records[scorer.label] = before[scorer.label]
    ANSWERS.write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")


def render(records: Mapping[str, Any], cases: Sequence[Mapping[str, Any]]) -> list[str]:
    """The table of subjects by scorers, and a line for every phenomenon at which one differs."""
    labels = [f"{label} {record['version']}".strip() for label, record in records.items()]
    lines = [f"| {len(cases)} cases | {' | '.join(labels)} |", f"|---|{'---:|' * len(labels)}"]
    for subject in dict.fromkeys(case["subject"] for case in cases):
        cells = [_cell(record["subjects"][subject]) for record in records.values()]
        lines.append(f"| {subject} | {' | '.join(cells)} |")
    totals = [_cell([sum(column) for column in zip(*r["subjects"].values(), strict=True)]) for r in records.values()]
    return [*lines, f"| **all** | {' | '.join(totals)} |", "", *_phenomena(records, cases)]


def _cell(counts: Sequence[int]) -> str:
    agree, differ, refuse, _ = counts
    asked = agree + differ + refuse
    if not asked:
        return "·"
    return str(agree) if agree == asked else f"**{agree}** of {asked}"


def _phenomena(records: Mapping[str, Any], cases: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """One line for every phenomenon, with the first case at which most scorers differ."""
    by_phenomenon: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for case in cases:
        by_phenomenon[case["phenomenon"]].append(case)
    for phenomenon, some in by_phenomenon.items():
        counts = {label: sum(case["id"] in record["differences"] for case in some) for label, record in records.items()}
        if not any(counts.values()):
            continue
        example = max(some, key=lambda case: sum(case["id"] in record["differences"] for record in records.values()))
        answers = {
            label: _say(record["differences"][example["id"]])
            for label, record in records.items()
            if example["id"] in record["differences"]
        }
        expected = example["expected"]
        right = f"{_range(expected['errors'])} of {_range(expected['length'])}"
        differing = {label: count for label, count in counts.items() if count}
        yield f"- {phenomenon} ({_group(differing)}; of {len(some)}). `{example['id']}` is {right}: {_group(answers)}."


def _group(values: Mapping[str, object]) -> str:
    """Values by label, each with all labels that have it."""
    labels: dict[object, list[str]] = defaultdict(list)
    for label, value in values.items():
        labels[value].append(label)
    return ", ".join(f"{', '.join(some)} {value}" for value, some in labels.items())


def _range(values: Sequence[int]) -> str:
    low, high = values
    return str(low) if low == high else f"{low} to {high}"


def _say(answer: Mapping[str, Any]) -> str:
    if "error" in answer:
        return "refuses"
    if "rate" in answer:
        return f"{answer['rate']:.3g}"
    return f"{answer['errors']} of {answer['length']}"
