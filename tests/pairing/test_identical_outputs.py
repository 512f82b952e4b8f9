from misread import evaluate

REFERENCES = [f"line {row} of the page" for row in range(30)]
WRONG = [text.replace("p", "q") if row % 3 else text for row, text in enumerate(REFERENCES)]


def said(systems, **options):
    result = evaluate(REFERENCES, systems, metrics="cer", seed=1, **options)
    return [warning for warning in result.warnings if "the same outputs" in warning]


def test_two_systems_and_two_runs_with_the_same_outputs_are_named():
    (sentence,) = said({"a": WRONG, "b": [*WRONG[:-1], "x"], "c": [*WRONG]})
    assert sentence.startswith("a and c have the same outputs in all segments, with the same errors")
    (sentence,) = said({"a": {"1": WRONG, "2": [*WRONG], "3": REFERENCES}})
    assert sentence.startswith("a, run 1 and a, run 2 have")
    (sentence,) = said({"a": [*WRONG[:-1], None], "b": [*WRONG[:-1], None]}, missing="empty")
    assert sentence.startswith("a and b have")


def test_outputs_that_are_right_or_differ_anywhere_are_not():
    assert said({"a": REFERENCES, "b": REFERENCES}) == []
    assert said({"a": WRONG, "b": [*WRONG[:-1], f"{WRONG[-1]} "]}) == []
    assert said({"a": [*WRONG[:-1], None], "b": [*WRONG[:-1], ""]}, missing="empty") == []
