"""Short searches beside a player's own: what a pass gives away, and whether a game is as lost as it seems."""

import threading

from tesuji._core import PASS, Game
from tesuji.features.evaluation import Evaluator
from tesuji.search.endgame.passing import LOOK
from tesuji.search.endgame.resigning import Resigning
from tesuji.search.result import SearchResult
from tesuji.search.search import Search


def after_pass(game: Game, evaluate: Evaluator) -> SearchResult:
    """Apart from any tree: we pass, then both play on."""
    after = game.copy()
    after.play(PASS)
    return Search(evaluate, visits=LOOK, batch=8).run(after)


def believed_lost(
    result: SearchResult, patience: Resigning, evaluate: Evaluator, stop: threading.Event | None = None
) -> bool:
    """Whether who wishes to give up still does once he has looked deeper than `result` did.

    A few visits do not see the group that both sides are wrong about.
    """
    wanted = patience.options.look
    if result.root_visits >= wanted:
        return True
    return patience.still_gives_up(Search(evaluate, visits=wanted, batch=8).run(result.position, stop=stop))
