"""Word and character error rates of a speech recognizer's log, line by line: Text Similarity Metrics (trnorm).

`python examples/process_asr_logs.py LOG [--normalizer turkish]` reads a JSON array, JSON Lines, or columns separated by
`;`, with `reference_text` and `asr_output`. `misread score --table LOG --format asr_log` has intervals and tests.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from misread.data.formats.asr_log import HYPOTHESIS, REFERENCE, read_log_rows
from misread.io.console import errors_as_answers
from misread.normalize import get_normalizer
from misread.spec import cer, cer_wer_batch, wer


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the rates of every line, and of all together."""
    parser = argparse.ArgumentParser(description="Error rates of a speech recognizer's log, line by line.")
    parser.add_argument("log", type=Path)
    parser.add_argument("--normalizer", default="none", help="`misread list normalizers` has the names")
    options = parser.parse_args(arguments)
    with errors_as_answers():
        normalize = get_normalizer(options.normalizer)
        rows = read_log_rows(options.log)
        # What a recognizer does not answer is an empty text.
        references, outputs = ([normalize(text or "") for text in rows.texts(side)] for side in (REFERENCE, HYPOTHESIS))
        for reference, hypothesis in zip(references, outputs, strict=True):
            print(f"WER: {wer(reference, hypothesis):.4f}, CER: {cer(reference, hypothesis):.4f}")
        batch_cer, batch_wer = cer_wer_batch(references, outputs)
        print(f"all {len(references)} lines: WER: {batch_wer:.4f}, CER: {batch_cer:.4f}")


if __name__ == "__main__":
    main()
