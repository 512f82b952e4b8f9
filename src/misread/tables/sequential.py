"""Sequential verdicts for people: one sentence, and a table of looks."""

from misread.stats.results import in_points
from misread.stats.sequential.verdict import Look, SequentialVerdict
from misread.tables import Cell, Column, Table, in_files
from misread.tables.number_text import NO_INTERVAL, RateFormat, confidence_title, interval_ends
from misread.text.nouns import count_of, plural

_FORMAT = RateFormat()


def describe_sequential(result: SequentialVerdict, *, baseline: str, system: str, unit: str = "cluster") -> str:
    """The verdict in one sentence.

    Parameters
    ----------
    result : SequentialVerdict
        What `decide_sequentially` returned.
    baseline, system : str
        Names of the systems.
    unit : str
        What a cluster is, such as "page".

    Returns
    -------
    str
        Such as "After 23 of 60 checked pages: pero is better than tesseract by 2.10 [0.40, 3.80] points: decided."

    Examples
    --------
    >>> import numpy as np
    >>> from misread.stats import decide_sequentially
    >>> errors = np.array([[30, 18], [41, 30], [25, 12], [36, 25], [28, 18], [33, 24]] * 2)
    >>> result = decide_sequentially(errors, np.full(12, 400), total=60)
    >>> describe_sequential(result, baseline="tesseract", system="pero", unit="page")
    'After 10 of 60 checked pages: pero is better than tesseract by 2.83 [2.06, 3.59] points: decided.'
    """
    look = next((look for look in result.looks if look.verdict != "not yet"), result.last)
    of_all = "" if result.total is None else f" of {result.total:,}"
    checked = f"After {look.checked:,}{of_all} checked {plural(unit)}"
    if look.verdict == "equivalent":
        within = f"differ by less than {in_points(result.margin or 0.0)}"
        return f"{checked}: {system} and {baseline} {within} ({_points(look, sign=1)} points): decided."
    if look.verdict != "not yet":
        sign = -1 if look.verdict == "better" else 1
        return f"{checked}: {system} is {look.verdict} than {baseline} by {_points(look, sign=sign)} points: decided."
    difference = "" if look.difference is None else f"{system} minus {baseline} is {_points(look, sign=1)} points, "
    return f"{checked}: {difference}not decided yet; {_expected(look, result, unit)}."


def _points(look: Look, *, sign: int) -> str:
    """Difference and interval, both times the sign."""
    if look.difference is None:
        return NO_INTERVAL
    interval = look.interval if look.interval is None or sign == 1 else look.interval.negated()
    shown = NO_INTERVAL if interval is None else f"[{_FORMAT.rate(interval.low)}, {_FORMAT.rate(interval.high)}]"
    return f"{_FORMAT.rate(sign * look.difference)} {shown}"


def _expected(look: Look, result: SequentialVerdict, unit: str) -> str:
    if look.further is None:
        return f"no number of further {plural(unit)} would decide if all went on like this"
    if look.further == 0:
        return f"all {plural(unit)} are checked, and the systems make equally many errors"
    if result.total is not None and look.checked + look.further >= result.total:
        return f"it is likely to take all {result.total:,} {plural(unit)}"
    return f"about {count_of(look.further, f'more {unit}')} to expect"


def lay_out_sequential(
    result: SequentialVerdict, *, baseline: str, system: str, unit: str = "cluster", metric: str = "error rate"
) -> Table:
    """A table of looks, with the verdict in one sentence below.

    Parameters
    ----------
    result : SequentialVerdict
        What `decide_sequentially` returned.
    baseline, system : str
        Names of the systems.
    unit : str
        What a cluster is, such as "page".
    metric : str
        Name of the rate.

    Returns
    -------
    Table
        The looks after each doubling of the number of clusters, the one that decided, and the last; files have all.

    Examples
    --------
    >>> import numpy as np
    >>> from misread.stats import decide_sequentially
    >>> errors = np.array([[30, 18], [41, 30], [25, 12], [36, 25], [28, 18], [33, 24]] * 2)
    >>> result = decide_sequentially(errors, np.full(12, 400))
    >>> [look.checked for look in lay_out_sequential(result, baseline="tesseract", system="pero").shown]
    [10, 12]
    """
    return Table(
        caption=f"{metric}: {system} minus {baseline} after each checked {unit}, in points.",
        columns=[
            Column(f"{plural(unit)}", lambda look: look.checked, kind="number", keep=5, name="checked"),
            Column("difference", show=_show_difference, detail=confidence_title(1 - result.level), keep=4),
            Column("verdict", lambda look: look.verdict, kind="text", keep=5, name="verdict"),
            Column("more to expect", show=_show_further, keep=3),
            in_files(("difference", "low", "high"), lambda look: (look.difference, *interval_ends(look.interval))),
            in_files("further", lambda look: look.further),
        ],
        rows=result.looks,
        shown=_selected(result),
        verdict=describe_sequential(result, baseline=baseline, system=system, unit=unit),
        notes=[
            f"At most about {result.level:.0%} of such verdicts are wrong, however often one looks, if the "
            f"{plural(unit)} are checked in random order (`misread dispute --budget` draws one) and no system that is "
            f"better on most {plural(unit)} fails on a few: then up to four in ten are.",
            *([] if result.margin else ["Without a margin (--margin) no verdict says that systems are equivalent."]),
            *result.notes,
        ],
    )


def _selected(result: SequentialVerdict) -> list[Look]:
    """Looks after 10, 20, 40 ... clusters, the one that decided, and the last."""
    numbers = {result.decided_after, result.last.checked}
    number = 10
    while number < result.last.checked:
        numbers.add(number)
        number *= 2
    return [look for look in result.looks if look.checked in numbers]


def _show_difference(look: Look) -> Cell:
    if look.difference is None:
        return Cell("")
    interval = _FORMAT.interval_of(look.difference, look.interval, signed=True)
    return Cell(_FORMAT.difference(look.difference), interval)


def _show_further(look: Look) -> str:
    if look.verdict != "not yet":
        return "decided"
    return "never" if look.further is None else f"{look.further:,}"
