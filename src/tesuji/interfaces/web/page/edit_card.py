"""Editing a record beside the board: tools for the board, the tree of variations, and the comment."""

from functools import partial

from nicegui import ui

from tesuji import PASS
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.game.editing import TOOLS
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.sgf_notes import without_note
from tesuji.interfaces.web.game.tree_view import TreeDrawing
from tesuji.interfaces.web.page.components import CommentView, TreeView
from tesuji.interfaces.web.page.widgets import button, card, quoted

_STROKE = 'fill="none" stroke="currentColor" stroke-width="1.8"'
ICONS = {
    "play": f'<path d="M10 3v14M3 10h14" {_STROKE}/>' + '<circle cx="10" cy="10" r="5" fill="currentColor"/>',
    "black": '<circle cx="10" cy="10" r="7.5" fill="#26231f" stroke="#8d8778"/>',
    "white": '<circle cx="10" cy="10" r="7.5" fill="#fbf8f1" stroke="#8d8778"/>',
    "triangle": f'<path d="M10 3.5L17 16H3Z" {_STROKE}/>',
    "square": f'<rect x="4" y="4" width="12" height="12" {_STROKE}/>',
    "circle": f'<circle cx="10" cy="10" r="6.5" {_STROKE}/>',
    "cross": f'<path d="M4 4l12 12M16 4L4 16" {_STROKE}/>',
    "letter": '<text x="10" y="15" text-anchor="middle" font-size="15" fill="currentColor">A</text>',
    "number": '<text x="10" y="15" text-anchor="middle" font-size="15" fill="currentColor">1</text>',
}
REMEMBERED = 50  # places of comments that may still be on their way from the browser


class ToolBar:
    """What a click on the board does, chosen under the board while one looks through a game."""

    def __init__(self, session: Session) -> None:
        self.session = session
        label = quoted(session.words("edit.tools"))
        self._tools: dict[str, ui.element] = {}
        with ui.element("div").classes("tools").props(f'role="toolbar" aria-label={label}') as self._bar:
            for name in TOOLS:
                self._tools[name] = self._tool(name, session.words(f"edit.{name}"))
        self.refresh()

    def _tool(self, name: str, label: str) -> ui.element:
        made = ui.element("button").classes("tool").on("click", partial(self.session.use_tool, name))
        made.props(f'type="button" aria-label={quoted(label)} title={quoted(label)} data-testid="tool-{name}"')
        with made:
            ui.html(f'<svg viewBox="0 0 20 20" aria-hidden="true">{ICONS[name]}</svg>', sanitize=False)
        return made

    def refresh(self) -> None:
        """Shows the tool in hand."""
        self._bar.visible = self.session.mode == "review" and self.session.quiz is None
        for name, made in self._tools.items():
            on = name == self.session.tool
            made.classes(add="on" if on else "", remove="" if on else "on").props(f'aria-pressed="{str(on).lower()}"')


class EditCard:
    """The tree, and what can be done to the record; shown while one looks through a game."""

    def __init__(self, session: Session) -> None:
        self.session = session
        words = session.words
        self._drawing = TreeDrawing(session)
        with card(words("edit.title")) as self._card:
            self._tree = TreeView({**self._drawing.props(), "label": words("edit.tree")}, self._visit)
            with ui.element("div").classes("row-line"):
                self._action("pass", partial(session.play, PASS))
                self._turn = self._action("turn", session.swap_turn)
                self._main = self._action("make_main", session.make_main)
                self._delete = self._action("delete", session.delete)
                self._restore = self._action("restore", session.restore)
        self.refresh()

    def _action(self, name: str, action: object) -> ui.button:
        assert callable(action)
        return button(self.session.words(f"edit.{name}"), action).props(f'dense data-testid="edit-{name}"')

    def _visit(self, index: int) -> None:
        node = self._drawing.node(index)
        if node is not None:
            self.session.visit(node)

    def refresh(self) -> None:
        """Shows the session as it is now."""
        session = self.session
        self._card.visible = session.mode == "review" and session.quiz is None
        if not self._card.visible:
            return
        node = session.record.node
        self._tree.show(self._drawing.props())
        self._turn.visible = node.is_setup
        self._main.visible = any(one.parent is not None and one.parent.children[0] is not one for one in node.path())
        self._delete.visible = node.parent is not None
        self._restore.visible = bool(session.removed)


class CommentCard:
    """What somebody wrote about this position; its owner may write more."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._places: dict[int, Node] = {0: session.record.node}
        self._place = 0
        self._placed: Node | None = None
        """Root of the record for which the card was given its place."""
        with card(session.words("comment.title")) as self._card:
            props = {"place": 0, "text": session.record.node.comment, "hint": session.words("comment.placeholder")}
            props["fixed"] = not session.may("comment")
            self._text = CommentView(props, self._write)
        self.refresh()

    def _find_place(self, root: Node) -> None:
        """Near the board where a record came with comments, below all else where not; not moved while one writes."""
        if self._placed is root:
            return
        self._placed = root
        told = any(without_note(node.comment) for node in root.walk())
        self._card.classes(add="first told" if told else "", remove="" if told else "first told")

    def _write(self, place: int, text: str) -> None:
        node = self._places.get(place)
        if node is not None and text != node.comment:
            self.session.comment(text, node)

    def refresh(self) -> None:
        """Shows the comment of the current move."""
        session = self.session
        node = session.record.node
        mine = session.mode == "review" and session.may("comment")
        # While moves are guessed it would tell them, and what is asked has to be in sight.
        self._card.visible = session.quiz is None and (mine or bool(node.comment))
        self._find_place(session.record.root)
        if self._places[self._place] is not node:
            self._place += 1
            self._places[self._place] = node
            self._places.pop(self._place - REMEMBERED, None)
        self._text.show({"place": self._place, "text": node.comment})
