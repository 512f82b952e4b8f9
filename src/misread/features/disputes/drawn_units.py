"""A verdict from the disputed places of the units that an order draws first, with the weights of the order."""

from collections.abc import Sequence
from dataclasses import replace

from misread.data import from_columns
from misread.errors import ConfigurationError, setting
from misread.features.disputes.agreement.estimator import FEWEST_TYPED
from misread.features.disputes.agreement.order import Order
from misread.features.disputes.agreement.predict import AgreedResult, predict, with_order
from misread.features.disputes.agreement.texts import digest_outputs, gather
from misread.features.disputes.disputes import Disputes
from misread.features.disputes.draw import Draw
from misread.features.disputes.tables import Filled
from misread.features.disputes.verdict import choose_metrics, require_truths, source_of_truth, write_texts


def draw_first(draw: Draw, order: Order | None) -> Draw:
    """The draw of the first units of an order; raises ConfigurationError for one without the other."""
    if order is None and draw.units is None:
        return draw
    if order is None or draw.units is None or draw.budget:
        raise ConfigurationError(
            "`misread dispute` takes --order and --units together, without --budget; `misread decide` takes --order "
            "for spans that were listed so, and for no others."
        )
    if not FEWEST_TYPED <= draw.units <= len(order.units):
        raise ConfigurationError(
            f"{setting('units')} is {draw.units}, expected a number from {FEWEST_TYPED}, which an estimate needs, to "
            f"{len(order.units)}, which {order.name} has."
        )
    return replace(draw, order=tuple(order.units[: draw.units]))


def check_order(disputes: Disputes, order: Order) -> None:
    """Raise ConfigurationError if the order is that of other outputs or units."""
    order.check_outputs(
        digest_outputs(disputes.keys.segment_id, disputes.systems), list(dict.fromkeys(disputes.labels))
    )


def decide_drawn(
    disputes: Disputes, filled: Filled, order: Order, *, metrics: Sequence[str], confidence: float
) -> AgreedResult:
    """Differences in all texts from the truth of spans in the drawn ones; of rates there would be bounds alone."""
    if len(metrics) > 1:
        raise ConfigurationError(f"{setting('order')} takes one metric, and {setting('metrics')} names {len(metrics)}.")
    (metric,) = choose_metrics(metrics)
    check_order(disputes, order)
    require_truths(disputes, filled)
    written = write_texts(disputes, filled.truths)
    references: list[str | None] = [None] * len(disputes.keys.segment_id)
    systems = {system: list(texts) for system, texts in disputes.systems.items()}
    for position, row in enumerate(disputes.rows):
        references[row] = written.references[position]
        for system, texts in written.hypotheses.items():
            systems[system][row] = texts[position]
    keys = disputes.keys
    table = from_columns([""] * len(references), systems, ids=keys.segment_id, clusters=keys.cluster)
    # What cannot be read is in no text: these are no longer the outputs that were drawn from.
    gathered = replace(gather(table, disputes.normalizer, metric, missing="empty", typed=references), texts=order.texts)
    gathered, drawn = with_order(gathered, order, draw=None)
    result = predict(replace(gathered, unit=disputes.unit), metric.id, drawn, confidence=confidence)
    signature = result.signature.with_facts({"truth": source_of_truth(disputes)})
    return replace(result, rates={}, groups={}, signature=signature)
