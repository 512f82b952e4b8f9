import math

import pytest

from misread.features.size.layout import Wanted, lay_out_plans
from misread.features.size.plans import make_plans
from misread.stats import Variances, plan_designs, plan_widths

VARIANCES = Variances(clusters=0.04**2, runs=0, residual=0.02**2)


def lay_out(*, width=None, alpha=0.05, **options):
    difference = None if width else 0.01
    make = plan_widths if width else plan_designs
    designs = make(VARIANCES, width or difference, runs=(1, 2, 3), alpha=alpha)
    plans = make_plans(VARIANCES, designs, difference=difference, width=width, alpha=alpha)
    wanted = Wanted(difference=difference, width=width, alpha=alpha, power=0.8)
    return lay_out_plans(plans, VARIANCES, wanted, unit="page", **options)


def titles(table):
    return [column.plain for column in table.headings]


def test_ways_of_checking_have_their_columns():
    assert titles(lay_out()) == ["runs", "pages", "one by one/if twice", "shows points"]


def test_segments_are_counted_where_clusters_have_some():
    table = lay_out(segments_of_unit=12.5)
    assert titles(table)[1:3] == ["pages", "segments"]
    for row in table.cells:
        assert int(row[2].text.replace(",", "")) == math.ceil(12.5 * int(row[1].text.replace(",", "")))


@pytest.mark.parametrize(("alpha", "level"), [(0.05, "95 %"), (0.01, "99 %")])
def test_a_width_names_its_level(alpha, level):
    table = lay_out(width=0.02, alpha=alpha)
    assert table.caption == f"Pages and runs for a {level} interval of 2.00 points."
    assert titles(table)[-1] == "width in points"
