"""From a network's logits to what an `Evaluation` holds; the same in model files and in torch."""

import torch
from torch import Tensor, fx, nn
from torch.nn import functional

from tesuji.networks.zoo.count_heads import CountValue
from tesuji.networks.zoo.heads import KomiValue, win_weights
from tesuji.networks.zoo.network import Network, Outputs


def beyond(chances: Tensor) -> Tensor:
    """`[B, S]` the chance of each score or a higher one; summed from the end, where the small ones are."""
    return chances.flip(1).cumsum(1).flip(1)


fx.wrap("beyond")  # one operation in model files


class EvaluationOutputs(nn.Module):
    """A network with its outputs normalised: probabilities, the value for the player to move."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    @property
    def names(self) -> tuple[str, ...]:
        """The outputs of `forward`, in order: fields of `Evaluation`."""
        description = self.network.description
        heads = description.spec.heads
        present = {
            "policy": heads.policy != "none",
            "value": heads.value != "none",
            "black_score": "black_score" in description.heads,
            "black_ownership": heads.ownership,
            "komi_curve": bool(self.komi_grid),
        }
        return tuple(name for name, there in present.items() if there)

    @property
    def komi_grid(self) -> list[float]:
        """The komi at which the curve is given: with straight lines between them it is exact everywhere."""
        description = self.network.description
        if description.komi_limit:
            return [score + 0.5 for score in range(-description.komi_limit, description.komi_limit)]
        if description.spec.heads.nine and description.value_of == "white":
            return [k - 0.5 for k in range(18)]  # each output speaks of two half komi: 7.5 and 8.5 read the same
        return []

    def forward(self, planes: Tensor, komi: Tensor | None = None) -> tuple[Tensor, ...]:
        """The outputs named by `names`, for `planes [B, C, N, N]` and `komi [B]` where the value reads it."""
        outputs = self.network(planes, komi)
        policy = black_ownership = None
        if outputs.policy is not None:
            policy = torch.softmax(outputs.policy, 1)
            if not self.network.description.has_pass:
                policy = functional.pad(policy, (0, 1))
        if outputs.ownership is not None:
            black_ownership = torch.tanh(outputs.ownership / 2)
        value, curve = self._value(planes, komi, outputs)
        every = (policy, value, outputs.black_score, black_ownership, curve)
        return tuple(output for output in every if output is not None)

    def _value(self, planes: Tensor, komi: Tensor | None, outputs: Outputs) -> tuple[Tensor | None, Tensor | None]:
        """The win probability of the player to move, and Black's at every komi of the grid."""
        description = self.network.description
        if outputs.score is not None:
            assert komi is not None
            assert isinstance(self.network.value, KomiValue | CountValue)
            chances = torch.softmax(outputs.score, 1)
            black = (chances * win_weights(self.network.value.scores, komi)).sum(1)
            curve = beyond(chances)[:, 1:]
            return torch.where(self.network.black_sign(planes) > 0, black, 1 - black), curve
        if outputs.value is None:
            return None, None
        if description.value_of == "to_play":
            return torch.sigmoid(outputs.value), None
        value = torch.sigmoid(-self.network.black_sign(planes) * outputs.value)
        if outputs.nine is None:
            return value, None
        black = torch.sigmoid(-outputs.nine)[:, :, None]
        return value, torch.cat([black, black], 2).flatten(1)
