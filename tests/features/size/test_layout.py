import math

import pytest

from misread.features.size.layout import Costs, Wanted, lay_out_plans
from misread.features.size.plans import make_plans, weigh_choices
from misread.stats import Prices, Variances, plan_designs, plan_widths

VARIANCES = Variances(clusters=0.04**2, runs=0, residual=0.02**2)
PRICES = Prices(cluster=1.0, reading=0.1)


def lay_out(*, prices=PRICES, typed_share=None, width=None, alpha=0.05, **options):
    difference = None if width else 0.01
    make = plan_widths if width else plan_designs
    designs = make(VARIANCES, width or difference, runs=(1, 2, 3), alpha=alpha, prices=prices)
    plans = make_plans(VARIANCES, designs, difference=difference, width=width, alpha=alpha)
    costs = None
    if prices:
        best = min(weigh_choices(plans, prices, typed_share), key=lambda choice: choice.price)
        costs = Costs(prices=prices, typed_share=typed_share, recommended=best)
    wanted = Wanted(difference=difference, width=width, alpha=alpha, power=0.8)
    return lay_out_plans(plans, VARIANCES, wanted, costs, unit="page", **options)


def titles(table):
    return [column.plain for column in table.headings]


def test_prices_stand_side_by_side():
    assert titles(lay_out(typed_share=0.2)) == [
        "runs",
        "pages",
        "one by one/if twice",
        "price/one by one",
        "disputed/one by one",
        "shows points",
    ]
    assert titles(lay_out()) == ["runs", "pages", "one by one/if twice", "price/one by one", "shows points"]
    assert titles(lay_out(prices=None)) == ["runs", "pages", "one by one/if twice", "shows points"]


def test_the_recommended_row_alone_is_bold_and_its_price_is_in_the_row():
    table = lay_out(typed_share=0.2)
    (bold,) = [row for row in table.cells if all(cell.is_bold for cell in row)]
    assert sum(cell.is_bold for row in table.cells for cell in row) == len(bold)
    price = table.verdict.removesuffix(".").rpartition(" at ")[2]
    assert bold[4].detail == f"/{price}"


def test_segments_are_counted_where_clusters_have_some():
    table = lay_out(segments_of_unit=12.5)
    assert titles(table)[1:3] == ["pages", "segments"]
    for row in table.cells:
        assert int(row[2].text.replace(",", "")) == math.ceil(12.5 * int(row[1].text.replace(",", "")))
    sentence = table.verdict
    pages = int(sentence.split("about ")[1].split(" of them")[0])
    assert f"({round(pages * 12.5 + 0.49):,} segments)" in sentence


@pytest.mark.parametrize(("alpha", "level"), [(0.05, "95 %"), (0.01, "99 %")])
def test_a_width_names_its_level(alpha, level):
    table = lay_out(width=0.02, alpha=alpha)
    assert table.caption == f"Pages and runs for a {level} interval of 2.00 points."
    assert titles(table)[-1] == "width in points"
