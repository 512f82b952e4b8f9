"""capture: outputs of one system on one data set."""

from misread.engines import Journal, is_recorded, make_capture, read_all, why_not_applicable
from misread.files import read_segments, write_capture, write_timings
from misread.pipeline import paths
from misread.pipeline.console import reading_progress, warn_of_failures, warn_of_notes
from misread.pipeline.params import load_params
from misread.provenance.plugins import describe_plugin
from misread.records import Origin, SegmentTable


def main(dataset_id: str, system_id: str) -> None:
    params = load_params()
    engine = params.engine(system_id)
    segments, offers = read_segments(paths.segments(dataset_id), data_root=params.data_root)
    unreadable = why_not_applicable(engine, offers)
    if unreadable:
        origin = Origin(dataset_id, system_id, not_applicable=unreadable)
        segments, readings = SegmentTable(), []
    else:
        versions = dict(engine.versions())
        if plugin := describe_plugin(engine):
            versions["plugin"] = plugin
        origin = Origin(dataset_id, system_id, segments.digest, versions, segments.cluster_name)
        settings = {**params.system_settings(system_id), "revision": engine.revision, "versions": versions}
        with reading_progress(f"{system_id} reads {dataset_id}", len(segments)) as on_reading:
            readings = read_all(
                segments.sources(),
                engine,
                executor=params.executor(),
                journal=Journal(paths.journal(dataset_id, system_id), settings),
                on_reading=on_reading,
            )
    capture = make_capture(origin, segments, readings)
    write_capture(paths.capture(dataset_id, system_id), capture)
    write_timings(paths.timings(dataset_id, system_id), origin, [] if is_recorded(engine) else readings)
    warn_of_notes([capture.origin])
    warn_of_failures(origin, readings)
