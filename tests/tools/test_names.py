"""Programs that are given names of what to run, and run all without any."""

import argparse
from importlib import import_module

import pytest


@pytest.mark.parametrize("tool", ["bench", "chaos", "fuzz"])
@pytest.mark.parametrize(("names", "chosen"), [([], "all"), (["all"], ["all"])])
def test_without_a_name_all_are_run(monkeypatch, tool, names, chosen):
    parse = argparse.ArgumentParser.parse_args

    def stop(parser):
        given = parse(parser, names)
        raise InterruptedError(vars(given).get("names") or given.targets)

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", stop)
    with pytest.raises(InterruptedError) as caught:
        import_module(f"tools.{tool}.__main__").main()
    assert caught.value.args == (chosen,)


@pytest.mark.parametrize("tool", ["bench", "chaos", "fuzz"])
def test_a_name_that_is_none_is_refused_with_those_there_are(monkeypatch, capsys, tool):
    parse = argparse.ArgumentParser.parse_args
    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", lambda parser: parse(parser, ["nothing"]))
    with pytest.raises(SystemExit):
        import_module(f"tools.{tool}.__main__").main()
    assert "invalid choice: 'nothing' (choose from" in capsys.readouterr().err
