"""A language model that decides whether two texts say the same; it reads nothing itself."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from misread.data.segment_table import Source
from misread.engines.base import OPERATING, Answer, UnreadableSourceError
from misread.engines.chat_answers import ChatSettings, ask_chat
from misread.engines.http_client import HttpClient
from misread.errors import ConfigurationError
from misread.features.judges.decision_files import Judge

PROMPT: Final = (
    "Two transcriptions of the same passage follow. Do they say the same to a reader, apart from spelling and "
    "punctuation that change no meaning? Answer yes or no, and nothing else.\n\n"
    "First:\n{reference}\n\nSecond:\n{hypothesis}"
)
_PLACES: Final = re.compile(r"\{(reference|hypothesis)\}")
_FIRST_WORD: Final = re.compile(r"\W*(\w+)")


@dataclass(frozen=True, kw_only=True)
class OpenAIJudge(ChatSettings, Judge):
    """Asks `/chat/completions` of a server whether a hypothesis says what its reference says.

    Parameters
    ----------
    prompt : str
        Question, with `{reference}` and `{hypothesis}` in it.
    agree, disagree : str
        First word of an answer that accepts the hypothesis, and of one that does not; case makes no difference.
    """

    prompt: str = PROMPT
    agree: str = "yes"
    disagree: str = "no"
    max_tokens: int | None = 1024

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("reference", "hypothesis"):
            if f"{{{name}}}" not in self.prompt:
                raise ConfigurationError(
                    f"the prompt of the judge has no {{{name}}}: write it where that text belongs."
                )
        if self.agree.casefold() == self.disagree.casefold():
            raise ConfigurationError(
                f"agree and disagree are both {self.agree!r}, so that no answer could be understood."
            )

    reads = frozenset({"question"})

    @property
    def prompt_digest(self) -> str:
        """SHA-256 of the prompt, by which two judges of one model are told apart."""
        return hashlib.sha256(self.prompt.encode()).hexdigest()

    def versions(self) -> Mapping[str, str]:
        """Model, prompt, given version and all settings; nothing is asked."""
        return {**super().versions(), "prompt_sha256": self.prompt_digest, "settings_sha256": self.settings_digest}

    @property
    def asked(self) -> Mapping[str, Any]:
        """Settings that decide the answer; the same model at another address is the same judge."""
        return {name: value for name, value in vars(self).items() if name not in (*OPERATING, "url")}

    @property
    def settings_digest(self) -> str:
        """SHA-256 of them: decisions of a judge with the same one need not be asked for again."""
        return hashlib.sha256(json.dumps(self.asked, sort_keys=True, default=str).encode()).hexdigest()

    def question(self, reference: str, hypothesis: str) -> str:
        """The prompt with both texts, whatever is in them."""
        texts = {"reference": reference, "hypothesis": hypothesis}
        return _PLACES.sub(lambda match: texts[match[1]], self.prompt)

    def open(self) -> OpenAIJudgeReader:
        """Make the client."""
        return OpenAIJudgeReader(self, HttpClient(self))


@dataclass(frozen=True)
class OpenAIJudgeReader:
    """Client of the server."""

    settings: OpenAIJudge
    client: HttpClient

    def read(self, source: Source) -> Answer:
        """The decision, "yes" or "no", with the model's whole answer."""
        if source.question is None:
            raise UnreadableSourceError("there is no question to decide")
        return ask_chat(self.client, self.settings, source.question, self._decide)

    def _decide(self, text: str) -> str:
        agree, disagree = self.settings.agree, self.settings.disagree
        match = _FIRST_WORD.match(text)
        word = match[1].casefold() if match else ""
        if word not in (agree.casefold(), disagree.casefold()):
            raise UnreadableSourceError(f"the answer begins neither with {agree!r} nor with {disagree!r}", raw=text)
        return "yes" if word == agree.casefold() else "no"

    def close(self) -> None:
        self.client.close()
