"""Runs inside KaTrain's own environment: its engine classes against any command, headless; one JSON line of what came.

KATRAIN_PYTHON tests/interfaces/katrain_driver.py GAME.sgf 'tesuji analysis' [ws://...]
"""

import json
import os
import sys
import time
import traceback

os.environ.setdefault("KIVY_NO_ARGS", "1")
os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")
os.environ.setdefault("KIVY_NO_ENV_CONFIG", "1")

from katrain.core.ai import game_report, generate_ai_move  # type: ignore[import-not-found]
from katrain.core.base_katrain import KaTrainBase  # type: ignore[import-not-found]
from katrain.core.constants import OUTPUT_ERROR, OUTPUT_INFO  # type: ignore[import-not-found]
from katrain.core.engine import KataGoEngine  # type: ignore[import-not-found]
from katrain.core.game import Game, KaTrainSGF  # type: ignore[import-not-found]
from katrain.core.remote_engine import RemoteKataGoEngine  # type: ignore[import-not-found]

ERRORS: list[str] = []


class Headless(KaTrainBase):  # type: ignore[misc]
    """KaTrain without a window: what would pop up is noted."""

    def log(self, message: object, level: int = OUTPUT_INFO) -> None:
        if level == OUTPUT_ERROR:
            ERRORS.append(str(message)[:300])

    def __call__(self, *message: object, **_: object) -> None:
        ERRORS.append(f"popup: {message}"[:300])


def main(sgf: str, command: str, remote: str = "") -> None:
    katrain = Headless(force_package_config=True, debug_level=0)
    wishes = {"max_visits": 30, "fast_visits": 10, "max_time": 60.0, "allow_recovery": True}
    settings = {**katrain.config("engine"), **wishes}
    if remote:
        engine = RemoteKataGoEngine(katrain, {**settings, "backend": "remote", "remote_url": remote})
    else:
        engine = KataGoEngine(katrain, {**settings, "backend": "custom", "altcommand": command})
    game = Game(katrain, engine, move_tree=KaTrainSGF.parse_file(sgf))
    katrain.game = game
    time.sleep(0.5)  # its analysis starts in a thread of its own
    nodes = list(game.root.nodes_in_tree)
    wait(lambda: all(node.analysis_complete for node in nodes))
    game.redo(1000)
    told: dict[str, object] = {
        "analysed": sum(node.analysis_complete for node in nodes),
        "nodes": len(nodes),
        "visits": min(node.analysis["root"]["visits"] for node in nodes),
        "points_lost": [node.points_lost for node in nodes if node.move],
        "policy": len(game.current_node.policy or []),
        "ownership": len(game.current_node.ownership or []),
        "candidates": len(game.current_node.candidate_moves),
    }
    thresholds = katrain.config("trainer/eval_thresholds")
    told["report"] = [len(part) if hasattr(part, "__len__") else 0 for part in game_report(game, thresholds)]
    told["ai"] = {mode: play(katrain, game, mode) for mode in sys.argv[4:] or ["ai:default"]}
    ponder(game, engine)
    told["pondered"] = game.current_node.analysis["root"]["visits"]
    engine.shutdown(finish=None)
    told["errors"] = ERRORS
    print(json.dumps(told), flush=True)
    os._exit(0)


def play(katrain: "Headless", game: object, mode: str) -> str:
    """KaTrain's own opponent makes a move."""
    move, node = generate_ai_move(game, mode, katrain.config(f"ai/{mode}") or {})
    if node is not None:
        wait(lambda: node.analysis_complete)
    return str(move.gtp()) if move is not None and node is not None else "none"


def ponder(game: object, engine: object) -> None:
    """The space bar: an endless query, and its end."""
    node = game.current_node  # type: ignore[attr-defined]
    before = node.analysis["root"]["visits"]
    node.analyze(engine, ponder=True)
    wait(lambda: node.analysis["root"]["visits"] > before + 20)
    engine.stop_pondering()  # type: ignore[attr-defined]
    time.sleep(1.0)


def wait(truth: object, seconds: float = 240.0) -> None:
    deadline = time.monotonic() + seconds
    while not truth():  # type: ignore[operator]
        if time.monotonic() > deadline:
            print(json.dumps({"errors": [*ERRORS, "it never happened"]}), flush=True)
            os._exit(1)
        time.sleep(0.05)


if __name__ == "__main__":
    try:
        main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "")
    except Exception:  # Kivy swallows what goes to stderr
        print(json.dumps({"errors": [*ERRORS, traceback.format_exc()]}), flush=True)
        os._exit(1)
