from dataclasses import dataclass, field

from misread.tally.adding import Adding


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner(Adding):
    number: int = 0
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer(Adding):
    inner: Inner = field(default_factory=Inner)
    numbers: dict = field(default_factory=dict)
    fact: object = None


def test_numbers_add_in_records_and_mappings_whatever_depth_they_are_at():
    first = Outer(inner=Inner(number=1), numbers={"a": {"x": 1}, "b": {"y": 2}})
    later = Outer(inner=Inner(number=2), numbers={"a": {"x": 3, "z": 4}, "c": {}})
    total = first + later
    assert total.inner.number == 3
    assert total.numbers == {"a": {"x": 4, "z": 4}, "b": {"y": 2}, "c": {}}


def test_keys_stay_in_the_order_in_which_they_came():
    total = Outer(numbers={"b": 1, "a": 1}) + Outer(numbers={"c": 1, "a": 1, "b": 1})
    assert list(total.numbers) == ["b", "a", "c"]


def test_the_first_three_examples_are_kept():
    total = Inner(examples=("1", "2")) + Inner(examples=("3", "4")) + Inner(examples=("5",))
    assert total.examples == ("1", "2", "3")


def test_a_fact_is_that_of_the_part_that_knows_it():
    assert (Outer() + Outer(fact="lines")).fact == "lines"
    assert (Outer(fact="lines") + Outer()).fact == "lines"


def test_parts_are_not_changed_by_adding_them():
    first, later = Outer(numbers={"a": 1}), Outer(numbers={"a": 2})
    _ = first + later
    assert (first.numbers, later.numbers) == ({"a": 1}, {"a": 2})
