"""The count at the end of a game: dead stones, who owns what, and the result in words."""

from tesuji import BLACK, WHITE, Board, Game


class Count:
    """A finished game with the stones both sides call dead."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.dead: set[int] = set()
        self.ownership: list[float] | None = None
        self.suggested = False
        self.touched = False

    def suggest(self, dead: list[int], ownership: list[float] | None = None) -> None:
        """The engine's opinion; the players may change it."""
        self.dead = {point for point in dead if self.game.board.at(point) is not None}
        self.ownership = ownership
        self.suggested = True

    def toggle(self, point: int) -> None:
        """Changes the status of the chain there, if there is one."""
        board = self.game.board
        if board.at(point) is None:
            return
        chain = set(board.chain(point))
        self.dead = self.dead - chain if point in self.dead else self.dead | chain
        self.touched = self.suggested = True

    def owners(self) -> list[float]:
        """By point: 1 Black's, -1 White's, 0 nobody's; living stones count as their player's own."""
        board = self.game.board
        letters = {BLACK: "X", WHITE: "O", None: "."}
        points = range(board.size**2)
        rows = ["." if point in self.dead else letters[board.at(point)] for point in points]
        text = "\n".join("".join(rows[start : start + board.size]) for start in points[:: board.size])
        value = {BLACK: 1.0, WHITE: -1.0, None: 0.0}
        return [value[owner] for owner in Board.from_diagram(text).area_owners()]

    @property
    def black_lead(self) -> float:
        """Black's lead in points, komi taken off."""
        return self.game.black_score(dead=sorted(self.dead))

    @property
    def result(self) -> str:
        """As SGF writes it."""
        lead = self.black_lead
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"


def result_in_words(result: str) -> str:
    """`W+3.5` -> `White wins by 3.5 points`."""
    if result in {"0", "Draw", "draw", "jigo"}:
        return "The game is a draw"
    winner, _, margin = result.partition("+")
    who = {"B": "Black", "W": "White"}.get(winner.upper()[:1])
    if who is None:
        return "The result is not known"
    how = {"R": "by resignation", "T": "on time", "F": "by forfeit", "": ""}.get(margin.upper()[:1])
    if how is None:
        how = f"by {margin} point{'' if margin == '1' else 's'}"
    return f"{who} wins {how}".strip()
