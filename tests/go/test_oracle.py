"""The core against a naive Go, move by move, over random games of every kind."""

from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.go import oracle
from tests.go.oracle import NaiveGame
from tesuji import BLACK, PASS, WHITE, Board, Color, Game, IllegalMoveError, Rules, _core


@dataclass(frozen=True)
class Load:
    size: int
    games: int
    moves: int


# Small boards meet captures, kos, superkos and suicides all the time; large ones test the rest.
LOADS = [
    Load(2, 80, 50),
    Load(3, 100, 60),
    Load(4, 70, 80),
    Load(5, 25, 120),
    Load(6, 8, 150),
    Load(7, 4, 150),
    Load(9, 2, 250),
    Load(19, 1, 40),
    Load(25, 1, 5),
]
LETTER = {BLACK: oracle.BLACK, WHITE: oracle.WHITE}


def test_enough_moves_are_compared() -> None:
    assert sum(load.games * load.moves for load in LOADS) >= 20_000


@pytest.mark.parametrize("load", LOADS, ids=lambda load: f"{load.size}x{load.size}")
def test_random_games_agree_with_the_oracle(load: Load) -> None:
    @settings(
        max_examples=load.games,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(
        ko=st.sampled_from(["simple", "positional", "situational"]),
        suicide=st.booleans(),
        scoring=st.sampled_from(["area", "territory"]),
        seed=st.integers(0, 2**64),
    )
    def run(ko: str, suicide: bool, scoring: str, seed: int) -> None:
        random = Random(seed)  # hypothesis would draw mostly small numbers: uniform moves reach more positions
        game = Game(load.size, 0.5, Rules(ko=ko, suicide=suicide, scoring=scoring))
        naive = NaiveGame(load.size, ko, suicide)
        if load.size >= 9:  # the opening is dull: begin in the middle of a random game
            _core.play_out(game, seed % 2**64, load.size**2)
            for color, move in game.moves:
                naive.play(move, LETTER[color])
        hashes: dict[int, oracle.Position] = {}
        for _ in range(load.moves):
            step(game, naive, random)
            compare(game, naive)
            assert hashes.setdefault(game.board.hash, naive.stones) == naive.stones

    run()


def step(game: Game, naive: NaiveGame, random: Random) -> None:
    """One random legal move: now and then a pass or a move out of turn, sometimes taken back and played again."""
    color = Color(3 - game.to_play) if random.random() < 0.05 else game.to_play
    refusals = naive.refusals(LETTER[color])
    expected = [point for point, refusal in enumerate(refusals) if refusal is None]
    assert game.legal_moves(color) == [*expected, PASS]
    refuse_one(game, refusals, random, color)
    move = PASS if not expected or random.random() < 0.03 else random.choice(expected)
    if random.random() < 0.2:
        before = everything(game)
        game.play(move, color)
        game.undo()
        # After a move out of turn it is the turn of whoever made it.
        game.to_play = before[1]
        assert everything(game) == before, "undo"
    game.play(move, color)
    naive.play(move, LETTER[color])


def refuse_one(game: Game, refusals: list[str | None], random: Random, color: Color) -> None:
    """One illegal move: refused for the right reason, with nothing changed."""
    illegal = [point for point, refusal in enumerate(refusals) if refusal]
    if not illegal:
        return
    point = random.choice(illegal)
    before = everything(game)
    with pytest.raises(IllegalMoveError) as error:
        game.play(point, color)
    assert everything(game) == before
    assert error.value.reason == refusals[point]
    assert not game.is_legal(point, color)


def everything(game: Game) -> tuple[object, Color, object]:
    """All that a game shows of its state."""
    board = game.board
    stones = [[board.liberties(p) if board.at(p) else 0 for p in range(game.size**2)], game.diagram(), board.ko]
    turns = [game.moves, game.passes, game.is_over, game.captured(BLACK), game.captured(WHITE), game.black_score()]
    return stones, game.to_play, [turns, game.hash, board.hash, game.legal_moves(BLACK), game.legal_moves(WHITE)]


def compare(game: Game, naive: NaiveGame) -> None:
    board = game.board
    stones = "".join(naive.stones)
    assert board.diagram().replace(" ", "").replace("\n", "") == stones
    assert LETTER[game.to_play] == naive.to_play
    for point, stone in enumerate(stones):
        if stone == oracle.EMPTY:
            assert board.at(point) is None
            continue
        assert board.liberty_points(point) == sorted(oracle.liberties(naive.stones, point, game.size))
        assert board.liberties(point) == len(board.liberty_points(point))
        assert board.chain(point) == sorted(oracle.region(naive.stones, point, game.size)[0])
    assert [game.captured(color) for color in LETTER] == [naive.captured[letter] for letter in LETTER.values()]
    assert board.area_score() == naive.area_score()
    expected = naive.area_score() if game.rules.scoring == "area" else naive.territory_score()
    assert game.black_score() == expected - 0.5
    fresh = Board.from_diagram(board.diagram())
    assert fresh.hash == board.hash
