import pytest

from misread.data.segment_table import Origin, SegmentKeys
from misread.engines.base import Reading
from misread.errors import ConfigurationError, UnknownNameError
from misread.normalize import NormalizerByColumn, normalize
from misread.normalize import captures as whole
from misread.pipeline.normalized_parts import normalize_part, plan_parts, read_samples, write_parts
from misread.storage import read_capture, write_capture

BY_LANGUAGE = NormalizerByColumn(
    "by_language", column="language", profiles={"tr": "turkish", "en": "lower"}, default="nist"
)


def written_in_parts(folder, normalizer, most_rows):
    tasks = plan_parts(folder / "capture", normalizer, folder, most_rows=most_rows)
    write_parts(map(normalize_part, tasks), folder / "parts", normalizer, folder / "capture")


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


def test_rows_are_looked_at_by_label_and_of_many_a_sample(tmp_path, monkeypatch):
    labels = ["tr", "en", "tr", "tr", "en", "tr", "tr", "de"]
    keys = SegmentKeys([f"s{row}" for row in range(8)], None, {"language": labels})
    readings = [Reading(name, name, None, 0.0, None) for name in keys.segment_id]
    write_capture(tmp_path / "capture", Origin("lines", "m"), keys, keys.segment_id, readings)
    samples = read_samples(tmp_path / "capture", BY_LANGUAGE)
    assert {label: [*texts.references] for label, texts in samples.items()} == {
        "tr": ["s0", "s2", "s3", "s5", "s6"],
        "en": ["s1", "s4"],
        "de": ["s7"],
    }
    monkeypatch.setattr(whole, "_MOST_LOOKED_AT", 5)
    assert sum(map(len, read_samples(tmp_path / "capture", BY_LANGUAGE).values())) == 5
