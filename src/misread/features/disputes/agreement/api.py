"""The public functions: the order in which units are typed, and the rates of all from those that were."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from misread.data import from_columns
from misread.data.segment_table import MissingPolicy
from misread.features.disputes.agreement.order import DrawBy, Order, draw_units, read_order
from misread.features.disputes.agreement.predict import AgreedResult, predict, with_order
from misread.features.disputes.agreement.texts import Gathered, gather
from misread.normalize import Normalizer, get_normalizer
from misread.sockets import get_metrics

Texts = Iterable[str | None]


def draw_order(
    systems: Mapping[str, Texts],
    *,
    seed: int,
    ids: Iterable[str | int] | None = None,
    clusters: Iterable[str | int] | None = None,
    normalizer: str | Normalizer = "none",
    missing: MissingPolicy = "error",
    metric: str = "cer",
    draw: DrawBy = "disagreement",
    by_length: float | None = None,
) -> Order:
    """Order in which units are typed, so that the first of them are a sample with known probabilities.

    Parameters
    ----------
    systems : mapping of str to sequence of str
        Texts of two systems or more.
    seed : int
        Of the draw.
    ids, clusters, normalizer, missing
        As of `misread.dispute`; a unit is a cluster, or else a segment.
    metric : str
        Error rate in whose units lengths and distances are counted.
    draw : {"disagreement", "random"}
        Long and disputed units sooner, or all alike.
    by_length : float, optional
        Share of a unit's size that is its text, the rest its disagreement; by default .5 or more.

    Returns
    -------
    Order
        `units`, the first first; `save(path)` writes what `misread plan predict --agreement` reads.

    Examples
    --------
    >>> systems = {"a": ["one", "tvvo", "three"], "b": ["one", "two", "thrce"]}
    >>> order = draw_order(systems, seed=1, clusters=["p1", "p2", "p3"])
    >>> sorted(order.units), order.probabilities(2).sum().round(9).item()
    (['p1', 'p2', 'p3'], 2.0)
    """
    gathered = _gather(systems, None, ids, clusters, None, normalizer, missing, metric)
    return draw_units(
        gathered.agreement, gathered.units, draw=draw, seed=seed, texts=gathered.texts, by_length=by_length
    )


def predict_by_agreement(
    references: Texts,
    systems: Mapping[str, Texts],
    *,
    order: Order | str | os.PathLike[str] | None = None,
    draw: Literal["random"] | None = None,
    ids: Iterable[str | int] | None = None,
    clusters: Iterable[str | int] | None = None,
    groups: Mapping[str, Iterable[str | int]] | None = None,
    strata: str | None = None,
    normalizer: str | Normalizer = "none",
    missing: MissingPolicy = "error",
    metric: str = "cer",
    such: bool = False,
    witnesses: Sequence[str] = (),
    confidence: float = 0.95,
) -> AgreedResult:
    """Rates of all texts from few that were typed, and from how far systems disagree on all.

    Parameters
    ----------
    references : sequence of str or None
        None where nothing is typed; a unit is typed as a whole.
    systems, ids, clusters, normalizer, missing, metric
        As of `draw_order`.
    order, draw : Order or path, or "random"
        Whose first units were typed, or that they were drawn at random.
    groups : mapping of str to sequence, optional
        Labels of the segments, by which there are rates, too.
    strata : str, optional
        The group column within whose labels units were drawn separately.
    such, witnesses, confidence
        As of `misread plan predict`.

    Returns
    -------
    AgreedResult
        `rates` by system, `pairs`, `groups`, `warnings`; it prints as its table.

    Raises
    ------
    ConfigurationError
        If neither an order nor a draw is named, or the order is of other texts.
    UndefinedResultError
        If there is one system alone, or fewer than five units were drawn and typed.

    Examples
    --------
    >>> truth = [f"line {number}" for number in range(40)]
    >>> read = {"a": [text.replace("1", "l") for text in truth], "b": [text.replace("2", "z") for text in truth]}
    >>> typed = [text if row % 4 == 0 else None for row, text in enumerate(truth)]
    >>> result = predict_by_agreement(typed, read, draw="random")
    >>> result.typed, result.units, [*result.rates]
    (10, 40, ['a', 'b'])
    """
    gathered = _gather(systems, [*references], ids, clusters, groups, normalizer, missing, metric)
    read = order if order is None or isinstance(order, Order) else read_order(Path(order))
    gathered, drawn = with_order(gathered, read, draw=draw, strata=strata)
    return predict(gathered, metric, drawn, confidence=confidence, such=such, witnesses=witnesses)


def _gather(
    systems: Mapping[str, Texts],
    references: Sequence[str | None] | None,
    ids: Iterable[str | int] | None,
    clusters: Iterable[str | int] | None,
    groups: Mapping[str, Iterable[str | int]] | None,
    normalizer: str | Normalizer,
    missing: MissingPolicy,
    metric: str,
) -> Gathered:
    read = {name: [*texts] for name, texts in systems.items()}
    table = from_columns([""] * len(next(iter(read.values()), [])), read, ids=ids, clusters=clusters, groups=groups)
    chosen = get_normalizer(normalizer) if isinstance(normalizer, str) else normalizer
    return gather(table, chosen, get_metrics([metric])[0], missing=missing, typed=references)
