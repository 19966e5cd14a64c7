"""Training throughput, data included, beside a Keras script of the same network: same machine, same run.

Needs `tesuji-go[train]`, a packed file, and TensorFlow, which it never installs by itself:

    pip install tensorflow-cpu
    python benchmarks/against_keras.py --data train.games --network se.8.192.48 --batch 128
    python benchmarks/against_keras.py --data train.games --network se.16.384.64 --batch 128
    python benchmarks/against_keras.py --data big.games --network se.16.384.64 --size 19 --batch 32

TensorFlow and torch may live in different environments; `--keras PYTHON` names the interpreter that has TensorFlow.
The Keras side is fed ready arrays, so that only our side pays for its data. The two take turns, a few steps each, so
that other work on the machine slows both alike; on a machine that is never quiet, compare samples for each second of
processor time.
"""

import argparse
import importlib.util
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, TextIO


def keras_network(blocks: int, filters: int, trunk: int, size: int, planes: int) -> Any:
    """The squeeze-and-excitation network of the 2021 paper as the course's scripts write it."""
    from keras import Input, Model, layers, regularizers

    l2 = regularizers.l2(0.0001)

    def excite(x: Any) -> Any:
        scale = layers.GlobalAveragePooling2D()(x)
        scale = layers.Dense(trunk // 16, activation="relu", use_bias=False, kernel_regularizer=l2)(scale)
        scale = layers.Dense(trunk, activation="sigmoid", use_bias=False, kernel_regularizer=l2)(scale)
        return layers.multiply([x, layers.Reshape((1, 1, trunk))(scale)])

    board = Input((size, size, planes), name="board")
    x = layers.ReLU()(
        layers.BatchNormalization()(layers.Conv2D(trunk, 1, padding="same", kernel_regularizer=l2)(board))
    )
    for _ in range(blocks):
        inner = layers.Conv2D(filters, 1, padding="same", use_bias=False, kernel_regularizer=l2)(x)
        inner = layers.ReLU()(layers.BatchNormalization()(inner))
        inner = layers.DepthwiseConv2D(3, padding="same", use_bias=False, depthwise_regularizer=l2)(inner)
        inner = layers.ReLU()(layers.BatchNormalization()(inner))
        inner = layers.Conv2D(trunk, 1, padding="same", use_bias=False, kernel_regularizer=l2)(inner)
        x = layers.add([x, excite(layers.BatchNormalization()(inner))])
    policy = layers.Conv2D(1, 1, activation="relu", use_bias=False, kernel_regularizer=l2)(x)
    policy = layers.Activation("softmax", name="policy")(layers.Flatten()(policy))
    value = layers.Dense(50, activation="relu", kernel_regularizer=l2)(layers.GlobalAveragePooling2D()(x))
    value = layers.Dense(1, activation="sigmoid", name="value", kernel_regularizer=l2)(value)
    return Model(board, [policy, value])


def keras_steps(name: str, size: int, batch: int) -> Callable[[], None]:
    """A function that trains eight steps in Keras."""
    import keras
    import numpy as np

    blocks, filters, trunk = (int(part) for part in name.split(".")[1:4])
    model = keras_network(blocks, filters, trunk, size, 21)
    losses = {"policy": "categorical_crossentropy", "value": "binary_crossentropy"}
    model.compile(optimizer=keras.optimizers.SGD(0.0005, momentum=0.9), loss=losses)
    rng = np.random.default_rng(1)
    boards = (rng.random((8 * batch, size, size, 21)) < 0.2).astype(np.float32)
    policy = np.eye(size * size, dtype=np.float32)[rng.integers(0, size * size, 8 * batch)]
    value = rng.integers(0, 2, (8 * batch, 1)).astype(np.float32)

    def steps() -> None:
        model.fit(boards, {"policy": policy, "value": value}, batch_size=batch, epochs=1, verbose=0)

    return steps


def our_steps(name: str, data: list[str], size: int, batch: int, precision: str) -> Callable[[], None]:
    """The same of Tesuji: batches from the packed file, loss, backward pass, optimizer."""
    import torch

    from tesuji.training.run.batches import ahead, batch_seed
    from tesuji.training.run.config import TrainConfig
    from tesuji.training.run.exporting import create
    from tesuji.training.run.losses import Objective, value_of
    from tesuji.training.run.sources import GameSource
    from tesuji.training.run.state import optimizer

    settings: dict[str, object] = {"network": name, "planes": "golois-21", "data": data, "size": size}
    config = TrainConfig(
        optimizer="sgd", learning_rate=0.0005, batch=batch, precision=precision, validation_games=1
    ).changed(settings)
    source = GameSource(config)
    config = config.filled()
    network = create(config).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    objective, sgd = Objective(network, config, value_of(network)), optimizer(network, config)
    batches = ahead(lambda step: source.training(batch, batch_seed(1, step)), 0, 10**9, threads=2, depth=4)

    def steps() -> None:
        for _ in range(8):
            with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bf16"):
                loss, _ = objective(next(batches))
            loss.backward()
            sgd.step()
            sgd.zero_grad(set_to_none=True)

    return steps


def timed(steps: Callable[[], None], batch: int) -> tuple[float, float]:
    """Samples for each second of the clock, and of the processor, over the eight steps of a round."""
    clock, processor = time.perf_counter(), time.process_time()
    steps()
    return 8 * batch / (time.perf_counter() - clock), 8 * batch / (time.process_time() - processor)


def serve_keras(options: argparse.Namespace) -> None:
    """The Keras side in its own process: a line in asks for a round, a line out gives its two speeds."""
    steps = keras_steps(options.network, options.size, options.batch)
    steps()
    print("ready", flush=True)
    for _ in sys.stdin:
        print(*timed(steps, options.batch), flush=True)


def ask(to: TextIO, answers: TextIO) -> tuple[float, float]:
    """One round of the Keras process."""
    to.write("round\n")
    to.flush()
    clock, processor = answers.readline().split()
    return float(clock), float(processor)


def compare(options: argparse.Namespace) -> None:
    """Rounds by turns, and the ratio of the medians."""
    command = [options.keras, __file__, "--serve", "--network", options.network, "--batch", str(options.batch)]
    with subprocess.Popen(
        [*command, "--size", str(options.size)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as keras:
        assert keras.stdin is not None
        assert keras.stdout is not None
        ours = {
            precision: our_steps(options.network, options.data, options.size, options.batch, precision)
            for precision in options.precision
        }
        for steps in ours.values():
            steps()
        if keras.stdout.readline().strip() != "ready":
            raise SystemExit(f"{options.keras} cannot train with Keras: pip install tensorflow-cpu there")
        speeds: dict[str, list[tuple[float, float]]] = {"keras": [], **{precision: [] for precision in ours}}
        for _ in range(options.rounds):
            speeds["keras"].append(ask(keras.stdin, keras.stdout))
            for precision, steps in ours.items():
                speeds[precision].append(timed(steps, options.batch))
        keras.stdin.close()
    _report(options, speeds)


def _report(options: argparse.Namespace, speeds: dict[str, list[tuple[float, float]]]) -> None:
    medians = {side: [statistics.median(column) for column in zip(*rows, strict=True)] for side, rows in speeds.items()}
    print(f"{options.network}, {options.size}x{options.size}, batch {options.batch}")
    for side, (clock, processor) in medians.items():
        ratios = clock / medians["keras"][0], processor / medians["keras"][1]
        print(
            f"{side:>6}: {clock:6.0f} samples/s, {ratios[0]:.2f} times Keras;"
            f" {processor:6.0f} for a second of processor time, {ratios[1]:.2f} times Keras"
        )


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", default=[], help="packed files")
    parser.add_argument("--network", default="se.8.192.48", help="se.BLOCKS.FILTERS.TRUNK")
    parser.add_argument("--size", type=int, default=9, help="lines of the board, those of the data")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--precision", nargs="+", default=["fp32", "bf16"])
    parser.add_argument("--keras", default=sys.executable, help="interpreter that has TensorFlow")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        if importlib.util.find_spec("tensorflow") is None:
            raise SystemExit("the Keras side needs TensorFlow: pip install tensorflow-cpu")
        serve_keras(options)
    elif not options.data:
        raise SystemExit("give a packed file with --data; `tesuji data pack` makes one")
    else:
        try:
            compare(options)
        except (ValueError, OSError) as problem:
            raise SystemExit(str(problem)) from None


if __name__ == "__main__":
    main()
