"""What a session wants thought about, done beside it: starts what the session wants, stops what it no longer wants.

The session lives in the event loop; the mind works in threads shared by all sessions. At most one search runs for a
session, and none while nobody looks at it.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from tesuji.base.errors import InputError
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.engine.thought import Thought
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.reviewing import Judge
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.task import Task
from tesuji.interfaces.web.game.teaching import lesson
from tesuji.interfaces.web.server.page_mind import PageMind

T = TypeVar("T")
log = logging.getLogger(__name__)

HINT_VISITS = 200
PACE_SECONDS = 0.5  # between the moves of a watched game


class Thinker:
    """The thinking of one session."""

    def __init__(self, session: Session, networks: Networks, threads: ThreadPoolExecutor) -> None:
        self.session = session
        self.mind = PageMind(networks)
        self.watchers = 0
        self.hidden = 0
        """Of the watchers, those whose tab is in the background."""
        self._threads = threads
        self._stop = threading.Event()
        self._doing: Task | None = None
        self._rested: Task | None = None
        self._runner: asyncio.Task[None] | None = None
        self._asides = 0
        self._one_aside = asyncio.Lock()
        self._no_asides = asyncio.Event()
        session.listeners.append(self.wake)

    def watch(self) -> None:
        """Somebody opened the page."""
        self.watchers += 1
        self.wake()

    def unwatch(self) -> None:
        """Somebody closed it; with the last one the search stops."""
        self.watchers -= 1
        self.wake()

    def hide(self, hidden: bool) -> None:
        """A tab goes into the background, or comes back: where nobody looks, no analysis goes on."""
        self.hidden += 1 if hidden else -1
        self.wake()

    @property
    def in_use(self) -> bool:
        """Whether somebody looks at the session or waits for something about it."""
        return self.watchers > 0 or self._asides > 0

    def _wanted(self) -> Task | None:
        task = self.session.wanted(seen=self.watchers > self.hidden) if self.watchers > 0 and not self._asides else None
        return None if task == self._rested else task

    def wake(self) -> None:
        """Looks whether the session wants something else than what is being done."""
        if self.session.thinking != self._doing:
            self.session.thinking = self._doing
        wanted = self._wanted()
        if self._doing is not None and wanted != self._doing:
            self._stop.set()
        if wanted is not None and (self._runner is None or self._runner.done()):
            self._runner = asyncio.get_running_loop().create_task(self._run())

    def close(self) -> None:
        """Stops for good."""
        self.watchers = -(10**6)
        self.mind.forget()
        self._stop.set()
        if self.wake in self.session.listeners:
            self.session.listeners.remove(self.wake)

    async def settled(self) -> None:
        """Waits until there is nothing left to do."""
        while self._runner is not None and not self._runner.done():
            await asyncio.wait([self._runner])

    async def satisfied(self) -> None:
        """Waits until the session wants nothing more, also where others ask something aside meanwhile."""
        while self._asides or not (self._runner is None or self._runner.done()):
            if self._asides:
                await self._no_asides.wait()
            await self.settled()

    async def aside(self, work: Callable[..., T], *arguments: Any) -> T:
        """Something of its own between the session's tasks, which wait for it."""
        self._asides += 1
        self._no_asides.clear()
        self.wake()
        try:
            async with self._one_aside:
                await self.settled()
                return await self._whole(work, *arguments)
        finally:
            self._asides -= 1
            if not self._asides:
                self._no_asides.set()
            self.wake()

    async def _whole(self, work: Callable[..., T], *arguments: Any) -> T:
        """The work to its end, even if whoever asked for it goes away: the mind is for one thread at a time."""
        working = asyncio.ensure_future(self._in_thread(work, *arguments))
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            await asyncio.wait([working])
            raise

    async def look(self, visits: int) -> Finding:
        """A search of the current position on demand."""
        game = self.session.record.game.copy()
        return await self.aside(self.mind.look, game, visits, 60.0, threading.Event(), self.network)

    async def picture(self) -> str:
        """The search tree of the current position as SVG."""
        game = self.session.record.game.copy()
        return await self.aside(self.mind.picture, game, self.network, self.session.words.decimal)

    async def _run(self) -> None:
        while (task := self._wanted()) is not None:
            self._doing, self._rested, self._stop = task, None, threading.Event()
            try:
                await self._do(task)
            except Exception as fault:  # whatever a network or its runtime raises, the page goes on
                self._doing = None
                if not isinstance(fault, InputError | OSError):
                    log.exception("a defect of Tesuji, please report it:")
                self.session.failed(fault)
            finally:
                self._doing = None
        self.wake()

    async def _in_thread(self, work: Callable[..., T], *arguments: Any) -> T:
        thought = Thought(lambda stop, tell: work(*arguments), stop=self._stop, threads=self._threads)
        return await asyncio.wrap_future(thought.future)

    async def _do(self, task: Task) -> None:
        await {
            "answer": self._answer,
            "teach": self._teach,
            "hint": self._hint,
            "status": self._status,
            "review": self._review,
            "analyse": self._analyse,
        }[task.kind](task)

    async def _answer(self, task: Task) -> None:
        session, stop = self.session, self._stop
        game = session.record.game.copy()
        seat = session.setup.seat(game.to_play)
        watched = session.setup.black.kind == session.setup.white.kind
        started = asyncio.get_running_loop().time()
        move, finding = await self._in_thread(self.mind.answer, game, seat, stop)
        if watched:
            await asyncio.sleep(max(0.0, started + PACE_SECONDS - asyncio.get_running_loop().time()))
        if not stop.is_set():
            session.answered(task.node, move, finding)

    async def _hint(self, task: Task) -> None:
        game, stop = self.session.record.game.copy(), self._stop
        finding = await self._in_thread(self.mind.look, game, HINT_VISITS, 2.0, stop, self.network)
        if not stop.is_set():
            self.session.judged(task.node, finding)

    async def _status(self, task: Task) -> None:
        game, stop = self.session.record.game.copy(), self._stop
        judgement = await self._in_thread(self.mind.judgement, game, self.network)
        if not stop.is_set():
            self.session.counted(task.node, judgement)

    def _judge(self, size: int) -> Judge:
        """Judges positions as a review does, until the session wants something else."""
        stop, network = self._stop, self.network
        return lambda positions, visits: self.mind.judge_all(positions, visits, size, stop, network)

    async def _review(self, task: Task) -> None:
        step = self.session.reviewed.next_step()
        if step is not None:
            work = self.session.reviewed.work(step)
            found = await self._in_thread(work, self._judge(task.node.size))
            self.session.reviewed.networks.add(self.mind.reviewer)
            self.session.reviewed_more(found)

    async def _teach(self, task: Task) -> None:
        game, stop = self.session.record.game.copy(), self._stop
        said = await self._in_thread(lesson, game, self._judge(game.size))
        if not stop.is_set():
            self.session.taught(task.node, said)

    async def _analyse(self, task: Task) -> None:
        game, stop = self.session.record.game.copy(), self._stop
        rests = False
        while not rests and not stop.is_set():
            finding, rests = await self._in_thread(self.mind.analyse, game, stop, self.network)
            self.session.judged(task.node, finding)
        if rests:
            self._rested = task

    @property
    def network(self) -> str:
        """The network that analyses: the one chosen, that of an engine's seat, or the server's own."""
        if self.session.look.network:
            return self.session.look.network
        seats = (self.session.setup.white, self.session.setup.black)
        return next((seat.network for seat in seats if seat.kind == "engine" and seat.network), "")
