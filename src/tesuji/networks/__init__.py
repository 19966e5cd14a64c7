"""The zoo of networks, model files and evaluation. Names that need torch import it when first used."""

import importlib
from typing import TYPE_CHECKING, Any

from tesuji.networks.description import Description, describe
from tesuji.networks.registry import families, register

if TYPE_CHECKING:
    from tesuji.networks.cost import operations, parameters
    from tesuji.networks.evaluator import OnnxEvaluator, load
    from tesuji.networks.network import Network, Outputs, create
    from tesuji.networks.onnx_export import export
    from tesuji.networks.torch_evaluator import TorchEvaluator
    from tesuji.networks.weights import average_weights, load_weights, read_record, save_weights
    from tesuji.networks.wrappers import AverageOfSymmetries, Cached, Joined, RandomSymmetry

_LAZY = {
    "AverageOfSymmetries": "tesuji.networks.wrappers",
    "Cached": "tesuji.networks.wrappers",
    "Joined": "tesuji.networks.wrappers",
    "Network": "tesuji.networks.network",
    "OnnxEvaluator": "tesuji.networks.evaluator",
    "Outputs": "tesuji.networks.network",
    "RandomSymmetry": "tesuji.networks.wrappers",
    "TorchEvaluator": "tesuji.networks.torch_evaluator",
    "average_weights": "tesuji.networks.weights",
    "create": "tesuji.networks.network",
    "export": "tesuji.networks.onnx_export",
    "load": "tesuji.networks.evaluator",
    "load_weights": "tesuji.networks.weights",
    "read_record": "tesuji.networks.weights",
    "save_weights": "tesuji.networks.weights",
    "operations": "tesuji.networks.cost",
    "parameters": "tesuji.networks.cost",
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
    "families",
    "load",
    "load_weights",
    "operations",
    "parameters",
    "read_record",
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
        raise ImportError(f"building networks needs {missing.name}: pip install 'tesuji[train]'") from missing
