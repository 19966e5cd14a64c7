"""Whole games with the built-in networks against GNU Go, by both rule families, judged by how they end."""

from dataclasses import dataclass, field

import pytest

from tests.arena.opponents import needs_gnugo
from tesuji import BLACK, PASS, WHITE, Color, Game, SearchPlayer
from tesuji.arena.players.gtp_engine import GtpEngine
from tesuji.features.evaluation import Evaluator, Floats
from tesuji.interfaces.engine.networks import Networks
from tesuji.search.endgame.judge import Judgement, judge
from tesuji.search.endgame.ownership import without_passes
from tesuji.search.endgame.resigning import ResignOptions
from tesuji.search.endgame.settlement import Settlement
from tesuji.search.players import PlayerOptions
from tesuji.search.search import Search

LOOK = 300  # visits that find out whether a move in own ground saved something
FLAGS = {"japanese": "--japanese-rules", "chinese": "--chinese-rules"}


@dataclass
class Trial:
    """A game played to its end, and what was seen on the way."""

    game: Game
    judged: Judgement
    gnugo_says: str
    moves_after_their_first_pass: int = 0
    filled: list[str] = field(default_factory=list)
    """Moves of ours on points that were ours for certain, where passing would have given nothing away."""


def play(size: int, rules: str, ours: Color, visits: int, seed: int = 1) -> Trial:
    game = Game(size=size, komi=6.5, rules=rules)
    evaluate = Networks().for_size(size)
    player = SearchPlayer(evaluate, visits=visits, batch=8, player=PlayerOptions(resign=ResignOptions(threshold=0)))
    engine = GtpEngine(f"gnugo --mode gtp {FLAGS[rules]} --level 3 --never-resign --seed {seed}")
    engine.start()
    trial = Trial(game, judge(game, evaluate, rollouts=2), "")
    try:
        for command in (f"boardsize {size}", "clear_board", "komi 6.5"):
            engine.send(command)
        passed = False
        while not game.is_over and game.move_count < 3 * size * size:
            color = "black" if game.to_play == BLACK else "white"
            if game.to_play != ours:
                answer = engine.send(f"genmove {color}")
                passed = passed or answer.lower() == "pass"
                game.play(answer)
                continue
            decision = player.move(game)
            trial.moves_after_their_first_pass += passed and decision.move != PASS
            if rules == "japanese" and decision.result:
                note_filling(trial, evaluate, decision.result.black_ownership, decision.move)
            engine.send(f"play {color} {game.vertex(decision.move)}")
            game.play(decision.move)
        trial.judged = judge(game, evaluate)
        trial.gnugo_says = engine.send("final_score")
    finally:
        engine.close()
    return trial


def note_filling(trial: Trial, evaluate: Evaluator, owned: Floats | None, move: int) -> None:
    if move == PASS or owned is None:
        return
    settlement = Settlement.of(trial.game.board, owned)
    sign = 1 if trial.game.to_play == BLACK else -1
    inside = settlement.finished and sign * float(settlement.owned.reshape(-1)[move]) > 0.95
    if inside and sign * (score_after(trial.game, move, evaluate) - score_after(trial.game, PASS, evaluate)) < 0.5:
        trial.filled.append(str(trial.game.vertex(move)))


def score_after(game: Game, move: int, evaluate: Evaluator) -> float:
    after = without_passes(game)
    after.to_play = game.to_play
    after.play(move)
    score = Search(evaluate, visits=LOOK).run(after).black_score
    assert score is not None
    return score


@needs_gnugo
@pytest.mark.slow
@pytest.mark.timeout(3600)  # a game on 19x19 is minutes of work, and other work may go on beside it
@pytest.mark.parametrize("ours", [BLACK, WHITE])
@pytest.mark.parametrize("rules", FLAGS)
@pytest.mark.parametrize(("size", "visits"), [(9, 100), (13, 50), (19, 24)])
def test_the_end_of_a_game_is_played_as_players_do(size: int, visits: int, rules: str, ours: Color) -> None:
    trial = play(size, rules, ours, visits)
    assert trial.game.is_over, "the game goes on for ever"
    assert trial.moves_after_their_first_pass <= 4
    assert trial.filled == []
    assert trial.judged.result == trial.gnugo_says
