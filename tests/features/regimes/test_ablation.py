import pytest

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.engines.base import Reading
from misread.errors import ConfigurationError, UndefinedResultError
from misread.features.regimes import AblationSettings
from misread.features.regimes.ablation import ablate
from misread.metrics.rates import cer
from misread.normalize import Normalizer, get_normalizer
from misread.sockets import get_metrics
from misread.storage import parquet_writer, read_capture, read_capture_parts, write_capture
from misread.tally.scored_run import ScoredRun

CER = get_metrics(["cer"])
NORMALIZERS = [get_normalizer("none"), get_normalizer("lower")]


def capture(**changes):
    keys = SegmentKeys(["1", "2"], None, {})
    texts = TextPairs(["Ab  C", "dE"], ["ab c", "DE!"])
    return Capture(Origin("lines", "a", **changes), keys, texts, [None, None])


def test_rates_are_those_of_the_normalized_texts():
    result = ablate([capture()], AblationSettings(CER, NORMALIZERS))
    assert (result.dataset, result.system) == ("lines", "a")
    assert list(result.rates) == ["none", "lower"]
    assert result.rates["none"]["cer"].micro == cer(["Ab  C", "dE"], ["ab c", "DE!"])
    assert result.rates["lower"]["cer"].micro == cer(["ab c", "de"], ["ab c", "de!"])
    assert "|norm:lower@" in str(result.rates["lower"]["cer"].signature)


def test_a_system_that_cannot_read_the_data_set_has_no_rates():
    assert ablate([capture(not_applicable="reads audio")], AblationSettings(CER, NORMALIZERS)).rates == {}


def test_a_metric_on_raw_text_is_refused():
    with pytest.raises(ConfigurationError, match="'cer_raw', which no normalizer changes"):
        AblationSettings(get_metrics(["cer_raw"]), NORMALIZERS)


def test_two_normalizers_of_one_name_are_refused():
    with pytest.raises(ConfigurationError, match=r"ablation\.normalizers names 'lower' twice; give each a name of its"):
        AblationSettings(CER, [*NORMALIZERS, get_normalizer("lower")])


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """A function that writes a capture of ten segments in row groups of three, some of which no normalizer changes."""
    monkeypatch.setattr(parquet_writer, "GROUP_ROWS", 3)

    def make(hypotheses=("ab c", "de!", "f", "", "xy") * 2, references=("ab c", "dE", "f", "g", "X  y") * 2):
        keys = SegmentKeys([f"s{row}" for row in range(10)], None, {})
        readings = [Reading(key, text, None, 0.0, None) for key, text in zip(keys.segment_id, hypotheses, strict=True)]
        write_capture(tmp_path / "a.parquet", Origin("lines", "a"), keys, references, readings)
        return tmp_path / "a.parquet"

    return make


def test_the_rate_of_a_corpus_in_parts_is_that_of_all_its_lines(stored):
    settings = AblationSettings(get_metrics(["exact_line_f1"]), NORMALIZERS)
    rates = ablate(read_capture_parts(stored()), settings).rates
    # Of 10 references, none of which is empty, and 8 hypotheses with text, 4 lines are alike: "ab c" and "f".
    assert [rates[name]["exact_line_f1"].micro for name in ("none", "lower")] == [2 * 4 / (10 + 8)] * 2


def test_parts_that_normalizers_leave_alike_are_counted_once(stored, monkeypatch):
    counted, count = set(), ScoredRun.count
    monkeypatch.setattr(ScoredRun, "count", lambda run, metric: counted.add(run.texts.normalizer) or count(run, metric))
    own = Normalizer("own", ["collapse_whitespace", "lower_case"])
    ablate(read_capture_parts(stored()), AblationSettings(CER, [*NORMALIZERS, own]))
    assert {name.partition("@")[0] for name in counted} == {"none", "lower"}


def test_a_part_of_which_nothing_counts_is_left_out(stored):
    path, settings = stored([None] * 3 + ["x"] * 7), AblationSettings(CER, NORMALIZERS)
    assert ablate(read_capture_parts(path), settings, missing="drop") == ablate(
        [read_capture(path)], settings, missing="drop"
    )


def test_a_rate_that_is_undefined_in_all_parts_stays_so(stored):
    path = stored(["x"] * 10, [""] * 10)
    assert ablate(read_capture_parts(path), AblationSettings(CER, NORMALIZERS)).rates["none"]["cer"].micro is None


def test_the_error_of_a_part_is_that_of_the_whole(stored):
    path = stored(["x"] * 4 + [None] * 6)
    with pytest.raises(UndefinedResultError, match="s4"):
        ablate(read_capture_parts(path), AblationSettings(CER, NORMALIZERS))
