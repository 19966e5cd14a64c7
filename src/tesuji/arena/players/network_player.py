"""A network as a player: its search from words to options, and its seat at a table."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tesuji._core import Color, Game
from tesuji.arena.play.live_game import Answer
from tesuji.arena.players.description import PlayerDescription
from tesuji.base.errors import InputError
from tesuji.base.settings import changed, typed
from tesuji.features.evaluation import Evaluator
from tesuji.networks.devices import device_list, usual_batch
from tesuji.search.choice import choice_named
from tesuji.search.endgame.resigning import ResignOptions
from tesuji.search.options import SearchOptions
from tesuji.search.players import Decision, PlayerOptions, SearchPlayer

_USUAL_VISITS = 64


@dataclass(frozen=True)
class NetworkPlayer:
    """A network with everything that decides its moves."""

    name: str
    evaluators: Sequence[Evaluator]
    """The network on each of its devices."""
    search: SearchOptions
    behaviour: PlayerOptions

    @property
    def evaluate(self) -> Evaluator:
        """The network, on the first of its devices."""
        return self.evaluators[0]

    @property
    def threads(self) -> int:
        """Threads of its search: one for each device at least."""
        return max(self.search.threads, len(self.evaluators))

    @property
    def is_timed(self) -> bool:
        """Whether its budget is time, so that it shares no batch."""
        return self.search.seconds is not None

    @property
    def is_disturbed(self) -> bool:
        """Whether games beside its own would take of its time; not where the work of its one thread is what counts."""
        return self.is_timed and (self.search.clock == "wall" or self.threads > 1)

    def for_game(self, seed: int) -> SearchOptions:
        """The options for one game of a tournament, with chances of its own."""
        return replace(self.search, seed=seed)


def network_player(description: PlayerDescription, evaluators: Sequence[Evaluator], size: int) -> NetworkPlayer:
    """The player of this description; `ValueError` names what is wrong with it."""
    evaluate = evaluators[0]
    if not evaluate.plays(size):
        own = evaluate.info.size
        cure = f"; it was made for {own}x{own}: --size {own}" if own else ""
        raise InputError(f"player '{description.name}': the network {evaluate.name} does not play {size}x{size}{cure}")
    try:
        search, behaviour = understood(description.options)
    except ValueError as fault:
        raise InputError(f"player '{description.name}': {fault}") from fault
    return NetworkPlayer(description.name, evaluators, search, behaviour)


def devices_of(options: Mapping[str, Any]) -> list[str]:
    """Devices of a player, each with its precision in one word; an empty word where it names neither."""
    device, precision = str(options.get("device", "")), str(options.get("precision", ""))
    return device_list(device or "cpu", precision or "auto") if device or precision else [""]


def understood(options: Mapping[str, Any]) -> tuple[SearchOptions, PlayerOptions]:
    """Options as words or numbers, as the search and the player take them."""
    given = {key: value for key, value in options.items() if key not in ("device", "precision")}
    policy = typed("policy", given.pop("policy", False), bool, "player")
    resign = typed("resign", given.pop("resign", 0.0), float, "player")
    assert isinstance(resign, float)
    if policy or str(given.get("visits")) == "0":  # as `--visits 0` for all players
        given = {"choice": "prior", "symmetry": "none", **given, "visits": 1, "seconds": None, "reuse": False}
    elif "seconds" in given:
        given = {"visits": None, **given}
    usual = SearchOptions(batch=usual_batch(SearchOptions.batch, devices_of(options)))
    search = changed(usual, given, "search")
    choice_named(search.choice)
    if search.seconds is not None and search.seconds <= 0:
        raise InputError(f"seconds={search.seconds:g}: a player needs some time to think, or visits instead")
    return search, PlayerOptions(agreed=False, resign=ResignOptions(threshold=resign))


def answer_of(decision: Decision, seconds: float) -> Answer:
    """A decision as the arena takes it."""
    result = decision.result
    return Answer(
        move=None if decision.resign else decision.move,
        value=result.value if result else None,
        descents=result.descents if result else 0,
        seconds=seconds,
    )


class NetworkSeat:
    """A network at a table: thinks when it is its turn, and only then."""

    def __init__(self, player: NetworkPlayer) -> None:
        self.name = player.name
        self._player = player
        self._inner = SearchPlayer(player.evaluators, player.search, player.behaviour)

    def begin(self, game: Game, color: Color, seed: int) -> None:
        self._inner = SearchPlayer(
            self._player.evaluators, self._player.for_game(seed), self._player.behaviour, self.name
        )

    def observe(self, game: Game, move: int, color: Color) -> None:
        """Nothing to do: it is shown the whole game with every question."""

    def choose(self, game: Game, *, cleanup: bool = False) -> Answer:
        if cleanup != self._inner.options.cleanup:
            self._inner.options = replace(self._inner.options, cleanup=cleanup)
        started = time.perf_counter()
        decision = self._inner.move(game)
        return answer_of(decision, time.perf_counter() - started)

    def final_score(self) -> str:
        return ""

    @property
    def cleans_up(self) -> bool:
        return False

    def interrupt(self) -> None:
        """It moves soon enough by itself."""

    def close(self) -> None:
        self._inner.reset()


def search_defaults(visits: int | None, seconds: float | None) -> Mapping[str, Any]:
    """The budget of networks that name none of their own; no visits are the policy alone, unless time is given."""
    if seconds is not None:
        if not 0 < seconds < math.inf:
            raise InputError(f"seconds={seconds:g}: a player needs some time to think, or visits instead")
        return {"seconds": seconds} | ({"visits": visits} if visits else {})
    if visits is not None and visits < 0:
        raise InputError(f"visits={visits}: 1 or more, or 0 for the policy without search")
    if visits is None:
        visits = _USUAL_VISITS
    return {"visits": visits} if visits else {"policy": True}
