from misread.text.deferred import DeferredTexts


def test_texts_are_made_once_and_only_when_one_is_looked_at():
    made = []
    texts = DeferredTexts(2, lambda: made.append("once") or ["one", "two"])
    assert (len(texts), made) == (2, [])
    assert (texts[1], list(texts[:1]), list(texts)) == ("two", ["one"], ["one", "two"])
    assert made == ["once"]
