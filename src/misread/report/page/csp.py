"""Content security policy of the page: its own script, style and pictures, and nothing else."""

from __future__ import annotations

import base64
import hashlib


def content_security_policy(script: str, style: str) -> str:
    """Policy that allows exactly this script and this style, and no requests.

    Hash sources: W3C, Content Security Policy Level 3, section 2.3.1.
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_digest(script)}'",
            f"style-src '{_digest(style)}'",
            "img-src data:",
            "media-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _digest(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode("ascii")
