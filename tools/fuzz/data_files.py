"""Files of data sets and of what is known of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Final

from misread.compiled.budget import READING
from misread.data.benchmark_folder import BenchmarkFolder
from misread.data.conversion import convert, guess_source_format
from misread.data.fetching import read_source
from misread.data.formats.alto_xml import read_alto_xml
from misread.data.formats.annotations import read_annotations
from misread.data.formats.asr_log import read_log_rows
from misread.data.formats.ctm import read_ctm
from misread.data.formats.layout_files import LAYOUT_FORMATS, LayoutReader, guess_format
from misread.data.formats.nlp import read_entities, read_nlp
from misread.data.formats.page_areas import read_page_areas
from misread.data.formats.stm import read_stm
from misread.data.formats.tables import read_rows
from misread.data.formats.trn import read_trn
from misread.data.iam_folder import IamFolder
from misread.data.segment_files import READERS, read_segment_files
from misread.errors import MisreadError
from misread.features.judges.decision_files import read_decisions
from misread.features.word_classes.metric import read_word_counts
from misread.io.file_lists import read_list
from misread.io.text import read_text
from misread.normalize.steps.glm import apply_glm, read_rules
from misread.storage.signature_file import read_signature_file
from misread.tally.equivalents import read_equivalents
from tools.fuzz.targets import Target, file_target, folder_of_samples, folder_target

GROUP: Final = "data files"
_TABLES: Final = (
    b'id,text,begin,end\nl1,"the, ""quick""",0.5,1\nl2,fox,2,2.5\n',
    b"id\ttext\tspeaker\nl1\tthe quick\ta\nl2\tfox\tb\n",
    b'{"id": "l1", "text": "the quick", "labels": ["x"]}\n{"id": "l2", "text": null}\n',
)
# By which a format is guessed too, where its content leaves a doubt.
_ENDINGS: Final = ("", ".csv", ".tsv", ".jsonl", ".TextGrid", ".parquet")


def targets() -> Iterator[Target]:
    """Every format of segments, layout, tables and lists."""
    for name in READERS:
        if name != "kaldi":
            yield file_target(name, GROUP, partial(_read_segments, name))
    yield folder_target("kaldi", GROUP, partial(_read_segments, "kaldi"), dict(folder_of_samples("kaldi")))
    for name, form in LAYOUT_FORMATS.items():
        if form.read:
            yield file_target(name, GROUP, partial(_read_layout, name))
    yield file_target(
        "alto_plain_lines", GROUP, _read_alto_both_ways, samples=_samples("alto_plain_lines.xml", "alto.xml")
    )
    guessed = _samples(
        "ctm.ctm", "stm.stm", "trn.trn", "srt.srt", "webvtt.vtt", "seglst.json", "whisper.json", "nemo.jsonl"
    )
    guessed += [*_samples("textgrid.TextGrid"), *_TABLES]
    yield file_target("guessed_format", GROUP, _convert_as_guessed, samples=guessed)
    yield file_target("ctm", GROUP, partial(_read_both_ways, read_ctm))
    yield file_target("trn_with_options", GROUP, partial(_read_both_ways, read_trn), samples=_samples("trn.trn"))
    yield file_target("stm_with_options", GROUP, partial(_read_both_ways, read_stm), samples=_samples("stm.stm"))
    yield file_target("nlp", GROUP, lambda path: (read_nlp(path), read_entities(path)), ending=".nlp")
    yield file_target("page_areas", GROUP, lambda path: read_page_areas(path, "line"), samples=_samples("page.xml"))
    for name, ending in (("csv", ".csv"), ("tsv", ".tsv"), ("jsonl", ".jsonl")):
        yield file_target(name, GROUP, _read_table, ending=ending)
    yield file_target("parquet", GROUP, _read_table, ending=".parquet", samples=[_parquet()])
    yield folder_target("saved_dataset", GROUP, _read_table, _saved_dataset())
    yield file_target("ids_table", GROUP, lambda path: read_rows(path).ids(["page"]), ending=".csv")
    yield file_target("asr_log", GROUP, read_log_rows)
    yield file_target("annotations", GROUP, lambda path: read_annotations(path, ["l1", "l2", "l3"]))
    yield file_target("equivalents", GROUP, read_equivalents)
    yield file_target("word_counts", GROUP, read_word_counts)
    yield file_target("decisions", GROUP, read_decisions)
    yield file_target("glm", GROUP, _apply_rules)
    yield file_target("iam", GROUP, _read_iam)
    yield file_target("source", GROUP, _read_source)
    yield file_target("files", GROUP, lambda path: read_list(read_text(path), path))
    yield file_target("signature_file", GROUP, read_signature_file)
    images = {"images/p1.png": b"", "images/p2.png": b""}
    yield folder_target("benchmark", GROUP, _read_benchmark, {**dict(folder_of_samples("benchmark")), **images})


def _read_segments(name: str, path: Path) -> None:
    READERS[name](path, "utf-8")  # type: ignore[index]
    with suppress(MisreadError):
        read_segment_files(path, {"a": path}, name, name)  # type: ignore[arg-type]
    convert(path, path.parent / "converted", name, "jsonl")  # type: ignore[arg-type]


def _read_layout(name: str, path: Path) -> None:
    guess_format(path)
    for level in ("page", "line"):
        LayoutReader(format=name, level=level).read(path)  # type: ignore[arg-type]
    with suppress(MisreadError):
        LayoutReader(format=name, level="word").read(path)  # type: ignore[arg-type]


def _read_alto_both_ways(path: Path) -> None:
    """Whether plain lines are joined before a file is parsed makes no difference, to errors either."""
    found = []
    for READING.seconds in (0.0, 1e9):
        try:
            found.append(read_alto_xml(path, hyphens="joined"))
        except MisreadError as error:
            found.append(str(error))
            refusal = error
    if found[0] != found[1]:
        raise AssertionError("plain lines that are joined are read otherwise")
    if isinstance(found[0], str):
        raise refusal


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


def _read_both_ways(read: object, path: Path) -> None:
    for optional_words in (False, True):
        read(path, optional_words=optional_words)  # type: ignore[operator]


def _read_table(path: Path) -> None:
    rows = read_rows(path)
    rows.ids(["id"])
    rows.texts("reference")
    for name in ("begin", "end"):
        if name in rows.columns:
            rows.seconds(name)


def _apply_rules(path: Path) -> None:
    read_rules.cache_clear()
    read_rules(str(path))
    from misread.normalize.steps import glm

    glm._rules_of.cache_clear()  # noqa: SLF001
    apply_glm("Mister a b C D", file=str(path))


def _read_iam(path: Path) -> None:
    IamFolder(root=str(path.parent), file=path.name).segments()


def _read_source(path: Path) -> None:
    path.replace(path.with_name("source.yaml"))
    read_source(path.parent)


def _read_benchmark(folder: Path) -> None:
    for reference in ("full_text", "fields"):
        BenchmarkFolder(str(folder), reference=reference).segments()  # type: ignore[arg-type]


def _samples(*names: str) -> list[bytes]:
    from tools.fuzz.targets import SAMPLES

    return [(SAMPLES / name).read_bytes() for name in names]


def _table() -> object:
    import pyarrow as pa

    return pa.table(
        {"id": ["l1", "l2"], "reference": ["the quick", "fox"], "hypothesis": ["the", None], "begin": [0.5, 2.0]}
    )


def _parquet() -> bytes:
    import pyarrow.parquet as pq

    content = BytesIO()
    pq.write_table(_table(), content)
    return content.getvalue()


def _saved_dataset() -> dict[str, bytes]:
    import pyarrow as pa

    content = BytesIO()
    table = _table()
    with pa.ipc.new_stream(content, table.schema) as stream:  # type: ignore[attr-defined]
        stream.write_table(table)
    return {
        "data-00000-of-00001.arrow": content.getvalue(),
        "state.json": b'{"_data_files": [{"filename": "data-00000-of-00001.arrow"}], "_split": "train"}',
        "dataset_info.json": b'{"features": {}}',
    }
