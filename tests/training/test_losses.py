"""Each loss on numbers worked out by hand."""

import math

import pytest
import torch
from torch import Tensor, nn

import tesuji
from tesuji.networks import Outputs
from tesuji.training.run import losses
from tesuji.training.run.batches import TensorBatch
from tesuji.training.run.config import TrainConfig


def batch(count: int = 2, size: int = 3, **changes: Tensor) -> TensorBatch:
    fields = {
        "planes": torch.zeros(count, 1, size, size), "policy": torch.zeros(count, size * size + 1),
        "value": torch.ones(count), "value_mask": torch.ones(count), "komi": torch.full((count,), 7.0),
        "black_to_play": torch.ones(count, dtype=torch.bool), "black_score": torch.zeros(count),
        "score_mask": torch.ones(count), "black_ownership": torch.zeros(count, size, size),
        "ownership_mask": torch.ones(count), "next_moves": torch.full((count, 2), -1),
    }  # fmt: skip
    return TensorBatch(**(fields | changes))


class Says(nn.Module):
    """A network that always says the same."""

    def __init__(self, outputs: Outputs) -> None:
        super().__init__()
        self.outputs = outputs

    def forward(self, planes: Tensor, komi: Tensor) -> Outputs:
        return self.outputs


def test_a_network_without_pass_skips_positions_whose_move_is_a_pass() -> None:
    policy = torch.zeros(2, 10)
    policy[0, 4] = 1
    policy[1, 9] = 1
    target, known = losses.policy_target(policy, 9)
    assert known.tolist() == [True, False]
    logits = torch.zeros(2, 9)
    logits[1] = torch.arange(9.0)  # whatever it says of the other position costs nothing
    assert losses.policy_loss(logits, target, known).item() == pytest.approx(math.log(9))
    _, with_pass = losses.policy_target(policy, 10)
    assert with_pass.tolist() == [True, True]


def test_soft_policy_is_a_cross_entropy() -> None:
    target = torch.tensor([[0.25, 0.75, 0.0]])
    logits = torch.tensor([[1.0, 2.0, 0.0]])
    expected = -(0.25 * logits.log_softmax(1)[0, 0] + 0.75 * logits.log_softmax(1)[0, 1])
    assert losses.policy_loss(logits, target, torch.tensor([True])).item() == pytest.approx(expected.item())


def test_pointwise_policy_speaks_of_points_and_the_pass_of_itself() -> None:
    """Eq. 2 of the 9x9 paper, on a board of two lines: four points, then the pass."""
    known = torch.tensor([True])
    target, logits = torch.tensor([[1.0, 0, 0, 0, 0]]), torch.tensor([[math.log(4), 0, 0, 0, 0]])
    # p = 1/2, then 1/8 each: ln 2 for the move, ln 8/7 for each of the other points; the pass stands apart.
    expected = math.log(2) + 3 * math.log(8 / 7)
    assert losses.policy_loss(logits, target, known, pointwise=True).item() == pytest.approx(expected)
    assert losses.policy_loss(logits[:, :4], target[:, :4], known, pointwise=True).item() == pytest.approx(
        -math.log(4 / 7) + 3 * math.log(7 / 6)
    )
    assert losses.pass_loss(logits, target, known).item() == pytest.approx(math.log(8 / 7))
    certain = losses.policy_loss(torch.tensor([[0.0, 90.0, 0, 0, 0]]), target, known, pointwise=True)
    assert math.isfinite(certain.item())


def test_a_pass_is_learned_from_points_alone() -> None:
    passed = torch.tensor([[0.0, 0, 0, 0, 1]])
    unsure, sure = torch.zeros(1, 5), torch.tensor([[0.0, 0, 0, 0, 5]])
    costs = [losses.policy_loss(one, passed, torch.tensor([True]), pointwise=True) for one in (unsure, sure)]
    assert costs[1] < costs[0] / 10


def test_the_pass_has_its_own_weight_beside_eq_2() -> None:
    outputs = Outputs(policy=torch.tensor([[math.log(4), 0, 0, 0, 0]]), value=torch.zeros(1))
    network = Says(outputs)
    told = batch(1, 2, policy=torch.tensor([[1.0, 0, 0, 0, 0]]))
    for weight in (0.0, 2.0):
        config = TrainConfig(schedule="toronto-2021", value_weight=0.0, pass_weight=weight).filled()
        total, terms = losses.Objective(network, config, "to_play")(told)
        assert total.item() == pytest.approx(terms["policy"].item() + weight * math.log(8 / 7))


def test_value_by_cross_entropy_and_by_square() -> None:
    logits, sure = torch.tensor([0.0, 2.0, 9.0]), 1 / (1 + math.exp(-2))
    mask = torch.tensor([1.0, 1.0, 0.0])
    target = batch(3, value=torch.tensor([0.5, 1.0, math.nan]), value_mask=mask)
    assert losses.value_loss(logits, target).item() == pytest.approx((math.log(2) - math.log(sure)) / 2)
    assert losses.value_loss(logits, target, squared=True).item() == pytest.approx((1 - sure) ** 2 / 2)


def same_of_all(count: int) -> Says:
    """A network that says the same of every position of 5x5."""
    return Says(Outputs(torch.linspace(-1, 1, 26).expand(count, -1), torch.full((count,), 0.3)))


def test_a_teacher_counts_as_much_as_it_is_told_to() -> None:
    soft, hard = torch.zeros(1, 26), torch.zeros(1, 26)
    soft[0, 3], soft[0, 4], hard[0, 7] = 0.75, 0.25, 1.0
    one, other = (batch(1, 5, policy=policy, value=torch.tensor([won])) for policy, won in ((soft, 0.9), (hard, 0.0)))
    both = batch(2, 5, policy=torch.cat([soft, hard]), value=torch.tensor([0.9, 0.0]))

    def terms(told: TensorBatch, **settings: float) -> dict[str, float]:
        _, found = losses.Objective(same_of_all(len(told)), TrainConfig(**settings), "to_play")(told)  # type: ignore[arg-type]
        return {name: float(term) for name, term in found.items()}

    for name in ("policy", "value"):
        alone = terms(one)[name], terms(other)[name]
        assert terms(both)[name] == pytest.approx((alone[0] + alone[1]) / 2)
        assert terms(both, **{f"teacher_{name}": 3.0})[name] == pytest.approx((3 * alone[0] + alone[1]) / 4)
        assert terms(both, **{f"teacher_{name}": 0.0})[name] == pytest.approx(alone[1])


def test_temperature_softens_both_policies_of_a_teachers_position_alone() -> None:
    target = torch.tensor([[0.8, 0.2, 0.0]])
    logits = torch.tensor([[1.0, 0.5, -2.0]], requires_grad=True)
    weights = torch.tensor([0.8**0.5, 0.2**0.5, 0.0])
    softened = weights / weights.sum()
    expected = -4 * (softened * torch.log_softmax(logits / 2, 1)).sum()
    found = losses.policy_loss(logits, target, torch.ones(1), degrees=torch.tensor([2.0]))
    assert found.item() == pytest.approx(expected.item())
    same = losses.policy_loss(logits, target, torch.ones(1), degrees=torch.ones(1))
    assert same.item() == pytest.approx(losses.policy_loss(logits, target, torch.ones(1)).item())
    hard = torch.zeros(1, 26)
    hard[0, 7] = 1.0
    told = batch(1, 5, policy=hard)
    cold, warm = (
        losses.Objective(same_of_all(1), TrainConfig(temperature=degree), "to_play")(told)[0] for degree in (1, 4)
    )
    assert cold.item() == warm.item()
    with pytest.raises(tesuji.InputError, match=r"temperature is 0\.0; it must be above 0"):
        TrainConfig(temperature=0.0)


def test_a_counted_score_is_a_class_and_an_expected_score_a_mean() -> None:
    logits = torch.zeros(2, 7)  # scores -3 to 3
    mean = torch.tensor([0.0, 1.0])
    outputs = Outputs(score=logits, black_score=mean)
    counted = batch(black_score=torch.tensor([2.0, 9.0]), score_mask=torch.tensor([1.0, 0.0]))
    assert losses.score_loss(outputs, counted).item() == pytest.approx(math.log(7))
    expected = batch(black_score=torch.tensor([9.0, 2.5]), score_mask=torch.tensor([0.0, 1.0]))
    assert losses.score_loss(outputs, expected).item() == pytest.approx(0.5 * 1.5**2 / 6)


def test_unknown_targets_cost_nothing_even_when_they_are_not_numbers() -> None:
    logits = torch.zeros(2, 3, 3, requires_grad=True)
    own = torch.full((2, 3, 3), math.nan)
    loss = losses.ownership_loss(logits, batch(black_ownership=own, ownership_mask=torch.zeros(2)))
    assert loss.item() == 0


def test_ownership_half_for_neutral_points() -> None:
    own = torch.zeros(2, 3, 3)
    own[0] = 1
    assert losses.ownership_loss(torch.zeros(2, 3, 3), batch(black_ownership=own)).item() == pytest.approx(math.log(2))


@pytest.mark.parametrize(("score", "expected"), [(9.0, [0, 0, 0, 0, 0, 1, 1, 1, 1]), (-1.0, [1] * 9)])
def test_nine_komi_targets_of_the_2018_paper(score: float, expected: list[int]) -> None:
    """Black ahead by 9 has 185 points: White wins from output 5 on."""
    target = torch.tensor(expected, dtype=torch.float32) * 2 - 1
    known = batch(black_score=torch.full((2,), score))
    assert losses.nine_loss(50 * target.repeat(2, 1), known, "white").item() < 1e-6
    assert losses.nine_loss(-50 * target.repeat(2, 1), known, "to_play").item() < 1e-6


def test_moves_to_come_are_learned_where_they_exist() -> None:
    logits = torch.zeros(2, 2, 9)
    moves = torch.tensor([[3, -1], [9, 4]])  # 9 is a pass, which this network cannot say
    assert losses.next_loss(logits, moves).item() == pytest.approx(math.log(9))


def test_the_value_of_a_network_that_speaks_of_white_is_turned() -> None:
    class Says(nn.Module):
        def forward(self, planes: Tensor, komi: Tensor) -> tuple[Tensor, Tensor]:
            return torch.zeros(2, 9), torch.tensor([2.0, 2.0])

    turns = batch(black_to_play=torch.tensor([True, False]))
    assert losses.forward(Says(), turns, "white").value is not None
    assert losses.forward(Says(), turns, "white").value.tolist() == [-2, 2]  # type: ignore[union-attr]
    assert losses.forward(Says(), turns, "to_play").value.tolist() == [2, 2]  # type: ignore[union-attr]


def test_the_objective_weighs_its_terms() -> None:
    class Says(nn.Module):
        def forward(self, planes: Tensor, komi: Tensor) -> Outputs:
            return Outputs(torch.zeros(2, 9), torch.zeros(2), ownership=torch.zeros(2, 3, 3))

    policy = torch.zeros(2, 10)
    policy[:, 0] = 1
    config = TrainConfig(value_weight=4.0, ownership_weight=0.5, value_loss="bce")
    total, terms = losses.Objective(Says(), config, "to_play")(batch(policy=policy))
    assert set(terms) == {"policy", "value", "ownership", "accuracy"}
    assert total.item() == pytest.approx(math.log(9) + 4.5 * math.log(2))
