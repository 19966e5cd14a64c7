"""The thinking behind all conversations: networks, one pool of searches, the settings queries begin with."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tesuji._core import Restriction
from tesuji.base import machine
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluator
from tesuji.interfaces.analysis.answer import answer, no_answer
from tesuji.interfaces.analysis.messages import error_line, line_of
from tesuji.interfaces.analysis.positions import position_at
from tesuji.interfaces.analysis.query import Query
from tesuji.interfaces.analysis.settings import AnalysisSettings, rank_of
from tesuji.interfaces.engine.networks import Networks
from tesuji.networks.library import HUMAN
from tesuji.search.options import SearchOptions
from tesuji.search.result import SearchResult
from tesuji.search.shared_pool import Job, SharedPool

LEAVES, VISITS_A_LEAF = 8, 16  # of one position at once: more would cost strength, the more so at few visits
BATCH, WIDTH = 32, 128
CACHE = 20_000  # evaluations kept, about 60 MB on 19x19
MEMORY_MB = 1024  # of one tree
MOST_VISITS = 2**32 - 2
log = logging.getLogger(__name__)


class Analyst:
    """Answers queries. Safe to call from several threads."""

    def __init__(self, networks: Networks, settings: AnalysisSettings, threads: int = 0) -> None:
        self.networks = networks
        self.settings = settings
        self.pool = SharedPool(max(threads or machine.cores(), len(networks.devices)), BATCH, WIDTH, CACHE)
        self._has_warned = False

    def evaluators(self, size: int) -> Sequence[Evaluator]:
        """The network for this board, an evaluator for each device."""
        return self.networks.on_all_devices(self.networks.choose(size))

    def jobs(self, query: Query, write: Callable[[str], None]) -> dict[int, Job]:
        """Turn -> job, to be submitted. Answers go to `write`, in threads of the pool."""
        evaluators = self.evaluators(query.size)
        limits = [
            Restriction(limit.color, sorted(set(limit.moves)), limit.allow, limit.depth, query.size)
            for limit in query.limits
        ]
        human = self.human(query)
        return {
            turn: Job(
                position=partial(position_at, query, turn),
                size=query.size,
                evaluators=evaluators,
                options=_options(query.settings),
                finished=partial(_tell, query, turn, evaluators[0], human, write, False),
                reported=None
                if query.every is None
                else partial(_tell, query, turn, evaluators[0], human, write, True),
                interval=query.every or 0.0,
                first_report=query.first_after or 0.0,
                restrictions=limits,
                priority=priority,
                pv_length=query.settings.pv_length,
            )
            for turn, priority in query.turns.items()
        }

    def human(self, query: Query) -> Evaluator | None:
        """Who imitates the people of the query's profile on its board; None where no profile or nobody is there."""
        if not query.settings.human_profile:
            return None
        name = f"{HUMAN}@{rank_of(query.settings.human_profile)}"
        if self.networks.can(name, query.size):
            return self.networks.get(name)
        if not self._has_warned:
            self._has_warned = True
            log.warning("no network imitates people on this board: humanPolicy is the network's own policy")
        return None

    def models(self) -> list[dict[str, Any]]:
        """The networks, as `query_models` tells them."""
        return [
            {
                "name": name,
                "internalName": self.networks.facts(name).network,
                "maxBatchSize": BATCH,
                "usesHumanSLProfile": name == HUMAN,
                "version": 1,
                "usingFP16": "false",
            }
            for name in self.networks.names()
        ]

    def close(self) -> None:
        """Ends all threads."""
        self.pool.close()


def _options(settings: AnalysisSettings) -> SearchOptions:
    return SearchOptions(
        visits=min(settings.visits, MOST_VISITS),
        seconds=settings.seconds,
        batch=max(1, min(LEAVES, settings.visits // VISITS_A_LEAF)),
        cache=CACHE,
        memory_mb=MEMORY_MB,
        root_temperature=settings.root_temperature,
    )


def _tell(
    query: Query,
    turn: int,
    evaluate: Evaluator,
    human: Evaluator | None,
    write: Callable[[str], None],
    during: bool,
    job: Job,
    result: SearchResult | None,
    fault: BaseException | None,
) -> None:
    if fault is not None:
        if not isinstance(fault, InputError | OSError):
            log.error("a defect of Tesuji, please report it:", exc_info=fault)
        reason = str(fault).strip().splitlines() or [repr(fault)]
        write(error_line(reason[0], query.id))
    elif result is None:
        write(line_of(no_answer(query, turn)))
    else:
        write(line_of(answer(query, turn, result, evaluate, during, human)))
