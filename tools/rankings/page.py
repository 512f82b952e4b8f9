"""The page of published rankings: tables and findings, all figures from the committed counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from string import ascii_lowercase
from typing import Final

from tools.parts import ROOT
from tools.rankings.counts import Key, read_counts
from tools.rankings.sets import RANKINGS, Ranking
from tools.rankings.verdicts import ALPHA, Table, agrees, tabulate

PAGE: Final = ROOT / "docs/explanation/published-rankings.md"
TABLES: Final = "python -m tools.rankings"
FINDINGS: Final = "python -m tools.rankings, findings"
_RATES: Final = {"cer": "CER", "wer": "WER", "u_wer": "U-WER", "b_wer": "B-WER"}

Tables = Mapping[str, Mapping[Key, Table]]
"""Tables of all sets by what was counted."""


def tabulate_all() -> dict[str, dict[Key, Table]]:
    """All tables from the committed counts."""
    return {name: {key: tabulate(key, counted) for key, counted in read_counts(name).items()} for name in RANKINGS}


def render_tables(tables: Tables) -> list[str]:
    """For every set: what was published beside ours, and the order under every regime."""
    lines: list[str] = []
    for name, ranking in RANKINGS.items():
        lines += [f"### {ranking.title} (`{name}`)", "", *_beside(name, ranking, tables[name]), ""]
        lines += ["| regime | rate | order | as published |", "|---|---|---|---|"]
        for key, table in tables[name].items():
            rate = _RATES[key.rate] + (", mean" if key.average == "segments" else "")
            same = "yes" if agrees(table.order, ranking.published) else "**no**"
            lines.append(f"| {key.regime} | {rate} | {_show_order(ranking, table)} | {same} |")
        lines.append("")
    return lines[:-1]


def _beside(name: str, ranking: Ranking, tables: Mapping[Key, Table]) -> Iterator[str]:
    key = Key(*ranking.like)
    table, clusters = tables[key], len(read_counts(name)[key].clusters)
    yield f"{ranking.source}."
    yield f"Ours: {key.regime}, {_RATES[key.rate]}; intervals over {clusters} clusters ({ranking.cluster})."
    yield ""
    yield "| system | published % | ours % | [95 %] | group |"
    yield "|---|---:|---:|---:|---|"
    for system, rate in table.rates.items():
        published = ranking.published.get(system, "")
        interval = table.intervals[system]
        ends = f"[{interval[0]:.2f}, {interval[1]:.2f}]" if interval else "[--]"
        letters = "".join(
            letter for letter, group in zip(ascii_lowercase, table.groups, strict=False) if system in group
        )
        yield f"| {_label(ranking, system)} | {published} | {rate:.2f} | {ends} | {letters} |"


def _label(ranking: Ranking, system: str) -> str:
    return ranking.labels.get(system, system)


def _show_order(ranking: Ranking, table: Table) -> str:
    """Systems and rates, the best first; neighbours that do not differ have a ≈ between them."""
    signs = ["≈" if not table.differ(*pair) else "<" for pair in pairwise(table.order)]
    names = [f"{_label(ranking, system)} {rate:.2f}" for system, rate in table.rates.items()]
    return names[0] + "".join(f" {sign} {name}" for sign, name in zip(signs, names[1:], strict=True))


def render_findings(tables: Tables) -> list[str]:
    """Five findings, with the figures that the tables have."""
    return [
        f"{number}. {' '.join(finding)}"
        for number, finding in enumerate(
            (
                _large_differences(tables),
                _winner_and_loser(tables["earnings21"]),
                _tied_step(tables["earnings21"]),
                _runs(tables["repeated_runs"]),
                _regimes(tables),
            ),
            1,
        )
    ]


def _large_differences(tables: Tables) -> Iterator[str]:
    whole = [name for name in RANKINGS if _survives(name, tables[name])]
    yield f"**Large differences survive.** The published orders of {' and '.join(f'`{name}`' for name in whole)}"
    yield f"are the same under all {sum(len(tables[name]) for name in whole)} rates,"
    yield "and every pair differs significantly under each."


def _winner_and_loser(calls: Mapping[Key, Table]) -> Iterator[str]:
    sclite, jiwer = (calls[Key(regime, "wer", "micro")].rates for regime in ("sclite", "jiwer"))
    yield "**A winner can become a loser.** Rev ESPnet is the best of the three services by sclite's rule"
    yield f"({sclite['rev_espnet']:.2f} %) and the worst by jiwer's ({jiwer['rev_espnet']:.2f} %,"
    yield f"Amazon {jiwer['amazon']:.2f} %); both verdicts are significant."
    yield "It writes numbers in words, and jiwer's rule reads a reference in one way alone."


def _tied_step(calls: Mapping[Key, Table]) -> Iterator[str]:
    published, table = RANKINGS["earnings21"].published, calls[Key("sclite", "wer", "micro")]
    reversed_rates = sum(rates["google"] < rates["amazon"] for rates in (table.rates for table in calls.values()))
    yield "**A published step can be a tie.** Amazon stands before Google,"
    yield f"{published['amazon']} against {published['google']} %; counted alike, they do not differ"
    yield f"({table.rates['amazon']:.2f} and {table.rates['google']:.2f} %,"
    yield f"p = {table.pvalues[frozenset(('amazon', 'google'))]:.2f}),"
    yield f"and under {reversed_rates} of {len(calls)} rates Google is first."


def _runs(tables: Mapping[Key, Table]) -> Iterator[str]:
    cer, wer = (tables[Key("misread", rate, "micro")] for rate in ("cer", "wer"))
    rates = [rate for system, rate in cer.rates.items() if system.startswith("run")]
    yield "**Runs of one model are no ranking.** The five corrections have CERs from"
    yield f"{min(rates):.2f} to {max(rates):.2f} %; no two differ under any of {len(tables)} rates,"
    yield f"and the best by CER ({cer.order[0].replace('run', 'run ')}) is not the best by WER"
    yield f"({wer.order[0].replace('run', 'run ')}). That correction helps survives everywhere."


def _regimes(tables: Tables) -> Iterator[str]:
    calls = [table.rates for key, table in tables["earnings21"].items() if key.rate == "wer"]
    sclite = tables["earnings21"][Key("sclite", "wer", "micro")].rates
    services = [sclite[system] for system in ("google", "amazon", "rev_espnet")]
    rev = [rates["rev_espnet"] for rates in calls]
    loose, strict = (
        tables["das22"][Key(regime, "wer", "micro")].rates[system]
        for regime, system in (("dinglehopper", "tesseract4"), ("jiwer", "pero"))
    )
    inside, outside = (tables["rare_words"][Key("sclite", rate, "micro")].rates for rate in ("b_wer", "u_wer"))
    yield "**The regime moves a rate further than the system does.** Rev ESPnet has word error rates from"
    yield f"{min(rev):.2f} to {max(rev):.2f} %, the three services under sclite's rule from"
    yield f"{min(services):.2f} to {max(services):.2f} %. Tesseract under dinglehopper's ({loose:.2f} %) looks better"
    yield f"than PERO under jiwer's ({strict:.2f} %), though PERO is better under each."
    yield "One rate hides where a gain lies, too: biasing (s1) cuts errors in listed words from"
    yield f"{inside['b1']:.2f} to {inside['s1']:.2f} %, in all others from"
    yield f"{outside['b1']:.2f} to {outside['s1']:.2f} %."


def _survives(name: str, tables: Mapping[Key, Table]) -> bool:
    """Whether the published order holds under every rate, with all its pairs significant."""
    published = RANKINGS[name].published
    return all(
        agrees(table.order, published)
        and all(pvalue < ALPHA for pair, pvalue in table.pvalues.items() if pair <= {*published})
        for table in tables.values()
    )
