import pytest

from misread.errors import InputFileError
from misread.normalize import Normalizer
from misread.normalize.steps.glm import apply_glm

RULES = """;; A comment
* name "test rules"
[MISTER] => [MR] / [ ] __ [ ]
[can't] => {[can not] / [cannot]} / [ ] __ [ ] ;; the first counts
UH => [%HESITATION] / [ ] __ [ ]
[%HESITATION] => @ / [ ] __ [ ]
[ING] => [IN] / __ [ ]
"""


@pytest.fixture
def rules(tmp_path):
    path = tmp_path / "rules.glm"
    path.write_text(RULES)
    return path


@pytest.mark.parametrize(
    ("text", "mapped"),
    [
        ("mister x", "MR x"),
        ("mistery", "mistery"),
        ("I can't go", "I can not go"),
        ("so uh yes", "so  yes"),
        ("going", "goIN"),
        ("", ""),
    ],
)
def test_rules_are_applied_in_their_order_between_their_contexts(rules, text, mapped):
    assert apply_glm(text, file=str(rules)) == mapped


@pytest.mark.parametrize("line", ["[A => [B]", "just words", "=> [B]", "[A] => [B] / x", "[ ] => [B]", "[A] => {[B]"])
def test_a_line_that_cannot_be_read_is_named(tmp_path, line):
    path = tmp_path / "bad.glm"
    path.write_text(f"[X] => [Y]\n{line}\n")
    with pytest.raises(InputFileError, match=r"bad\.glm, line 2: .* is not a rule; expected '\[FROM\] => \[TO\]"):
        Normalizer("nist", [{"step": "apply_glm", "file": str(path)}])


def test_a_missing_file_is_named_before_any_work(tmp_path):
    with pytest.raises(InputFileError, match=r"none\.glm"):
        Normalizer("nist", [{"step": "apply_glm", "file": str(tmp_path / "none.glm")}])


def test_the_content_of_the_file_is_part_of_the_signature_and_its_name_is_not(tmp_path):
    signatures = []
    for name, content in (("a.glm", RULES), ("b.glm", RULES), ("c.glm", RULES + "[A] => [B]\n")):
        (tmp_path / name).write_text(content)
        signatures.append(Normalizer("nist", [{"step": "apply_glm", "file": str(tmp_path / name)}]).signature)
    assert signatures[0] == signatures[1] != signatures[2]
