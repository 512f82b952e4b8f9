"""Files of data sets and of what is known of them."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from misread.data.benchmark_folder import BenchmarkFolder
from misread.data.conversion import convert, guess_source_format
from misread.data.fetching import read_source
from misread.data.formats import FORMATS
from misread.data.formats.annotations import read_annotations
from misread.data.formats.asr_log import read_log_rows
from misread.data.formats.base import Format
from misread.data.formats.ctm import read_ctm
from misread.data.formats.layout_files import LayoutReader
from misread.data.formats.nlp import read_entities, read_nlp
from misread.data.formats.page_areas import read_page_areas
from misread.data.formats.recognition import guess_format, read_segments
from misread.data.formats.stm import read_stm
from misread.data.formats.tables import read_rows
from misread.data.formats.trn import read_trn
from misread.data.logs import find_score, join_logs, read_log
from misread.data.segment_files import read_segment_files
from misread.errors import MisreadError
from misread.evaluation import evaluate_table
from misread.features.judges.decision_files import read_decisions
from misread.features.word_classes.metric import read_word_counts
from misread.io.file_lists import read_list
from misread.io.json_files import to_json
from misread.io.names import write_name
from misread.io.text import UTF_8, read_text
from misread.sockets import get_views
from misread.stats import StatisticsSettings
from misread.storage.signature_file import read_signature_file
from tools.fuzz.targets import Target, file_target, folder_target, samples_of

# By which a format is guessed too, where its content leaves a doubt.
_ENDINGS: Final = ("", ".csv", ".tsv", ".jsonl", ".TextGrid", ".parquet")
# Of targets whose reader looks at the ending.
_BY_ENDING: Final = {
    **{name: f".{name}" for name in ("csv", "tsv", "jsonl", "parquet", "nlp")},
    "ids_table": ".csv",
    "signature_file": ".json",
}


def targets() -> Iterator[Target]:
    """Every format of segments, layout, tables and lists."""
    readers: dict[str, Callable[[Path], object]] = {
        **{name: partial(_read_segments, form) for name, form in FORMATS.items() if form.has_segments},
        **{name: partial(_read_layout, form) for name, form in FORMATS.items() if form.has_layout},
        **{name: partial(_read_log, form) for name, form in FORMATS.items() if form.kind == "log"},
        "guessed_format": _convert_as_guessed,
        "ctm_with_options": partial(_read_both_ways, read_ctm),
        "trn_with_options": partial(_read_both_ways, read_trn),
        "stm_with_options": partial(_read_both_ways, read_stm),
        "nlp": lambda path: (read_nlp(path), read_entities(path)),
        "page_areas": lambda path: read_page_areas(path, "line"),
        **dict.fromkeys(("csv", "tsv", "jsonl", "parquet"), _read_table),
        "ids_table": lambda path: read_rows(path).ids(["page"]),
        "asr_log": read_log_rows,
        "annotations": lambda path: read_annotations(path, ["l1", "l2", "l3"]),
        "word_counts": read_word_counts,
        "decisions": read_decisions,
        "files": lambda path: read_list(read_text(path), path),
        "signature_file": read_signature_file,
    }
    timed = ("ctm", "stm", "trn", "srt", "webvtt", "seglst", "whisper", "nemo", "textgrid")
    samples = {
        "guessed_format": [sample for name in (*timed, "guessed_format") for sample in samples_of(name)],
        "page_areas": samples_of("page"),
    }
    del readers["kaldi"]  # a folder
    for name, read in readers.items():
        sample = samples.get(name) or samples_of(name.removesuffix("_with_options"))
        yield file_target(name, read, _BY_ENDING.get(name, ""), sample)
    yield folder_target("kaldi", partial(_read_segments, FORMATS["kaldi"]))
    yield folder_target("source", read_source, {"source.yaml": samples_of("source")[0]})
    yield folder_target("benchmark", _read_benchmark)


def _read_segments(form: Format, path: Path) -> None:
    read_segments(form, path, encoding=UTF_8)
    with suppress(MisreadError):
        read_segment_files(path, {"a": path}, FORMATS.get(form.references, form), form)
    convert(path, path.parent / "converted", form, "jsonl")


def _read_layout(form: Format, path: Path) -> None:
    guess_format(path, kinds=["pages"])
    for level in ("page", "line"):
        LayoutReader(format=form.given(level=level)).read(path)
    with suppress(MisreadError):
        LayoutReader(format=form.given(level="word")).read(path)


def _read_log(form: Format, path: Path) -> None:
    logs = {"a": read_log(path, form)}
    with suppress(MisreadError):
        table, metric = join_logs(logs, cluster="box"), write_name("recorded", find_score(logs))
        evaluation = evaluate_table(
            table, metrics=metric, missing="drop", statistics=StatisticsSettings(seed=1, resamples=9)
        )
        to_json(evaluation.result)
        for view in get_views(["latency", "cost"], where="view"):
            with suppress(MisreadError):
                evaluation.lay_out_view(view, view.id)


def _convert_as_guessed(path: Path) -> None:
    """A file under any name is converted as what its content says, or refused; at least one name must do."""
    refusals = []
    for ending in _ENDINGS:
        named = path.with_suffix(ending)
        named.write_bytes(path.read_bytes())
        try:
            convert(named, path.parent / "converted", guess_source_format(named), "jsonl")
        except MisreadError as refusal:
            refusals.append(refusal)
        if named != path:
            named.unlink()
    if len(refusals) == len(_ENDINGS):
        raise refusals[-1]


def _read_both_ways(read: Callable[..., object], path: Path) -> None:
    for optional_words in (False, True):
        read(path, optional_words=optional_words)


def _read_table(path: Path) -> None:
    rows = read_rows(path)
    rows.ids(["id"])
    rows.texts("reference")
    for name in ("begin", "end"):
        if name in rows.columns:
            rows.seconds(name)


def _read_benchmark(folder: Path) -> None:
    for name in ("p1.png", "p2.png"):
        (folder / "images").mkdir(exist_ok=True)
        (folder / "images" / name).touch()
    for reference in ("full_text", "fields"):
        BenchmarkFolder(str(folder), reference=reference).segments()
