"""The referee: a network that adjudicates when asked to, and plays out what players left on the board."""

from collections.abc import Sequence

from tesuji._core import BLACK, Game
from tesuji.features.evaluation import Evaluation, Evaluator
from tesuji.features.planes import encode
from tesuji.search.endgame.resigning import ResignOptions
from tesuji.search.players import PlayerOptions, SearchPlayer

VISITS = 100
"""Enough to capture what is dead; the game has been decided by then."""


class NetworkReferee:
    """A referee of one network. Safe for several threads."""

    def __init__(self, evaluate: Evaluator) -> None:
        self.evaluate = evaluate

    def judge(self, games: Sequence[Game]) -> Evaluation:
        """What the network says of the positions of these games."""
        return self.evaluate(encode(games, self.evaluate.planes), [game.komi for game in games])

    def black_winrates(self, games: Sequence[Game]) -> list[float]:
        """Black's chances in these games."""
        values = self.judge(games).value
        return [
            float(value) if game.to_play == BLACK else 1 - float(value)
            for game, value in zip(games, values, strict=True)
        ]

    def black_winrate(self, game: Game) -> float:
        """Black's chances in this game."""
        return self.black_winrates([game])[0]

    def play_out(self, game: Game) -> None:
        """Plays both sides until both pass and nothing dead is left on the board."""
        behaviour = PlayerOptions(cleanup=True, resign=ResignOptions(threshold=0.0))
        player = SearchPlayer(self.evaluate, player=behaviour, visits=VISITS)
        longest = game.move_count + 2 * game.size**2
        while not game.is_over and game.move_count < longest:
            game.play(player.move(game).move)
