"""Writes a network as a model file, and refuses to when the file would not say what the network says."""

import contextlib
import logging
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import fx

import tesuji
from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.networks.evaluators.factory import evaluator
from tesuji.networks.onnx.builder import OPSET
from tesuji.networks.onnx.folding import folded
from tesuji.networks.onnx.graph import GraphWriter, UnknownOperation
from tesuji.networks.onnx.model_file import KEY, ModelInfo
from tesuji.networks.onnx.outputs import EvaluationOutputs
from tesuji.networks.zoo.cost import operations_of
from tesuji.networks.zoo.layers import size_as_keras
from tesuji.networks.zoo.network import Network

TOLERANCE = 1e-4


def export(network: Network, path: str | Path, training: Mapping[str, Any] | None = None) -> ModelInfo:
    """Writes `network` to `path` as a model file, with `training` as its record, and returns the file's note.

    Raises `ValueError`, and leaves no file, when weights are not finite or the file disagrees with the
    network.
    """
    if not isinstance(network, Network):
        raise InputError(
            f"'{type(network).__name__}' is a module of your own; write it with `Fitted.export` or "
            "`tesuji.networks.export_module(module, path, planes=..., size=...)`"
        )
    broken = [name for name, tensor in network.state_dict().items() if not torch.isfinite(tensor).all()]
    if broken:
        raise InputError(f"cannot export '{network.description.name}': {broken[0]} holds NaN or infinity")
    was_training = network.training
    network.eval()
    try:
        info = note(network, training)
        data = serialise(folded(network), info)
        check(network, data)
    finally:
        network.train(was_training)
    write_atomically(Path(path), data)
    return info


def note(network: Network, training: Mapping[str, Any] | None = None) -> ModelInfo:
    """What the model file of a network will say about it."""
    description = network.description
    judgement = EvaluationOutputs(network)
    return ModelInfo(
        name=description.name,
        planes=description.planes,
        size=description.size,
        any_size=description.any_size,
        has_pass=description.has_pass,
        value_of=description.value_of,
        outputs=judgement.names,
        needs_komi=description.needs_komi,
        komi_grid=tuple(judgement.komi_grid),
        parameters=size_as_keras(network),
        operations=operations_of(network),
        training=dict(training or {}),
        tesuji=tesuji.__version__,
    )


def serialise(network: Network, info: ModelInfo) -> bytes:
    """The ONNX file of a network in evaluation mode."""
    judgement = EvaluationOutputs(network).eval()
    try:
        return _by_operation(judgement, info)
    except (UnknownOperation, fx.proxy.TraceError, TypeError):
        return _by_torch(judgement, info)  # a network of the user's own may hold anything


def _by_operation(judgement: EvaluationOutputs, info: ModelInfo) -> bytes:
    constants = {} if info.needs_komi else {"komi": None}
    traced = fx.symbolic_trace(judgement, concrete_args=constants)
    traced.graph.eliminate_dead_code()
    writer = GraphWriter(traced)
    writer.write()
    return writer.model(info, judgement.network.description.channels, writer.results)


def _by_torch(judgement: EvaluationOutputs, info: ModelInfo) -> bytes:
    batch, size = torch.export.Dim("batch"), torch.export.Dim("size", min=2, max=25)
    board = {2: size, 3: size} if info.any_size else {}
    device = next(judgement.parameters()).device
    example = torch.zeros(2, judgement.network.description.channels, info.size, info.size, device=device)
    inputs = {"planes": (example, {0: batch, **board})}
    if info.needs_komi:
        inputs["komi"] = (torch.zeros(2, device=device), {0: batch})
    with quiet(), torch.no_grad():
        program = torch.onnx.export(
            judgement,
            tuple(tensor for tensor, _ in inputs.values()),
            input_names=list(inputs),
            output_names=list(info.outputs),
            dynamic_shapes=tuple(free for _, free in inputs.values()),
            opset_version=OPSET,
            dynamo=True,
            verbose=False,
        )
        assert program is not None
        model = program.model_proto
    annotate(model, info)
    return bytes(model.SerializeToString())


def annotate(model: onnx.ModelProto, info: ModelInfo) -> None:
    """Puts our note into the file, and nothing else: an exporter's remarks may quote source files and their paths."""
    del model.metadata_props[:]
    model.metadata_props.add(key=KEY, value=info.to_json())
    model.producer_name, model.producer_version = "tesuji", info.tesuji
    graph = model.graph
    graph.name = info.name
    for part in (graph, *graph.node, *graph.input, *graph.output, *graph.initializer, *graph.value_info):
        del part.metadata_props[:]
        part.doc_string = ""


def check(network: Network, data: bytes, positions: int = 8) -> None:
    """Compares the file with the network on random positions. Raises `ValueError` when they differ."""
    evaluate = evaluator(data, "the exported file")
    description = network.description
    rng = np.random.default_rng(0)
    planes = (rng.random((positions, description.channels, description.size, description.size)) < 0.3).astype(
        np.float32
    )
    if description.black_plane is not None:
        planes[:, description.black_plane] = (np.arange(positions) % 2)[:, None, None]
    komi = np.linspace(-2, 9, positions).astype(np.float32)
    device = next(network.parameters()).device
    judgement = EvaluationOutputs(network).eval()
    with torch.no_grad():
        expected = judgement(torch.from_numpy(planes).to(device), torch.from_numpy(komi).to(device))
    written = evaluate(planes, komi)
    for name, tensor in zip(judgement.names, expected, strict=True):
        target, got = tensor.cpu().numpy(), getattr(written, name)
        scale = max(1.0, float(np.abs(target).max()))  # scores are in points, all else lies within one
        worst = float(np.abs(target - got).max()) / scale
        if not worst <= TOLERANCE:
            raise InputError(
                f"the exported file differs from '{description.name}' by {worst:.1e} in {name}; not written"
            )


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Hides what the exporter says of itself: the file is checked against the network afterwards."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)
