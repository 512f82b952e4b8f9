from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.whole_tables import write_normalized

from misread.data.segment_table import Origin, SegmentKeys
from misread.engines.base import Reading
from misread.errors import ConfigurationError, UnknownNameError
from misread.normalize import NormalizerByColumn, count_changes, get_normalizer, normalize
from misread.normalize import captures as whole
from misread.pipeline.normalized_parts import _rows_to_lint, normalize_part, plan_parts, write_parts
from misread.storage import read_capture, write_capture

TEXTS = st.sampled_from(["", "A  b", "a b", "Don't", "e\u0301", "Ü 12", "?!", "two\nlines \n", "IŞIK 42"])
BY_LANGUAGE = NormalizerByColumn(
    "by_language", column="language", profiles={"tr": "turkish", "en": "lower"}, default="nist"
)
NORMALIZERS = [get_normalizer(name) for name in ("none", "whitespace", "lower", "nist", "english")]


@st.composite
def captures(draw):
    """Arguments of `write_capture`."""
    number, runs = draw(st.integers(0, 12)), draw(st.integers(1, 3))

    def column(values):
        return draw(st.lists(values, min_size=number, max_size=number))

    keys = SegmentKeys(
        [f"s{row}" for row in range(number)], None, {"language": column(st.sampled_from(["tr", "en", "de"]))}
    )
    readings = [
        Reading(name, text, None if text is not None else "cut short", 0.0, None, run=run, confidence=confidence)
        for run in range(1, runs + 1)
        for name, text, confidence in zip(
            keys.segment_id, column(TEXTS | st.none()), column(st.none() | st.just(0.5)), strict=True
        )
    ]
    origin = Origin("lines", "m", notes=("A note.",))
    annotations = {"biasing": column(st.none() | st.just(["A  B"]))} if draw(st.booleans()) else {}
    return origin, keys, column(TEXTS), readings, annotations


def written_in_parts(folder, normalizer, most_rows):
    tasks = plan_parts(folder / "capture", normalizer, folder, most_rows=most_rows)
    changes = write_parts(map(normalize_part, tasks), folder / "parts", normalizer)
    return (folder / "parts").read_bytes(), [asdict(step) for step in changes]


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(captures(), st.sampled_from([*NORMALIZERS, BY_LANGUAGE]), st.integers(1, 13), st.integers(1, 4))
def test_file_and_changes_do_not_depend_on_the_parts(made, normalizer, most_rows, most_linted):
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "_MOST_LINTED", most_linted)
        folder = Path(name)
        write_capture(folder / "capture", *made)
        capture = read_capture(folder / "capture")
        write_normalized(folder / "whole", normalize(capture, normalizer))
        expected = (folder / "whole").read_bytes(), [asdict(step) for step in count_changes(capture, normalizer)]
        assert written_in_parts(folder, normalizer, most_rows) == expected
        assert {path.name for path in folder.iterdir()} == {"capture", "whole", "parts"}


@pytest.mark.parametrize(
    ("normalizer", "error"),
    [
        (NormalizerByColumn("x", column="script", profiles={"tr": "turkish"}), UnknownNameError),
        (NormalizerByColumn("x", column="language", profiles={"tr": "turkish"}), ConfigurationError),
    ],
)
def test_errors_are_those_of_the_whole(tmp_path, normalizer, error):
    keys = SegmentKeys(["s0", "s1"], None, {"language": ["tr", "de"]})
    readings = [Reading(name, "a", None, 0.0, None) for name in keys.segment_id]
    write_capture(tmp_path / "capture", Origin("lines", "m"), keys, ["a", "b"], readings)
    with pytest.raises(error) as of_whole:
        normalize(read_capture(tmp_path / "capture"), normalizer)
    with pytest.raises(error) as of_parts:
        written_in_parts(tmp_path, normalizer, 1)
    assert str(of_parts.value) == str(of_whole.value)
    assert not (tmp_path / "parts").exists()


def test_of_each_label_rows_in_equal_distances_are_linted(tmp_path, monkeypatch):
    monkeypatch.setattr(whole, "_MOST_LINTED", 2)
    labels = ["tr", "en", "tr", "tr", "en", "tr", "tr", "de"]
    keys = SegmentKeys([f"s{row}" for row in range(8)], None, {"language": labels})
    origin = Origin("lines", "m")
    readings = [Reading(name, name, None, 0.0, None) for name in keys.segment_id]
    write_capture(tmp_path / "capture", origin, keys, keys.segment_id, readings)
    rows = _rows_to_lint(tmp_path / "capture", BY_LANGUAGE, origin, 8)
    expected = whole.sample_to_lint(read_capture(tmp_path / "capture"), BY_LANGUAGE)
    assert {label: [f"s{row}" for row in of] for label, of in rows.items()} == {
        label: [*texts.references] for label, texts in expected.items()
    }
    assert rows["tr"] == [0, 5]
