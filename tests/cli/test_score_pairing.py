"""`misread score` and `misread init` on outputs that fit other references."""

import pytest
from tests.pairing.test_check import REFERENCES

SHIFTED = [*REFERENCES[1:], REFERENCES[0]]
SWAPPED = [REFERENCES[1], REFERENCES[0], *REFERENCES[2:]]


@pytest.fixture
def files(tmp_path):
    for name, texts in {"truth": REFERENCES, "shifted": SHIFTED, "swapped": SWAPPED, "right": REFERENCES}.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts))
    return lambda *names: [str(tmp_path / f"{name}.txt") for name in names]


def test_shifted_lines_are_refused_in_one_line_and_scored_as_given(misread, files):
    done = misread("score", *files("truth", "shifted"), "--metrics", "cer")
    assert done.status == 1
    assert "that of 1 fits 2" in done.err
    assert "--pairing as-given scores them as they stand." in done.err
    given = misread("score", *files("truth", "shifted"), "--metrics", "cer", "--pairing", "as-given")
    assert given.status == 0
    assert "|pairing:as-given|" in given.out


def test_a_doubt_stands_on_standard_error_below_the_table_in_json_and_in_a_view(misread, files):
    names = files("truth", "swapped", "right")
    done = misread("score", *names, "--metrics", "cer")
    assert done.status == 0
    assert "warning: swapped: 2 of 40 outputs may be paired with wrong references. They are swapped" in done.err
    assert "PairingWarning" not in done.err
    assert "swapped: 2 of 40 outputs may be paired with wrong references.\n" in done.out
    faults = misread("score", *names, "--metrics", "cer", "--output", "json").json["pairing"]["swapped"]
    assert faults[0]["pairs"] == [{"segment_id": "1", "fits": "2"}, {"segment_id": "2", "fits": "1"}]
    assert misread("score", *files("truth", "right"), "--output", "json").json["pairing"] == {}
    view = misread("score", *names, "--metrics", "cer", "--view", "pairing", "--output", "csv").out
    assert ",swapped,swap,1,2" in view
    assert misread("score", *names, "--pairing", "strict").status == 1
