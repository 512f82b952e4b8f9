"""The page's introduction: the verdict in a sentence, and the method in prose, as in a paper."""

from misread.metrics import Direction, Kind
from misread.stats import DatasetResult
from misread.stats.results import count_clusters
from misread.tables import RateTable
from misread.tables.rates import RateRow
from misread.tables.rates_layout import metric_title
from misread.tables.verdicts import limit_of
from misread.text.nouns import count_of


def headline(table: RateTable) -> str:
    """Verdict of a table in one or two sentences."""
    if not table.rows:
        return f"No system has a {metric_title(table.metric)} on {table.dataset_name}."
    best = next(row for row in table.rows if row.is_best)
    others = [row for row in table.rows if not row.is_best]
    rate = f"{table.format.rate(best.result.micro or 0.0)}{table.format.sign}"
    if not others:
        value = f"{best.name} has a {metric_title(table.metric)} of {rate} on {table.dataset_name}."
        return f"{value} Add a second system to compare."
    first = f"{best.name} {_makes(table)} on {table.dataset_name} ({rate})."
    compared = [row for row in others if row.to_best]
    if len(compared) < len(others):
        apart = len(others) - len(compared)
        first += f" {apart} of the {len(others)} others {'was' if apart == 1 else 'were'} not compared with it."
        if not compared:
            return first
    worse = sum(row.is_significant for row in compared)
    if worse == 0 and compared == others:
        if limit := limit_of([row.to_best for row in others if row.to_best], table):
            return f"The data cannot tell any system from {best.name} ({rate}) on {table.dataset_name}{limit}."
        return f"No system differs significantly from {best.name} ({rate}) on {table.dataset_name}{_level(best)}."
    if worse == len(others):
        return f"{first} {_all_others(worse)} significantly worse."
    open_ones = len(compared) - worse
    rest = f", {open_ones} {_is_are(open_ones)} not significantly different" if open_ones else ""
    return f"{first} {worse} of the {len(others)} others {_is_are(worse)} significantly worse{rest}."


def _level(row: RateRow) -> str:
    interval = row.result.confidence_interval
    return f" at {100 * interval.confidence:g} % confidence" if interval else ""


def _makes(table: RateTable) -> str:
    if table.kind is Kind.ERROR_RATE and table.counted:
        return f"makes the fewest {table.counted}" + (" on raw text" if table.metric.endswith("_raw") else "")
    extreme = "lowest" if table.direction is Direction.LOWER_IS_BETTER else "highest"
    return f"has the {extreme} {metric_title(table.metric)}"


def _all_others(count: int) -> str:
    return {1: "The other system is", 2: "Both other systems are"}.get(count, f"All {count} other systems are")


def _is_are(count: int) -> str:
    return "is" if count == 1 else "are"


def describe_method(result: DatasetResult, first: RateTable) -> str:
    """Sentences about data, rates, intervals and tests; `first` is the table of the first metric."""
    systems, segments = len(result.systems), result.segments
    read = f"{count_of(systems, 'system')} read {count_of(segments, 'segment')}"
    if result.clusters:
        read += f" from {count_clusters(result.clusters, result.cluster_name)}"
    sentences = [f"{read} of {first.dataset_name}."]
    if result.excluded:
        more = "segment is" if result.excluded == 1 else "segments are"
        sentences.append(f"{result.excluded:,} more {more} left out because a system has no hypothesis.")
    if first.has_error_counts:
        sentences.append(
            "A rate is the sum of errors over all segments divided by the sum of reference units (micro average), "
            "each segment aligned at minimum cost."
        )
    return " ".join([*sentences, *first.method, *filter(None, [first.effective_sample])])
