"""Expert iteration: self-play, training on a window of it, a gate, and again; every stage goes on where it stopped."""

import math
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.director import Director
from tesuji.arena.sprt import Sprt
from tesuji.base.errors import InputError
from tesuji.learning.loop import gate, report
from tesuji.learning.loop.config import LearnConfig
from tesuji.learning.loop.run_folder import RunFolder, State
from tesuji.learning.loop.window import WindowSource, recent
from tesuji.learning.selfplay.crew import Crew, Progress, Workforce, make_job
from tesuji.learning.selfplay.shards import ShardFolder, rows
from tesuji.networks.evaluators.factory import UNIFORM
from tesuji.networks.onnx.export import export
from tesuji.networks.weights import load_weights, read_note, save_weights
from tesuji.networks.zoo.naming import parse
from tesuji.networks.zoo.network import create
from tesuji.training.run import checkpoints, fitting
from tesuji.training.run.starting import weights_file
from tesuji.training.run.trainer import TrainingError
from tesuji.training.run.watching import Watcher

ZERO = "a0.3.32+conv+pass+komi+ownership"
ZERO_PLANES = "golois-31"
"""The network of a run from zero that names none, and its planes."""


class LoopWatcher:
    """Sees nothing and says nothing: the base of those that do."""

    def said(self, line: str) -> None:
        """Something a person should read."""

    def playing(self, progress: Progress) -> None:
        """Self-play goes on. Called often."""

    def training(self) -> Watcher:
        """Who watches the training of a round."""
        return Watcher()

    def finished(self, row: Mapping[str, Any]) -> None:
        """A round is done."""


class StoppedError(Exception):
    """Asked to stop in the middle; all that was finished is kept."""


class Loop:
    """A learning run in its folder."""

    def __init__(
        self, folder: RunFolder, config: LearnConfig, force: Workforce, watcher: LoopWatcher,
        director: type[Director] = Director,
    ) -> None:  # fmt: skip
        """`force` plays the games, `director` is the kind of director that the matches of the gate have."""
        self.folder, self.config, self.force, self.watcher, self.director = folder, config, force, watcher, director
        self.state = State()

    def begin(self) -> None:
        """A new run: the first network from zero, or from the weights to begin with."""
        if self.folder.state_file.exists():
            raise InputError(
                f"'{self.folder.folder}' holds a run already; go on with --resume, or choose another folder"
            )
        self._make_first()
        self.state = State(resign=self.config.selfplay.resign)
        self._save()

    def resume(self, changes: Mapping[str, Any]) -> None:
        """Goes on with the run in the folder, with these settings changed."""
        saved, self.state = self.folder.read()
        self.config = saved.changed(changes)
        self._save()

    def run(self, *, deadline: float = math.inf) -> None:
        """Rounds until there are enough, or until the time (of `time.monotonic`) comes after a round."""
        loop = self.config.loop
        while (not loop.rounds or self.state.round <= loop.rounds) and time.monotonic() < deadline:
            self.round()

    def round(self) -> None:
        """One round, from whichever stage the state says."""
        started, current, number = time.monotonic(), self.state.current, self.state.round
        if "selfplay" not in current:
            current["selfplay"] = self._play(number)
            self._save()
        name = f"{number:04d}"
        if "training" not in current:
            current["training"] = self._train(number, name)
            self._save()
        if current["training"].get("failed"):
            self._refuse(current)
        else:
            self._gate(number, name, current)
        current["seconds"] = round(current.get("seconds", 0) + time.monotonic() - started, 1)
        row = {"round": number, "network": name, "best": self.state.best, **current}
        self.state.rounds.append(row)
        self.state.current = {}
        self.state.resign = self._resign_threshold()
        self._save()
        report.write(self.folder, self.config, self.state)
        self.watcher.finished(row)

    # The stages.

    def _play(self, number: int) -> dict[str, Any]:
        config = self.config
        options = replace(config.selfplay, seed=config.selfplay.seed + 7919 * number, resign=self.state.resign)
        job = make_job(self.folder.model(self.state.best), options, self.force.devices)
        with ShardFolder(self.folder.games(number), said=self.watcher.said) as shards:
            progress = Crew(self.force, self.watcher.playing).produce(job, config.loop.games, shards)
        return {"network": self.state.best, "resign": self.state.resign, **self._account(number), **_speed(progress)}

    def _account(self, number: int) -> dict[str, Any]:
        played = rows(self.folder.games(number))
        lengths = [row["moves"] - row["start_moves"] for row in played]
        out = [row for row in played if row["played_out"]]
        return {
            "games": len(played),
            "targets": sum(row["targets"] for row in played),
            "length": round(float(np.mean(lengths)), 1) if lengths else 0.0,
            "black_wins": round(float(np.mean([row["result"].startswith("B") for row in played])), 3) if played else 0,
            "cut": sum(row.get("cut", False) for row in played),
            "played_out": len(out),
            "wishes": sum(row["resigner"] != 0 for row in out),
            "wrong": sum(row["wrong"] for row in out),
        }

    def _train(self, number: int, name: str) -> dict[str, Any]:
        """The candidate of this round; a training that goes wrong is told, and the round refused."""
        run, network, folders = self.folder.training(number), self._network(number), self._folders(number)
        fresh = read_note(self.folder.weights(self.state.latest))["network"] != parse(network).name
        paths = recent(folders, self.config.loop.window, self.watcher.said)
        loop = self.config.loop
        source = WindowSource(
            paths, self._planes(), self.config.selfplay.size, q_share=loop.q_share, other=loop.data,
            other_share=loop.data_share, seed=loop.seed,
        )  # fmt: skip
        new = source.positions if fresh else self.state.current["selfplay"]["targets"]
        settings = {
            **self.config.training(), "network": network, "planes": self._planes(),
            "size": self.config.selfplay.size, "epochs": 1.0, "seed": loop.seed + number,
            "start": "" if fresh else str(self.folder.weights(self.state.latest)),
        }  # fmt: skip
        settings["epoch_samples"] = max(int(settings["batch"]), round(loop.reuse * new))
        resume = checkpoints.newest(run) is not None
        try:
            outcome = fitting.train(run, settings, resume=resume, watcher=self.watcher.training(), source=source)
            if not outcome.finished:
                raise StoppedError
            self.folder.keep_network(name, run)
        except TrainingError as fault:
            return {"failed": str(fault)}
        assert outcome.metrics is not None
        found = {key: round(value, 5) for key, value in outcome.metrics.row().items() if value == value}
        return {"name": network, "fresh": fresh, "samples": settings["epoch_samples"], "window": len(paths), **found}

    def _gate(self, number: int, name: str, current: dict[str, Any]) -> None:
        loop, best = self.config.loop, self.state.best
        verdict = None
        if loop.gate == "sprt":
            test = Sprt(loop.elo0, loop.elo1, loop.alpha, loop.alpha)
            verdict = self._match(number, "gate", name, best, loop.gate_games, test)
        passed = verdict is None or verdict.passed
        current["gate"] = {"against": best, "passed": passed} | (_told(verdict) if verdict else {})
        if passed:
            self.state.best = name
        self.state.latest = name if passed or loop.keep_training else best
        if passed and loop.anchor_games:
            current["anchor"] = _told(self._match(number, "anchor", name, UNIFORM, loop.anchor_games, None))

    def _match(self, number: int, kind: str, a: str, b: str, games: int, test: Sprt | None) -> gate.Verdict:
        loop, size, search = self.config.loop, self.config.selfplay.size, self.config.selfplay.search
        options = {
            "visits": loop.gate_visits, "c": search.c, "tau": search.tau, "choice": "temperature",
            "temperature": loop.gate_temperature, "temperature_moves": size,
        }  # fmt: skip
        players = tuple(gate.describe(n, n if n == UNIFORM else str(self.folder.model(n)), options) for n in (a, b))
        conditions = Conditions(
            size=size, komi=self.config.gate_komi, rules=self.config.selfplay.rules, seed=loop.seed + number
        )
        return gate.match(
            self.folder.match(number, kind), (players[0], players[1]), conditions, games,
            openings=loop.gate_openings, sprt=test, director=self.director,
        )  # fmt: skip

    def _refuse(self, current: dict[str, Any]) -> None:
        """Training went wrong: the best network stays, and training begins from it again."""
        self.watcher.said(f"round refused: {current['training']['failed']}")
        if self.state.rounds and self.state.rounds[-1]["training"].get("failed"):
            raise InputError(f"training failed twice in a row: {current['training']['failed']}")
        current["gate"] = {"against": self.state.best, "passed": False}
        self.state.latest = self.state.best

    # What the stages need.

    def _network(self, number: int) -> str:
        """The network of this round: the last one `grow` names by now, else the run's own."""
        reached = [name for start, name in sorted(self.config.loop.growth().items()) if start <= number]
        own = self.config.loop.network or read_note(self.folder.weights("0000"))["network"]
        return reached[-1] if reached else own

    def _planes(self) -> str:
        return str(read_note(self.folder.weights("0000"))["planes"])

    def _folders(self, number: int) -> list[Path]:
        return [self.folder.games(earlier) for earlier in range(1, number + 1)]

    def _make_first(self) -> None:
        loop, size = self.config.loop, self.config.selfplay.size
        torch.manual_seed(loop.seed)
        if loop.start:
            network = load_weights(weights_file(loop.start))
            if not (network.description.any_size or network.description.size == size):
                raise InputError(f"the network of '{loop.start}' does not play {size}x{size}")
        else:
            planes = loop.planes or (None if loop.network else ZERO_PLANES)
            network = create(loop.network or ZERO, planes=planes, size=size)
        record = {"start": loop.start or "zero"}
        save_weights(network, self.folder.weights("0000"), record)
        export(network, self.folder.model("0000"), record)

    def _resign_threshold(self) -> float:
        """The highest threshold at which, in recent games played out, few later winners would have resigned."""
        wanted, first = self.config.loop.resign_error, self.config.selfplay.resign
        number = len(self.state.rounds)
        played = [row for n in range(max(1, number - 2), number + 1) for row in rows(self.folder.games(n))]
        lows = [row["winner_low"] for row in played if row["played_out"]]
        if not wanted or not first or len(lows) < 20:
            return self.state.resign
        return round(float(min(first, np.quantile(lows, wanted))), 4)

    def _save(self) -> None:
        self.folder.write(self.config, self.state)


def _told(verdict: gate.Verdict) -> dict[str, Any]:
    return {
        "games": verdict.games,
        "points": verdict.points,
        "rate": round(verdict.rate, 4),
        "ratio": round(verdict.ratio, 3),
        "decision": verdict.decision,
    }


def _speed(progress: Progress) -> dict[str, Any]:
    """What self-play cost; nothing where all games were there already."""
    if not progress.seconds:
        return {}
    speed = progress.speed
    return {
        "seconds": round(progress.seconds, 1),
        "evaluations_per_second": round(speed.evaluations / progress.seconds),
        "network_share": round(speed.evaluation_seconds / max(speed.seconds, 1e-9), 3),
        "workers": progress.workers,
        "lost": progress.lost,
    }
