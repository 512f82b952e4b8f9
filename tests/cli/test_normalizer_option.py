"""`--normalizer`: a name, a file, or steps, in every command that takes texts."""

import json

import pytest

FILES = ("score", "r.txt", "h.txt", "--resamples", "9", "--metrics", "cer", "--output", "json")


@pytest.fixture
def cer(misread, write_lines):
    """Errors of characters under a normalizer."""
    write_lines("r.txt", "Straße I\n")
    write_lines("h.txt", "STRASSE ı\n")

    def score(normalizer):
        return misread(*FILES, "--normalizer", normalizer).json["systems"]["h"]["cer"]["counts"]["errors"]

    return score


@pytest.mark.parametrize(
    ("normalizer", "errors"),
    [("none", 7), ("lower", 3), ("fold_case", 1), ("nfc,fold_case", 1), ("[nfc, {step: fold_case, language: tr}]", 0)],
)
def test_names_and_steps_are_taken(cer, normalizer, errors):
    assert cer(normalizer) == errors


@pytest.mark.parametrize(
    "content", ["- {step: fold_case, language: tr}\n", "name: turk\nsteps: [{step: fold_case, language: tr}]\n"]
)
def test_a_file_has_steps_or_a_name_and_steps(cer, write_lines, content):
    write_lines("own.yaml", content)
    assert cer("own.yaml") == 0


def test_the_name_of_a_file_or_in_it_stands_in_the_signature(misread, cer, write_lines):
    write_lines("own.yaml", "[nfc]\n")
    write_lines("other.yml", "{name: mine, steps: [nfc]}\n")
    assert "|norm:own@" in misread(*FILES[:-2], "--normalizer", "own.yaml").out
    assert "|norm:mine@" in misread(*FILES[:-2], "--normalizer", "other.yml").out
    assert "|norm:steps@" in misread(*FILES[:-2], "--normalizer", "nfc").out


def test_a_folder_of_a_run_has_the_steps_from_which_the_normalizer_can_be_made_again(misread, cer, tmp_path):
    misread(*FILES, "--normalizer", "nfc,lower_case", "--run-dir", "run")
    config = json.loads((tmp_path / "run/config.json").read_text())
    assert config["normalizer"] == {"name": "steps", "steps": ["nfc", "lower_case"]}


def test_a_function_of_this_folder_is_a_step(cer, tmp_path):
    (tmp_path / "own_steps_of_this_test.py").write_text("def same(text: str) -> str:\n    return 'x'\n")
    assert cer("own_steps_of_this_test.same") == 0


@pytest.mark.parametrize(
    ("normalizer", "message"),
    [
        ("turkis", "unknown normalizer 'turkis' in --normalizer. Did you mean 'turkish'?"),
        ("nfc,nfcc", "unknown step 'nfcc'"),
        ("nfc,nfc", "--normalizer names 'nfc' twice"),
        ("[nfc", "--normalizer is not valid YAML"),
        ("[5]", "--normalizer is '[5]', expected names of steps"),
        ("none.yaml", "there is no file none.yaml"),
        ("./", ". cannot be read: Is a directory"),
        ("none/", "there is no file none"),
        ("text.yaml", "text.yaml: expected a list of steps, or a mapping with the keys name and steps."),
        ("more.yaml", "more.yaml: expected a list of steps, or a mapping with the keys name and steps."),
        ("taken.yaml", "taken.yaml: 'lower' is the name of a built-in normalizer; choose another."),
    ],
)
def test_what_is_none_is_refused_in_one_line(misread, cer, write_lines, normalizer, message):
    write_lines("text.yaml", "lower\n")
    write_lines("more.yaml", "{name: a, steps: [nfc], also: b}\n")
    write_lines("taken.yaml", "{name: lower, steps: [nfc]}\n")
    done = misread(*FILES, "--normalizer", normalizer)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"error: {message}")
