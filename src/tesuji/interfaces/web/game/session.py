"""One visitor's game: what may be done with it, and what the engine should be thinking about.

Knows nothing of pages, threads or networks. All calls come from one thread; `wanted` tells the thinker what to do next,
and the thinker reports back through `answered`, `judged` and `counted`.
"""

from contextlib import suppress
from dataclasses import replace
from datetime import date

from tesuji import BLACK, PASS, WHITE, Color
from tesuji.go.results import VOID, out_of_time, resigned
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.game.count import Count
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.practice import Practice
from tesuji.interfaces.web.game.proposal import rematch, step_offered, streak_after
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.seats import note_seats, noted_setup
from tesuji.interfaces.web.game.setup import Seat, Setup
from tesuji.interfaces.web.game.table import RESULT
from tesuji.interfaces.web.game.task import Task
from tesuji.interfaces.web.words.words import WordedError, Words, english, why
from tesuji.search.endgame.judge import Judgement

FIRST_LOOK = 400  # visits of the position on the board before a review goes on


class Session(Practice):
    """A game being played, counted or looked through."""

    def __init__(self, setup: Setup | None = None) -> None:
        super().__init__()
        self._begin(setup or Setup())

    def _begin(self, setup: Setup) -> None:
        game = setup.new_game()
        today = date.today().isoformat()
        black, white = (setup.name(color, self.words) for color in (BLACK, WHITE))
        self.adopt(setup, Record.of_game(game, black, white, today), "play")

    def speak(self, words: Words) -> None:
        """The visitor's language from now on; players who were named in another are called anew."""
        self.words = words
        self._name_players(self.setup)

    def _name_players(self, before: Setup) -> None:
        """Calls players anew who still have the names of a setup, and none of their own."""
        for color, name in ((BLACK, "PB"), (WHITE, "PW")):
            if self.record.root.text(name) in before.names_anywhere(color):
                self.record.root.set_text(name, self.setup.name(color, self.words))

    # What the visitor does

    def new_game(self, setup: Setup) -> None:
        """Leaves the present game for a new one, which nobody looks at with an engine's eyes unless asked."""
        self.look.analysis = False
        self._begin(setup)
        self.changed()

    def open_record(self, record: Record) -> None:
        """Leaves the present game for one from a file, to look through it."""
        self.adopt(_setup_of(record), record, "review")
        self.review()

    def open_kept(self, record: Record, name: str) -> None:
        """Leaves the present game for one of the visitor's own: one that is not over goes on where it was left."""
        setup = noted_setup(record.root, _setup_of(record))
        if setup is None:
            self.open_record(record)
        else:
            record.go_to(record.root.main_line()[-1])
            self.look.analysis = False
            self.adopt(setup, record, "play")
            if record.game.is_over:
                self.start_counting()
        self.game_name = name
        self.changed()

    def note_seats(self) -> None:
        """Notes in the record who plays, while its game runs."""
        running = self.mode != "review" and self.branch is None
        note_seats(self.record.root, self.setup if running else None)

    def take_up(self, record: Record, seats: dict[str, Seat]) -> None:
        """Goes on with a game from a file, from the position where it stands; what followed there is left out."""
        for child in list(record.node.children):
            child.remove()
        over = record.game.is_over
        self.adopt(_setup_of(record).with_seats(**seats), record, "review" if over else "play")
        self.changed()

    def touch(self, point: int) -> None:
        """A click on the board: a move, or in counting a chain that is dead or alive after all."""
        if not 0 <= point < self.record.game.size**2:
            return self.refuse(lambda words: words("game.not_a_point"))
        if self.count is not None and self.mode == "scoring":
            self.count.toggle(point)
            return self.changed()
        if self.mode == "review" and self.quiz is not None:
            return self.answer(point)
        if self.mode == "review" and self.tool != "play":
            return self.edit(point)
        return self.play(point)

    def play(self, move: int) -> None:
        """The visitor's move, if it is their turn and the rules allow it."""
        if self.mode == "scoring":
            return self.refuse(lambda words: words("game.being_counted"))
        if self.mode == "play" and self.lent is not None and self.record.node is not self.tip:
            # One of two looked back: what the other plays meanwhile must not take moves back.
            self._go(lambda: self.record.go_to(self.tip))
            return self.refuse(lambda words: words("game.looked_back"))
        if self.mode == "play" and not self.my_turn:
            thinking = self.record.node is self.tip
            why_not = "teach.waiting" if self.warned else "game.still_thinking" if thinking else "game.not_your_turn"
            return self.refuse(lambda words: words(why_not))
        try:
            self.record.play(move)
        except WordedError as fault:  # no rule of the game: a sentence of its own
            return self.refuse(why(fault))
        except ValueError as fault:
            vertex, reason = self.record.game.vertex(move), why(fault)
            return self.refuse(lambda words: words("game.not_possible", move=vertex, reason=reason(words)))
        return self._moved()

    def _moved(self) -> None:
        self.hint = self.warning = None
        self.trouble = ""
        if self.mode == "play":
            self.tip = self.record.node
            if self.branch is None:
                self.tip.make_main()
            if self.record.game.is_void:
                self.say(lambda words: words("game.third_time"))
                return self._finish(VOID)
            if self.record.game.is_over:
                self.start_counting()
        return self.changed()

    def resign(self, color: Color | None = None) -> None:
        """A person gives up, the visitor if none is named; in a game between engines, the player to move does."""
        if self.mode != "play":
            return
        self._finish(resigned(self.my_color if color is None else color))

    def lend(self, color: Color) -> None:
        """Lets somebody at another device play this colour from now on."""
        before, self.setup = self.setup, self.setup.with_seats(Seat(), Seat())
        self._name_players(before)
        self.lent, self.warning = color, None
        self.changed()

    def undo(self) -> None:
        """Takes moves back until the visitor is to play again."""
        try:
            self.record.undo()
            while self.mode == "play" and not self.my_turn and self.record.node.parent is not None:
                self.record.undo()
        except ValueError as fault:
            return self.refuse(why(fault))
        self.count, self.hint, self.warning, self.trouble = None, None, None, ""
        self.tip = self.record.node
        if self.mode == "scoring":
            self.mode = "play"
        return self.changed()

    def play_from_here(self, color: Color | None = None, level: str = "") -> None:
        """The visitor plays on from this position as `color` (the player to move) against the engine."""
        color = self.record.game.to_play if color is None else color
        engines = [seat for seat in (self.setup.black, self.setup.white) if seat.kind == "engine"]
        engine = Seat("engine", level) if level else engines[0] if engines else Seat("engine")
        black, white = (Seat(), engine) if color == BLACK else (engine, Seat())
        self.setup = self.setup.with_seats(black, white)
        self.mode, self.count, self.tool, self.quiz = "play", None, "play", None
        self.reviewed.stop()
        self.tip = self.branch = self.record.node
        self.changed()

    def rematch(self, step: int = 0) -> None:
        """Another game of the same kind, the engine so many levels up or down."""
        if step:
            self.look.streak = 0
        if self.lent is not None and not self.setup.handicap:
            self.lent = self.lent.opponent
        self.new_game(rematch(self.setup, step))

    @property
    def step_offered(self) -> int:
        """Whether a stronger (1) or an easier (-1) opponent is offered after this game."""
        return step_offered(self.look.streak, self.setup)

    @property
    def on_the_clock(self) -> Color | None:
        """The person whose time runs: from the first move on, while the game waits for this person's move."""
        if self.lent is not None and self.mode == "play" and self.tip.move is not None:
            return self.tip.move[0].opponent  # whatever one of the two looks at meanwhile
        game, node = self.record.game, self.record.node
        waits = self.mode == "play" and not self.paused and not node.children and not game.is_over
        return game.to_play if waits and node.parent is not None and self.my_turn else None

    def time_is_up(self) -> None:
        """The running clock has run out: the game is lost where that was agreed, else it goes on."""
        color = self.clocks.running
        if color is None:
            return
        if self.setup.time.strict:
            self._finish(out_of_time(color))
        else:
            self.clocks.forgive(color)
            self.say(lambda words: words("game.time_is_up"))
            self.changed()

    def pause(self) -> None:
        """Stops a game between engines for a while."""
        self.paused = True
        self.changed()

    def go_on(self) -> None:
        """Continues after a pause or a failure."""
        self.paused, self.trouble = False, ""
        self.changed()

    def use_network(self, name: str) -> None:
        """Lets this network analyse and play from now on."""
        self.look.network = name
        seats = [replace(self.setup.seat(color), network=name) for color in (BLACK, WHITE)]
        self.setup = self.setup.with_seats(*seats)
        self.findings.pop(self.record.node, None)
        self.trouble = ""
        self.changed()

    # Counting

    def start_counting(self) -> None:
        """Both passed: which stones are dead?"""
        self.mode = "scoring"
        self.count = Count(self.record.game)

    def counted(self, node: Node, judged: Judgement) -> None:
        """The engine's opinion which stones are dead, and what it is not sure of."""
        if self.count is not None and node is self.record.node and not self.count.touched:
            owned = [float(value) for value in judged.black_ownership.reshape(-1)]
            self.count.suggest(judged.dead, owned)
            self.count.doubt(judged.unsettled, judged.open_borders)
            if self.setup.black.kind == self.setup.white.kind == "engine":
                return self.accept()
            self.changed()
        return None

    def resume(self) -> None:
        """Back from counting to playing: the passes are taken back."""
        if self.mode != "scoring":
            return
        self.mode, self.count = "play", None
        while self.record.node.move is not None and self.record.node.move[1] == PASS:
            self.record.undo()
        while not self.my_turn and self.record.node.parent is not None:
            self.record.undo()
        self.tip = self.record.node
        self.changed()

    def accept(self) -> None:
        """Both agree on the count: the game is over."""
        if self.count is not None:
            self.record.keep_territory(self.count.owners(), self.count.dead)
            result, self.count = self.count.result, None
            self._finish(result)

    def _finish(self, result: str) -> None:
        if self.branch is None:
            self.record.root.set_text("RE", result)
        else:
            self.tip.set_text(RESULT, result)
            self.tip.comment = f"{self.tip.comment}\n{self.words.result(result)}".strip()
            self.branch = None
        self.look.streak = streak_after(self.look.streak, self.setup, result)
        self.mode, self.hint = "review", None
        self.note_seats()  # else the record would seem to be changed as soon as it is kept
        self._untouched = self.record.to_sgf()
        self.review()

    # What the engine should do, and what it did

    def wanted(self, *, seen: bool = True) -> Task | None:
        """The work to be done now, if any; nothing without end where nobody sees it."""
        node = self.record.node
        if self.trouble:
            return None
        if self.mode == "play" and self.to_answer and not self.paused:
            if self.to_teach:
                return Task("teach", node)
            if self.warned is None:
                return Task("answer", node)
        if self.hint is node and not self._is_judged(node, 100):
            return Task("hint", node)
        if self.mode == "scoring" and self.count is not None and not self.count.suggested:
            return Task("status", node)
        analysing = seen and self.look.analysis and self.mode != "scoring" and not self.record.game.is_over
        if analysing and not self._is_judged(node, FIRST_LOOK):
            return Task("analyse", node)  # who looks at a position does not wait for the whole review
        step = self.reviewed.next_step() if self.mode == "review" else None
        if step is not None:
            return Task("review", step.node)
        return Task("analyse", node) if analysing else None

    def _is_judged(self, node: Node, visits: int) -> bool:
        return node in self.findings and self.findings[node].visits >= visits

    @property
    def to_answer(self) -> bool:
        """Whether the engine is to move at the end of a running game."""
        game = self.record.game
        at_end = self.record.node is self.tip
        return at_end and not game.is_over and self.setup.seat(game.to_play).kind == "engine"

    def answered(self, node: Node, move: int | None, finding: Finding | None) -> None:
        """The engine moved; None resigns."""
        if finding is not None:
            self.findings[node] = finding
        if node is not self.record.node or not self.to_answer or self.mode != "play":
            return self.changed()
        if move is None:
            return self._finish(resigned(self.record.game.to_play))
        self.record.play(move)
        return self._moved()

    def judged(self, node: Node, finding: Finding) -> None:
        """A search has something to say about a position."""
        known = self.findings.get(node)
        if known is None or finding.visits >= known.visits or known.black_ownership is None:
            self.findings[node] = finding
        self._tell()

    def failed(self, fault: Exception) -> None:
        """The engine cannot go on: say so, and wait for the visitor."""
        self.trouble = english()("game.cannot_think", reason=english().fault(fault))
        self.paused = self.mode == "play"
        self.say(lambda words: words("game.cannot_think", reason=words.fault(fault)))
        self.changed()

    # What the page needs to know

    @property
    def own_color(self) -> Color | None:
        """The colour of the one person here; None where two people sit at the board, or nobody."""
        humans = [color for color in (BLACK, WHITE) if self.setup.seat(color).kind == "human"]
        return humans[0] if len(humans) == 1 else None

    @property
    def my_color(self) -> Color:
        """The visitor's colour; of two people at one board, the one to move."""
        return self.record.game.to_play if self.own_color is None else self.own_color

    def may(self, _action: str) -> bool:
        """Whether something is this person's to do at all; a chair knows who sits there."""
        return True

    @property
    def may_walk(self) -> bool:
        """Whether this person may walk through the game now; a chair knows who sits there."""
        return True

    @property
    def my_turn(self) -> bool:
        """Whether a person may move now."""
        return self.mode == "review" or self.setup.seat(self.record.game.to_play).kind == "human"


def _setup_of(record: Record) -> Setup:
    """The board and rules of a record, for two people."""
    game = record.game
    name = game.rules.name or "chinese"
    setup = Setup(size=game.size, komi=round(game.komi * 2) / 2, rules=name, black=Seat(), white=Seat())
    with suppress(ValueError):  # stones on other points, or more than there are such points
        given = replace(setup, handicap=game.handicap)
        return given if given.new_game().start_board == game.start_board else setup
    return setup
