"""What the page says of a game at the moment, in the language and from the chair of who reads it."""

from tesuji import BLACK, Color
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.table import RESULT
from tesuji.interfaces.web.game.verdict_words import lost_text, reason_text


def player_name(session: Session, color: Color) -> str:
    """What a player is called: as the record says, unless the name was ours and another reader needs another word."""
    written = session.record.root.text("PB" if color == BLACK else "PW")
    seat, words = session.setup.seat(color), session.words
    if written and written not in session.setup.names_anywhere(color):
        return written
    if seat.kind == "engine":
        return seat.name(words)
    return words("game.you") if session.own_color == color else words.color(color)


def ended(session: Session) -> bool:
    """Whether the game is over on the board, so that nobody is to move."""
    node = session.record.node
    return session.mode == "review" and bool(session.result) and (not node.children or bool(node.text(RESULT)))


def status(session: Session) -> str:
    """One line about the state of the game."""
    words, who = session.words, session.words.color(session.record.game.to_play)
    if session.mode == "scoring" and session.count is not None:
        if not session.count.suggested:
            return words("game.counting")
        return words("game.proposed", result=words.result(session.count.result))
    if session.quiz is not None:
        return words("practice.find", color=who)
    if session.mode == "review":
        return words.result(session.result) if ended(session) else words("game.to_play", color=who)
    if session.paused:
        return words("game.paused")
    if session.warned is not None:
        return words("teach.waiting")
    return _whose_turn(session, who)


def _whose_turn(session: Session, who: str) -> str:
    words, game = session.words, session.record.game
    if session.setup.seat(game.to_play).kind == "engine":
        return words("game.thinking" if session.to_answer else "game.to_play", color=who)
    turn = words("game.your_turn" if session.own_color == game.to_play else "game.to_play", color=who)
    passed = words("game.passed", color=words.color(game.to_play.opponent)) if game.passes == 1 else ""
    return words.told((passed, turn))


def remark(session: Session) -> str:
    """The word of the moment below it: what a move cost, where to look, how many answers were right; often empty."""
    words, quiz = session.words, session.quiz
    if session.warned is not None:
        return _lesson(session)
    if session.hinted_part:
        return words(f"part.{session.hinted_part.replace(' ', '_')}")
    return words("practice.score", right=quiz.right, asked=quiz.asked) if quiz is not None and quiz.asked else ""


def _lesson(session: Session) -> str:
    words, warned = session.words, session.warned
    assert warned is not None
    lost = lost_text(warned.move, words, None)  # "about 13.2 points" would promise what nobody knows
    if not warned.explained:
        return words("teach.loses", lost=lost)
    reason, better = reason_text(warned.move, words), words.move(warned.move.better, warned.move.size)
    return words("teach.because" if reason else "teach.better", lost=lost, reason=reason, better=better)
