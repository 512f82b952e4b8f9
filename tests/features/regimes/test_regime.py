import pytest

from misread.errors import ConfigurationError, UnknownNameError
from misread.features.regimes.regime import RegimeSection, read_regimes, regime_names
from misread.pipeline.params import Params


def test_misread_comes_first_of_those_that_it_brings():
    assert regime_names()[0] == "misread"
    assert set(regime_names()) >= {
        *("sclite", "jiwer", "dinglehopper", "whisper_english", "open_asr", "isri", "ocr_benchmark"),
        *("omnidocbench_text", "evaluation_lines", "thulium", "trnorm"),
    }


@pytest.mark.parametrize("name", regime_names())
def test_a_file_has_one_regime_of_its_name_and_says_what_it_stands_for(name):
    (regime,) = read_regimes([name])
    assert (regime.id, regime.label) == (name, f"{name}.{regime.version}")
    assert regime.stands_for


def test_tokens_follow_the_normalizer_and_extraction_is_for_hypotheses(make_regime):
    regime = make_regime(
        extraction=["unwrap_code_fence"], normalizer="lower", rates={"cer": {}, "wer": {"tokens": ["segment_words"]}}
    )
    of_characters, of_words = (rate.normalizer for rate in regime.chosen)
    assert of_characters.name == "lower+own"
    assert of_characters("```\nA, b\n```", side="hypotheses") == "a, b"
    assert of_characters("```\nA\n```", side="references") == "``` a ```"
    assert of_words("A, b!", side="references") == "a b"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"version": 0}, "regime 'own': version is 0, expected 1 or more"),
        ({"rates": {}}, "regime 'own': rates is empty; name at least one"),
        ({"averaging": []}, "averaging is empty"),
        ({"averaging": ["micro", "micro"]}, "averaging names 'micro' twice"),
        ({"rates": {"crr": {}}}, "unknown metric 'crr' in regime 'own': rates.crr. Did you mean 'cer' or 'cer_raw'?"),
        ({"rates": {"cer": {"metric": "wr"}}}, "unknown metric 'wr' in regime 'own': rates.cer. Did you mean 'wer'"),
        ({"rates": {"cer": {"units": "char"}}}, "unknown setting 'units' in regime 'own': rates.cer. Did you mean 'un"),
        (
            {"rates": {"cer": {"unit": "chr"}}},
            "unknown value 'chr' in regime 'own': rates.cer.unit. Did you mean 'char",
        ),
        ({"rates": {"cer": {"tokens": "nfc"}}}, "rates.cer: tokens is 'nfc', expected a list of steps"),
        ({"extraction": "nfc"}, "extraction is 'nfc', expected a list of steps"),
        ({"normalizer": "lowr"}, "unknown normalizer 'lowr' in regime 'own'. Did you mean 'lower'?"),
        ({"normalizer": ["nfd", "lowercase"]}, "unknown step 'lowercase' in normalizer 'own'"),
        ({"readings": "all"}, "unknown readings 'all' in regime 'own'"),
        (
            {"missing": "skip"},
            "unknown policy for missing hypotheses 'skip' in regime 'own'. There are: drop, empty, e",
        ),
        ({"missing": {"imput": "ocr"}}, "missing is {'imput': 'ocr'}, expected {impute: SYSTEM}"),
        ({"exclusions": {"empty": True}}, "unknown setting 'empty' in regime 'own': exclusions"),
        ({"exclusions": {"empty_references": "yes"}}, 'exclusions.empty_references is "yes", expected true or false'),
        ({"exclusions": {"references": "("}}, "exclusions.references '(' is not a regular expression"),
        ({"exclusions": {"groups": {"lang": "fr"}}}, "exclusions.groups"),
    ],
)
def test_what_cannot_be_used_is_named_before_any_work(make_regime, settings, message):
    with pytest.raises((ConfigurationError, UnknownNameError)) as raised:
        make_regime(**settings)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ([], "regime is [], expected settings by regime"),
        ({"Own": {}}, "'Own'"),
        ({"own": 1}, "regime.own is 1, expected settings"),
        ({"own": {"version": 1}}, "regime.own (misread.features.regimes.Regime): no stands_for, rates given"),
        (
            {"own": {"version": "1", "stands_for": "x", "rates": {"cer": {}}}},
            'regime.own.version is "1", expected a wh',
        ),
        ({"own": {"version": 1, "stands_for": "x", "rates": {"cer": {}}, "norm": "none"}}, "unknown setting 'norm' in"),
        ({"own": {"version": 1, "stands_for": "x", "rates": {"cer": {}}, "averaging": "micro"}}, "expected a list"),
    ],
)
def test_a_section_of_params_names_its_file_and_place(section, message):
    with pytest.raises((ConfigurationError, UnknownNameError)) as raised:
        RegimeSection().read(Params({"regime": section}))
    assert message in str(raised.value)
    assert "params.yaml" in str(raised.value)


def test_a_step_of_a_module_of_the_study_is_found_and_must_be_listed(tmp_path):
    (tmp_path / "src/study").mkdir(parents=True)
    (tmp_path / "src/study/steps.py").write_text("def shout(text: str) -> str:\n    return text.upper()\n")
    regime = {"version": 1, "stands_for": "x", "rates": {"cer": {"tokens": ["study.steps.shout"]}}}
    content = {"regime": {"own": regime}, "plugins": ["study"]}
    (made,) = RegimeSection().read(Params(content, root=tmp_path))
    assert made.chosen[0].normalizer("a") == "A"
    with pytest.raises(ConfigurationError, match="`plugins` does not list study"):
        RegimeSection().read(Params({**content, "plugins": []}, root=tmp_path))
