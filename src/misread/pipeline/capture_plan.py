"""Plan of a capture: its questions and their cost, before any is asked."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Final

from misread.engines import Engine, Journal, Processes, Readings, is_recorded, why_not_applicable
from misread.engines.base import Reading
from misread.engines.prices import ModelPrice
from misread.pipeline import paths
from misread.pipeline.capture_tally import CaptureTally, show_money
from misread.pipeline.params import Params
from misread.pipeline.prices import read_prices
from misread.pipeline.stages.capture import describe_asked
from misread.storage import read_segments

_CHARACTERS_PER_TOKEN: Final = 4


@dataclass(frozen=True, kw_only=True)
class CapturePlan:
    """Numbers of readings, and estimates for those that are not there."""

    title: str
    not_applicable: str = ""
    read_before: int = 0
    failed: int = 0  # of those that were found
    asked: int = 0
    input_tokens: float | None = None
    output_tokens: float | None = None
    estimated_from: str = ""
    price: ModelPrice | None = None
    how_to_price: str = ""

    def facts(self) -> list[tuple[str, str]]:
        """Rows for people: names and values."""
        if self.not_applicable:
            return [("left out", self.not_applicable)]
        failed = f", {self.failed:,} of them failed (--retry-failed asks again)" if self.failed else ""
        facts = [("read before", f"{self.read_before:,}{failed}"), ("to be read", f"{self.asked:,}")]
        if self.input_tokens is not None and self.output_tokens is not None:
            tokens = f"about {self.input_tokens:,.0f} in, {self.output_tokens:,.0f} out, {self.estimated_from}"
            facts.append(("tokens", tokens))
        return [*facts, ("price", self._show_cost())]

    def _show_cost(self) -> str:
        if self.price is None:
            return f"not known; set {self.how_to_price}"
        cost = self.price.cost(
            segments=self.asked, input_tokens=self.input_tokens or 0.0, output_tokens=self.output_tokens or 0.0
        )
        return f"about {show_money(cost)}, by prices of {self.price.date} ({self.price.source})"


def plan_capture(params: Params, dataset_id: str, system_id: str, *, retry_failed: bool = False) -> CapturePlan:
    """Look up what a capture would find in its journal, and estimate the rest; nothing is asked, and no file written.

    Tokens are those of earlier readings, on average; without any they are those of the prompt, those that the price
    gives an image, and for the answer those of the reference.
    """
    engine = params.engine(system_id)
    segments, offers = read_segments(paths.segments(dataset_id), data_root=params.data_root)
    title = f"{system_id} on {dataset_id}"
    if unreadable := why_not_applicable(engine, offers):
        return CapturePlan(title=title, not_applicable=unreadable)
    path = paths.journal(dataset_id, system_id)
    journal = None if is_recorded(engine) else Journal(path, describe_asked(params, system_id, engine))
    tally, tokens = CaptureTally(title), _SumOfTokens()

    def on_found(reading: Reading) -> None:
        tally.add(reading, is_new=False)
        tokens.add(reading)

    with journal if journal and path.exists() else nullcontext():
        readings = Readings(
            segments.sources(),
            engine,
            Processes(),
            journal,
            params.capture_settings(system_id),
            retry_failed,
        )
        unread = readings.unread(on_found)
    known = dict(zip(segments.segment_id, segments.references, strict=True))
    references = [known[source.segment_id] for source in unread]
    plan = CapturePlan(
        title=title,
        read_before=tally.read_before,
        failed=tally.failed,
        asked=len(references),
        price=read_prices(params).get(system_id),
        how_to_price=f"prices.{system_id} in conf/config.yaml",
    )
    return tokens.extrapolate(plan) if tokens.readings else _estimate(plan, engine, references)


@dataclass
class _SumOfTokens:
    """Tokens of readings in which they were counted."""

    readings: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def add(self, reading: Reading) -> None:
        if reading.input_tokens is not None and reading.output_tokens is not None:
            self.readings += 1
            self.input_tokens += reading.input_tokens
            self.output_tokens += reading.output_tokens

    def extrapolate(self, plan: CapturePlan) -> CapturePlan:
        """The plan with as many tokens a question as these readings took."""
        share = plan.asked / self.readings
        return replace(
            plan,
            input_tokens=share * self.input_tokens,
            output_tokens=share * self.output_tokens,
            estimated_from=f"as in the {self.readings:,} readings so far",
        )


def _estimate(plan: CapturePlan, engine: Engine, references: Sequence[str]) -> CapturePlan:
    """The plan with tokens counted in prompt and references, if the engine has a prompt or a price of them."""
    if not (plan.price and plan.price.usd_per_1000_tokens) and not hasattr(engine, "prompt"):
        return plan
    count, by = _token_counter(plan.price)
    per_image = plan.price.tokens_per_image if plan.price else 0
    image_tokens = f"{per_image:,} for an image" if per_image else "none for an image (tokens_per_image of the price)"
    prompt = f"{getattr(engine, 'image_prefix', '')}{getattr(engine, 'prompt', '')}"
    return replace(
        plan,
        input_tokens=len(references) * (count(prompt) + per_image),
        output_tokens=sum(map(count, references)),
        estimated_from=f"estimated {by}: {image_tokens}, answers as long as the references",
    )


def _token_counter(price: ModelPrice | None) -> tuple[Callable[[str], float], str]:
    """Number of tokens of a text, and the name of its tokenizer."""
    if price is None or not price.encoding:
        return lambda text: len(text) / _CHARACTERS_PER_TOKEN, f"by {_CHARACTERS_PER_TOKEN} characters per token"
    from misread.engines.token_encodings import get_encoding

    encoding = get_encoding(price.encoding)
    return lambda text: len(encoding.encode_ordinary(text)), f"by {price.encoding}"
