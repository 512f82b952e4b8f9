import io
import sys

import pytest


@pytest.fixture
def from_input(misread, monkeypatch):
    def run(data, *arguments):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return misread("normalize", *arguments)

    return run


def test_a_text_is_normalized(misread):
    done = misread("normalize", "--normalizer", "turkish", "--text", "Bu 42 sayısı önemlidir")
    assert (done.status, done.out, done.err) == (0, "bu kırk iki sayısı önemlidir\n", "")


def test_a_file_gives_one_line_for_each_line(misread, write_lines):
    done = misread("normalize", write_lines("a.txt", "A <br>b\n\n  C\n"), "--normalizer", "html_to_text,fold_case")
    assert done.out == "a b\n\n  c\n"


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_standard_input_is_read(from_input, arguments):
    assert from_input("\ufeffI\nİ\n".encode(), *arguments, "--normalizer", "turkish").out == "ı\ni\n"


def test_bytes_that_are_not_utf_8_are_named_with_their_line(from_input):
    done = from_input(b"a\n\xff\n", "--normalizer", "lower")
    assert (done.status, done.out) == (1, "")
    assert "standard input, line 2: byte 0xff is not valid UTF-8" in done.err


def test_the_trace_has_the_text_after_every_step(misread):
    done = misread(
        "normalize", "--text", "Ｉ x", "--trace", "--normalizer", "[nfkc, nfc, {step: fold_case, language: tr}]"
    )
    assert done.out.splitlines() == ["           Ｉ x", "nfkc       I x", "nfc        =", "fold_case  ı x"]


def test_the_linter_prints_scripts_and_findings_and_has_a_status_of_its_own(misread):
    done = misread("normalize", "--lint", "--normalizer", "lower", "--text", "İzmir")
    assert done.status == 1
    assert done.out.splitlines()[1].split() == ["Latin", "1", "->", "1", "5", "->", "5"]
    assert "lower writes the Turkish letter İ as two characters" in done.out
    done = misread("normalize", "--lint", "--normalizer", "basic", "--text", "हिन्दी की किताबें")
    assert (done.status, done.out.splitlines()[-1]) == (0, "basic: nothing to name.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--text", "a"],
            "--normalizer is missing: a name, a file, or steps; `misread list normalizers` has the names.",
        ),
        (["--text", "a", "--normalizer", "[{language: tr}]"], "does not name its step"),
        (
            ["--text", "a", "--normalizer", "[{step: replace_pattern, pattern: '('}]"],
            "pattern '(' is not a valid regular",
        ),
        (["--text", "a", "--normalizer", "lower", "--trace", "--lint"], "choose one"),
        (["a.txt", "--text", "a", "--normalizer", "lower"], "give a.txt or --text, not both"),
        (["none.txt", "--normalizer", "lower"], "none.txt"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(misread, arguments, message):
    done = misread("normalize", *arguments)
    assert (done.status, done.out) == (1, "")
    assert message in done.err
    assert done.err.count("\n") == 1
