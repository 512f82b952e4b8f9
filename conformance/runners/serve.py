"""Ask a scorer every case: `python serve.py RUNNER.py --report`, or cases as JSON on standard input, answers on output.

A runner is a file with a function `answer(case)`, which gets a case whose texts are normalized already, and with
`EXPRESSES`, the values of the rule's fields that its scorer knows; other cases are not asked. The answer is what the
scorer counts (`errors`, `length`, `substitutions`, `deletions`, `insertions`), a `rate` alone, or None where the scorer
has no such rule. A runner that applies the rule's steps itself says `NORMALIZES = True`. Only the standard library is
needed here.
"""

import contextlib
import importlib.util
import json
import sys
import unicodedata
from collections import Counter
from pathlib import Path

CASES = Path(__file__).resolve().parents[1] / "cases"
WHITE_SPACE = "".join(
    map(chr, [*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000])
)
"""The 25 characters with the Unicode property White_Space."""
_ASCII = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
STEPS = {
    **{form.lower(): lambda text, form=form: unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC")},
    "lower": str.lower,
    "lower_ascii": lambda text: text.translate(_ASCII),
    "casefold": str.casefold,
    "collapse_white_space": lambda text: " ".join(split_words(text)),
}
PARTS = ("substitutions", "deletions", "insertions")
KINDS = ("length", "errors", *PARTS)


def split_words(text):
    """Split into maximal runs of characters that are not White_Space."""
    return [word for word in "".join(" " if sign in WHITE_SPACE else sign for sign in text).split(" ") if word]


def read_cases(folder=CASES):
    """Cases of all files, in the order of their names; each knows the subject of its file."""
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    return [{"subject": file["subject"], **case} for file in files for case in file["cases"]]


def normalize(case):
    """Apply the steps of the rule to both sides, and do not touch the rest."""

    def change(text):
        if isinstance(text, list):
            return [change(stream) for stream in text]
        for step in case["rule"]["normalization"]:
            text = STEPS[step](text)
        return text

    return {**case, **{side: [change(text) for text in case[side]] for side in ("references", "hypotheses")}}


def can_express(runner, rule):
    """Whether a scorer has what a rule asks for; any one of the costs under which a case holds will do."""
    known = {"method": ["alignment"], "notation": ["plain"], "pooling": ["sum"], **runner.EXPRESSES}
    asked = {**{field: [rule[field]] for field in known}, "costs": rule["costs"]}
    return all({*known[field]} & {*asked[field]} for field in known)


def ask(runner, case):
    """Answer of a runner, None if it cannot express the rule; an exception is an answer, too."""
    if not can_express(runner, case["rule"]):
        return None
    try:
        return runner.answer(case if getattr(runner, "NORMALIZES", False) else normalize(case))
    except Exception as error:  # noqa: BLE001 - whatever a scorer raises
        return {"error": f"{type(error).__name__}: {error}".split("\n")[0][:100]}


def grade(case, answer):
    """Compare an answer with what is expected: "agree", "differ", "refuse", or None where it cannot be expressed."""
    if answer is None:
        return None
    if "error" in answer:
        return "refuse"
    expected = case["expected"]
    if "rate" in answer:
        if expected["length"] == [0, 0]:
            return None
        top, bottom = expected.get("rate") or (expected["errors"][0], expected["length"][0])
        return "agree" if abs(answer["rate"] - top / bottom) < 1e-6 else "differ"
    within = all(
        expected[kind][0] <= answer[kind] <= expected[kind][1] for kind in KINDS if kind in expected and kind in answer
    )
    adds_up = not all(part in answer for part in PARTS) or sum(answer[part] for part in PARTS) == answer["errors"]
    return "agree" if within and adds_up else "differ"


def load(path):
    """Load a runner."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    """Report differences, or serve a program that asks."""
    runner = load(sys.argv[1])
    if "--report" not in sys.argv:
        # What a scorer prints is not part of its answer.
        with contextlib.redirect_stdout(sys.stderr):
            answers = [ask(runner, case) for case in json.load(sys.stdin)]
        json.dump(answers, sys.stdout)
        return
    totals = Counter()
    for case in read_cases():
        reply = ask(runner, case)
        verdict = grade(case, reply)
        totals[verdict or "cannot express"] += 1
        if verdict in ("differ", "refuse"):
            print(f"{case['id']}: {reply}, expected {case['expected']}. {case['reason']}")
    print(dict(totals))


if __name__ == "__main__":
    main()
