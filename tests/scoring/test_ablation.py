import pytest

from misread.errors import ConfigurationError, UnknownNameError
from misread.metrics import cer
from misread.records import Capture, Origin, SegmentKeys, TextPairs
from misread.scoring import Ablation, ablate

NORMALIZERS = {"none": [], "lower": ["collapse_whitespace", "lower_case"]}


def capture(**changes):
    keys = SegmentKeys(["1", "2"], None, {})
    texts = TextPairs(["Ab  C", "dE"], ["ab c", "DE!"])
    return Capture(Origin("lines", "a", **changes), keys, texts, [None, None])


def test_rates_are_those_of_the_normalized_texts():
    result = ablate(capture(), Ablation(["cer"], NORMALIZERS))
    assert (result.dataset, result.system) == ("lines", "a")
    assert list(result.rates) == ["none", "lower"]
    assert result.rates["none"]["cer"].micro == cer(["Ab  C", "dE"], ["ab c", "DE!"])
    assert result.rates["lower"]["cer"].micro == cer(["ab c", "de"], ["ab c", "de!"])
    assert "|norm:lower@" in result.rates["lower"]["cer"].signature


def test_a_system_that_cannot_read_the_data_set_has_no_rates():
    assert ablate(capture(not_applicable="reads audio"), Ablation(["cer"], NORMALIZERS)).rates == {}


def test_a_metric_on_raw_text_is_refused():
    with pytest.raises(ConfigurationError, match="'cer_raw', which no normalizer changes"):
        Ablation(["cer_raw"], NORMALIZERS)


def test_a_step_that_does_not_exist_is_refused_with_the_choices():
    with pytest.raises(UnknownNameError, match="unknown step 'uper'"):
        Ablation(["cer"], {"x": ["uper"]})
