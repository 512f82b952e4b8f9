import pytest

from misread.features.regimes.schema import PairVerdict, RegimeScore, RegimesResult, SystemScore
from misread.features.regimes.table import draw_regimes, lay_out_regimes
from misread.provenance.signature import Signature
from misread.tables import ReportSettings

SETTINGS = ReportSettings(["cer"], names={"a": "A"})
SIGNATURE = "cer|unit:char|norm:none|regime:{}.1|avg:micro|data:books@1234|n:9|seed:1|v:0"


def score(regime, a, b, *, average="micro", rate="cer", unit="characters", excluded=0):
    ranks = (1, 1) if a == b else (1, 2) if a is not None and (b is None or a < b) else (2, 1)
    systems = {
        name: SystemScore(rate=value, interval=None, rank=None if value is None else rank)
        for name, value, rank in (("a", a, ranks[0]), ("b", b, ranks[1]))
    }
    verdict = "worse" if a is not None and b is not None and a < b else "better"
    pair = PairVerdict(baseline="a", system="b", difference=0.1, pvalue=0.01, verdict=verdict)
    return RegimeScore(
        regime=regime,
        version=1,
        rate=rate,
        unit=unit,
        average=average,
        segments=9,
        excluded=excluded,
        systems=systems,
        pairs=(pair,),
        signature=Signature.parse(SIGNATURE.format(regime)),
    )


@pytest.fixture
def result():
    return RegimesResult(
        dataset="books",
        scores=(score("misread", 0.1, 0.2), score("isri", 0.3, 0.2, excluded=2), score("bare", None, 0.2)),
        not_applied={"whisper_english": "needs a package."},
    )


def test_a_row_has_the_rate_and_rank_of_every_system(result):
    table = lay_out_regimes(result, SETTINGS)
    assert [column.plain for column in table.headings] == ["regime", "rate", "average", "A % rank", "b % rank"]
    assert [[cell.plain for cell in row] for row in table.cells] == [
        ["misread", "CER", "micro", "10.00 (1)", "20.00 (2)"],
        ["isri", "CER", "micro", "30.00 (2)", "20.00 (1)"],
        ["bare", "CER", "micro", "", "20.00 (1)"],
    ]
    assert table.signature == "regimes|regime:misread.1+isri.1+bare.1|data:books@1234|n:9|seed:1|v:0"


def test_notes_name_what_changes_is_left_out_or_not_applied_and_agreement(result):
    assert list(lay_out_regimes(result, SETTINGS).notes) == [
        "The winner by characters depends on the regime: A under misread; b under isri, bare.",
        "The verdict on b against A by characters depends on the regime: worse under misread; better under isri, bare.",
        "isri leaves out 2 segments.",
        "Not applied: whisper_english (needs a package).",
    ]
    table = lay_out_regimes(RegimesResult(dataset="books", scores=(score("isri", 0.1, 0.2),)), SETTINGS)
    assert list(table.notes) == ["The winner and the verdict on every pair are the same under every regime."]


def test_averages_and_rates_of_one_regime_are_told_apart():
    scores = (score("misread", 0.1, 0.2), *(score("omni", 0.2, 0.1, average=name) for name in ("micro", "segments")))
    note, *_ = lay_out_regimes(RegimesResult(dataset="books", scores=scores), SETTINGS).notes
    assert note.endswith("b under omni micro, omni segments.")


@pytest.mark.slow
def test_ranks_are_drawn_for_each_unit_with_two_regimes(result, tmp_path):
    more = RegimesResult(dataset="books", scores=(*result.scores, score("sclite", 0.1, 0.2, rate="wer", unit="words")))
    files = sorted(path.name for path in draw_regimes(more, SETTINGS, tmp_path))
    assert files == [f"books_regimes_characters.{ending}" for ending in ("pdf", "png", "svg")]
    assert all((tmp_path / name).stat().st_size for name in files)
