"""Studying a game: its review, its mistakes, and all that is written and drawn into it by hand."""

from collections.abc import Callable

from tesuji.go.sgf.files import game_at
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.game.archive import COLLECTION
from tesuji.interfaces.web.game.count import Count
from tesuji.interfaces.web.game.editing import STONES, TOOLS, mark, place_stone, put_back, remove_line, swap_turn
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.table import Table
from tesuji.interfaces.web.words.words import why

MOST_REMOVED = 50  # lines that can be brought back


class Study(Table):
    """A table at which games are looked through."""

    def look_at(self, number: int) -> None:
        """Stands before a move with the engine's candidates shown: what would have been better."""
        self.look.analysis = True
        self.jump(number)

    def review(self) -> None:
        """Judges every position of the current line."""
        line = self.record.line()
        try:
            game = game_at(line[-1])
            self.reviewed.start(line, game)
        except ValueError as fault:
            return self.refuse(why(fault))
        if self.result and not line[-1].children and game.is_over:
            self.findings.setdefault(line[-1], Finding.of_finished(self.result))
        return self.changed()

    def next_mistake(self, direction: int) -> None:
        """To the next mistake of the line, or the previous one, with the better move on the board."""
        numbers = [number - 1 for number, _ in self.reviewed.mistakes(self.record.line())]
        here = self.record.number
        ahead = [number for number in numbers if (number - here) * direction > 0]
        if not ahead:
            return self.refuse(lambda words: words("course.no_more" if numbers else "course.none"))
        return self.look_at(min(ahead, key=lambda number: abs(number - here)))

    def comment(self, text: str, node: Node | None = None) -> None:
        """Writes about a position, the current one if none is named."""
        (node or self.record.node).comment = text[:20_000]
        self.changed()

    def settled_count(self) -> Count | None:
        """The count under way, or the one that the record keeps for this position; None where there is none."""
        if self.mode == "scoring":
            return self.count if self.count is not None and self.count.suggested else None
        owned, dead = self.record.territory()
        if self.mode != "review" or not any(owned) or not self.record.game.is_over:
            return None
        kept = Count(self.record.game)
        kept.suggest(sorted(dead))
        return kept

    def put_into(self, collection: str) -> None:
        """Puts the game into a collection of the visitor's games."""
        self.record.root.set_text(COLLECTION, collection.strip()[:60])
        self.changed()

    # Editing

    def use_tool(self, tool: str) -> None:
        """From now on a click on the board does this: one of `TOOLS`."""
        self.tool = tool if tool in TOOLS else "play"
        self.changed()

    def edit(self, point: int) -> None:
        """A click on the board with a tool in hand."""
        node = self.record.node

        def change() -> None:
            if self.tool in STONES:
                place_stone(self.record, STONES[self.tool], point)
                self.forget({node} if self.record.node is node else set())
            else:
                mark(self.record, self.tool, point)

        self._go(change)

    def forget(self, nodes: set[Node]) -> None:
        """What was found of nodes that are gone, or stand on another board now, is found no more."""
        self.reviewed.forget(nodes)
        for node in nodes & set(self.findings):
            del self.findings[node]

    def swap_turn(self) -> None:
        """The other player begins from the stones set up here."""
        self.forget({self.record.node})
        self._go(lambda: swap_turn(self.record))

    def delete(self) -> None:
        """Takes the current move with all that follows out of the game; it can be brought back."""

        def change() -> None:
            running = self.reviewing
            removed = remove_line(self.record)
            # What is known of it stays, and is there again when the line is.
            self.reviewed.leave(set(removed.node.walk()))
            self.removed.append(removed)
            for old in self.removed[:-MOST_REMOVED]:
                self.forget(set(old.node.walk()))
            del self.removed[:-MOST_REMOVED]
            self._review_on(running)

        self._go(change)

    def restore(self) -> None:
        """Brings back what was deleted last; again, what was deleted before."""

        def change() -> None:
            while self.removed:
                latest = self.removed.pop()
                if latest.parent.path()[0] is self.record.root:  # else it followed a move that was taken back
                    put_back(self.record, latest)
                    return self._review_on(self.reviewing)
            return None

        self._go(change)

    def _review_on(self, running: bool) -> None:
        """A review that was under way goes on with the line as it is now; what is known of it stays."""
        if running:
            self.review()

    def make_main(self) -> None:
        """Makes the line through the current move the main line."""
        self.record.node.make_main()
        self.record.changes += 1
        self.changed()

    def visit(self, node: Node) -> None:
        """To any node of the tree."""
        self._go(lambda: self.record.go_to(node))

    @property
    def reviewing(self) -> bool:
        """Whether a review is under way."""
        return self.reviewed.running

    def reviewed_more(self, take: Callable[[], None]) -> None:
        """A step of the review is done; kept on disk only at the end, as half a review is begun anew."""
        take()
        self.reviewed.next_step()
        if self.reviewing:
            self._tell()
        else:
            self.changed()
