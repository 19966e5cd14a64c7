"""Tesuji learns to play Go with small networks and plays it well on an ordinary computer.

Names are loaded when first used, so that `import tesuji` stays quick and never imports torch.
"""

import importlib
from typing import TYPE_CHECKING, Any

from tesuji._core import BLACK, PASS, WHITE, Board, Color, Game, Restriction, Rules
from tesuji.base.errors import InputError
from tesuji.go.errors import IllegalMoveError

if TYPE_CHECKING:
    from tesuji import golois, ladder, networks
    from tesuji.features.evaluation import Evaluation, Evaluator
    from tesuji.features.planes import PlaneSet, encode
    from tesuji.go.drawing import draw_board
    from tesuji.go.sgf.files import read_sgf, write_sgf
    from tesuji.interfaces.python import analyse, fit, human_player, learn, match, review, tournament, train
    from tesuji.learning.loop.config import LearnConfig, LoopOptions
    from tesuji.learning.selfplay.options import SelfplayOptions
    from tesuji.networks.evaluators.factory import load
    from tesuji.reviews.options import ReviewOptions
    from tesuji.search.clock import Clock
    from tesuji.search.options import SearchOptions
    from tesuji.search.players import PolicyPlayer, SearchPlayer
    from tesuji.search.pool import SearchPool
    from tesuji.search.result import SearchResult
    from tesuji.search.search import Search
    from tesuji.training.data.game_set import GameSet
    from tesuji.training.data.sample_games import sample_games
    from tesuji.training.run.config import TrainConfig

__version__ = "0.1.0"

# Public name -> module that defines it.
_LAZY: dict[str, str] = {
    "GameSet": "tesuji.training.data.game_set",
    "Clock": "tesuji.search.clock",
    "Evaluation": "tesuji.features.evaluation",
    "Evaluator": "tesuji.features.evaluation",
    "LearnConfig": "tesuji.learning.loop.config",
    "LoopOptions": "tesuji.learning.loop.config",
    "PlaneSet": "tesuji.features.planes",
    "PolicyPlayer": "tesuji.search.players",
    "ReviewOptions": "tesuji.reviews.options",
    "Search": "tesuji.search.search",
    "SearchOptions": "tesuji.search.options",
    "SearchPlayer": "tesuji.search.players",
    "SearchPool": "tesuji.search.pool",
    "SearchResult": "tesuji.search.result",
    "SelfplayOptions": "tesuji.learning.selfplay.options",
    "TrainConfig": "tesuji.training.run.config",
    "analyse": "tesuji.interfaces.python",
    "draw_board": "tesuji.go.drawing",
    "encode": "tesuji.features.planes",
    "fit": "tesuji.interfaces.python",
    "human_player": "tesuji.interfaces.python",
    "learn": "tesuji.interfaces.python",
    "load": "tesuji.networks.evaluators.factory",
    "match": "tesuji.interfaces.python",
    "read_sgf": "tesuji.go.sgf.files",
    "review": "tesuji.interfaces.python",
    "sample_games": "tesuji.training.data.sample_games",
    "tournament": "tesuji.interfaces.python",
    "train": "tesuji.interfaces.python",
    "write_sgf": "tesuji.go.sgf.files",
}
_MODULES = {"golois", "ladder", "networks"}

__all__ = [
    "BLACK",
    "PASS",
    "WHITE",
    "Board",
    "Clock",
    "Color",
    "Evaluation",
    "Evaluator",
    "Game",
    "GameSet",
    "IllegalMoveError",
    "InputError",
    "LearnConfig",
    "LoopOptions",
    "PlaneSet",
    "PolicyPlayer",
    "Restriction",
    "ReviewOptions",
    "Rules",
    "Search",
    "SearchOptions",
    "SearchPlayer",
    "SearchPool",
    "SearchResult",
    "SelfplayOptions",
    "TrainConfig",
    "analyse",
    "draw_board",
    "encode",
    "fit",
    "golois",
    "human_player",
    "ladder",
    "learn",
    "load",
    "match",
    "networks",
    "read_sgf",
    "review",
    "sample_games",
    "tournament",
    "train",
    "write_sgf",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"tesuji.{name}")
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'tesuji' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
