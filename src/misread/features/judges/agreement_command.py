"""`misread judge agreement`: how far two judges agree beyond chance."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from misread.cli.input_reading import read_inputs
from misread.cli.inputs import Inputs
from misread.cli.option_records import takes_records
from misread.cli.options import Width
from misread.cli.texts_to_compare import print_listings
from misread.errors import ConfigurationError, setting
from misread.tables.terminal.output import print_json


@takes_records(without=("groups", "annotations"))
def agreement(
    decisions: Annotated[
        list[Path], typer.Option(help="Decisions of a judge, as `misread judge record` writes them; give two or more.")
    ],
    inputs: Inputs,
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.")] = 0.95,
    output: Annotated[Literal["table", "json"], typer.Option(help="How to print.")] = "table",
    width: Width = None,
) -> None:
    r"""Compare the decisions of judges on the same texts.

    For instance:

    \b
      misread judge agreement --table lines.csv --ref text --hyp a=a --hyp b=b --cluster page \
        --decisions qwen.jsonl --decisions anna.jsonl

    Cohen's kappa of every two, and Fleiss' of three or more together, with intervals by cluster. Segments that a judge
    left open, and those whose texts are equal, do not count. All systems count together.
    """
    from misread.evaluation import score_captures
    from misread.features.judges.table import decisions_side_by_side
    from misread.io.console import warn_of_notes
    from misread.stats import compare_raters

    if len(decisions) < 2:
        raise ConfigurationError(f"{setting('decisions')} is given once; give the files of two judges.")
    if len(set(decisions)) < len(decisions):
        raise ConfigurationError(f"{setting('decisions')} names one file twice; a judge agrees with itself.")
    if not inputs.are_given:
        raise ConfigurationError("name the texts that were judged, as for `misread score`.")
    captures = read_inputs(inputs).captures()
    texts = {
        system: scored.texts
        for system, scored in score_captures(captures, inputs.chosen_normalizer, [], missing="drop").items()
    }
    warn_of_notes(pairs.origin for pairs in texts.values())
    names = [str(path) for path in decisions]
    result = compare_raters(*decisions_side_by_side(texts, decisions), names, confidence=confidence)
    if output == "json":
        print_json(result)
        return
    from misread.features.judges.table import lay_out_agreement

    first = next(iter(texts.values()))
    unit = "segment" if first.segments.cluster is None else first.origin.cluster_name or "cluster"
    stems = {name: path.stem for name, path in zip(names, decisions, strict=True)}
    table = lay_out_agreement(result, unit=unit, name=stems.__getitem__)
    print_listings([table], as_csv=False, width=width)
