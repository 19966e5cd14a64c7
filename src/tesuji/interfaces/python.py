"""`tesuji.analyse` and `tesuji.review`: positions and games judged in one call, by the network that fits the board."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from tesuji import Evaluator, Game
from tesuji.base.errors import InputError
from tesuji.base.settings import check_names
from tesuji.go.sgf.files import read_record
from tesuji.interfaces.engine.networks import Networks
from tesuji.reviews.analysis import Analysis
from tesuji.reviews.game_review import GameFacts, GameReview
from tesuji.reviews.judging import search_options
from tesuji.reviews.options import ReviewOptions
from tesuji.reviews.reviewer import Progress, review_game
from tesuji.search.search import Search

Net = str | Evaluator | None


def analyse(game: Game, visits: int = 400, *, net: Net = None) -> Analysis:
    """What a search of so many visits says of the game's current position.

    `net` is a network by name or file, or an evaluator; the one that fits the board if absent. `to_rows()` of what is
    returned gives a row for each candidate move, `to_frame()` the same as a pandas frame.
    """
    if game.is_over:
        raise InputError("the game is over: there is no next move to analyse")
    evaluators, _ = _evaluators(net, game.size)
    return Analysis.of(Search(evaluators[0], search_options(visits)).run(game))


def review(
    source: str | os.PathLike[str] | bytes | Game,
    *,
    net: Net = None,
    progress: Progress = lambda what, done, total: None,
    **options: Any,
) -> GameReview:
    """Judges every move of a game: an SGF file, its content, or a `Game`.

    Options are those of `ReviewOptions`: `visits`, `budget` in seconds, and so on. `to_rows()` of what is returned
    gives a row for each move, `mistakes()` the moves that lost most.
    """
    check_names(options, [field.name for field in fields(ReviewOptions)], "review option")
    if isinstance(source, Game):
        game, facts = source, GameFacts(result=source.result())
    else:
        name = "game" if isinstance(source, bytes) else Path(source).stem
        record = read_record(source)
        game, facts = record.game, GameFacts.of(record, name)
    chosen = replace(ReviewOptions(), **options)
    evaluators, network = _evaluators(net, game.size)
    return review_game(game, evaluators, chosen, facts, progress, network=network)


def _evaluators(net: Net, size: int) -> tuple[Sequence[Evaluator], str]:
    """The network on every device, and its name."""
    if net is not None and not isinstance(net, str):
        return [net], net.name
    networks = Networks(net or "")
    name = networks.choose(size)
    return networks.on_all_devices(name), name
