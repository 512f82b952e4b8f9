"""Write the logs of this folder, once, by the packages themselves: inspect_ai 0.3.285 and lm_eval 0.4.13.

    python -m venv frames && frames/bin/pip install inspect_ai==0.3.285 lm_eval==0.4.13
    frames/bin/python tests/data/formats/logs/write_logs.py

Models answer by what stands here and nothing is asked of a network. The packages are no dependency of misread.
"""

import json
import shutil
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PLACES = ["Bern", "Basel", "Genf", "Chur", "Thun", "Sion", "Zug", "Aarau", "Biel", "Olten", "Vevey", "Wil"]
WRONG = {
    "large": {3: "Thur", 7: "Aaran"},
    "small": {0: "Bem", 3: "Chor", 4: "Thum", 7: "Aaran", 8: "Biel.", 10: "Vevay"},
}
RUNS = 2


def answer(model: str, card: int, run: int) -> str:
    """What a model reads on a card; the small one hesitates in its second run."""
    if model == "small" and run == 1 and card % 4 == 0:
        return PLACES[card]
    return WRONG[model].get(card, PLACES[card])


def write_inspect_logs() -> None:
    """Two models on twelve cards in two epochs, and one with three scorers."""
    from inspect_ai import Task
    from inspect_ai import eval as run_task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.log import write_eval_log
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import Score, accuracy, exact, mean, scorer
    from inspect_ai.solver import generate

    @scorer(metrics=[accuracy()])
    def graded():
        async def grade(state, target):
            close = sum(map(str.__eq__, state.output.completion, target.text)) >= len(target.text) - 1
            right = state.output.completion == target.text
            return Score(value="C" if right else "P" if close else "N" if len(target.text) > 4 else "I")

        return grade

    @scorer(metrics=[mean()])
    def likeness():
        async def compare(state, target):
            alike = sum(map(str.__eq__, state.output.completion, target.text))
            return Score(value=alike / max(len(state.output.completion), len(target.text)))

        return compare

    samples = [
        Sample(id=f"card-{card:02}", input=f"Read card {card}.", target=place, metadata={"box": f"box{card // 3}"})
        for card, place in enumerate(PLACES)
    ]
    with tempfile.TemporaryDirectory() as folder:
        for name, model, scorers in (
            ("large", "large", [exact()]),
            ("small", "small", [exact()]),
            ("graded", "small", [exact(), graded(), likeness()]),
        ):
            outputs = []
            for run in range(RUNS):
                for card in range(len(PLACES)):
                    output = ModelOutput.from_content(f"mockllm/{model}", answer(model, card, run))
                    output.usage = ModelUsage(input_tokens=20, output_tokens=card + 1, total_tokens=21 + card)
                    outputs.append(output)
            (log,) = run_task(
                Task(dataset=MemoryDataset(samples), solver=generate(), scorer=scorers, name="cards"),
                model=get_model(f"mockllm/{model}", custom_outputs=_by_request(outputs)),
                epochs=RUNS,
                max_samples=1,
                log_dir=folder,
                log_format="eval",
                display="none",
                log_model_api=False,
                log_realtime=False,
            )
            # What no reader looks at is most of a log.
            for sample in log.samples:
                sample.events, sample.messages, sample.timelines = [], [], None
            write_eval_log(log, HERE / f"{name}.eval")


def _by_request(outputs):
    """Answers by what is asked, since epochs of a sample are asked in no fixed order."""
    asked = {}

    def answer_request(messages, tools, tool_choice, config):
        card = int(messages[-1].text.removeprefix("Read card ").rstrip("."))
        run = asked[card] = asked.get(card, -1) + 1
        return outputs[run * len(PLACES) + card]

    return answer_request


def write_harness_logs() -> None:
    """Two models on a task with two filters, and one on questions with choices."""
    from lm_eval.api.registry import register_model
    from lm_eval.evaluator import simple_evaluate
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.models.dummy import DummyLM
    from lm_eval.tasks import TaskManager

    class Reader(DummyLM):
        name = ""

        def generate_until(self, requests, disable_tqdm=False):
            cards = [int(request.arguments[0].removeprefix("Read card ").rstrip(".")) for request in requests]
            return [f"It says {answer(self.name, card, 0)}" for card in cards]

        def loglikelihood(self, requests, disable_tqdm=False):
            return [(-float(len(request.arguments[1])), False) for request in requests]

    for name in WRONG:
        register_model(f"{name}_reader")(type(name, (Reader,), {"name": name}))
    with tempfile.TemporaryDirectory() as folder:
        cards = Path(folder, "cards.jsonl")
        cards.write_text(
            "".join(
                json.dumps({"card": card, "place": place, "box": f"box{card // 3}", "others": PLACES[:2]}) + "\n"
                for card, place in enumerate(PLACES)
            )
        )
        common = {
            "dataset_path": "json",
            "dataset_kwargs": {"data_files": {"test": str(cards)}},
            "test_split": "test",
            "doc_to_text": "Read card {{card}}.",
        }
        read = {
            **common,
            "task": "read_cards",
            "output_type": "generate_until",
            "doc_to_target": "{{place}}",
            "generation_kwargs": {"until": ["\n"]},
            "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
            "filter_list": [
                {"name": "strict", "filter": [{"function": "take_first"}]},
                {
                    "name": "last_word",
                    "filter": [{"function": "regex", "regex_pattern": r"(\S+)$"}, {"function": "take_first"}],
                },
            ],
        }
        choose = {
            **common,
            "task": "choose_place",
            "output_type": "multiple_choice",
            "doc_to_target": 0,
            "doc_to_choice": "{{[place] + others}}",
            "metric_list": [
                {"metric": "acc", "aggregation": "mean", "higher_is_better": True},
                {"metric": "acc_norm", "aggregation": "mean", "higher_is_better": True},
            ],
        }
        for name, task in (("large", read), ("small", read), ("large", choose)):
            out = Path(folder, f"{name}_{task['task']}")
            tracker = EvaluationTracker(output_path=str(out))
            results = simple_evaluate(
                model=f"{name}_reader",
                model_args=f"pretrained=readers/{name}",
                tasks=[task],
                task_manager=TaskManager(),
                evaluation_tracker=tracker,
                bootstrap_iters=0,
                log_samples=True,
            )
            samples = results.pop("samples")
            tracker.save_results_aggregated(results=results, samples=samples)
            for task_name, rows in samples.items():
                tracker.save_results_samples(task_name=task_name, samples=rows)
            target = HERE / f"{name}_{task['task']}"
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir()
            for path in out.rglob("*.json*"):
                stem, _, _ = path.stem.rpartition("_")
                # What a machine is, and where its files lie, belongs to nobody's log.
                text = path.read_text().replace(folder, "data")
                if path.suffix == ".json":
                    kept = ("results", "configs", "higher_is_better", "model_name", "lm_eval_version", "config")
                    content = {key: value for key, value in json.loads(text).items() if key in kept}
                    content["config"] = {key: content["config"].get(key) for key in ("model", "model_args")}
                    text = json.dumps(content, indent=1) + "\n"
                (target / f"{stem}_2026-11-26T06-00-00.000000{path.suffix}").write_text(text)


if __name__ == "__main__":
    write_inspect_logs()
    write_harness_logs()
