"""capture: outputs of one system on one data set."""

from contextlib import nullcontext

from misread.engines import Engine, Journal, Readings, describe_capture, is_recorded, why_not_applicable
from misread.files import read_segments, write_capture, write_timings
from misread.pipeline import paths
from misread.pipeline.console import reading_progress, warn_of_failures, warn_of_notes
from misread.pipeline.params import load_params
from misread.provenance.plugins import describe_plugin
from misread.records import Origin, SegmentKeys


def main(dataset_id: str, system_id: str) -> None:
    capture(dataset_id, system_id)


def capture(dataset_id: str, system_id: str, *, retry_failed: bool = False) -> None:
    """Read what the journal does not know and, where that is asked for, what has failed before."""
    params = load_params()
    engine = params.engine(system_id)
    segments, offers = read_segments(paths.segments(dataset_id), data_root=params.data_root)
    if unreadable := why_not_applicable(engine, offers):
        origin = Origin(dataset_id, system_id, not_applicable=unreadable)
        write_capture(paths.capture(dataset_id, system_id), origin, SegmentKeys([], None, {}), [], [])
        write_timings(paths.timings(dataset_id, system_id), origin, [])
        warn_of_failures(origin, [], 0)
        return
    settings = params.capture_settings(system_id)
    versions = _versions(engine)
    origin = Origin(dataset_id, system_id, segments.digest, versions, segments.cluster_name)
    origin = describe_capture(origin, segments, settings)
    asked = {**params.system_settings(system_id), "revision": engine.revision, "versions": versions}
    journal = None if is_recorded(engine) else Journal(paths.journal(dataset_id, system_id), asked)
    with journal or nullcontext():
        readings = Readings(segments.sources(), engine, params.executor(), journal, settings, retry_failed)
        with reading_progress(f"{system_id} reads {dataset_id}", len(readings)) as on_reading:
            readings.read(on_reading)
        # Those of recorded outputs are of the name that the data set has for them.
        recorded = [kind.removeprefix("recorded:") for kind in engine.reads if is_recorded(engine)]
        annotations = segments.annotations_for(recorded[0] if recorded else system_id)
        path = paths.capture(dataset_id, system_id)
        write_capture(path, origin, segments.keys, segments.references, readings, annotations)
        write_timings(paths.timings(dataset_id, system_id), origin, readings if journal else [])
    warn_of_notes([origin])
    warn_of_failures(origin, readings.failed, len(readings))


def _versions(engine: Engine) -> dict[str, str]:
    versions = dict(engine.versions())
    if plugin := describe_plugin(engine):
        versions["plugin"] = plugin
    return versions
