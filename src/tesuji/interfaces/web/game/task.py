"""What the engine is asked to do for a session."""

from dataclasses import dataclass
from typing import Literal

from tesuji.go.sgf.variations import Node


@dataclass(frozen=True)
class Task:
    """What the engine should do now; equal tasks are the same work."""

    kind: Literal["answer", "teach", "hint", "status", "review", "analyse"]
    node: Node
