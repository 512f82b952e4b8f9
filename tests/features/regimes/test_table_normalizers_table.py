from misread.features.regimes.ablation import AblatedRate, AblationResult
from misread.features.regimes.table import lay_out_ablation
from misread.provenance.signature import Signature
from misread.tables import ReportSettings

SIGNATURE = "cer|unit:char|norm:none|align:unit|v:1"


def ablation(system, *rates):
    names = ("none", "whitespace", "lower")
    rated = {
        name: {"cer": AblatedRate(micro=rate, signature=Signature.parse(SIGNATURE))}
        for name, rate in zip(names, rates, strict=False)
    }
    return AblationResult(dataset="books", system=system, rates=rated)


def lay_out(*systems):
    return lay_out_ablation("books", "cer", systems, ReportSettings(["cer"], names={"a": "A"}))


def test_each_normalizer_says_what_it_changes():
    table = lay_out(ablation("a", 0.10, 0.08, 0.08), ablation("b", 0.2, None, 0.1))
    assert [column.plain for column in table.headings] == ["system", "none %", "whitespace %", "Δ", "lower %", "Δ"]
    assert [[cell.plain for cell in row] for row in table.cells] == [
        ["A", "10.00", "8.00", "-2.00", "8.00", "0.00"],
        ["b", "20.00", "", "", "10.00", ""],
    ]
    assert table.signature == "cer|unit:char|norm:none+whitespace+lower|align:unit|v:1"


def test_systems_that_change_places_are_named():
    table = lay_out(ablation("a", 0.10, 0.08, 0.08), ablation("b", 0.09, 0.09, 0.09), ablation("c", 0.3, 0.3, 0.3))
    assert table.notes[0] == "The ranking depends on the normalizer: A and b."


def test_a_tie_is_no_change_of_places():
    table = lay_out(ablation("a", 0.10, 0.08, 0.08), ablation("b", 0.10, 0.09, 0.09))
    assert table.notes[0] == "The order of the systems is the same under every normalizer."


def test_a_system_that_cannot_read_the_data_set_has_no_row():
    assert [row[0].text for row in lay_out(ablation("ears"), ablation("a", 0.1, 0.1, 0.1)).cells] == ["A"]
