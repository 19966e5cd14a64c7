"""Whole games with the built-in networks against GNU Go, by both rule families, judged by how they end."""

from dataclasses import dataclass, field

import pytest

from tests.arena.opponents import needs_gnugo
from tesuji import BLACK, PASS, WHITE, Color, Game, SearchPlayer
from tesuji.arena.players.gtp_engine import GtpEngine
from tesuji.features.evaluation import Floats
from tesuji.interfaces.engine.networks import Networks
from tesuji.search.endgame.judge import Judgement, judge
from tesuji.search.endgame.settlement import Settlement

# 13x13 is played by the 19x19 network. Of four games on 13x13 two ended with a dead group taken for alive, of four on
# 19x19 one with a stone too many in our own territory.
MISJUDGES = pytest.mark.xfail(reason="the built-in 19x19 network still misjudges some groups", strict=False)
FLAGS = {"japanese": "--japanese-rules", "chinese": "--chinese-rules"}


@dataclass
class Trial:
    """A game played to its end, and what was seen on the way."""

    game: Game
    judged: Judgement
    gnugo_says: str
    moves_after_their_first_pass: int = 0
    filled: list[str] = field(default_factory=list)
    """Moves of ours on points that were ours for certain, while nothing was unsettled."""


def play(size: int, rules: str, ours: Color, visits: int) -> Trial:
    game = Game(size=size, komi=6.5, rules=rules)
    evaluate = Networks().for_size(size)
    player = SearchPlayer(evaluate, visits=visits, batch=8)
    engine = GtpEngine(f"gnugo --mode gtp {FLAGS[rules]} --level 3 --seed 1")
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
                if answer.lower() == "resign":
                    game.resign(game.to_play)
                    break
                passed = passed or answer.lower() == "pass"
                game.play(answer)
                continue
            decision = player.move(game)
            if decision.resign:
                game.resign(game.to_play)
                break
            trial.moves_after_their_first_pass += passed and decision.move != PASS
            note_filling(trial, decision.result.black_ownership if decision.result else None, decision.move)
            engine.send(f"play {color} {game.vertex(decision.move)}")
            game.play(decision.move)
        trial.judged = judge(game, evaluate)
        trial.gnugo_says = engine.send("final_score") if game.passes >= 2 else ""
    finally:
        engine.close()
    return trial


def note_filling(trial: Trial, owned: Floats | None, move: int) -> None:
    if move == PASS or owned is None:
        return
    settlement = Settlement.of(trial.game.board, owned)
    sign = 1 if trial.game.to_play == BLACK else -1
    if settlement.finished and sign * float(settlement.owned.reshape(-1)[move]) > 0.95:
        trial.filled.append(str(trial.game.vertex(move)))


@needs_gnugo
@pytest.mark.slow
@pytest.mark.parametrize("ours", [BLACK, WHITE])
@pytest.mark.parametrize("rules", FLAGS)
@pytest.mark.parametrize(
    ("size", "visits"), [(9, 100), pytest.param(13, 50, marks=MISJUDGES), pytest.param(19, 24, marks=MISJUDGES)]
)
def test_the_end_of_a_game_is_played_as_players_do(size: int, visits: int, rules: str, ours: Color) -> None:
    trial = play(size, rules, ours, visits)
    assert trial.game.is_over, "the game goes on for ever"
    assert trial.moves_after_their_first_pass <= 4
    if rules == "japanese":
        assert trial.filled == []
    if trial.gnugo_says:
        assert trial.judged.result == trial.gnugo_says
