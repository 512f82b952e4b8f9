"""Steps that take a transcription out of a model's answer: out of chatter, fences, tags, quotes and Markdown."""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple

from misread.normalize.steps.answers import unwrap_fences
from misread.text.reasoning import drop_reasoning

_MOST_OPENING = 300
_MOST_CLOSING = 600
_MOST_PARTS = 6
_MOST_TAGS = 200

_POLITE: Final = re.compile(
    r"[\s*_#>]*(?:"
    r"(?:sure(?: thing)?|certainly|of course|absolutely|okay|ok|great|yes)\b"
    r"|(?:i['’]d be|i['’]m|i am|i would be) (?:happy|glad) to help\b[^.!:\n]{0,60}"
    r"|i can help\b[^.!:\n]{0,60}"
    r"|(?:natürlich|selbstverständlich|gerne?|klar|sicher|ja)\b"
    r"|(?:bien sûr|certainement|volontiers|d['’]accord|avec plaisir|oui)\b"
    r")\s*[,.!]+\s*",
    re.IGNORECASE,
)
"""Words before an opening; on their own they are text."""

_IMAGE: Final = (
    r"(?:image|picture|photo(?:graph)?|scan|screenshot|page|document|letter|manuscript|card|line|audio|recording"
    r"|bild\w*|foto\w*|seite|dokuments?|briefs?|karte|zeile|aufnahme|numérisation|lettre|fiche|ligne|enregistrement)"
)
_POINTERS: Final = re.compile(
    r"\b(?:here(?:['’]s| is| are)|below (?:is|are)|this is|the following|as follows|transcribed|extracted|reads|says"
    r"|contains|hier (?:ist|sind|kommt)|nachfolgend|nachstehend|im folgenden|folgende[mnrs]?|anbei|lautet|enthält"
    r"|voici|voilà|ci-dessous|suivante?|contient|se lit)\b",
    re.IGNORECASE,
)
_TASKS: Final = re.compile(
    r"\btranscriptions?\b|\btranscri(?:bed|bing)\b|\bocr\b|\btranskri(?:ption|biert\w*)\b|\bretranscription\b"
    r"|\b(?:extracted|recogni[sz]ed|erkannte[rn]?|extrahierte[rn]?) text\b|\btexte (?:extrait|reconnu|transcrit)\b"
    r"|\b(?:transcript|text|abschrift|transkript|texte|transcrit)\s*:|\bwhat i\b|\bwas ich\b|\bce que j['’]"
    rf"|\b(?:transcript|text|content|abschrift|wortlaut|inhalt|texte|contenu)s?\b[^.!?\n]{{0,60}}\b{_IMAGE}\b"
    rf"|\b{_IMAGE}\b[^.!?\n]{{0,60}}\b(?:text|texte)\b",
    re.IGNORECASE,
)
_LABELS: Final = re.compile(
    r"[\s*_#]*(?:transcription|transcript|transcribed text|extracted text|ocr (?:text|result|output)|transkription"
    r"|transkript|retranscription|texte transcrit|here (?:it is|is it|you go|you are)|hier, bitte|bitte sehr|le voici"
    r"|la voici)",
    re.IGNORECASE,
)
_COLON: Final = re.compile(r":(?=[*_]*(?:\s|\Z))")
_HEADING: Final = re.compile(r"\s*(?:#{1,6}|\*\*|__)[^\n]*\n")

_CLOSINGS: Final = re.compile(
    r"[\s*_#>-]*(?:(?:please )?(?:do )?(?:let me know|feel free|don['’]t hesitate)|i hope (?:this|that|it)|hope this"
    r"|if you (?:need|want|have|would|['’]d)|is there anything|would you like|bye\b"
    r"|lass(?:en sie)? (?:mich|es mich) wissen|sag(?:en sie)? (?:mir )?bescheid|ich hoffe|melde(?:n sie)? (?:dich|sich)"
    r"|(?:wenn|falls|sollte[nt]?) (?:du|sie|noch|weitere)|möchte(?:n sie|st du)"
    r"|n['’]hésite[zs]?|faites-moi savoir|dites-moi|fais-moi savoir|j['’]espère|si vous (?:avez|souhaitez|voulez)"
    r"|souhaitez-vous|voulez-vous)",
    re.IGNORECASE,
)
_NOTES: Final = re.compile(
    r"[\s*_#>(\[-]*(?:please note|notes?\b|bitte beachten|hinweise?\b|anmerkung(?:en)?\b|remarques?\b|veuillez noter)",
    re.IGNORECASE,
)
_SERVICES: Final = re.compile(
    r"transcri|transkri|\bocr\b|\b(?:image|bild|picture|scan)\b|\btranslat|übersetz|tradu|anything else|else you"
    r"|further (?:help|assistance|questions)|\bassist|\bformat|adjust|clarif|correction|legib|unclear|lesbar|illisible"
    r"|handwrit|handschrift|spelling|schreibweise|orthograph"
    r"|sonst noch|weitere (?:hilfe|fragen)|autre chose|d['’]autres questions|besoin d['’]aide",
    re.IGNORECASE,
)
_RULE: Final = re.compile(r"[-*_]{3,}")

_FENCE_LINE: Final = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})[ \t]*([^`\s]*)[ \t]*\Z")
_TAGS: Final = (
    "transcription|transcript|text|answer|output|result|ocr|content|response|transkription|antwort|texte|réponse"
)
_TAGGED: Final = re.compile(rf"<({_TAGS})>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
_INLINE_FENCE: Final = re.compile(r"\A([^`~]*)(`{3}|~{3})([^`~]+)\2([^`~]*)\Z")

_QUOTES: Final = {'"': '"', "“": "”", "„": "“", "«": "»", "»": "«", "‘": "’", "‚": "‘"}

_HEADING_MARK: Final = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(?=\S)", re.MULTILINE)
_QUOTE_MARK: Final = re.compile(r"^[ \t]{0,3}>[ \t]?", re.MULTILINE)
_RULE_LINE: Final = re.compile(r"^[ \t]{0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*(?:\n|\Z)", re.MULTILINE)
_STRONG: Final = re.compile(r"(\*\*|__)(?=[^\s*_])(.{1,2000}?)(?<=[^\s*_])\1")
_EMPHASIS: Final = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,2000}?)(?<=[^\s*])\*(?![\w*])")
_CODE: Final = re.compile(r"(?<!`)`([^`\n]{1,2000})`(?!`)")
_ESCAPE: Final = re.compile(r"\\([*_#`>\[\]])")


class _Framed(NamedTuple):
    """Text framed by fences or a tag, and the text around it."""

    before: str
    content: str
    after: str


def keep_answer(text: str) -> str:
    r"""Take the transcription out of what a language model says before and after it; other text is unchanged.

    Before it comes a sentence that points to the transcription and names it ("Here is the transcription:", "Voici le
    texte de l'image :"), or a label ("**Transcription:**"). Behind such a sentence, the content of fences or of a tag
    is the answer, whatever follows them; so it is with nothing before them, and nothing or a closing sentence
    behind. A text may be followed by paragraphs that offer help with the transcription and, in an answer that such a
    sentence opens, any offer and notes on the reading. English, German and French are known. Reasoning is
    dropped, and a text that ends in it has no answer.

    >>> keep_answer("Here is the transcription:\n\n```\nDear Sir\n```\n\nLet me know if you need anything else!")
    'Dear Sir'
    >>> keep_answer("Here is the bill:\nten pounds")
    'Here is the bill:\nten pounds'
    """
    text = drop_reasoning(text) or ""
    framed = _find_frame(text)
    if framed is not None:
        if framed.before.strip():
            is_framed = _opening_end(framed.before, is_framed=True) == len(framed.before)
        else:
            is_framed = _is_closed(framed.after)
        if is_framed:
            return framed.content
    end = _opening_end(text)
    answer = text[end:]
    without_end = _cut_closing(answer, is_opened=end > 0)
    if end == 0 and without_end == answer:
        return text
    return _without_rules(without_end) if without_end.strip() else text


def _find_frame(text: str) -> _Framed | None:
    """Content of all fences, or of the one tag; None if there is none, or text between the fences."""
    lines = text.split("\n")
    marks: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        mark = _FENCE_LINE.match(line.rstrip("\r"))
        if mark is None:
            continue
        is_inside = len(marks) % 2 == 1
        if is_inside and (mark[1][0] != marks[-1][1][0] or len(mark[1]) < len(marks[-1][1]) or mark[2]):
            continue
        marks.append((number, mark[1]))
    if marks:
        numbers = [number for number, _ in marks]
        # An answer that was cut short has no last fence.
        ends = numbers[1::2] if len(numbers) % 2 == 0 else [*numbers[1::2], len(lines)]
        starts = numbers[::2]
        if any(_has_text(lines[end + 1 : start]) for end, start in zip(ends, starts[1:], strict=False)):
            return None
        content = "\n".join("\n".join(lines[start + 1 : end]) for start, end in zip(starts, ends, strict=True))
        return _Framed("\n".join([*lines[: starts[0]], ""][: starts[0] + 1]), content, "\n".join(lines[ends[-1] + 1 :]))
    if inline := _INLINE_FENCE.match(text):
        return _Framed(inline[1], inline[3].strip(), inline[4])
    if tagged := _find_tagged(text):
        return _Framed(text[: tagged.start()], tagged[2].strip(), text[tagged.end() :])
    return None


def _find_tagged(text: str) -> re.Match[str] | None:
    """The one tag of a text; None if there is none, or several of one name."""
    tagged = _TAGGED.search(text) if "</" in text and text.count("<") <= _MOST_TAGS else None
    return tagged if tagged and len(re.findall(rf"<{tagged[1]}>", text, re.IGNORECASE)) == 1 else None


def _has_text(lines: list[str]) -> bool:
    """Whether lines between two fences are more than a name of what comes, such as "Page 2:"."""
    text = "\n".join(lines).strip()
    return bool(text) and (len(text) > _MOST_OPENING // 4 or not text.rstrip("*_").endswith(":"))


def _opening_end(text: str, *, is_framed: bool = False) -> int:
    """Number of characters of an opening at the start of a text, 0 if there is none."""
    start = 0
    for _ in range(_MOST_PARTS):
        polite = _POLITE.match(text, start)
        if polite is None:
            break
        start = polite.end()
    rest = text[start:]
    if is_framed and start and not rest:
        return start
    head = rest.lstrip()[:_MOST_OPENING]
    start += len(rest) - len(rest.lstrip())
    line = head.partition("\n")[0]
    colon = _COLON.search(line)
    sentence = line[: colon.end()] if colon else line
    label = _LABELS.match(line)
    is_label = label is not None and not re.sub(r"[\s*_:]", "", line[label.end() : max(label.end(), len(sentence))])
    names_it = bool(_POINTERS.search(sentence) and _TASKS.search(sentence)) or (
        is_label and (colon is not None or bool(_HEADING.match(f"{line}\n")))
    )
    if not names_it or len(head) == _MOST_OPENING == len(line):
        return 0
    if colon is None:
        # A sentence without a colon is alone in its paragraph.
        behind = text[start + len(line) :]
        if not is_label and not is_framed and not re.match(r"[ \t\r]*\n[ \t\r]*\n", behind):
            return 0
        sentence = line
    end = start + len(sentence)
    space = re.compile(r"[*_]*\s*").match(text, end)
    return space.end() if space else end


def _is_closed(text: str) -> bool:
    """Whether a text behind the answer is empty, or a closing sentence."""
    return not text.strip() or not _cut_closing(f"\n\n{text.strip()}", is_opened=False).strip()


def _cut_closing(text: str, *, is_opened: bool) -> str:
    """A text without its last paragraphs or lines that offer help or, in an answer that was opened, are notes on it."""
    for _ in range(_MOST_PARTS):
        stripped = text.rstrip()
        for separator in ("\n\n", "\n"):
            start = stripped.rfind(separator)
            last = stripped[start + 1 :].strip() if start >= 0 else ""
            is_rule = is_opened and bool(_RULE.fullmatch(last))
            if 0 < len(last) <= _MOST_CLOSING and (is_rule or _is_closing(last, is_opened=is_opened)):
                break
        else:
            return text
        text, is_opened = stripped[:start].rstrip(), True
    return text


def _is_closing(paragraph: str, *, is_opened: bool) -> bool:
    speaks_of_it = bool(_SERVICES.search(paragraph))
    if _CLOSINGS.match(paragraph):
        return is_opened or speaks_of_it
    return is_opened and speaks_of_it and bool(_NOTES.match(paragraph))


def _without_rules(text: str) -> str:
    """A text without lines of three dashes at its ends, which part it from chatter."""
    lines = text.strip().split("\n")
    while lines and (not lines[0].strip() or _RULE.fullmatch(lines[0].strip())):
        del lines[0]
    while lines and (not lines[-1].strip() or _RULE.fullmatch(lines[-1].strip())):
        del lines[-1]
    return "\n".join(lines)


def unwrap_single_text(text: str) -> str:
    """Take the text out of JSON that has one text, or out of a tag around the whole; other text is unchanged.

    >>> unwrap_single_text('{"transcription": "Dear Sir", "page": 3}')
    'Dear Sir'
    >>> unwrap_single_text("<text>Dear Sir</text>")
    'Dear Sir'
    """
    stripped = text.strip()
    tagged = _find_tagged(stripped)
    if tagged and tagged.span() == (0, len(stripped)):
        return tagged[2].strip()
    if stripped[:1] not in ("{", "[", '"'):
        return text
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, str):
        return value
    values = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    texts = [entry for entry in values if isinstance(entry, str)]
    is_flat = not any(isinstance(entry, dict | list) for entry in values)
    return texts[0] if len(texts) == 1 and is_flat else text


def unwrap_quotes(text: str) -> str:
    """Remove quotation marks around the whole of a text that has no other ones.

    >>> unwrap_quotes("“Dear Sir, yes.”"), unwrap_quotes('"Yes", she said, "no"')
    ('Dear Sir, yes.', '"Yes", she said, "no"')
    """
    stripped = text.strip()
    closing = _QUOTES.get(stripped[:1])
    inside = stripped[1:-1]
    if closing is None or len(stripped) < 3 or stripped[-1] != closing or stripped[0] in inside or closing in inside:
        return text
    return inside


def remove_markdown(text: str) -> str:
    r"""Remove marks of Markdown that are no text: of headings, emphasis, code, quotes, rules and fences; lines stay.

    Numbers and dashes of lists, tables and links stay, and so does whatever only looks like a mark.

    >>> remove_markdown("# Bern\n**Dear** *Sir*, 2 * 3 * 4\n```\n1. `x`\n```")
    'Bern\nDear Sir, 2 * 3 * 4\n1. x'
    """
    if not re.search(r"[*_`~#>\\-]", text):
        return text
    text = _RULE_LINE.sub("", unwrap_fences(text))
    text = _QUOTE_MARK.sub("", _HEADING_MARK.sub("", text))
    text = _CODE.sub(r"\1", _EMPHASIS.sub(r"\1", _STRONG.sub(r"\2", text)))
    return _ESCAPE.sub(r"\1", text)
