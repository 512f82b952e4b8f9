"""`misread capture --probe` on a server on this machine whose answers are planted."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import threading
from collections import Counter
from dataclasses import dataclass, field

import pytest
import yaml
from PIL import Image
from tests.conftest import STATISTICS
from tests.engines.scripted_server import reply, serve

from misread.features.conditions.readings import Sample
from misread.pipeline import paths

LINES = 30
FIRST_WIDTH = 20
BUSY = 5
"""So many questions at a time are asked at concurrency 16 alone."""
CONCURRENCIES = [1, 4, 16]
PASSES = [
    concurrency
    for concurrency, _, _ in Sample(
        system="vlm",
        engine=None,  # type: ignore[arg-type]
        segments=range(LINES),  # type: ignore[arg-type]
        whole=LINES,
        concurrencies=CONCURRENCIES,
        seed=1,
    ).passes()
]
"""Concurrency of each pass over all lines: the order is drawn with the seed."""


@dataclass
class Model:
    """Answers with the text of a line, and the way it is changed; notes how many questions it has at a time."""

    planted: frozenset[int] = frozenset()  # lines that are read otherwise in passes at concurrency 16
    refuses: int = -1  # this question
    asked: int = 0
    most: Counter[int] = field(default_factory=Counter)  # questions at the same time, by concurrency
    _at_work: int = 0
    _gathering: bool = False
    _lock: threading.Condition = field(default_factory=threading.Condition)

    def __call__(self, handler, question):
        url = json.loads(question.body)["messages"][0]["content"][0]["image_url"]["url"]
        (width,) = struct.unpack(">I", base64.b64decode(url.partition(",")[2])[16:20])
        line = width - FIRST_WIDTH
        text = text_of(line)
        with self._lock:
            concurrency = PASSES[self.asked // LINES % len(PASSES)]
            is_first = self.asked % LINES == 0
            self.asked += 1
            self._at_work += 1
            self._lock.notify_all()
            if self.asked == self.refuses:
                self._at_work -= 1
                reply(handler, "not you", 401)
                return
            if self.planted and concurrency >= BUSY:
                if is_first:
                    # The others of its time are on their way, and are held until they are all here.
                    self._gathering = True
                    self._lock.wait_for(lambda: self._at_work >= BUSY, timeout=30)
                    self._gathering = False
                    self._lock.notify_all()
                self._lock.wait_for(lambda: not self._gathering)
                text = text.replace("ships", "shlqs") if line in self.planted else text
            self.most[concurrency] = max(self.most[concurrency], self._at_work)
            self._at_work -= 1
        message = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}], "system_fingerprint": "fp_1"}
        reply(handler, json.dumps(message))


def text_of(line):
    return f"line {line} tells of ships at sea"


@pytest.fixture
def ask(misread, tmp_path):
    """Probe a model in a project of thirty lines, of which another system has read each third badly."""
    folder = tmp_path / "data/lines"
    folder.mkdir(parents=True)
    rows = ["id,page,text,image,other"]
    for line in range(LINES):
        Image.new("L", (FIRST_WIDTH + line, 5), 255).save(folder / f"{line}.png")
        text = text_of(line)
        rows.append(
            f"l{line:03},p{line // 3},{text},{line}.png,{text.replace('ships', 'shps') if line % 3 == 0 else text}"
        )
    (folder / "lines.csv").write_text("\n".join(rows) + "\n")
    table = {"_target_": "misread.data.Table", "root": "data/lines", "file": "lines.csv", "segment_id": ["id"]}

    models = []
    with serve(lambda handler, question: models[-1](handler, question)) as server:
        vlm = {"_target_": "misread.engines.OpenAIChat", "url": server.url, "model": "m", "medium": "line_image"}

        def run(model, *options):
            models.append(model)
            content = {
                "systems": {
                    "other": {"_target_": "misread.engines.Recorded"},
                    "vlm": {**vlm, "attempts": 1},
                },
                "datasets": {
                    "lines": {
                        **table,
                        "reference": "text",
                        "cluster": "page",
                        "media": "image",
                        "medium": "line_image",
                        "recorded": ["other"],
                    }
                },
                "normalizer": {"name": "whitespace", "steps": ["collapse_whitespace"]},
                "metrics": {"cer": "cer"},
                "statistics": STATISTICS,
                "report": {"_target_": "misread.tables.ReportSettings", "metrics": ["cer"]},
                "baseline": "other",
                "missing": "error",
                "equivalents": [],
                "executor": {"_target_": "misread.execution.Local"},
                "data_root": "..",
                "plugins": [],
            }
            (tmp_path / "params.yaml").write_text(yaml.safe_dump(content))
            for stage in (("stage", "segments", "lines"), ("stage", "capture", "lines", "other")):
                assert misread(*stage).status == 0
            return misread("capture", "lines", "vlm", "--probe", *options)

        yield run


def probe_of(done):
    assert done.status == 0, done.err
    return json.loads(done.out)


@pytest.mark.slow
def test_a_model_that_reads_two_lines_otherwise_at_16_is_caught(ask):
    model = Model(planted=frozenset({11, 27}))
    probe = probe_of(ask(model, "--output", "json", "--quiet"))
    assert (model.most[1], model.most[4] <= 4, BUSY <= model.most[16] <= 16) == (1, True, True)
    assert (probe["finding"], probe["changed_segments"]) == ("depends", ["l011", "l027"])
    first, second, third = probe["concurrencies"]
    assert [row["again"]["changed"] for row in (first, second, third)] == [0, 0, 0]
    assert (first["changed"], second["changed"]["share"], third["changed"]["share"]) == (None, 0.0, 2 / LINES)
    assert (second["effect"]["difference"], third["effect"]["verdict"]) == (0.0, "inconclusive")
    # Two letters in each of two lines.
    length = sum(len(text_of(line)) for line in range(LINES))
    assert third["effect"]["difference"] == pytest.approx(4 / length)
    assert third["effect"]["interval"]["low"] < 4 / length < third["effect"]["interval"]["high"]
    # The other system has ten errors, one on each of ten pages.
    verdicts = [row["against_baseline"]["verdict"] for row in probe["concurrencies"]]
    assert verdicts == ["better", "better", "inconclusive"]
    assert (probe["baseline"], probe["server_versions"]) == ("other", ["fp_1"])


@pytest.mark.slow
def test_a_sample_is_drawn_and_asked_so_often_and_the_study_is_left_alone(ask, tmp_path):
    model = Model()
    probe = probe_of(ask(model, "--concurrencies", "8,2", "--sample", "10", "--output", "json"))
    assert (model.asked, probe["requests"], probe["segments"]) == (40, 40, 10)
    assert [row["concurrency"] for row in probe["concurrencies"]] == [2, 8]
    assert not paths.journal("lines", "vlm").exists()
    assert not paths.capture("lines", "vlm").exists()
    assert list((tmp_path / "build/journal").rglob("*.jsonl")) == []


def test_a_dry_run_says_what_it_costs_and_asks_nothing(ask):
    model = Model()
    done = ask(model, "--dry-run", "--sample", "10", "--concurrencies", "1,2")
    assert done.out.splitlines()[:3] == [
        "probe of vlm on lines",
        "  segments  10 of 30, read twice at each concurrency (1 and 2)",
        "  requests  40",
    ]
    assert done.out.splitlines()[-1] == "  price     not known; set prices.vlm in conf/config.yaml"
    assert model.asked == 0


@pytest.mark.slow
def test_a_probe_that_was_interrupted_goes_on_and_the_next_one_asks_again(ask):
    options = ("--sample", "10", "--concurrencies", "1,2", "--quiet")
    model = Model(refuses=16)
    done = ask(model, *options)
    assert (done.status, "refuses access (401)" in done.err) == (1, True)
    assert model.asked < 40
    model.refuses = -1
    assert ask(model, *options).status == 0
    # Again are asked the question that was refused, and one that may have been on its way.
    assert model.asked in (41, 42)
    model.asked = 0
    assert ask(model, *options).status == 0
    assert model.asked == 40


@pytest.mark.slow
def test_segments_of_which_a_reading_failed_are_left_out(ask):
    class Refusing(Model):
        def __call__(self, handler, question):
            if self.asked == 7:
                self.asked += 1
                reply(handler, "too long", 400)
            else:
                super().__call__(handler, question)

    probe = probe_of(ask(Refusing(), "--sample", "10", "--concurrencies", "1,2", "--output", "json"))
    assert (probe["segments"], probe["left_out"], sum(row["failed"] for row in probe["concurrencies"])) == (9, 1, 1)


@pytest.mark.slow
def test_a_server_whose_cache_answers_is_refused(ask):
    class Cached(Model):
        def __call__(self, handler, question):
            digest = hashlib.sha256(question.body).hexdigest()
            message = {"choices": [{"message": {"content": "one"}, "finish_reason": "stop"}], "id": digest}
            reply(handler, json.dumps(message))

    done = ask(Cached(), "--sample", "10", "--concurrencies", "1,2", "--quiet")
    assert done.status == 1
    assert "which a cache repeated. Switch the cache off, and probe again." in done.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--concurrencies", "4"], "--concurrencies is 4, expected two or more whole numbers from 1 on, as in 1,4,16."),
        (["--concurrencies", "0,4"], "--concurrencies is 0,4, expected two or more"),
        (["--retry-failed"], "--probe captures nothing; leave --retry-failed out."),
    ],
)
def test_options_that_do_not_fit_are_refused(ask, options, said):
    done = ask(Model(), *options)
    assert (done.status, said in done.err) == (1, True)


def test_a_system_without_a_server_is_refused(ask, misread):
    ask(Model(), "--dry-run")
    done = misread("capture", "lines", "other", "--probe")
    assert done.status == 1
    assert "error: other reads on this machine" in done.err


def test_options_of_the_probe_are_refused_without_it(ask, misread):
    ask(Model(), "--dry-run")
    done = misread("capture", "lines", "vlm", "--concurrencies", "1,16")
    assert done.status == 1
    assert "are of --probe; a capture is made at the setting concurrency of systems.vlm." in done.err
