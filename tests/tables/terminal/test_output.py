import io
import json
import sys

import pytest

from misread.tables.terminal.output import print_json

CONTENT = {"é漢 😀": ["a\x1b\x9b\u202eb\n", "\udcff", "می\u200cخواهم", "\U000e0041", 0.5, None]}


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "utf-16", "cp1252"])
def test_it_parses_back_in_every_encoding(monkeypatch, encoding):
    content = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(content, encoding=encoding))
    print_json(CONTENT)
    sys.stdout.flush()
    text = content.getvalue().decode(encoding)
    assert json.loads(text) == CONTENT
    assert not set("\x1b\x9b\u202e") & set(text)


def test_letters_are_printed_as_they_are_where_they_can_be(capsys):
    print_json(CONTENT)
    assert '"é漢 😀"' in capsys.readouterr().out


def test_a_number_that_json_does_not_know_is_refused():
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"rate": float("nan")})
