from importlib import import_module

import pytest

from misread.data import Table
from misread.pipeline.instantiation import find_class
from misread.pipeline.moved_names import _MOVED, name_today


@pytest.mark.parametrize("old", _MOVED)
def test_every_class_that_moved_is_where_its_new_name_says(old):
    module, _, name = name_today(old).rpartition(".")
    assert isinstance(getattr(import_module(module), name), type)


def test_an_old_name_is_accepted_and_the_warning_has_the_new_one(capsys):
    assert find_class("misread.datasets.Table", "datasets.lines") is Table
    assert capsys.readouterr().err == (
        "warning: datasets.lines: misread.datasets.Table is misread.data.Table now; the old name is accepted until the "
        "next minor version.\n"
    )


def test_a_name_that_never_moved_stays():
    assert name_today("lab.Engine") == "lab.Engine"
    assert name_today("misread.metrics.ErrorRate") == "misread.metrics.ErrorRate"
