"""The loop: it learns, stops when it must, and goes on as if it had never stopped."""

import errno
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import tesuji
from tests.training.packed import packed
from tests.training.synthetic import OneStone, tiny
from tesuji.training.run import checkpoints
from tesuji.training.run.batches import TensorBatch, batch_seed
from tesuji.training.run.config import TrainConfig
from tesuji.training.run.fitting import Fitted, fit
from tesuji.training.run.logs import CsvLog, RunLog
from tesuji.training.run.losses import forward, value_of
from tesuji.training.run.state import Average, optimizer
from tesuji.training.run.trainer import TrainingError
from tesuji.training.run.validation import Metrics
from tesuji.training.run.watching import Status, Watcher

SETTINGS: dict[str, Any] = {
    "batch": 32, "epoch_samples": 3200, "epochs": 2, "learning_rate": 0.01, "threads": 1, "log_steps": 10, "size": 5,
}  # fmt: skip


class Heard(Watcher):
    """Remembers what it was told."""

    def __init__(self, stop_at: int = -1) -> None:
        self.lines: list[str] = []
        self.steps: list[int] = []
        self.stop_at = stop_at

    def stepped(self, status: Status) -> None:
        self.steps.append(status.step)
        if status.step == self.stop_at:
            signal.raise_signal(signal.SIGINT)

    def validated(self, status: Status, metrics: Metrics, best: bool) -> None:
        self.lines.append(f"validated at {status.step}")

    def said(self, line: str) -> None:
        self.lines.append(line)


def train(folder: Path, watcher: Watcher | None = None, source: OneStone | None = None, **changes: object) -> Fitted:
    resume = bool(changes.pop("resume", False))
    settings = SETTINGS | changes
    return fit(tiny(), source or OneStone(), folder=folder, resume=resume, watcher=watcher, **settings)


@pytest.mark.parametrize("optimizer", ["sgd", "adam", "adamw", "muon"])
def test_it_learns(tmp_path: Path, optimizer: str) -> None:
    fitted = train(tmp_path, optimizer=optimizer, learning_rate=0.1 if optimizer == "sgd" else 0.01, ema=0.9, clip=5)
    assert fitted.metrics is not None
    assert fitted.metrics.top1 > 0.95
    assert fitted.metrics.value_mse < 0.1
    assert fitted.outcome.finished
    assert [row["epoch"] for row in fitted.history] == [1, 2]
    assert (tmp_path / "curves.png").stat().st_size > 10_000
    assert list((tmp_path / "events").iterdir())
    assert "learning_rate = " in (tmp_path / "config.toml").read_text()


def test_averaged_weights_have_statistics_of_their_own() -> None:
    """Those of the steps fit other weights: here they are plainly wrong, and a frozen part keeps what it has."""
    network, source = tiny(), OneStone()
    average = Average(network, 0.9)
    norms = {name: part for name, part in average.network.named_modules() if isinstance(part, nn.BatchNorm2d)}
    for norm in norms.values():
        assert norm.running_mean is not None
        norm.running_mean.fill_(7.0)
    frozen, *others = norms
    average.settle([source.training(64, seed) for seed in range(3)], [frozen])
    assert float(norms[frozen].running_mean.mean()) == 7.0  # type: ignore[union-attr]
    assert all(abs(float(norms[name].running_mean.mean())) < 3 for name in others)  # type: ignore[union-attr]
    assert not any(part.training for part in average.network.modules())
    batch = source.training(64, 0)
    before = _judged(average.network, batch)
    average.settle([batch])
    judged = _judged(average.network, batch)
    for norm in norms.values():
        norm.train()
    assert torch.allclose(judged, _judged(average.network, batch), atol=0.05)  # as when training on this batch
    assert not torch.allclose(judged, before, atol=0.05)


def _judged(network: nn.Module, batch: TensorBatch) -> torch.Tensor:
    policy = forward(network, batch, value_of(network)).policy
    assert policy is not None
    return policy


def test_an_interrupted_run_goes_on_with_the_same_curve(tmp_path: Path) -> None:
    train(tmp_path / "whole", ema=0.9)
    heard = Heard(stop_at=73)
    stopped = train(tmp_path / "parts", heard, ema=0.9)
    assert not stopped.outcome.finished
    assert stopped.outcome.step == 73
    assert heard.lines[-1].startswith("stopped after step 73, all saved; go on with: tesuji train --resume")
    source = OneStone()
    resumed = train(tmp_path / "parts", source=source, resume=True, ema=0.9)
    assert min(source.asked) != 0
    assert batch_seed(1, 72) not in source.asked
    assert batch_seed(1, 73) in source.asked
    assert resumed.outcome.finished
    _assert_same_curve(tmp_path / "whole", tmp_path / "parts")


def _assert_same_curve(one: Path, other: Path) -> None:
    for name in ("log.csv", "validation.csv"):
        whole, parts = CsvLog(one / name).rows(), CsvLog(other / name).rows()
        assert [row["step"] for row in parts] == [row["step"] for row in whole]
        for a, b in zip(whole, parts, strict=True):
            for key in set(a) - {"seconds", "samples_per_second"}:
                assert b[key] == pytest.approx(a[key], rel=1e-5, nan_ok=True), (name, a["step"], key)


_KILLED = """
import sys
from pathlib import Path
from tests.training.test_trainer import Heard, train
class Slow(Heard):
    def stepped(self, status):
        import time
        time.sleep(0.004)
        print(status.step, flush=True)
train(Path(sys.argv[1]), Slow(), checkpoint_minutes=0.001, resume=len(sys.argv) > 2)
"""


def _killed(folder: Path, after: int, *arguments: str) -> None:
    """Runs training in a process of its own and kills it, really, once it has said step `after`."""
    root = Path(__file__).parents[2]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(root), *sys.path]), "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [sys.executable, "-c", _KILLED, str(folder), *arguments], stdout=subprocess.PIPE, text=True, cwd=root,
        env=environment,
    )  # fmt: skip
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= after:
            process.kill()
            break
    process.stdout.close()
    assert process.wait() == -signal.SIGKILL


def test_killed_twice_and_resumed_it_ends_with_the_same_curve(tmp_path: Path) -> None:
    train(tmp_path / "whole")
    _killed(tmp_path / "killed", 61)
    _killed(tmp_path / "killed", 137, "resume")
    saved = checkpoints.latest(tmp_path / "killed", pytest.fail)
    assert 0 < saved.step < 200
    assert train(tmp_path / "killed", resume=True).outcome.finished
    _assert_same_curve(tmp_path / "whole", tmp_path / "killed")


def test_a_loss_that_is_not_a_number_names_step_seed_and_checkpoint(tmp_path: Path) -> None:
    seed = batch_seed(1, 120)
    with pytest.raises(TrainingError) as caught:
        train(tmp_path, source=OneStone(frozenset({seed})))
    text = str(caught.value)
    assert f"the loss is not a number (nan) at step 120, batch seed {seed}" in text
    assert "the last good checkpoint is " in text
    assert "step-000000100" in text
    assert all(torch.isfinite(t).all() for t in checkpoints.latest(tmp_path, pytest.fail).weights.values())


def test_a_diverging_loss_stops(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"the loss (diverges|is not a number) \(.*\) at step \d+, batch seed"):
        train(tmp_path, optimizer="sgd", schedule="constant", learning_rate=200, epochs=20)


def test_a_full_disk_does_not_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save = checkpoints.save

    def sometimes(run: Path, checkpoint: checkpoints.Checkpoint, keep: int) -> Path:
        if checkpoint.step == 100:
            raise OSError(errno.ENOSPC, "No space left on device")
        return save(run, checkpoint, keep)

    monkeypatch.setattr(checkpoints, "save", sometimes)
    heard = Heard()
    assert train(tmp_path, heard).outcome.finished
    assert any("checkpoint of step 100 not written" in line and "step-000000000" in line for line in heard.lines)


def test_a_used_folder_is_not_overwritten(tmp_path: Path) -> None:
    train(tmp_path, epochs=0.1)
    with pytest.raises(ValueError, match="holds a run already; go on with --resume"):
        train(tmp_path, epochs=0.1)


def test_tensorboard_reads_what_was_logged_and_forgets_what_was_not_kept(tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    for resumed_at, last in ((0, 60), (30, 50)):
        log = RunLog(tmp_path, resumed_at)
        for step in range(resumed_at + 10, last + 1, 10):
            log.add(log.training, {"step": step, "loss": 1.0 + resumed_at})
    found = accumulator.EventAccumulator(str(tmp_path / "events")).Reload()
    losses = [(event.step, event.value) for event in found.Scalars("log/loss")]
    assert losses == [(10, 1), (20, 1), (30, 1), (40, 31), (50, 31)]


def test_a_finished_run_that_is_resumed_has_each_validation_once(tmp_path: Path) -> None:
    first = train(tmp_path)
    again = train(tmp_path, resume=True)
    assert again.outcome.finished
    assert again.metrics is not None  # judged again, for whoever resumed it
    rows = [(row["step"], row["top1"]) for row in again.history]
    assert rows == [(row["step"], row["top1"]) for row in first.history]


def test_a_run_ends_by_the_clock(tmp_path: Path) -> None:
    start = time.monotonic()
    fitted = train(tmp_path, epochs=10_000, minutes=0.02, epoch_samples=10**9, log_steps=1)
    assert fitted.outcome.finished
    assert time.monotonic() - start < 60
    rates = [row["learning_rate"] for row in CsvLog(tmp_path / "log.csv").rows()]
    assert rates[-1] < 0.2 * max(rates)


def test_weights_of_another_network_do_not_fit(tmp_path: Path) -> None:
    train(tmp_path, epochs=0.1)
    other = torch.nn.Sequential(torch.nn.Linear(3, 3))
    with pytest.raises(ValueError, match="they belong to another network"):
        fit(other, OneStone(), folder=tmp_path, resume=True, **SETTINGS)


def test_low_precision_learns_too(tmp_path: Path) -> None:
    fitted = train(tmp_path, precision="bf16")
    assert fitted.metrics is not None
    assert fitted.metrics.top1 > 0.95
    assert not math.isnan(fitted.metrics.value_mse)


def test_momentum_is_the_plain_one_of_keras() -> None:
    """Two steps by hand: Keras's SGD(momentum=0.9), as the course's scripts use it, looks not ahead (Nesterov)."""
    network = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.constant_(network.weight, 1.0)
    config = TrainConfig(optimizer="sgd", learning_rate=0.1, l2=0.0).filled()
    steps = optimizer(network, config)
    for _ in range(2):
        steps.zero_grad()
        network.weight.grad = torch.ones_like(network.weight)
        steps.step()
    assert network.weight.item() == pytest.approx(1.0 - 0.1 - 0.1 * 1.9)


def test_the_penalty_is_logged_beside_the_loss(tmp_path: Path) -> None:
    """Keras's l2(0.01): 0.01 times the sum of squares over kernels, biases left out."""
    fitted = train(tmp_path, epochs=0.1, optimizer="adam", l2=0.01)
    kernels = [parameter.detach() for parameter in fitted.network.parameters() if parameter.ndim > 1]
    expected = 0.01 * sum(float(kernel.square().sum()) for kernel in kernels)
    assert fitted.history[-1]["l2"] == pytest.approx(expected, rel=1e-5)
    assert CsvLog(tmp_path / "log.csv").rows()[-1]["l2"] == pytest.approx(expected, rel=0.2)


def test_a_log_of_an_earlier_version_keeps_its_columns(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("step,loss\n1,2.5\n")
    table = CsvLog(tmp_path / "log.csv")
    table.append({"step": 2, "l2": 0.5, "loss": 2.25})
    assert table.rows() == [{"step": 1, "loss": 2.5}, {"step": 2, "loss": 2.25}]


class OfOnesOwn(torch.nn.Module):
    def __init__(self, moves: int) -> None:
        super().__init__()
        self.policy, self.value = torch.nn.Linear(21 * 81, moves), torch.nn.Linear(21 * 81 + 1, 1)

    def forward(self, planes: torch.Tensor, komi: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        flat = planes.flatten(1)
        return self.policy(flat), self.value(torch.cat([flat, komi[:, None]], 1))


@pytest.mark.parametrize("moves", [81, 82])
def test_a_module_of_one_s_own_is_trained_exported_and_plays(tmp_path: Path, moves: int) -> None:
    data = packed(tmp_path / "some.games", 20)
    module = OfOnesOwn(moves)
    fitted = fit(module, data, folder=tmp_path / "run", planes="golois-21", steps=2, batch=8, threads=1)
    info = fitted.export(tmp_path / "mine.onnx")
    assert (info.name, info.has_pass) == ("OfOnesOwn", moves == 82)
    evaluate = tesuji.load(tmp_path / "mine.onnx")
    found = tesuji.Search(evaluate, visits=8).run(tesuji.Game(size=9, komi=7))
    assert found.root_visits == 8
    with pytest.raises(ValueError, match="is a module of your own"):
        tesuji.networks.export(module, tmp_path / "other.onnx")  # type: ignore[arg-type]


def test_a_module_with_another_board_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has 82 moves; 5x5 has 25"):
        tesuji.networks.export_module(_Anywhere(), tmp_path / "x.onnx", planes="golois-21", size=5)
    assert not (tmp_path / "x.onnx").exists()


class _Anywhere(torch.nn.Module):
    def forward(self, planes: torch.Tensor, komi: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return planes.new_zeros(len(planes), 82), komi


def test_frozen_parts_stay_as_they_are(tmp_path: Path) -> None:
    before = tiny().state_dict()  # running statistics of the batch norm among them
    after = train(tmp_path, freeze="trunk,policy", epochs=0.1, precision="fp32").network.state_dict()
    changed = {name.partition(".")[0] for name, tensor in after.items() if not torch.equal(tensor, before[name])}
    assert changed == {"value"}


def test_a_part_to_freeze_must_exist(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no part 'tronc' to freeze; it has"):
        train(tmp_path, freeze="tronc")


def test_a_log_line_without_its_end_is_no_row(tmp_path: Path) -> None:
    """Cut in its last number by a kill, it would read as another number."""
    log = CsvLog(tmp_path / "log.csv")
    for step in (1, 2):
        log.append({"step": step, "loss": 0.53125})
    whole = log.path.read_bytes()
    log.path.write_bytes(whole[:-4])
    assert [row["step"] for row in log.rows()] == [1]
    log.cut(2)
    log.append({"step": 2, "loss": 0.53125})
    assert log.path.read_bytes() == whole


def test_one_network_learns_from_boards_of_two_sizes(tmp_path: Path) -> None:
    files = [packed(tmp_path / "7", 20, size=7), packed(tmp_path / "5", 20, size=5)]
    settings: dict[str, Any] = SETTINGS | {"size": 7, "mixed": True, "validation_games": 4, "epochs": 0.1}
    fitted = fit("gpool.2.8", files, folder=tmp_path / "run", **settings)
    evaluate = tesuji.load(tmp_path / "run" / "best.onnx")
    assert (evaluate.plays(5), evaluate.plays(7), fitted.config.size) == (True, True, 7)
    with pytest.raises(ValueError, match=r"a0.1.8 reads boards of one size; leave out mixed"):
        fit("a0.1.8", files, folder=tmp_path / "dense", **settings)
