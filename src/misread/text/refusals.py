"""Answers by which a language model says that it does not read a text."""

import re
from typing import Final

# A refusal is short; a transcription that begins like one is not.
_LONGEST: Final = 600
_SOME: Final = r"[^.\n]{0,60}"
_ENGLISH_VERBS: Final = (
    r"\b(?:read|transcribe|view|see|process|assist|help|extract|access|provide|decipher|open|analy[sz]e|identify)\b"
)
_GERMAN_VERBS: Final = (
    r"\b(?:lesen|transkribieren|erkennen|entziffern|helfen|verarbeiten|sehen|öffnen|extrahieren|auslesen)\b"
)
_FRENCH_VERBS: Final = (
    r"\b(?:lire|transcrire|déchiffrer|voir|traiter|aider|accéder|identifier|extraire|ouvrir|analyser)\b"
)
_NOT: Final = r"(?:can(?:no|['’])?t|can not|unable|not able|could(?: not|n['’]t)|won['’]t)"
_BEGINNINGS: Final = (
    rf"(?:(?:i['’]m|i am) (?:\w+ )?sorry|sorry|my apologies|i apologi[sz]e|unfortunately|as an ai){_SOME}"
    rf"\b{_NOT}\b{_SOME}{_ENGLISH_VERBS}",
    rf"i(?:['’]m| am)? {_NOT}(?: be able)?(?: to)? (?:\w+ )?{_ENGLISH_VERBS}",
    r"(?:the|this|your) (?:image|picture|page|document|scan|audio|handwriting) (?:itself )?"
    r"(?:is|appears to be|seems to be) (?:\w+ )?(?:blurry|illegible|unreadable|unclear|blank|empty|inaudible)\b",
    rf"(?:there is |i see )?no (?:\w+ )?(?:text|writing|speech)\b{_SOME}\b(?:image|picture|page|document|scan|audio)\b",
    rf"(?:(?:es )?tut mir (?:\w+ )?leid|entschuldigung|leider|bedauerlicherweise){_SOME}"
    rf"\b(?:kann|konnte|könnte)\b{_SOME}{_GERMAN_VERBS}",
    rf"ich (?:kann|konnte)\b{_SOME}\bnicht (?:\w+ )?{_GERMAN_VERBS}",
    r"(?:das|dieses|die|diese) (?:bild|dokument|seite|handschrift) ist (?:\w+ )?"
    r"(?:unscharf|unleserlich|unlesbar|leer)\b",
    rf"kein (?:\w+ )?text\b{_SOME}\b(?:bild|seite|dokument|erkennbar|lesbar)\b",
    rf"(?:(?:je suis )?(?:\w+ )?désolée?|malheureusement){_SOME}\bje ne\b{_SOME}{_FRENCH_VERBS}",
    rf"je ne (?:peux|puis|parviens|suis)\b{_SOME}{_FRENCH_VERBS}",
    r"l['’]image est (?:\w+ )?(?:floue|illisible|vide)\b",
    r"aucun texte (?:\w+ )?(?:lisible|visible)\b",
)
_REFUSAL: Final = re.compile(rf"[\s*_#>\"“„«\[(]*(?:{'|'.join(_BEGINNINGS)})", re.IGNORECASE)


def is_refusal(text: str) -> bool:
    """Whether a text says, in English, German or French, that it is no reading.

    >>> is_refusal("I'm sorry, but I cannot read the text in this image."), is_refusal("I am sorry to hear of it.")
    (True, False)
    """
    return len(text) <= _LONGEST and bool(_REFUSAL.match(text))
