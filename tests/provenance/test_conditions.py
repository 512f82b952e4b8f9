import pytest

from misread.provenance.conditions import ConditionsTally, say_differences, say_other_models, show_conditions


def summed_up(*readings, of_server=True):
    tally = ConditionsTally()
    for conditions in readings:
        tally.add(conditions)
    return tally.summed_up(of_server=of_server)


def asked(concurrency, version=None, batch_size=None):
    return {"concurrency": concurrency, "batch size": batch_size, "server version": version}


def test_each_value_stands_once_in_the_order_of_numbers_with_the_unknown_last():
    readings = [asked(16), asked(4), asked(None), asked(4), asked(100)]
    assert summed_up(*readings)["concurrency"] == ["4", "16", "100", "unknown"]


def test_of_a_server_concurrency_and_version_are_unknown_where_no_reading_has_them_and_others_have_none():
    assert summed_up(asked(None)) == {"concurrency": ["unknown"], "server version": ["unknown"]}
    assert summed_up(asked(None), of_server=False) == summed_up() == {}
    assert summed_up(asked(4, batch_size=8), asked(4, batch_size=2))["batch size"] == ["2", "8"]


def test_of_very_many_values_some_are_listed_and_the_others_counted():
    versions = summed_up(*(asked(4, f"{number:04}") for number in range(1021)))["server version"]
    assert (versions[:2], len(versions), versions[-1]) == (["0000", "0001"], 21, "1,001 more")


def test_one_value_is_shown_as_it_is_and_several_are_mixed():
    shown = show_conditions({"concurrency": ["4", "16"], "server version": ["vllm 0.6"]})
    assert shown == {"concurrency": "mixed 4, 16", "server version": "vllm 0.6"}


@pytest.mark.parametrize(
    ("first", "second"),
    [(["4"], ["4"]), (["4"], ["unknown"]), (["4", "unknown"], ["4"]), (["unknown"], ["unknown"]), ([], ["4"])],
)
@pytest.mark.parametrize("same_system", [False, True])
def test_the_same_and_the_unknown_do_not_differ(first, second, same_system):
    conditions = {"a": {"concurrency": first}, "b": {"concurrency": second}}
    assert say_differences(conditions, same_system=same_system) == ""


def test_systems_asked_at_another_concurrency_are_named_in_one_sentence():
    conditions = {"a": {"concurrency": ["1"]}, "b": {"concurrency": ["4", "16", "unknown"]}, "c": {}}
    assert say_differences(conditions) == (
        "Asked under different conditions: concurrency (a 1; b mixed 4, 16). Answers of a model may depend on them; "
        "a system for each of them, with runs: 2, shows by how much."
    )


def test_a_capture_that_is_mixed_differs_within_itself():
    assert "concurrency (a mixed 4, 16)" in say_differences({"a": {"concurrency": ["4", "16"]}})


def test_versions_of_two_servers_do_not_differ_but_those_of_one_do():
    servers = {"a": {"server version": ["vllm 0.6"]}, "b": {"server version": ["uvicorn"]}}
    assert say_differences(servers) == ""
    assert "server version (a mixed 1, 2)" in say_differences({**servers, "a": {"server version": ["1", "2"]}})


def test_models_of_two_systems_do_not_differ_but_those_of_one_do():
    systems = {"a": {"served model": ["large"]}, "b": {"served model": ["small"]}}
    assert say_differences(systems) == ""
    assert "served model (a mixed m, n)" in say_differences({**systems, "a": {"served model": ["m", "n"]}})
    assert "served model (a large; b small)" in say_differences(systems, same_system=True)


@pytest.mark.parametrize(
    ("served", "asked", "said"),
    [
        (["large"], "large", ""),
        (["unknown"], "large", ""),
        ([], "large", ""),
        (["small"], "", ""),
        (["large", "small", "unknown"], "large", "Model large was asked, and the server says that small answered."),
        (["a", "b"], "c", "Model c was asked, and the server says that a, b answered."),
        (["gpt-4o-2024-08-06", "gpt-4o"], "openai/gpt-4o", ""),
        (["sonnet-20241022"], "sonnet-latest", ""),
        (["large-mini"], "large", "Model large was asked, and the server says that large-mini answered."),
    ],
)
def test_models_that_answered_in_place_of_another_are_named(served, asked, said):
    assert say_other_models({"served model": served} if served else {}, asked) == said


def test_two_captures_of_one_system_differ_in_the_version_too_but_not_if_they_are_mixed_alike():
    sides = {"before": {"server version": ["1"]}, "after": {"server version": ["2"]}}
    assert "server version (before 1; after 2)" in say_differences(sides, same_system=True)
    mixed = {"concurrency": ["4", "16"]}
    assert say_differences({"before": mixed, "after": mixed}, same_system=True) == ""
