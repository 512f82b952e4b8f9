"""sclite of NIST's SCTK, case-sensitive: TRN files, with -D where words are optional, or STM and CTM."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

EXPRESSES = {"unit": ["word"], "costs": ["sclite"], "notation": ["plain", "trn", "stm_ctm"]}
PROGRAM = shutil.which("sclite") or "/usr/lib/sctk/bin/sclite"
SCORES = re.compile(r"^Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)$", re.MULTILINE)


def answer(case):
    """Counts of a corpus, the sums of sclite's scores; None where a TRN file cannot hold the text."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if case["rule"]["notation"] == "stm_ctm":
            sides = (("-r", "stm", case["references"]), ("-h", "ctm", case["hypotheses"]))
            options = []
        else:
            marks = "{}();<" if case["rule"]["notation"] == "plain" else ";<"
            texts = [*case["references"], *case["hypotheses"]]
            if any(sign in text for text in texts for sign in marks + "\n\r\x0b\x0c\x85\u2028\u2029"):
                return None
            sides = tuple(
                (option, "trn", ["".join(f"{text} (a_{row})\n" for row, text in enumerate(case[side]))])
                for option, side in (("-r", "references"), ("-h", "hypotheses"))
            )
            options = ["-i", "rm"] + (["-D"] if any("(" in text for text in case["references"]) else [])
        command = [PROGRAM, "-s", "-e", "utf-8", *options, "-o", "pra", "stdout"]
        for option, kind, files in sides:
            (folder / kind / option).parent.mkdir(exist_ok=True)
            (folder / kind / option).write_text("".join(files), encoding="utf-8")
            command += [option, f"{kind}/{option}", kind]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    rows = [[int(number) for number in row] for row in SCORES.findall(done.stdout)]
    if done.returncode or not rows:
        raise RuntimeError((done.stderr or done.stdout).strip().split("\n")[-1])
    hits, substitutions, deletions, insertions = (sum(column) for column in zip(*rows, strict=True))
    return {
        "length": hits + substitutions + deletions,
        "errors": substitutions + deletions + insertions,
        "substitutions": substitutions,
        "deletions": deletions,
        "insertions": insertions,
    }
