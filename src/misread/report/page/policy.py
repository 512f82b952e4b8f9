"""What the page may do: run its own script, show its own style and pictures, and nothing else."""

from __future__ import annotations

import base64
import hashlib


def content_security_policy(script: str, style: str) -> str:
    """Allow exactly this script and this style; no request to anywhere.

    Parameters
    ----------
    script, style : str
        Contents of the two elements, to the last character.

    Returns
    -------
    str
        For `<meta http-equiv="Content-Security-Policy">`.

    References
    ----------
    W3C, Content Security Policy Level 3, section 2.3.1 (hash sources).
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
