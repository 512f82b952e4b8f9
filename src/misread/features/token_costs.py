"""Tokens and prices of outputs of language models, and the share of meaningful tokens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal

import numpy as np

from misread.alignment import PairedTexts
from misread.alignment.encode.inputs import check_text
from misread.engines.prices import PRICED_TOKENS
from misread.engines.prices import PRICES as PRICES
from misread.engines.prices import ModelPrice as ModelPrice
from misread.engines.token_encodings import get_encoding
from misread.errors import InputTypeError
from misread.io.checks.choices import check_choice
from misread.metrics.base import Direction, Kind, Metric, ScoredText, TextForm, divide
from misread.named_result import Record
from misread.normalize import get_normalizer
from misread.types import BoolArray, FloatArray, IntArray

_MODEL: Final = "gpt-4"


@dataclass(frozen=True, slots=True)
class TokenEfficiency(Record):
    """Tokens of one output; the specification has two names for the same quotient."""

    total_tokens: int  # of the unchanged output
    meaningful_tokens: int  # of the output with white space stripped and collapsed
    token_density: float  # meaningful over all tokens; 0 for an output without tokens
    compression_ratio: float  # meaningful over all tokens; 1 for an output without tokens
    estimated_cost_usd: float  # of all tokens as input of the model
    chars_per_token: float


def token_efficiency(
    hypothesis: str, *, model: str = _MODEL, prices: Mapping[str, ModelPrice] = PRICES
) -> TokenEfficiency:
    r"""Count the tokens of an output for a language model.

    Parameters
    ----------
    hypothesis : str
        The output. Marks of special tokens in it (`<|endoftext|>`) are counted as plain text.
    model : str
        The model that is to read it.
    prices : mapping of model to ModelPrice
        Price and encoding of each model.

    Raises
    ------
    InputTypeError
        If the output is not one text, or there are no prices by model.
    UnknownNameError
        If the model has no price; lists those that have one.
    MissingDependencyError
        If the extra `tokens` is not installed.

    References
    ----------
    OCR Benchmarking Metrics Specification, section 2.3; the text of its example has 30 tokens, not 25 as printed, of
    which 27 are meaningful.

    Examples
    --------
    >>> result = token_efficiency("Total:   $150.00\n\n")
    >>> result.total_tokens, result.meaningful_tokens
    (8, 6)
    """
    outputs = [check_text("hypothesis", hypothesis)]
    encoding = _price(check_text("model", model), prices).encoding
    tokens, meaningful, characters, _ = _counts(outputs, encoding)[0].tolist()
    return TokenEfficiency(
        tokens,
        meaningful,
        meaningful / tokens if tokens else 0.0,
        meaningful / tokens if tokens else 1.0,
        prices[model].cost(segments=0, input_tokens=tokens, output_tokens=0),
        characters / tokens if tokens else 0.0,
    )


@dataclass(frozen=True)
class TokenScore(Metric):
    """Tokens of the outputs of a corpus; references are ignored.

    "density" and "compression" are meaningful tokens over all tokens, "characters" is characters over all tokens,
    "cost" is US dollars per segment. OCR Benchmarking Metrics Specification, section 2.3.
    """

    score: Literal["density", "compression", "characters", "cost"]
    model: str = _MODEL  # model that is to read the outputs
    price: ModelPrice | None = None  # the default is that in `PRICES`
    text: TextForm = field(default="raw", kw_only=True)  # raw, since a normalizer may remove tokens

    uses_references: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        # The lookup is the check. The default is not looked up: every command has such metrics, few need the prices.
        if self.model != _MODEL:
            _ = self._price

    columns = ("tokens", "meaningful_tokens", "characters", "outputs")
    size_columns = ("tokens",)

    @property
    def kind(self) -> Kind:
        return Kind.SHARE if self.score in ("density", "compression") else Kind.OTHER

    @property
    def direction(self) -> Direction:
        return Direction.LOWER_IS_BETTER if self.score == "cost" else Direction.HIGHER_IS_BETTER

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 4)."""
        return pairs.once(_count_outputs, self._price.encoding)

    is_ratio = False

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., 4) -> (...); NaN without tokens, or for costs without outputs."""
        tokens, meaningful, characters, outputs = np.moveaxis(counts, -1, 0)
        if self.score == "cost":
            return divide(tokens, outputs, undefined=np.nan) / PRICED_TOKENS * self._price.usd_per_1000_tokens
        return divide(characters if self.score == "characters" else meaningful, tokens, undefined=np.nan)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether every token is meaningful."""
        exact: BoolArray = counts[:, 0] == counts[:, 1]
        return exact

    def facts(self, norm: str) -> Mapping[str, str]:
        """Encoding, normalizer, and for costs the model and the date of its price."""
        price = self._price
        cost = {"price": f"{self.model}={price.usd_per_1000_tokens}@{price.date}"} if self.score == "cost" else {}
        return {"unit": price.encoding, "norm": norm, **cost}

    @property
    def _price(self) -> ModelPrice:
        return self.price or _price(self.model, PRICES)


def _price(model: str, prices: Mapping[str, ModelPrice]) -> ModelPrice:
    if not isinstance(prices, Mapping):
        raise InputTypeError(
            f"prices is of type {type(prices).__name__}, expected the price of each model by its name."
        )
    check_choice("model", model, prices, where="the price table")
    return prices[model]


def _count_outputs(texts: PairedTexts, encoding: str) -> IntArray:
    """As `_counts`, for the outputs of a corpus."""
    return _counts(texts.hypotheses, encoding)


def _counts(outputs: Sequence[str], encoding: str) -> IntArray:
    """Tokens, meaningful tokens, characters, 1: one row per output."""
    tokens = get_encoding(encoding)
    collapse = get_normalizer("whitespace")
    rows = [
        (len(tokens.encode_ordinary(text)), len(tokens.encode_ordinary(collapse(text))), len(text), 1)
        for text in outputs
    ]
    return np.array(rows, dtype=np.int64).reshape(len(rows), 4)
