"""The drawings that live in the browser: board, graph, table of moves, tree, comment; a JavaScript file each."""

from collections.abc import Callable
from typing import Any

from nicegui.element import Element

Props = dict[str, Any]


class _Drawing(Element):
    """An element that shows what its properties say, and says nothing where nothing changed."""

    def show(self, props: Props) -> None:
        """Takes over these properties."""
        if any(self._props.get(name) != value for name, value in props.items()):
            self._props.update(props)
            self.update()


class BoardView(_Drawing, component="static/board.js"):
    """A board that tells which point was clicked, and how the wheel was turned over it."""

    def __init__(
        self,
        props: Props,
        on_point: Callable[[int], None] | None = None,
        on_walk: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__()
        self._props.update(props)
        if on_point is not None:
            self.on("point", lambda event: on_point(int(event.args)))
        if on_walk is not None:
            self.on("walk", lambda event: on_walk(int(event.args)))


class ClockView(_Drawing, component="static/clock.js"):
    """A clock that counts down in the browser."""

    def __init__(self) -> None:
        super().__init__()
        self.visible = False

    def follow(self, props: Props | None) -> None:
        """Shows this clock, or none."""
        self.visible = props is not None
        if props is not None:
            self.show(props)


class GraphView(_Drawing, component="static/graph.js"):
    """The win rate over the game; tells which move was clicked."""

    def __init__(self, props: Props, on_jump: Callable[[int], None] | None = None) -> None:
        super().__init__()
        self._props.update(props)
        if on_jump is not None:
            self.on("jump", lambda event: on_jump(int(event.args)))


class MovesView(_Drawing, component="static/moves.js"):
    """The candidate moves; tells which one was clicked."""

    def __init__(self, on_play: Callable[[int], None]) -> None:
        super().__init__()
        self._props["rows"] = []
        self.on("play", lambda event: on_play(int(event.args)))


class TreeView(_Drawing, component="static/tree.js"):
    """The tree of variations; tells which node was clicked."""

    def __init__(self, props: Props, on_node: Callable[[int], None]) -> None:
        super().__init__()
        self._props.update(props)
        self.on("node", lambda event: on_node(int(event.args)))


class CommentView(_Drawing, component="static/comment.js"):
    """A field to write in; tells what was written and at which place, also where one has moved on meanwhile."""

    def __init__(self, props: Props, on_text: Callable[[int, str], None]) -> None:
        super().__init__()
        self._props.update(props)
        self.on("written", lambda event: on_text(int(event.args["place"]), str(event.args["text"])))
