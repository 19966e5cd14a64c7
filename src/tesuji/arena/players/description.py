"""Players in words: a network with its search, or a GTP engine by its command line; one line or one table."""

import contextlib
import hashlib
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.settings import check_names
from tesuji.networks import library
from tesuji.networks.evaluators.ranked import EYES
from tesuji.networks.onnx.model_file import read_bytes
from tesuji.search.instinct import as_people_play
from tesuji.search.options import SearchOptions


@dataclass(frozen=True)
class Peer:
    """What the arena knows of one engine."""

    title: str
    arguments: tuple[str, ...]
    """Make it speak GTP when its name stands alone."""
    program: str = ""
    """What is started where the name is not the program's own."""


PEERS = {
    "gnugo": Peer("GNU Go", ("--mode", "gtp", "--chinese-rules", "--positional-superko")),
    "gnugo-tromp-taylor": Peer(
        "GNU Go (Tromp-Taylor)",
        # Takes suicide of several stones from its opponent, and captures what is dead before it passes.
        ("--mode", "gtp", "--chinese-rules", "--positional-superko", "--allow-suicide", "--capture-all-dead"),
        program="gnugo",
    ),
    "pachi": Peer("Pachi", ("-t", "=5000:15000", "-r", "chinese")),
    "katago": Peer("KataGo", ("gtp",)),
    "leelaz": Peer("Leela Zero", ("--gtp", "--noponder")),
}

MODEL_SUFFIXES = (".onnx", ".h5", ".keras", ".bin.gz", ".txt.gz")
NETWORK_OPTIONS = {
    **dict.fromkeys((entry.name for entry in fields(SearchOptions)), "as in SearchOptions"),
    "policy": "play the network's policy without search",
    "resign": "win probability below which it gives up; 0, the default, never",
    "device": "where its network runs: cpu, cuda:1, or several: cuda:0,cuda:1",
    "precision": "what its network calculates with: fp32, int8, bf16 or auto",
    "human": "rank to play like, such as 12k, of a network that imitates people; visits=16 looks before it moves",
    "value": "name or file of another network, whose value is joined with the policy of this one",
}
ENGINE_OPTIONS = {
    "seconds": "thinking time a move, told to the engine by `time_settings`",
    "timeout": "seconds after which a silent engine has lost the game",
    "folder": "where the engine is started",
    "commands": "GTP commands sent after its start, separated by ;",
}


@dataclass(frozen=True)
class PlayerDescription:
    """One player of a tournament; exactly one of `network` and `command` is given."""

    name: str
    network: str = ""
    """Name of a network, or a model file."""
    command: str = ""
    """Command line of a GTP engine."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the search for a network, of the process for an engine."""
    value: str = ""
    """Network whose value is joined with the policy of `network`; empty where one network gives both."""

    @property
    def is_engine(self) -> bool:
        return bool(self.command)

    @property
    def networks(self) -> tuple[str, ...]:
        """The networks it plays with."""
        return tuple(network for network in (self.network, self.value) if network)

    def record(self) -> dict[str, Any]:
        """What makes this player this player, for the results file; a network counts by its content."""
        known: dict[str, Any] = {"command": self.command} if self.command else {"network": self.network}
        if self.value:
            known["value"] = self.value
        for network, digest in zip(self.networks, ("sha256", "value_sha256"), strict=False):
            with contextlib.suppress(FileNotFoundError):  # the hall says so, better than we could
                known[digest] = hashlib.sha256(read_bytes(library.find(network))).hexdigest()[:16]
        return known | {key: str(value) for key, value in sorted(self.options.items())}


Player = str | os.PathLike[str] | Mapping[str, Any] | PlayerDescription
"""A player in words, as a network's file, as a table, or described."""


def describe(player: Player, defaults: Mapping[str, Any]) -> PlayerDescription:
    """A player from its line, its table, or as it is; `defaults` are options of networks that name none."""
    if isinstance(player, PlayerDescription):
        return player
    if isinstance(player, str):
        return parse_player(player, defaults)
    if isinstance(player, os.PathLike):
        return player_from_table({"network": os.fspath(player)}, defaults)
    if not isinstance(player, Mapping):  # such as a torch module, or what `tesuji.fit` gives back
        raise InputError(
            f"a {type(player).__name__} cannot play as it is; a player is a line such as 'default-9x9 c=0.2', a table "
            "or a file: write a network with `fitted.export(path)` or `tesuji.networks.export_module` and name the path"
        )
    return player_from_table(player, defaults)


def parse_player(line: str, defaults: Mapping[str, Any] = MappingProxyType({})) -> PlayerDescription:
    """A player from one line: `[key=value ...] NETWORK [key=value ...]` or `[key=value ...] COMMAND LINE`.

    The first word that is no option is a network, which more options may follow, or, where it is a known engine
    or starts with `gtp:`, the beginning of a command line. A word without `=` after a network is an option said
    yes to (`policy`).
    """
    try:
        words = shlex.split(line)
    except ValueError as fault:
        raise InputError(f"player '{line}': {fault}") from None
    options: dict[str, Any] = {}
    while words and _is_option(words[0]):
        key, _, value = words.pop(0).partition("=")
        options[key] = value
    if not words:
        raise InputError(f"player '{line}' names neither a network nor an engine")
    if is_command(words):
        return player_from_table({**options, "command": shlex.join(words)})
    for word in words[1:]:
        key, equals, value = word.partition("=")
        options[key] = value if equals else "yes"
    return player_from_table({**options, "network": words[0]}, defaults)


def is_command(words: list[str]) -> bool:
    """Whether these words start an engine: a known one, or any after `gtp:`."""
    if words[0].startswith("gtp:"):
        words[0] = words[0].removeprefix("gtp:")
        words[:] = [word for word in words if word]
        return True
    return Path(words[0]).name in PEERS and not words[0].endswith(MODEL_SUFFIXES)


def player_from_table(
    table: Mapping[str, Any], defaults: Mapping[str, Any] = MappingProxyType({})
) -> PlayerDescription:
    """A player from a table with `network` or `command`, perhaps `name`, and options."""
    options = {key: value for key, value in table.items() if key not in {"name", "network", "command"}}
    network, command = str(table.get("network", "")), str(table.get("command", ""))
    if bool(network) == bool(command):
        raise InputError(f"player {dict(table)}: give either network= or command=, not both and not neither")
    if command:
        command = complete_command(command)
        check_names(options, ENGINE_OPTIONS, f"option of the engine '{command}'")
    else:
        check_names(options, NETWORK_OPTIONS, f"option of the network '{network}'")
        if "human" in options:
            network, options = _as_a_person(network, options)
        options = {**_without_rival_budgets(defaults, options), **options}
    name = str(table.get("name") or default_name(network, command, options, defaults))
    value = str(options.pop("value", ""))
    if "|" in name or "\n" in name:
        raise InputError(f"player name '{name}' may contain neither | nor line breaks")
    return PlayerDescription(name, network, command, options, value)


def _as_a_person(network: str, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The network told the rank, and how people play; what else is given stays as it is."""
    given = {key: value for key, value in options.items() if key != "human"}
    visits = str(given.get("visits", 0))
    usual = as_people_play(str(options["human"]), int(visits) if visits.isdecimal() else 0)
    return f"{network}@{options['human']}", {**usual, "value": EYES, **given}


def complete_command(command: str) -> str:
    """A known engine named alone gets the arguments it needs to speak GTP; one named for its rules, in any case."""
    words = shlex.split(command)
    peer = PEERS.get(Path(words[0]).name) if words else None
    if peer and peer.program:
        return shlex.join([str(Path(words[0]).with_name(peer.program)), *peer.arguments, *words[1:]])
    return shlex.join([words[0], *peer.arguments]) if peer and len(words) == 1 else command


def default_name(network: str, command: str, options: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    """The network's or program's own name, with the options in which it differs from the common ones."""
    if command:
        words = shlex.split(command)
        peer = _started(words)
        own = [word for word in words[1:] if not peer or word not in peer.arguments]
        return " ".join([peer.title if peer else Path(words[0]).name, *own])
    path = Path(network)
    ending = next((suffix for suffix in MODEL_SUFFIXES if path.name.endswith(suffix)), "")
    stem = path.name.removesuffix(ending) if ending else network
    # Runs are told apart by their folder where every file is called best.onnx.
    stem = f"{path.parent.name}/{stem}" if stem in {"best", "last", "model"} and path.parent.name else stem
    own = [f"{key}={value}" for key, value in options.items() if defaults.get(key) != value]
    return " ".join([stem, *own])


def _started(words: list[str]) -> Peer | None:
    """The known engine of a whole command line; of several of one program that with the most of its arguments."""
    name = Path(words[0]).name
    fitting = [peer for key, peer in PEERS.items() if (peer.program or key) == name]
    fitting = [peer for peer in fitting if set(peer.arguments) <= set(words)] or fitting[:1]
    return max(fitting, key=lambda peer: len(peer.arguments), default=None)


def _without_rival_budgets(defaults: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """A player with a budget of its own does not take over the common one."""
    budgets = {"visits", "seconds", "policy"}
    return {k: v for k, v in defaults.items() if not (k in budgets and budgets & options.keys())}


def _is_option(word: str) -> bool:
    key, equals, _ = word.partition("=")
    return bool(equals) and key.isidentifier()
