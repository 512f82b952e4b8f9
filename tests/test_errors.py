import copy
import inspect
import sys
from typing import get_args

import pytest

import misread
from misread import errors
from misread.errors import (
    MisreadError,
    MissingDependencyError,
    NoResultError,
    SettingError,
    UnknownNameError,
    needed_for,
    setting,
    spell_as_key,
    spelled_by,
)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("metric", "xyz", ["wer", "cer"]), "unknown metric 'xyz'. There are: cer, wer."),
        (("metric", "ccer", ["cer"]), "unknown metric 'ccer'. Did you mean 'cer'? There are: cer."),
        (("system", "a", []), "unknown system 'a'. There are none."),
        (("system", "x", iter("ba")), "unknown system 'x'. There are: a, b."),
        *((("metric", name, ["wer"]), f"unknown metric {name!r}. There are: wer.") for name in (None, 3, ["cer"])),
    ],
)
def test_an_unknown_name_is_shown_with_the_nearest_choice_and_all_sorted(arguments, message):
    assert str(UnknownNameError(*arguments)) == message
    named = str(UnknownNameError("metric", "x", ["cer"], where="here"))
    assert named.startswith("unknown metric 'x' in here.")


def test_choices_from_a_file_cannot_act_in_a_terminal_or_tear_the_line():
    message = str(UnknownNameError("column", "id", ["i\x1b[31md", "a\nb", "\u202eid", "ö"]))
    assert message.endswith(r"There are: a\nb, i\x1b[31md, ö, \u202eid.")
    message = str(NoResultError("system 'a'", "it was left out", ["\x1b[2J"]))
    assert message.endswith(r"There are: \x1b[2J.")


def test_of_many_choices_that_a_command_lists_the_nearest_three_are_offered():
    names = [f"cer_{number}" for number in range(9)]
    error = UnknownNameError("metric", "cer_", names, catalogue="metrics")
    assert str(error) == ("unknown metric 'cer_'. Did you mean 'cer_8', 'cer_7' or 'cer_6'? misread.METRICS has all 9.")
    assert not {"cer_0", "cer_1"} & set(str(error).split())
    error.spelling = spell_as_key
    assert str(error).endswith("? `misread list metrics` lists all 9.")


def test_eight_choices_stand_whole_although_a_command_lists_them():
    message = str(UnknownNameError("step", "h", "abcdefgx", catalogue="steps"))
    assert message == "unknown step 'h'. There are: a, b, c, d, e, f, g, x."


def test_choices_without_a_command_are_named_up_to_thirty():
    names = [f"{number:03}" for number in range(31)]
    assert str(UnknownNameError("system", "x", names[:30])).endswith("028, 029.")
    assert str(UnknownNameError("system", "x", names)).endswith("028, 029 and 1 more.")


@pytest.mark.parametrize("name", ["ccer", "cerr", "zzz", "word_error_rate", "line_acc"])
@pytest.mark.parametrize("catalogue", get_args(errors.Catalogue))
def test_a_misspelt_name_is_answered_in_one_short_line(catalogue, name, misread):
    done = misread("list", catalogue)
    names = [line.split()[0] for line in done.out.splitlines()[1:]]
    assert len(str(UnknownNameError(catalogue[:-1], name, names, catalogue=catalogue))) < 200


@pytest.mark.parametrize(
    "name", [name for name, of in vars(errors).items() if inspect.isclass(of) and name.endswith("Error")]
)
def test_every_error_is_caught_as_one_kind(name):
    assert issubclass(getattr(errors, name), MisreadError)


@pytest.mark.parametrize(
    ("wrong", "builtin"),
    [
        (lambda: misread.cer(None, "a"), TypeError),
        (lambda: misread.cer(["a"], "a"), TypeError),
        (lambda: misread.cer(["a"], [1]), TypeError),
        (lambda: misread.spec.validate_json_output(b"{}", {}), TypeError),
        (lambda: misread.cer(["a"], ["a", "b"]), ValueError),
        (lambda: misread.cer([], []), ValueError),
        (lambda: misread.cer("a", "\ud800"), ValueError),
        (lambda: misread.anls("a", "a", threshold=2), ValueError),
        (lambda: misread.anls([], "a"), ValueError),
        (lambda: misread.read_run("there is no such folder"), ValueError),
        (lambda: misread.error_counts("a", "a", unit="chars"), LookupError),
        (lambda: misread.error_counts("a", "a", unit="chars"), ValueError),
        (lambda: misread.spec.get_edit_operations("a", "a")["hits"], LookupError),
    ],
)
def test_an_error_is_also_the_one_of_python_that_fits(wrong, builtin):
    with pytest.raises(MisreadError) as raised:
        wrong()
    assert isinstance(raised.value, builtin)


def test_no_error_is_shown_in_quotation_marks():
    assert not any(issubclass(of, KeyError) for of in vars(errors).values() if inspect.isclass(of))


def test_what_is_missing_is_named_with_the_line_that_installs_it():
    with (
        pytest.raises(MissingDependencyError, match=r"^figures need Nowhere: pip install 'misread\[report\]'\.$"),
        needed_for("figures need", "Nowhere", "report"),
    ):
        import nowhere_to_be_found  # noqa: F401


def test_a_fault_of_our_own_is_not_taken_for_a_missing_package():
    with pytest.raises(ModuleNotFoundError, match=r"misread\.nowhere"), needed_for("figures need", "Nowhere", "report"):
        import misread.nowhere  # noqa: F401


@pytest.mark.parametrize(
    ("package", "call", "extra"),
    [
        ("matplotlib", "misread.evaluate(['ab'], {'a': ['ac']}, metrics=['cer'], seed=1).plot('cer')", "report"),
        ("hydra", "from misread.pipeline.composition import CONF, compose_text; compose_text(CONF, [])", "pipeline"),
        ("lxml", "misread.spec.validate_xml_output('<a/>')", "structured"),
        (
            "lxml",
            "from pathlib import Path; from misread.data import read_folders, FolderOptions as O\n"
            "read_folders(Path(misread.__file__), {'a': Path(misread.__file__)}, O(format='page'))",
            "xml",
        ),
    ],
)
def test_a_use_without_its_package_names_the_extra(monkeypatch, package, call, extra):
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingDependencyError, match=rf"pip install 'misread\[{extra}\]'"):
        exec(f"import misread\n{call}", {})  # noqa: S102


@pytest.fixture
def refusal():
    return errors.ConfigurationError(
        f"{setting('statistics.alpha')} and {setting('missing', 'drop')} exclude each other."
    )


def test_python_spells_settings_as_arguments(refusal):
    assert str(refusal) == "alpha and missing='drop' exclude each other."


def test_the_configuration_spells_settings_as_keys(refusal):
    with spelled_by(spell_as_key):
        assert str(refusal) == "statistics.alpha and missing: drop exclude each other."
    assert str(refusal).startswith("alpha and")


def test_who_raises_an_error_may_say_how_it_spells_settings(refusal):
    refusal.spelling = spell_as_key
    assert str(copy.copy(refusal)).startswith("statistics.alpha")


def test_an_error_says_which_settings_it_names(refusal):
    assert refusal.settings == ("statistics.alpha", "missing")
    assert errors.ConfigurationError("nothing").settings == ()
    assert SettingError("metrics", [], "a name").settings == ("metrics",)


@pytest.mark.parametrize(
    ("value", "argument", "key"),
    [
        (True, "resegment=True", "resegment: true"),
        ("null", "resegment=None", "resegment: null"),
        (None, *["resegment"] * 2),
    ],
)
def test_values_are_spelled_as_their_language_has_them(value, argument, key):
    error = errors.ConfigurationError(setting("resegment", value))
    assert str(error) == argument
    with spelled_by(spell_as_key):
        assert str(error) == key
