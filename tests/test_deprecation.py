"""What is deprecated works, warns where it is used, and says since when, until when, and what to use."""

import ast
import re
import sys
import warnings
from pathlib import Path

import pytest

import misread
from misread.deprecation import deprecated
from misread.version import __version__

NOTICE = re.compile(r"\S+ is deprecated since (\d+)\.(\d+) and goes in (\d+)\.(\d+): \S.*\.")


@deprecated("old_rate is deprecated since 0.2 and goes in 0.3: use cer.")
def old_rate(reference, *, hypothesis):
    """Rate."""
    return reference, hypothesis


@deprecated("OldRate is deprecated since 0.2 and goes in 0.3: use Rate.")
class OldRate:
    def __init__(self, unit):
        self.unit = unit


def notices(source):
    """Messages of everything that a module marks."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "deprecated":
            yield node.args[0].value


def is_in_time(notice, version=__version__):
    """Whether a notice has the form, there is a minor version between, and what it marks is not overdue."""
    match = NOTICE.fullmatch(notice)
    if match is None:
        return False
    since, until = (int(match[1]), int(match[2])), (int(match[3]), int(match[4]))
    major, minor, *_ = version.split(".")
    return since < until and (int(major), int(minor)) < until


def test_a_function_works_and_warns_where_it_is_called():
    with pytest.warns(DeprecationWarning, match="use cer") as record:
        assert old_rate("a", hypothesis="b") == ("a", "b")
    assert [Path(warning.filename).name for warning in record] == [Path(__file__).name]
    assert (old_rate.__name__, old_rate.__doc__) == ("old_rate", "Rate.")
    assert NOTICE.fullmatch(old_rate.__deprecated__)


def test_a_class_works_and_warns_where_an_object_is_made():
    with pytest.warns(DeprecationWarning, match="use Rate") as record:
        assert OldRate("char").unit == "char"
    assert [Path(warning.filename).name for warning in record] == [Path(__file__).name]
    assert isinstance(OldRate, type)


def test_from_python_3_13_on_it_is_that_of_the_standard_library():
    assert deprecated is getattr(warnings, "deprecated", deprecated)
    assert (deprecated.__module__ == "misread.deprecation") == (sys.version_info < (3, 13))


@pytest.mark.parametrize(
    ("notice", "version", "expected"),
    [
        ("wil is deprecated since 0.2 and goes in 0.3: use wer.", "0.2.0", True),
        ("wil is deprecated since 0.2 and goes in 0.3: use wer.", "0.2.5.dev1", True),
        ("wil is deprecated since 0.2 and goes in 0.3: use wer.", "0.3.0.dev1", False),
        ("wil is deprecated since 0.3 and goes in 0.3: use wer.", "0.2.0", False),
        ("wil is deprecated since 0.9 and goes in 1.0: use wer.", "0.9.1", True),
        ("wil is old", "0.2.0", False),
    ],
)
def test_a_notice_gives_one_minor_version(notice, version, expected):
    assert is_in_time(notice, version) is expected


def test_every_notice_of_the_package_is_in_time():
    assert list(notices(Path(__file__).read_text(encoding="utf-8")))
    sources = (path.read_text(encoding="utf-8") for path in Path(misread.__file__).parent.rglob("*.py"))
    sources = (source for source in sources if "deprecated(" in source)
    assert not [notice for source in sources for notice in notices(source) if not is_in_time(notice)]
