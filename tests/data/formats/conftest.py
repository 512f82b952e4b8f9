"""Files with layout, as they are published."""

import pytest


@pytest.fixture
def write(tmp_path):
    """Write a file, of text or bytes; give its path."""

    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def write_text(write):
    """Write a text; give its path."""

    def write_text(text, name="file", encoding="utf-8"):
        return write(name, text.encode(encoding))

    return write_text


@pytest.fixture
def summary():
    """Text, speaker and times of segments."""

    def summary(segments):
        return [(each.text, each.speaker, each.start, each.end) for each in segments]

    return summary


@pytest.fixture
def page_xml(write):
    """Write PAGE-XML of a page with this content; give its path."""

    def page_xml(content, *, name="p1.xml", version="2019-07-15", attributes="", encoding="utf-8"):
        text = (
            f'<?xml version="1.0" encoding="{encoding}"?>\n'
            f'<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/{version}">\n'
            f'<Page imageFilename="p1.png" imageWidth="9" imageHeight="9"{attributes}>\n{content}\n</Page></PcGts>\n'
        )
        return write(name, text.encode(encoding))

    return page_xml


@pytest.fixture
def alto_xml(write):
    """Write ALTO with this content of a print space; give its path."""

    def alto_xml(content, *, name="p1.xml", namespace="http://www.loc.gov/standards/alto/ns-v4#", before=""):
        named = f' xmlns="{namespace}"' if namespace else ""
        text = (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<alto{named}>\n{before}<Layout><Page ID="P1"><PrintSpace>\n'
            f"{content}\n</PrintSpace></Page></Layout></alto>\n"
        )
        return write(name, text)

    return alto_xml
