"""What the commands do, in one call: `tesuji.analyse`, `review`, `human_player`, `tournament`, `train` and `learn`."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tesuji import Evaluator, Game
from tesuji.arena.play.settings import settings_from
from tesuji.arena.players.description import Player
from tesuji.arena.sprt import Sprt
from tesuji.arena.tournament import TournamentResult, directors
from tesuji.base.errors import InputError
from tesuji.base.settings import check_names
from tesuji.go.sgf.files import is_content, read_record
from tesuji.interfaces.engine.networks import Networks
from tesuji.networks.library import HUMAN
from tesuji.reviews.analysis import Analysis
from tesuji.reviews.game_review import GameFacts, GameReview
from tesuji.reviews.judging import search_options
from tesuji.reviews.options import ReviewOptions
from tesuji.reviews.reviewer import Progress, review_game
from tesuji.search.endgame.resigning import ResignOptions
from tesuji.search.instinct import as_people_play
from tesuji.search.options import SearchOptions
from tesuji.search.players import PlayerOptions, SearchPlayer
from tesuji.search.search import Search

if TYPE_CHECKING:
    from torch import nn

    from tesuji.arena.play.director import Effort
    from tesuji.arena.play.results import GameResult
    from tesuji.learning.loop.learn import Learned
    from tesuji.training.run.fitting import Fitted
    from tesuji.training.run.watching import Watcher

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


def human_player(rank: str, *, visits: int = 0, net: str = HUMAN, seed: int | None = None) -> SearchPlayer:
    """A player of 9x9 that plays like people of this rank: `tesuji.human_player("12k").move(game).move`.

    Its moves are drawn from a policy that was told the rank. With `visits`, such as 16, it looks before it moves. It
    never resigns. `seed` repeats its choices.
    """
    if visits < 0:
        raise InputError(f"visits is {visits}; 0 plays without search, 16 looks before it moves")
    networks = Networks(f"{net}@{rank}")
    chance = random.getrandbits(32) if seed is None else seed
    search = SearchOptions(**as_people_play(rank, visits), seed=chance)
    return SearchPlayer(networks.get(networks.own), search, PlayerOptions(resign=ResignOptions(threshold=0)))


def review(
    source: str | os.PathLike[str] | bytes | Game,
    *,
    net: Net = None,
    progress: Progress = lambda what, done, total: None,
    **options: Any,
) -> GameReview:
    """Judges every move of a game: an SGF file, its content, or a `Game`.

    Options are those that `help(tesuji.ReviewOptions)` lists: `visits`, `budget` in seconds, and so on. `to_rows()` of
    what is returned gives a row for each move, `mistakes()` the moves that lost most.
    """
    check_names(options, [field.name for field in fields(ReviewOptions)], "review option")
    if isinstance(source, Game):
        game, facts = source, GameFacts(result=source.result())
    else:
        name = "game" if isinstance(source, bytes) or is_content(source) else Path(source).stem
        record = read_record(source)
        game, facts = record.game, GameFacts.of(record, name)
    chosen = replace(ReviewOptions(), **options)
    evaluators, network = _evaluators(net, game.size)
    return review_game(game, evaluators, chosen, facts, progress, network=network)


def tournament(
    players: Iterable[Player], *, games: int = 40, folder: str | Path | None = None, title: str = "Tournament",
    sprt: str | Sprt | None = None, ray: str | None = None, effort: Effort | None = None,
    on_game: Callable[[GameResult], None] = lambda game: None, quiet: bool = False, **settings: Any,
) -> TournamentResult:  # fmt: skip
    """Plays `games` games between each two players and rates them; shows how it goes, unless `quiet`.

        tesuji.tournament(["default-9x9", "mine.onnx c=0.2", "gnugo"], games=40, visits=64).to_rows()

    Players are written as for `tesuji match` (docs/arena.md), as a network's file, or as tables. Further keywords are
    those of a tournament file: conditions (`size`, `komi`, `rules`, `seed`, ...), `schedule`, `rounds`, `colors`,
    `openings`, and every option of a network (`visits`, `seconds`, `c`, `value`, ...) for players that do not say
    otherwise. With a `folder` the games and a report are kept there, and the same call again plays only what is
    missing. `sprt` stops a match of two as soon as it is decided; `ray` plays on that cluster.
    """
    from tesuji.interfaces.terminal import arena_run

    described = settings_from(players, {"games": games, **settings})
    test = (Sprt.parse(sprt) if sprt else None) if isinstance(sprt, str) else sprt
    where = None if folder is None else Path(folder)
    with directors(ray) as director:
        return arena_run.play(
            described, where, title, sprt=test, effort=effort, director=director, on_game=on_game, quiet=quiet,
            guarded=False,
        )  # fmt: skip


def match(a: Player, b: Player, *, games: int = 100, **settings: Any) -> TournamentResult:
    """Plays A against B; the keywords are those of `tournament`.

    tesuji.match("default-9x9 c=0.3", "default-9x9", visits=64, sprt="elo0=0 elo1=30").notes
    """
    return tournament([a, b], games=games, **settings)


def fit(
    network: str | nn.Module, data: Any = (), *, folder: str | Path | None = None, resume: bool = False,
    watcher: Watcher | None = None, quiet: bool = False, **settings: Any,
) -> Fitted:  # fmt: skip
    """Trains a network, by name or one's own module, on packed games, and tells how it goes.

        fitted = tesuji.fit("se.4.64.32", "sample.games", minutes=5)
        fitted.to_frame(); fitted.export("mine.onnx")

    `data` is a packed file, several, or anything with the two methods of `Source`. `folder` holds the run, a new one
    below `runs` if absent; with `resume` it goes on. Further settings are those that `help(tesuji.TrainConfig)` lists:
    `epochs`, `minutes`, `learning_rate`, ... One's own module takes `(planes [B, C, N, N], komi [B])` and returns
    `(policy, value)` logits: the policy over N*N points or N*N + 1 moves, the value of the player to move; or
    `tesuji.networks.Outputs`.
    """
    from tesuji.base.extras import need

    need("torch", "training")
    from tesuji.interfaces.terminal.training_display import Display
    from tesuji.training.run import fitting

    where = Path(folder) if folder is not None else fitting.next_folder(Path("runs"))
    told = watcher or Display(where, quiet=quiet)
    return fitting.fit(network, data, folder=where, resume=resume, watcher=told, **settings)


train = fit


def learn(
    folder: str | Path, *, resume: bool = False, minutes: float = 0.0, processes: int = 0, ray: str | None = None,
    device: str = "cpu", quiet: bool = False, **settings: Any,
) -> Learned:  # fmt: skip
    """Learns by self-play, as `tesuji learn` does: play, train, gate, again.

        learned = tesuji.learn("runs/five", network="se.4.64.32", rounds=3, games=100, selfplay={"size": 5})
        learned.best; learned.to_frame()

    `settings` are those of the loop by name, of self-play and training as tables `selfplay` and `train`;
    `help(tesuji.LoopOptions)`, `help(tesuji.SelfplayOptions)` and `help(tesuji.TrainConfig)` list them. Without
    `start`, weights to improve, it begins from zero. Stop it with Ctrl-C (in a notebook, interrupt the kernel) and go
    on with `resume=True`; `minutes` ends it after the round under way by then.
    """
    from tesuji.base.extras import need

    need("torch", "learning")
    from tesuji.interfaces.terminal.learn_display import LearnDisplay
    from tesuji.interfaces.terminal.selfplay_display import Display
    from tesuji.learning.loop.learn import learn as run

    with Display("self-play", quiet=quiet) as display:
        return run(
            folder, settings, resume=resume, minutes=minutes, processes=processes, ray=ray, device=device,
            watcher=LearnDisplay(display),
        )  # fmt: skip


def _evaluators(net: Net, size: int) -> tuple[Sequence[Evaluator], str]:
    """The network on every device, and its name."""
    if net is not None and not isinstance(net, str):
        return [net], net.name
    networks = Networks(net or "")
    name = networks.choose(size)
    return networks.on_all_devices(name), name
