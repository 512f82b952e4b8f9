from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest

from misread.errors import ConfigurationError, MisreadError, UnknownNameError
from misread.io.checks.settings import check_types

if TYPE_CHECKING:
    from nowhere import Missing


@dataclass(frozen=True)
class Shade:
    colour: str = "green"


@dataclass(frozen=True)
class Lamp:
    watts: int = 40
    volts: float = 230.0
    is_lit: bool = False
    name: str = ""
    maker: str | None = None
    kind: Literal["desk", "floor"] = "desk"
    rooms: Sequence[str] = ()
    kinds: Sequence[Literal["desk", "floor"]] = ()
    switches: Mapping[str, Sequence[int]] | None = None
    shade: Shade = Shade()
    either: int | str = 1


class Unresolved:
    def __init__(self, watts: int, missing: Missing) -> None:
        self.watts = watts


class Plain:
    def __init__(self, watts: int, anything) -> None:
        self.watts = watts


@pytest.mark.parametrize(
    "settings",
    [
        {"watts": 0},
        {"volts": 230},
        {"is_lit": True},
        {"maker": None},
        {"maker": "a"},
        {"kind": "floor"},
        {"rooms": []},
        {"rooms": ["a", "b"]},
        {"rooms": ("a",)},
        {"kinds": ["desk", "floor"]},
        {"switches": {"a": [1, 2]}},
        {"shade": Shade("red")},
        {"either": "a"},
        {"unknown": object()},
    ],
)
def test_what_fits_passes(settings):
    check_types(Lamp, settings, where="lamps")


@pytest.mark.parametrize("watts", [np.int64(5), np.int32(5), np.uint8(5), np.uint64(5)])
def test_whole_numbers_of_numpy_become_those_of_python(watts):
    passed = check_types(Lamp, {"watts": watts, "name": "a"}, where="lamps")
    assert passed == {"watts": 5, "name": "a"}
    assert type(passed["watts"]) is int


@pytest.mark.parametrize("watts", [np.True_, np.float64(5), np.array(5)])
def test_booleans_floats_and_arrays_of_numpy_are_no_whole_numbers(watts):
    with pytest.raises(ConfigurationError, match=r"lamps\.watts is .*, expected a whole number"):
        check_types(Lamp, {"watts": watts}, where="lamps")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"watts": 1000.0}, "lamps.watts is 1000.0, expected a whole number."),
        ({"watts": 1e20}, "lamps.watts is 1e+20, expected a whole number."),
        ({"watts": True}, "lamps.watts is true, expected a whole number."),
        ({"watts": "40"}, 'lamps.watts is "40", expected a whole number.'),
        ({"watts": None}, "lamps.watts is null, expected a whole number."),
        ({"volts": True}, "lamps.volts is true, expected a number."),
        ({"volts": "x"}, 'lamps.volts is "x", expected a number.'),
        ({"is_lit": 1}, "lamps.is_lit is 1, expected true or false."),
        ({"name": 3}, "lamps.name is 3, expected text (in quotes, where it looks like anything else)."),
        ({"maker": 3}, "lamps.maker is 3, expected text (in quotes, where it looks like anything else)."),
        ({"kind": 3}, "lamps.kind is 3, expected 'desk' or 'floor'."),
        ({"rooms": "kitchen"}, 'lamps.rooms is "kitchen", expected a list.'),
        ({"rooms": ["a", 3]}, "lamps.rooms[1] is 3, expected text (in quotes, where it looks like anything else)."),
        ({"switches": {"a": [1, "b"]}}, 'lamps.switches.a[1] is "b", expected a whole number.'),
        ({"switches": [1]}, "lamps.switches is [1], expected names with values."),
        ({"shade": None}, "lamps.shade is null, expected settings with a _target_ (an instance of Shade)."),
        ({"shade": {"colour": "red"}}, "expected settings with a _target_ (an instance of Shade)."),
        (
            {"either": 1.5},
            "lamps.either is 1.5, expected a whole number or text (in quotes, where it looks like anything else).",
        ),
    ],
)
def test_what_does_not_fit_is_named_with_what_would(settings, message):
    with pytest.raises(ConfigurationError) as caught:
        check_types(Lamp, settings, where="lamps")
    assert str(caught.value).endswith(message)


@pytest.mark.parametrize(
    ("settings", "place"), [({"kind": "flor"}, "lamps.kind"), ({"kinds": ["desk", "flor"]}, "lamps.kinds[1]")]
)
def test_a_choice_that_is_not_there_offers_the_nearest(settings, place):
    with pytest.raises(UnknownNameError) as caught:
        check_types(Lamp, settings, where="lamps")
    assert str(caught.value) == f"unknown value 'flor' in {place}. Did you mean 'floor'? There are: desk, floor."


def test_a_long_value_is_cut_to_one_short_line():
    with pytest.raises(ConfigurationError) as caught:
        check_types(Lamp, {"watts": "many\n" * 1000}, where="lamps")
    assert len(str(caught.value)) < 150
    assert "\n" not in str(caught.value)


def test_a_class_that_is_no_dataclass_is_checked_by_its_arguments():
    with pytest.raises(MisreadError, match=r"lamps\.watts is \"x\""):
        check_types(Plain, {"watts": "x", "anything": object()}, where="lamps")


def test_annotations_that_cannot_be_resolved_are_not_checked():
    check_types(Unresolved, {"watts": "x", "missing": 3}, where="lamps")
