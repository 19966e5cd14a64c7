"""What a KataGo network says, turned into the fields of an `Evaluation`.

KataGo speaks for the player to move and takes komi into account; an `Evaluation` speaks of Black's points on the
board. Who is to move stands in the planes. Komi does too, but there it may hold more, such as prisoners, and ends at
some bound, so the score takes the game's own.
"""

import numpy as np

import tesuji
from tesuji.networks.foreign.katago_graph import CHANNELS, TO_PLAY, KatagoGraph, Value
from tesuji.networks.foreign.katago_model import SPATIAL, KatagoModel, PolicyHead, ValueHead
from tesuji.networks.foreign.stream import Floats
from tesuji.networks.onnx.model_file import ModelInfo

PLANES = "katago-v7"
USUAL_SIZE = 19
SUPERKO, TERRITORY = SPATIAL + 6, SPATIAL + 9  # planes of global numbers
NEVER = -1000.0  # added to the logit of what cannot happen


def katago_onnx(model: KatagoModel, optimism: float, training: dict[str, object]) -> bytes:
    """The model file of a network; `optimism` mixes its optimistic policy in, from 0 to 1."""
    writer = _Writer(model, USUAL_SIZE)
    trunk = writer.trunk(model.trunk)
    results = {"policy": writer.policy(model.policy, trunk, optimism), **writer.judgement(model.value, trunk)}
    info = ModelInfo(
        name=model.name,
        planes=PLANES,
        size=USUAL_SIZE,
        any_size=True,
        has_pass=True,
        value_of="to_play",
        outputs=tuple(results),
        needs_komi=True,
        parameters=model.parameters,
        operations=writer.operations,
        training=training,
        tesuji=tesuji.__version__,
    )
    return writer.model(info, CHANNELS, list(results.values()))


class _Writer(KatagoGraph):
    def __init__(self, model: KatagoModel, size: int) -> None:
        super().__init__(size)
        self.version = model.version
        self.multipliers = model.multipliers

    def policy(self, head: PolicyHead, trunk: Value, optimism: float) -> str:
        """Probabilities of all moves and pass, `[B, N*N + 1]`."""
        side = self.convolved(trunk, head.pooled, head.pooled_norm, head.pooled_activation)
        y = self.convolved(trunk, head.conv, head.norm)
        y = self.with_pooled(y, side, head.to_bias * head.norm.scale)
        y = Value(self.activated(y.name, head.activation), y.rows, y.channels)
        # The mixture of two linear outputs is one linear output.
        moves = type(head.moves)(_mixed(head.moves.weights, optimism, 0), head.moves.dilation)
        points = self.add("Flatten", [self.convolved(y, moves).name], axis=1)
        if head.pass_second is None:
            passing = self.pooled(side, _mixed(head.to_pass, optimism, 1))
        else:
            assert head.pass_bias is not None
            hidden = self.add("Add", [self.pooled(side, head.to_pass), self.matrix(head.pass_bias)])
            hidden = self.activated(hidden, head.pass_activation)
            passing = self.add("MatMul", [hidden, self.matrix(_mixed(head.pass_second, optimism, 1))])
        return self.add("Softmax", [self.add("Concat", [points, passing], axis=1)], axis=1)

    def judgement(self, head: ValueHead, trunk: Value) -> dict[str, str]:
        """Everything but the policy, by the names of `Evaluation`."""
        y = self.convolved(trunk, head.conv, head.norm, head.activation)
        ownership = self.add("Tanh", [self.in_planes(self.convolved(y, head.ownership)).name])
        hidden = self.add("Add", [self._pooled_means(self.mean(y), head.dense), self.matrix(head.dense_bias)])
        hidden = self.activated(hidden, head.dense_activation)
        chances = self._chances(self._dense(hidden, head.outcome, head.outcome_bias))
        scores = self._dense(hidden, head.scores, head.scores_bias)
        win, _, no_result = (self._column(chances, i) for i in range(3))
        value = self.add("Add", [win, self.add("Mul", [no_result, self.operand(0.5)])])
        sign = self._black_sign()
        some_result = self.add("Sub", [self.operand(1.0), no_result])
        results = {
            "value": self._flat(value),
            "black_score": self._flat(self._black_score(scores, some_result, sign)),
            "black_ownership": self._black_ownership(ownership, sign),
            "score_stdev": self._flat(self._times(self._softplus(scores, 1), self.multipliers.score_stdev)),
        }
        return results | self._errors(scores)

    def _pooled_means(self, mean: str, weights: Floats) -> str:
        """The value head's pooling: the mean, and the mean by the first and second power of the board's width."""
        plain, by_width, by_square = (self.matrix(part) for part in np.split(weights, 3))
        square = self.add("Sub", [self.add("Mul", [self.width, self.width]), self.operand(0.1)])
        both = self.add("Add", [plain, self.add("Mul", [self.width, by_width])])
        return self.add("MatMul", [mean, self.add("Add", [both, self.add("Mul", [square, by_square])])])

    def _dense(self, hidden: str, weights: Floats, bias: Floats) -> str:
        return self.add("Gemm", [hidden, self.matrix(weights), self.matrix(bias)])

    def _chances(self, logits: str) -> str:
        """Win, loss and no result; where superko and area scoring leave no such thing, the last is none."""
        superko, territory = self._global(SUPERKO), self._global(TERRITORY)
        always = self.add("Mul", [superko, self.add("Sub", [self.operand(1.0), territory])])
        offset = self.add("Mul", [always, self.constant([[0.0, 0.0, NEVER]], np.float32)])
        return self.add("Softmax", [self.add("Add", [logits, offset])], axis=1)

    def _black_score(self, scores: str, some_result: str, sign: str) -> str:
        lead = self.add("Mul", [self._times(self._column(scores, 2), self.multipliers.lead), some_result])
        komi = self.add("Unsqueeze", ["komi", self.constant([1])])
        return self.add("Add", [self.add("Mul", [lead, sign]), komi])

    def _black_ownership(self, ownership: str, sign: str) -> str:
        flat = self.add("Squeeze", [ownership, self.constant([1])])
        return self.add("Mul", [flat, self.add("Unsqueeze", [sign, self.constant([2])])])

    def _errors(self, scores: str) -> dict[str, str]:
        """How much the network expects to change its mind, which versions tell in different ways."""
        if self.version < 9:
            return {}
        told = {
            "value_error": (4, self.multipliers.value_error, 1.0),
            "score_error": (5, self.multipliers.score_error, 10.0),
        }
        results = {}
        for name, (column, multiplier, early) in told.items():
            if self.version >= 14:
                halved = self._times(self._column(scores, column), 0.5)
                error = self._times(self.add("Softplus", [halved]), multiplier**0.5)
            elif self.version >= 10:
                error = self.add("Sqrt", [self._times(self._softplus(scores, column), multiplier)])
            else:
                error = self._times(self._softplus(scores, column), early)
            # Of a win minus a loss, which runs from -1 to 1; a value runs from 0 to 1.
            results[name] = self._flat(self._times(error, 0.5) if name == "value_error" else error)
        return results

    def _black_sign(self) -> str:
        """One where Black is to move, else minus one: `[B, 1]`."""
        return self.add("Sub", [self._times(self._global(TO_PLAY), 2.0), self.operand(1.0)])

    def _global(self, channel: int) -> str:
        """The number that fills a plane, read at one point: `[B, 1]`."""
        bounds = [self.constant(bound) for bound in ([channel, 0, 0], [channel + 1, 1, 1], [1, 2, 3])]
        corner = self.add("Slice", ["planes", *bounds])
        return self.add("Reshape", [corner, self.constant([-1, 1])])

    def _softplus(self, scores: str, column: int) -> str:
        return self.add("Softplus", [self._column(scores, column)])

    def _column(self, values: str, column: int) -> str:
        return self.sliced(values, column, column + 1)

    def _times(self, value: str, factor: float) -> str:
        return self.add("Mul", [value, self.operand(float(factor))])

    def _flat(self, value: str) -> str:
        return self.add("Squeeze", [value, self.constant([1])])


def _mixed(weights: Floats, optimism: float, axis: int) -> Floats:
    """One policy of the plain and the optimistic one, which only some versions have."""
    outputs = weights.shape[axis]
    shares = np.zeros(outputs, np.float32)
    shares[0] = 1 - optimism if outputs > 1 else 1
    if outputs > 1:
        shares[1] = optimism
    return np.expand_dims(np.tensordot(weights, shares, ([axis], [0])), axis).astype(np.float32)
