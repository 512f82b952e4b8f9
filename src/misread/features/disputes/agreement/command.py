"""`misread plan next` and `misread plan predict`: what to type next, and the rate of all from what was typed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from misread.cli.input_reading import read_inputs
from misread.cli.inputs import Inputs
from misread.cli.option_records import takes_records
from misread.cli.options import OneMetric, RawCsv, Width, metric_of_option, split_list
from misread.cli.texts_to_compare import read_given
from misread.errors import ConfigurationError, setting
from misread.evaluation.score_text import Output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from misread.data.segment_table import SegmentTable

_OPTIONS = (
    *("files", "ref", "hyp", "table", "segment_id", "cluster", "normalizer", "missing", "ids_table", "paths_table"),
    *("format", "encoding", "patterns", "groups"),
)
# Name under which references are read among the systems, as some segments have none.
_TYPED = "reference"


@takes_records(only=tuple(name for name in _OPTIONS if name not in ("ref", "groups")))
def plan_next(
    *,
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help="One file or folder per system; references are not needed."),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Order to write (.csv), all units in it.")],
    inputs: Inputs,
    metrics: OneMetric = "cer",
    draw: Annotated[
        Literal["disagreement", "random"],
        typer.Option(help="disagreement: long and disputed units sooner; random: all alike."),
    ] = "disagreement",
    by_length: Annotated[
        float | None,
        typer.Option(help="Share of a unit's size that is its text, the rest its disagreement; by default .5 or more."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 1,
) -> None:
    r"""Say what to type next, by how far systems disagree.

    No reference is needed. The first units of the order are a sample with known probabilities, however many are typed:
    type as many as you can pay for, a number that does not depend on results, and then run `misread plan predict`.

    For instance:

    \b
      misread plan next tesseract/ kraken/ pero/ --cluster '^([^/]+)/' --out order.csv
      misread plan next --table lines.jsonl --segment-id id --hyp a=a --hyp b=b --cluster page --out order.csv
    """
    from misread.features.disputes.agreement.estimator import FEWEST_TYPED
    from misread.features.disputes.agreement.order import describe_draw, draw_units
    from misread.features.disputes.agreement.texts import gather
    from misread.io.console import write_out
    from misread.text.nouns import count_of, list_in_words

    if out.is_file():
        raise ConfigurationError(
            f"{out} exists, and the order that somebody may type by would be lost; name another file."
        )
    systems = replace(inputs, files=[files[0], *files]) if files else inputs.without_references()
    table, metric = read_given(systems, None), metric_of_option(metrics)
    gathered = gather(table, inputs.chosen_normalizer, metric, missing=inputs.missing, typed=None)
    order = draw_units(
        gathered.agreement, gathered.units, draw=draw, seed=seed, texts=gathered.texts, by_length=by_length
    )
    order.save(out)
    write_out(f"wrote {out}: {count_of(len(order.units), gathered.unit)}, {describe_draw(order.drawn)}")
    write_out(
        f"type them in this order, {list_in_words(order.units[:FEWEST_TYPED], 'and')} first: {FEWEST_TYPED} at least, "
        "and a number that does not depend on results"
    )


@takes_records(only=_OPTIONS)
def plan_predict(
    inputs: Inputs,
    agreement: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Order of `misread plan next`, whose first units were typed.")
    ] = None,
    draw: Annotated[
        Literal["random"] | None, typer.Option(help="Without an order: typed units were drawn at random, all alike.")
    ] = None,
    strata: Annotated[
        str | None, typer.Option(help="Column of --groups in each of whose groups units were drawn on their own.")
    ] = None,
    such: Annotated[bool, typer.Option("--such", help="Rates of all such texts: these are a sample of them.")] = False,
    witness: Annotated[
        str | None, typer.Option(help="Systems, joined by commas, whose readings are used and whose rates are not.")
    ] = None,
    metrics: OneMetric = "cer",
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.")] = 0.95,
    output: Annotated[Output, typer.Option(help="How to print.")] = Output.TABLE,
    width: Width = None,
    raw_csv: RawCsv = False,
) -> None:
    r"""Estimate rates of all texts from a few typed ones.

    Segments without reference are those that are not typed. The systems' disagreement on all texts corrects which of
    them happened to be typed; rates of the typed alone are printed, too.

    For instance:

    \b
      misread plan predict gold/ tesseract/ kraken/ --cluster '^([^/]+)/' --agreement order.csv
      misread plan predict --table lines.jsonl --segment-id id --ref truth --hyp a=a --hyp b=b --draw random
    """
    from misread.features.disputes.agreement.order import read_order
    from misread.features.disputes.agreement.predict import predict, with_order
    from misread.features.disputes.agreement.table import print_predicted
    from misread.features.disputes.agreement.texts import gather

    table, typed = _read(inputs)
    metric = metric_of_option(metrics)
    gathered = gather(table, inputs.chosen_normalizer, metric, missing=inputs.missing, typed=typed)
    order = None if agreement is None else read_order(agreement)
    gathered, drawn = with_order(gathered, order, draw=draw, strata=strata)
    witnesses = split_list(witness, option=setting("witness"))
    result = predict(gathered, metric.id, drawn, confidence=confidence, such=such, witnesses=witnesses)
    print_predicted(result, output, width=width, raw_csv=raw_csv)


def _read(inputs: Inputs) -> tuple[SegmentTable, Sequence[str | None]]:
    """Outputs of all segments, and references of those that are typed, which are read as one more system."""
    files = list(inputs.files or [])
    if files:
        readings = replace(inputs, files=[files[1] if len(files) > 1 else files[0], *files])
    else:
        if inputs.ref is None or not inputs.hyp:
            raise ConfigurationError(f"name {setting('ref')} and {setting('hyp')}, or files: references, then systems.")
        readings = replace(inputs, ref=None, hyp=[f"{_TYPED}={inputs.ref}", *inputs.hyp]).without_references()
    table = read_inputs(readings, scored=False)
    systems = dict(table.hypotheses)
    typed = systems.pop(next(iter(systems)))
    if None not in typed:
        # A cell of CSV has no other way to say that there is nothing.
        typed = [text or None for text in typed]
    return replace(table, hypotheses=systems), typed
