import json

import pytest

from misread.data.formats.content import Content
from misread.data.formats.docvqa import is_docvqa, read_docvqa
from misread.errors import InputFileError

# Annotations and submissions of DocVQA


def test_docvqa_has_all_accepted_answers(write_text):
    questions = {
        "data": [{"questionId": 49153, "question": "?", "answers": ["12 May", "May 12", "12 May"], "docId": 7}]
    }
    (reference,) = read_docvqa(write_text(json.dumps(questions)))
    (hypothesis,) = read_docvqa(write_text(json.dumps([{"questionId": 49153, "answer": "May 12"}])))
    assert (reference.segment_id, hypothesis.segment_id, reference.document) == ("49153", "49153", "7")
    assert json.loads(reference.text) == {"answers": ["12 May", "May 12"]}
    assert json.loads(hypothesis.text) == {"answer": "May 12"}
    assert is_docvqa(Content(json.dumps(questions)))
    assert is_docvqa(Content(json.dumps([{"questionId": 49153, "answer": "May 12"}])))
    assert not is_docvqa(Content(json.dumps([{"questionId": 49153}, {"answer": "May 12"}])))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"questions": []}, 'expected {"data"'),
        ([{"answer": "x"}], "entry 1: no 'questionId'"),
        ([{"questionId": 1}], "entry 1: no 'answer'"),
        ([{"questionId": 1, "answers": []}], "entry 1: answers are \\[\\], expected a list of one text or more"),
        ([{"questionId": 1, "answers": "x"}], "entry 1: answers is 'x', expected list"),
        ([7], "entry 1: expected an object"),
    ],
)
def test_broken_docvqa_names_the_entry(write_text, content, message):
    with pytest.raises(InputFileError, match=message):
        read_docvqa(write_text(json.dumps(content)))
