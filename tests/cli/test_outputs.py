"""No command writes over what it reads, or one of its files over another."""

import pytest

from misread.cli.app import COMMANDS, OUTPUTS, _declare

# Paths that a command reads, and the folder of `init`, which overwrites nothing.
READ = {"alternatives", "copy", "data_folder", "decisions", "entities", "file", "files", "folder"}
READ |= {"agreement", "order", "papers", "paths", "prompt", "signature_file", "source", "table"}
TABLE = ("--table", "t.jsonl", "--segment-id", "id", "--hyp", "a=a", "--hyp", "b=b")


def commands(group=None):
    for command in (group or _declare(tuple(COMMANDS))).commands.values():
        yield from commands(command) if hasattr(command, "commands") else [command]


def test_every_path_of_every_command_is_known_as_an_input_or_an_output():
    paths = {param.name for command in commands() for param in command.params if param.type.name == "path"}
    assert paths - READ - OUTPUTS == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ("dispute", *TABLE, "--out", "t.jsonl"),
        ("dispute", *TABLE, "--out", "s.csv", "--page", "./s.csv"),
        ("dispute", "a.txt", "b.txt", "--out", "a.txt"),
        ("dispute", "folder", "b.txt", "--page", "folder/a.txt"),
        ("dispute", *TABLE, "--normalizer", "n.yaml", "--page", "n.yaml"),
        ("judge", "record", *TABLE, "--ref", "a", "--model", "x", "--url", "http://localhost:1", "--out", "t.jsonl"),
        ("score", "a.txt", "b.txt", "--run-dir", "."),
        ("score", "--ref", "a.txt", "--hyp", "b=folder/a.txt", "--run-dir", "folder"),
        ("convert", "a.txt", "./a.txt", "--to", "stm"),
        ("convert", "a.txt", "params.yaml", "--to", "stm"),
        ("gate", "--baseline", "HEAD~1", "--markdown", "params.yaml"),
        ("paper", "macros", "--output", "conf/config.yaml"),
    ],
)
def test_an_output_that_is_an_input_is_refused_and_nothing_is_written(misread, tmp_path, arguments):
    (tmp_path / "folder").mkdir()
    (tmp_path / "conf").mkdir()
    files = {"a.txt": "x\n", "b.txt": "y\n", "folder/a.txt": "x\n", "n.yaml": "steps: [nfc]\n"}
    files |= {"params.yaml": "seed: 1\n", "conf/config.yaml": "seed: 1\n"}
    files["t.jsonl"] = '{"id": "1", "a": "x", "b": "y"}\n'
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    done = misread(*arguments)
    assert (done.status, len(done.err.splitlines())) == (1, 1)
    assert "would be written over an input" in done.err or "is written twice" in done.err
    assert {name: (tmp_path / name).read_text() for name in files} == files
