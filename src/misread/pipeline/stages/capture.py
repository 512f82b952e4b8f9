"""capture: outputs of one system on one data set."""

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from misread.data.segment_table import Doubt, Origin, SegmentKeys
from misread.engines import (
    Engine,
    Journal,
    Processes,
    Readings,
    Recorded,
    RecordedOutputs,
    RemoteEngine,
    describe_capture,
    is_recorded,
    sign_system,
    why_not_applicable,
)
from misread.engines.reading import warn_of_failures
from misread.errors import NoServerError
from misread.io.console import note, warn, warn_of_notes
from misread.pipeline import paths
from misread.pipeline.capture_tally import CaptureTally, lay_out_facts, reading_progress
from misread.pipeline.params import Params, load_params
from misread.pipeline.prices import read_prices
from misread.provenance.conditions import say_other_models
from misread.provenance.plugins import describe_plugin
from misread.storage import read_segments, write_capture, write_recorded, write_timings


def main(dataset_id: str, system_id: str) -> None:
    capture(dataset_id, system_id)


def capture(dataset_id: str, system_id: str, *, retry_failed: bool = False, quiet: bool = False) -> None:
    """Read segments that the journal does not know and, on request, those that failed before.

    Nothing but warnings is said where it is to be quiet.
    """
    params = load_params()
    engine = params.engine(system_id)
    segments, offers = read_segments(paths.segments(dataset_id), data_root=params.data_root)
    if unreadable := why_not_applicable(engine, offers):
        _leave_out(Origin(dataset_id, system_id, not_applicable=unreadable))
        return
    settings = params.capture_settings(system_id)
    asked = describe_asked(params, system_id, engine)
    origin = Origin(
        dataset_id,
        system_id,
        segments.digest,
        asked["versions"],
        segments.cluster_name,
        signature=str(sign_system(asked)),
    )
    origin = describe_capture(origin, segments)
    # Annotations of recorded outputs are of the name that the data set has for them.
    recorded = [kind.removeprefix("recorded:") for kind in engine.reads if is_recorded(engine)]
    annotations = segments.annotations_for(recorded[0] if recorded else system_id)
    path, timings = paths.capture(dataset_id, system_id), paths.timings(dataset_id, system_id)
    if type(engine) is Recorded:
        # Columns are taken as they are; a derived class may read otherwise.
        outputs = RecordedOutputs(segments, engine, settings)
        write_recorded(path, origin, segments.keys, segments.references, outputs)
        write_timings(timings, origin, outputs.timed())
        warn_of_notes([origin])
        warn_of_failures(origin, outputs.failures.first, outputs.failures.number, len(outputs))
        return
    journal = None if is_recorded(engine) else Journal(paths.journal(dataset_id, system_id), asked)
    executor = params.executor()
    with journal or nullcontext():
        readers = Processes(executor.workers, executor.timeout)
        sources = segments.sources(recorded=any(kind.startswith("recorded:") for kind in engine.reads))
        readings = Readings(sources, engine, readers, journal, settings, retry_failed)
        tally = CaptureTally(f"{system_id} reads {dataset_id}", read_prices(params).get(system_id))
        try:
            with reading_progress(tally, len(readings), quiet=quiet) as listeners:
                readings.read(*listeners)
        except NoServerError as error:
            if settings.without_server == "error":
                raise
            stage = f"stages/captures/dvc.yaml:capture@{dataset_id}-{system_id}"
            warn(f"{error.line} With it: dvc repro --force --single-item {stage} && dvc repro")
            _leave_out(Origin(dataset_id, system_id, not_applicable=error.reason))
            return
        conditions = tally.conditions.summed_up(of_server=isinstance(engine, RemoteEngine))
        # Of recorded outputs some are lacking, and none fails.
        failures = readings.failures.counted(system_id, len(readings)) if journal else ""
        other_models = say_other_models(conditions, str(asked["versions"].get("model", "")))
        facts = origin.facts.with_notes(*filter(None, [failures]))
        facts = facts.with_doubts(*([Doubt(sentence=other_models, brief=other_models)] if other_models else []))
        origin = replace(origin, conditions=conditions, facts=facts)
        keys, references = segments.keys, segments.references
        write_capture(path, origin, keys, references, readings, annotations, timings=timings if journal else None)
        if not journal:
            write_timings(timings, origin, [])
    if journal and not quiet:
        note(lay_out_facts(tally.title, tally.facts()))
    warn_of_failures(origin, readings.failures.first, readings.failures.number, len(readings))
    warn_of_notes([origin])


def _leave_out(origin: Origin) -> None:
    """Write that the system has no results on this data set, and why."""
    write_capture(paths.capture(origin.dataset, origin.system), origin, SegmentKeys([], None, {}), [], [])
    write_timings(paths.timings(origin.dataset, origin.system), origin, [])
    warn_of_failures(origin, [], 0, 0)


def describe_asked(params: Params, system_id: str, engine: Engine) -> dict[str, Any]:
    """Inputs of a system's answers: its settings, revision and versions."""
    versions = dict(engine.versions())
    if plugin := describe_plugin(engine):
        versions["plugin"] = plugin
    return {**params.system_settings(system_id), "revision": engine.revision, "versions": versions}
