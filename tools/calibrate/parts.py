"""Parts of rates and of differences, in draws of the pages of real corpora."""

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np

from misread.alignment.encode.texts import Unit
from misread.features.parts.decomposition import Parts, decompose
from tools.calibrate.agreement import read_segments
from tools.calibrate.running import Batch


@cache
def _by_page(name: str, steps: str, unit: Unit) -> Parts:
    """Parts of a corpus, summed by page."""
    table = read_segments(name)
    texts = {system: [text or "" for text in outputs] for system, outputs in table.hypotheses.items()}
    parts = decompose(table.references, texts, steps=steps, unit=unit)
    pages = np.unique(table.cluster, return_inverse=True)[1]
    sums = (pages == np.arange(pages.max() + 1)[:, np.newaxis]).T.astype(np.int64)
    counts, ends = ({system: values @ sums for system, values in of.items()} for of in (parts.counts, parts.ends))
    return replace(parts, counts=counts, ends=ends, lengths=parts.lengths @ sums)


@dataclass(frozen=True)
class Pages:
    """So many pages, drawn with replacement: the parts of all systems, and of all pairs."""

    name: str
    number: int
    steps: str
    unit: Unit

    def draw_many(self, rng: np.random.Generator, samples: int) -> Any:
        """Parts of so many draws; those of all pages come first."""
        pages = _by_page(self.name, self.steps, self.unit)
        draws = rng.integers(0, len(pages.lengths), (samples, self.number))
        return _parts_of(pages, np.arange(len(pages.lengths))), [_parts_of(pages, rows) for rows in draws]


def _parts_of(pages: Parts, rows: Any) -> list[Any]:
    counts, ends = ({system: values[..., rows] for system, values in of.items()} for of in (pages.counts, pages.ends))
    drawn = replace(pages, counts=counts, ends=ends, lengths=pages.lengths[rows])
    targets = [*product(counts, [None]), *combinations(counts, 2)]
    return [part for target in targets for part in drawn.of(*target)]


def covers_shown(samples: Any) -> Batch:
    """Whether intervals contain the part of all pages, of parts that one draw in twenty shows with one, or more."""
    truth, drawn = samples
    is_shown = np.array([[part.interval is not None for part in parts] for parts in drawn])
    covers = [
        [part.interval is not None and part.interval.low <= whole.value <= part.interval.high for part, whole in pairs]
        for pairs in (zip(parts, truth, strict=True) for parts in drawn)
    ]
    return {"share": np.ma.masked_array(covers, ~is_shown | (is_shown.mean(axis=0) < 0.05)), "shown": is_shown.mean(1)}
