"""The papers' learning rates at the epochs they name, and the cosine."""

import itertools

import pytest

from tesuji.training.run.config import TrainConfig
from tesuji.training.run.schedules import rate, schedule


@pytest.mark.parametrize(
    ("name", "epochs", "expected"),
    [
        ("paper-2020", [0, 99.9, 100, 149.9, 150, 199], [0.005, 0.005, 0.0005, 0.0005, 0.00005, 0.00005]),
        ("paper-2021", [0, 99, 100, 150, 200, 249], [5e-4, 5e-4, 5e-5, 5e-6, 5e-7, 5e-7]),
        # Steps of 2048 samples: a tenth every 128,000 of 400,000.
        ("toronto-2021", [s * 2048 / 1e6 for s in (127_999, 128_000, 256_000, 384_000)], [1e-3, 1e-4, 1e-5, 1e-6]),
    ],
)
def test_steps_of_the_papers(name: str, epochs: list[float], expected: list[float]) -> None:
    plan = schedule(name)
    rates = [plan.learning_rate * rate(plan, epoch / plan.epochs) for epoch in epochs]
    assert rates == pytest.approx(expected)


def test_the_2018_paper_trains_its_nine_outputs_alone() -> None:
    config = TrainConfig(schedule="paper-2018").filled()
    assert (config.batch, config.epoch_samples, config.epochs) == (50, 5_000_000, 63)
    assert (config.value_weight, config.score_weight, config.l2) == (0, 1, 0)
    assert TrainConfig(schedule="toronto-2021").filled().l2 == 0
    usual = TrainConfig(schedule="paper-2021").filled()
    assert (usual.l2, usual.score_weight, usual.epoch_samples, usual.value_weight) == (0.0001, 0.1, 1_000_000, None)
    assert TrainConfig(schedule="paper-2018", score_weight=0.3, l2=0.001).filled().score_weight == 0.3


def test_cosine_rises_then_falls_to_its_end() -> None:
    plan = schedule("cosine")
    curve = [rate(plan, share / 100, warmup=0.1, final=0.01) for share in range(101)]
    assert curve[0] == 0
    assert curve[5] == pytest.approx(0.5)
    assert curve[10] == 1
    assert curve[55] == pytest.approx(0.505)
    assert curve[100] == pytest.approx(0.01)
    assert all(a >= b for a, b in itertools.pairwise(curve[10:]))
