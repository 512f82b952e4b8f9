from dataclasses import dataclass
from typing import Literal

import pytest

from misread.data import ImageFolder, Table
from misread.engines import Tesseract
from misread.errors import UnknownNameError
from misread.features.answers import FieldMatch, FieldRule
from misread.features.answers.downstream import DownstreamTask
from misread.features.answers.structured import StructuredAnswers
from misread.features.token_costs import TokenScore
from misread.io.checks.choices import check_choice, check_choices
from misread.metrics import ErrorRate, MatchRate
from misread.metrics.lines import ExactLines, LineAccuracy
from misread.metrics.segment_error_rate import SegmentErrorRate
from misread.metrics.tokens import TokenMatch


@dataclass
class Settings:
    size: Literal["small", "large"] = "small"
    name: str = ""


@pytest.mark.parametrize("size", ["smal", "Small", "", None, ["small"], True])
def test_another_value_is_refused_with_the_choices(size):
    with pytest.raises(UnknownNameError, match=r"^unknown size .* in the shop\..*There are: large, small\.$"):
        check_choices(Settings(size), "the shop")


@pytest.mark.parametrize("choices", [Literal["small", "large"], ("small", "large"), {"large": 1, "small": 2}])
def test_a_name_is_looked_up_among_literals_or_names(choices):
    check_choice("size", "large", choices)
    with pytest.raises(
        UnknownNameError, match=r"^unknown size 'larg'\. Did you mean 'large'\? There are: large, small"
    ):
        check_choice("size", "larg", choices)


def test_other_fields_may_hold_anything():
    check_choices(Settings("large", name="smal"), "the shop")


MISSPELT = {
    "page_segmentation": lambda: Tesseract(page_segmentation="singel_line"),
    "medium": lambda: ImageFolder("data", ["*.png"], "line-image"),
    "without_transcription": lambda: ImageFolder("data", ["*.png"], "line_image", without_transcription="leave out"),
    "medium of a table": lambda: Table(root="data", file="a.csv", segment_id=["id"], reference="text", medium="lines"),
    "average": lambda: FieldMatch("m", average="field"),
    "score of fields": lambda: FieldMatch("m", "f2"),
    "compare": lambda: FieldRule(compare="dates"),
    "items": lambda: FieldRule(items="sets"),
    "score of a task": lambda: DownstreamTask("m", "qa", "sucess"),
    "unit": lambda: ErrorRate("m", "chars"),
    "text": lambda: ErrorRate("m", "char", text="normalised"),
    "text of lines": lambda: LineAccuracy("m", text="normalised"),
    "score of lines": lambda: ExactLines("m", "f2"),
    "score of matches": lambda: MatchRate("m", "mer"),
    "text of segments": lambda: SegmentErrorRate("m", text="normalised"),
    "format": lambda: StructuredAnswers("m", "yaml", "validity"),
    "repeats": lambda: TokenMatch("m", repeats="bag"),
    "score of tokens": lambda: TokenScore("m", "price"),
}


@pytest.mark.parametrize("make", MISSPELT.values(), ids=MISSPELT)
def test_a_misspelt_setting_is_never_another_one(make):
    with pytest.raises(UnknownNameError, match=r"There are: \w+, \w+"):
        make()
