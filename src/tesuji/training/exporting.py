"""Networks into and out of a run: built by name, started from weights, written as the best so far."""

import os
from pathlib import Path

import torch
from torch import nn

from tesuji.networks.description import describe
from tesuji.networks.network import create as create_network
from tesuji.training.config import TrainConfig
from tesuji.training.validation import Metrics


def create(config: TrainConfig) -> nn.Module:
    """The network of a completed configuration."""
    return create_network(config.network, planes=config.planes, size=config.size)


def value_settings(name: str) -> tuple[str, float]:
    """How the network's name says its value is trained: the loss and its weight."""
    heads = describe(name).spec.heads
    return heads.value_loss, heads.value_weight
