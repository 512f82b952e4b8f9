from misread.data.formats.ctm import read_ctm
from misread.data.formats.stm import read_stm
from misread.data.formats.trn import read_trn
from misread.text.alternatives import Word


def test_fields_and_ids_end_at_blanks_and_tabs_only(write_text):
    (utterance,) = read_trn(write_text("one\t(spk\u00a01)\n"))
    assert utterance.segment_id == "spk\u00a01"
    (segment,), _ = read_stm(write_text("f\u00a01\tA  ann\u20031 0 1 <O,\u00a0F> x\n"))
    assert (segment.document, segment.speaker, segment.labels) == ("f\u00a01", "ann\u20031", ("O", "\u00a0F"))
    (word,) = read_ctm(write_text("f\u00a01 A\t0 0.2 10\u00a0000 0.9\n"))[("f\u00a01", "a")]
    assert word.item == Word("10\u00a0000")


def test_a_comment_begins_with_two_semicolons(write_text):
    content = ";;f A 0 1 x\n;f A 0 0.2 one\ng; A 0 0.2 two\n; A 0 0.2 three\n"
    assert sorted(read_ctm(write_text(content))) == [(";", "a"), (";f", "a"), ("g;", "a")]
