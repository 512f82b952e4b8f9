import random
import subprocess

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
        # What a rule writes is not read again, as in rfilter.
        ("so uh yes", "so %HESITATION yes"),
        ("so %hesitation yes", "so  yes"),
        ("going", "goIN"),
        ("", ""),
    ],
)
def test_the_first_rule_that_fits_counts_between_its_contexts(rules, text, mapped):
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


HEADER = """;; a test
* name "a test"
* desc "a test"
* format = "NIST1"
* max_nrules = "100"
* copy_no_hit = "T"
* case_sensitive = "F"
"""
MANY = """[a b] => [x] / [ ] __ [ ]
[a] => [b] / [ ] __ [ ]
[b] => [c] / [ ] __ [ ]
[ing] => [in] / __ [ ]
[un] => [in] / [ ] __
[t] => [T] / [s] __ [r]
[Wanna] => [want to] / [ ] __ [ ]
[want to] => [WISH TO] / [ ] __ [ ]
uh => [hm]
[it's] => [it is] / [ ] __ [ ]
"""


def test_texts_are_those_of_rfilter(sctk, tmp_path):
    rules = tmp_path / "many.glm"
    rules.write_text(HEADER + MANY)
    draw = random.Random(1)  # noqa: S311 - texts are not secrets
    words = [
        "a",
        "b",
        "c",
        "A",
        "going",
        "ing",
        "under",
        "un",
        "strong",
        "wanna",
        "want",
        "to",
        "uh",
        "huh",
        "it's",
        "x",
    ]
    lines = [" ".join(draw.choices(words, k=draw.randrange(1, 9))) for _ in range(500)]
    given = "".join(f" {line} \n" for line in lines)
    done = subprocess.run([sctk("rfilter1"), rules], input=given, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:-1] == [apply_glm(f" {line} ", file=str(rules)) for line in lines]


def test_very_many_rules_take_no_time(tmp_path):
    rules = tmp_path / "large.glm"
    rules.write_text("".join(f"[word{number}] => [w{number}] / [ ] __ [ ]\n" for number in range(3000)))
    assert apply_glm("word2999 " * 1000 + "word12", file=str(rules)).endswith("w2999 w12")
