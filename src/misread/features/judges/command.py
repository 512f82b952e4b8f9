"""`misread judge record`: a model decides, or somebody has decided, whether two texts say the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misread.cli.inputs import Inputs
from misread.cli.option_records import takes_records
from misread.cli.options import ProjectDataset, ProjectSystems, named_values
from misread.cli.texts_to_compare import texts_to_compare
from misread.errors import ConfigurationError, setting
from misread.io.checks.choices import check_choice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from misread.features.judges.decision_files import Decisions
    from misread.features.judges.openai_judge import OpenAIJudge
    from misread.normalize.normalized_texts import NormalizedTexts


@takes_records(without=("groups", "annotations"))
def record(
    out: Annotated[Path, typer.Option(metavar="FILE", help="File of decisions to write (.jsonl).")],
    inputs: Inputs,
    dataset: ProjectDataset = None,
    systems: ProjectSystems = None,
    url: Annotated[
        str | None, typer.Option(help="Address of a server with OpenAI's chat API, such as http://localhost:8000/v1.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Name of the model at that server, or of who has decided.")] = None,
    prompt: Annotated[
        Path | None, typer.Option(help="File with the question, with {reference} and {hypothesis} in it.")
    ] = None,
    agree: Annotated[str, typer.Option(help="First word of an answer that accepts.")] = "yes",
    disagree: Annotated[str, typer.Option(help="First word of an answer that does not.")] = "no",
    token_env: Annotated[str, typer.Option(help="Name of the environment variable with the token.")] = "",
    model_version: Annotated[str, typer.Option(help="Version of the model or server; another one asks again.")] = "",
    concurrency: Annotated[int, typer.Option(min=1, help="How many questions are asked at the same time.")] = 4,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Ask again what was answered without a decision.")
    ] = False,
    decision: Annotated[
        list[str] | None,
        typer.Option(help="NAME=COLUMN of --table with decisions on a system that exist already; repeat."),
    ] = None,
) -> None:
    r"""Record a judge's decisions, to be scored as a metric.

    For instance:

    \b
      misread judge record --table lines.csv --ref text --hyp a=a --hyp b=b \
        --url http://localhost:8000/v1 --model qwen --out decisions.jsonl
      misread judge record --table lines.csv --ref text --hyp a=a --decision a=a_is_right --model anna --out anna.jsonl
      misread judge record --dataset das22 --url http://localhost:8000/v1 --model qwen --out judged/das22.jsonl
      misread score --table lines.csv --ref text --hyp a=a --hyp b=b --metrics 'judged(file=decisions.jsonl)'

    Each pair of normalized texts is asked about once, whichever system gave it; equal texts are not asked about.
    Answers are kept in FILE.journal as they come: a second run asks only new questions.
    """
    if (url is None) == (not decision):
        raise ConfigurationError(
            f"give {setting('url')} and {setting('model')}, or {setting('decision', 'NAME=COLUMN')}; not both."
        )
    if model is None:
        raise ConfigurationError(
            f"{setting('model')} is missing: name the model that is asked, or the person who decided."
        )
    texts = texts_to_compare(inputs, dataset, systems)
    if decision:
        if prompt is not None:
            raise ConfigurationError(f"{setting('prompt')} is for a server; leave it out with {setting('decision')}.")
        decisions = _imported(inputs, texts, decision, model)
    else:
        asked = _make_judge(url or "", model, prompt, agree, disagree, token_env, model_version, concurrency)
        decisions = _asked(asked, texts, out, retry_failed=retry_failed)
    _write(out, decisions)


def _write(out: Path, decisions: Decisions) -> None:
    """Write the file, and say how many decisions there are."""
    from misread.features.judges.decision_files import refuse_loss, write_decisions
    from misread.io.console import warn, write_out

    refuse_loss(out, decisions)
    write_decisions(out, decisions)
    decided = [judgement.same for judgement in decisions.by_texts.values() if judgement.same is not None]
    write_out(f"wrote {out}: {len(decided):,} decisions; in {sum(decided):,} of them both texts say the same")
    if undecided := [judgement for judgement in decisions.by_texts.values() if judgement.same is None]:
        warn(f"{len(undecided):,} pairs have no decision; the first: {undecided[0].reason}. --retry-failed asks again.")


def _make_judge(
    url: str,
    model: str,
    prompt: Path | None,
    agree: str,
    disagree: str,
    token_env: str,
    version: str,
    concurrency: int,
) -> OpenAIJudge:
    from misread.features.judges.openai_judge import PROMPT, OpenAIJudge
    from misread.io.text import read_text

    return OpenAIJudge(
        url=url,
        model=model,
        prompt=PROMPT if prompt is None else read_text(prompt),
        agree=agree,
        disagree=disagree,
        token_env=token_env,
        version=version,
        concurrency=concurrency,
    )


def _asked(judge: OpenAIJudge, texts: Mapping[str, NormalizedTexts], out: Path, *, retry_failed: bool) -> Decisions:
    from misread.features.judges.judging import ask_judge, pairs_to_judge
    from misread.pipeline.capture_tally import CaptureTally, reading_progress

    pairs = pairs_to_judge(texts.values())
    journal = out.with_name(f"{out.name}.journal")
    with reading_progress(CaptureTally(f"{judge.model} judges"), len(pairs)) as listeners:
        return ask_judge(judge, pairs, journal, retry_failed=retry_failed, on_reading=listeners.on_reading)


def _imported(inputs: Inputs, texts: Mapping[str, NormalizedTexts], entries: list[str], model: str) -> Decisions:
    from misread.data.formats.tables import read_rows
    from misread.features.judges.judging import import_decisions

    table, described = inputs.sources.table, inputs.sources.columns
    if table is None or described is None or described.run or described.system:
        raise ConfigurationError(
            f"{setting('decision')} names columns of a {setting('table')} with one row per segment."
        )
    columns = named_values(entries, option=setting("decision"), expected="NAME=COLUMN")
    for system in columns:
        check_choice("system", system, texts, where=setting("decision"))
    rows = read_rows(table, encoding=inputs.encoding)
    decided = {system: rows.words(column) for system, column in columns.items()}
    for system, words in decided.items():
        if len(words) != len(texts[system].segments):
            raise ConfigurationError(
                f"{setting('decision')} {system}: the table has {len(words):,} rows and "
                f"{len(texts[system].segments):,} segments; decisions are taken row by row, so no row may be left out."
            )
    return import_decisions({"model": model, "source": "imported"}, texts, decided)
