"""The zoo of networks, model files and evaluation. Names that need torch import it when first used."""

import importlib
from typing import TYPE_CHECKING, Any

from tesuji.base.extras import missing_line
from tesuji.networks.zoo.description import Description, describe
from tesuji.networks.zoo.registry import families, register

if TYPE_CHECKING:
    from tesuji.networks.evaluators.factory import load
    from tesuji.networks.evaluators.onnx_evaluator import OnnxEvaluator
    from tesuji.networks.evaluators.torch_evaluator import TorchEvaluator
    from tesuji.networks.evaluators.wrappers import AverageOfSymmetries, Cached, Joined, RandomSymmetry
    from tesuji.networks.onnx.export import export
    from tesuji.networks.onnx.own_module import export_module
    from tesuji.networks.weights import average_weights, load_weights, read_note, save_weights
    from tesuji.networks.zoo.cost import operations, parameters
    from tesuji.networks.zoo.network import Network, Outputs, create

_LAZY = {
    "AverageOfSymmetries": "tesuji.networks.evaluators.wrappers",
    "Cached": "tesuji.networks.evaluators.wrappers",
    "Joined": "tesuji.networks.evaluators.wrappers",
    "Network": "tesuji.networks.zoo.network",
    "OnnxEvaluator": "tesuji.networks.evaluators.onnx_evaluator",
    "Outputs": "tesuji.networks.zoo.network",
    "RandomSymmetry": "tesuji.networks.evaluators.wrappers",
    "TorchEvaluator": "tesuji.networks.evaluators.torch_evaluator",
    "average_weights": "tesuji.networks.weights",
    "create": "tesuji.networks.zoo.network",
    "export": "tesuji.networks.onnx.export",
    "export_module": "tesuji.networks.onnx.own_module",
    "load": "tesuji.networks.evaluators.factory",
    "load_weights": "tesuji.networks.weights",
    "read_note": "tesuji.networks.weights",
    "save_weights": "tesuji.networks.weights",
    "operations": "tesuji.networks.zoo.cost",
    "parameters": "tesuji.networks.zoo.cost",
}

__all__ = [
    "AverageOfSymmetries",
    "Cached",
    "Description",
    "Joined",
    "Network",
    "OnnxEvaluator",
    "Outputs",
    "RandomSymmetry",
    "TorchEvaluator",
    "average_weights",
    "create",
    "describe",
    "export",
    "export_module",
    "families",
    "load",
    "load_weights",
    "operations",
    "parameters",
    "read_note",
    "register",
    "save_weights",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'tesuji.networks' has no attribute '{name}'")
    try:
        return getattr(importlib.import_module(_LAZY[name]), name)
    except ModuleNotFoundError as missing:
        if missing.name not in {"torch", "onnx", "onnxscript", "safetensors"}:
            raise
        raise ImportError(missing_line("torch", "building networks"), name=missing.name) from missing
