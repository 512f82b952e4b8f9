"""Texts that a careless expression takes very long on, and the settings that steps need to be tried."""

from collections.abc import Mapping
from typing import Any, Final

SETTINGS: Final[Mapping[str, Mapping[str, Any]]] = {
    "merge_compounds": {"compounds": ["data base"]},
    "replace_pattern": {"pattern": r"\d+"},
    "replace_texts": {"table": {"==": "–", "ſ": "s"}},
    "spell_numbers": {"language": "en"},
    "unify_equivalents": {"sets": [["okay", "ok"]]},
}
"""By step."""

HOSTILE: Final = (
    *("a", "0", " ", "\n", "<", "[", "`", "{", "$", "(", "'", "-", ".", "\u0301", "\u0323\u0301", "1,", "1.000.", "I"),
    *(
        "XX. ",
        "<a ",
        "&amp",
        "*",
        "_",
        "[a](",
        "<|ref|>",
        "- ",
        "one ",
        "double ",
        "oh ",
        "'s ",
        " '",
        "st ",
        "\\(",
        "$$",
    ),
    *(
        "```\n",
        "a-\n",
        "1x",
        "% ",
        "12:",
        "1'",
        "|",
        "![",
        "<!--",
        "&#",
        "é",
        "漢",
        "٣",
        "~~~\n",
        "a b ",
        "[[1",
        "<box>",
    ),
)
"""Parts that texts repeat to any length."""
