import pytest

from misread.errors import ConfigurationError
from misread.metrics import cer, get_metrics
from misread.normalize import get_normalizer
from misread.records import Capture, Origin, SegmentKeys, TextPairs
from misread.scoring import AblationSettings, ablate

CER = get_metrics(["cer"])
NORMALIZERS = [get_normalizer("none"), get_normalizer("lower")]


def capture(**changes):
    keys = SegmentKeys(["1", "2"], None, {})
    texts = TextPairs(["Ab  C", "dE"], ["ab c", "DE!"])
    return Capture(Origin("lines", "a", **changes), keys, texts, [None, None])


def test_rates_are_those_of_the_normalized_texts():
    result = ablate(capture(), AblationSettings(CER, NORMALIZERS))
    assert (result.dataset, result.system) == ("lines", "a")
    assert list(result.rates) == ["none", "lower"]
    assert result.rates["none"]["cer"].micro == cer(["Ab  C", "dE"], ["ab c", "DE!"])
    assert result.rates["lower"]["cer"].micro == cer(["ab c", "de"], ["ab c", "de!"])
    assert "|norm:lower@" in result.rates["lower"]["cer"].signature


def test_a_system_that_cannot_read_the_data_set_has_no_rates():
    assert ablate(capture(not_applicable="reads audio"), AblationSettings(CER, NORMALIZERS)).rates == {}


def test_a_metric_on_raw_text_is_refused():
    with pytest.raises(ConfigurationError, match="'cer_raw', which no normalizer changes"):
        AblationSettings(get_metrics(["cer_raw"]), NORMALIZERS)


def test_two_normalizers_of_one_name_are_refused():
    with pytest.raises(ConfigurationError, match=r"ablation\.normalizers names 'lower' twice; give each a name of its"):
        AblationSettings(CER, [*NORMALIZERS, get_normalizer("lower")])
