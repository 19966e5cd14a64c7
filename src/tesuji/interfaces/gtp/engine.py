"""The engine: all commands together, and the loop that answers one line after the other."""

import logging

from tesuji.base.errors import InputError
from tesuji.interfaces.gtp.arguments import Arguments, shown
from tesuji.interfaces.gtp.commands.administration import AdministrationCommands
from tesuji.interfaces.gtp.commands.analysis import AnalysisCommands
from tesuji.interfaces.gtp.commands.clocks import ClockCommands
from tesuji.interfaces.gtp.commands.gogui import GoGuiCommands
from tesuji.interfaces.gtp.commands.handicap import HandicapCommands
from tesuji.interfaces.gtp.commands.kata import KataCommands
from tesuji.interfaces.gtp.commands.kgs import KgsCommands
from tesuji.interfaces.gtp.commands.position import PositionCommands
from tesuji.interfaces.gtp.commands.records import RecordCommands
from tesuji.interfaces.gtp.commands.scoring import ScoringCommands
from tesuji.interfaces.gtp.protocol import LINE_LIMIT, GtpError, Request, commands_of, failure, parse, success

log = logging.getLogger(__name__)

# Said by clients while the opponent thinks; they need not end the engine's own thinking.
_WHILE_PONDERING = {"time_left", "time_settings", "kgs-time_settings", "kata-time_settings", "known_command"}

_LEAVING = 2.0  # seconds for the batch under way; a network that hangs must not keep a client waiting


class Engine(
    AdministrationCommands,
    PositionCommands,
    HandicapCommands,
    RecordCommands,
    ClockCommands,
    ScoringCommands,
    AnalysisCommands,
    KataCommands,
    KgsCommands,
    GoGuiCommands,
):
    """A GTP engine on a stream of lines."""

    def run(self) -> None:
        """Answers until `quit`, the end of input, or until nobody reads the answers."""
        methods = commands_of(type(self))
        try:
            while self.is_running:
                line = self.lines.next()
                if line is None:
                    break
                self._answer_line(line, methods)
                if self.has_moved:
                    self.thinker.ponder(self.game)
        finally:
            self.thinker.leave(_LEAVING)

    def _answer_line(self, line: str, methods: dict[str, str]) -> None:
        request = parse(line[:LINE_LIMIT])
        if not request.name and not request.id:
            return
        self.answers.note(shown(line.strip()), ">")
        if request.name not in _WHILE_PONDERING:
            self.thinker.interrupt()
        self.request_id, self.has_begun, self.has_moved = request.id, False, False
        if len(line) > LINE_LIMIT:
            self.answers.write(failure(request.id, "line too long"))
            return
        try:
            text = self._carry_out(request, methods)
        except BrokenPipeError:
            raise
        except GtpError as fault:
            self._refuse(request.id, str(fault))
            if fault.reason:
                log.info("%s: %s: %s", request.name, fault, fault.reason)
        except (InputError, OSError, ImportError) as fault:
            # From the layers below: a network that is not there, a board it does not play.
            self._refuse(request.id, str(fault).strip().splitlines()[0] if str(fault).strip() else repr(fault))
        except Exception as fault:  # a bug of ours: the game must go on
            log.exception("a defect of Tesuji, please report it:")
            self._refuse(request.id, f"internal error: {fault!r}")
        else:
            if self.has_begun:
                self.stream(text)
                self.answers.write("\n")
            else:
                self.answers.write(success(request.id, text))

    def _carry_out(self, request: Request, methods: dict[str, str]) -> str:
        if request.name not in methods:
            raise GtpError("unknown command")
        answer: str = getattr(self, methods[request.name])(Arguments(request.words, request.text))
        return answer

    def _refuse(self, request_id: str, message: str) -> None:
        """A refusal, or the end of an answer that was begun: then the fault can only be told aside."""
        if self.has_begun:
            log.warning("%s", message)
            self.answers.write("\n")
        else:
            self.answers.write(failure(request_id, message))
