"""The tree of variations, as a board in the browser uses it."""

import pytest

from tesuji import BLACK, PASS, WHITE
from tesuji.go.sgf.files import game_at, read_tree, write_tree
from tesuji.go.sgf.variations import Node


def test_playing_adds_variations_and_finds_them_again() -> None:
    root = Node(9)
    first = root.play(BLACK, 40)
    other = root.play(BLACK, 30)
    assert root.play(BLACK, 40) is first
    assert root.children == [first, other]
    assert first.play(WHITE, PASS).move == (WHITE, PASS)
    assert [node.move for node in other.path()] == [None, (BLACK, 30)]


def test_the_main_line_can_be_chosen() -> None:
    root = read_tree(b"(;SZ[9](;B[ee];W[dd])(;B[ff](;W[gg])(;W[hh])))")
    last = root.children[1].children[1]
    last.make_main()
    assert root.main_line() == last.path()
    assert len(list(root.walk())) == 6
    root.children[1].remove()
    assert len(list(root.walk())) == 4
    with pytest.raises(ValueError, match="root"):
        root.remove()


def test_comments_and_unknown_properties_survive() -> None:
    data = b"(;SZ[9]XX[a][b:c];B[ee]C[black 52.3% \\] \\\\ a:b\nline](;W[dd]LB[dd:A\\]][ee:1])(;W[cc]TR[aa:bb]))"
    root = read_tree(data)
    assert root.children[0].comment == "black 52.3% ] \\ a:b\nline"
    again = read_tree(write_tree(root))
    assert [node.properties for node in again.walk()] == [
        node.properties | ({"CA": ["UTF-8"]} if node is root else {}) for node in root.walk()
    ]


def test_a_win_rate_may_be_saved_as_a_comment() -> None:
    root = Node(9)
    root.set_text("SZ", "9")
    node = root.play(BLACK, 40)
    node.comment = "White 47.1 % [E5 D4]"
    again = read_tree(write_tree(root)).children[0]
    assert again.comment == "White 47.1 % [E5 D4]"
    again.comment = ""
    assert "C" not in again.properties


def test_writing_keeps_the_order_of_variations() -> None:
    data = b"(;SZ[9](;B[aa](;W[bb])(;W[cc]))(;B[dd])(;B[ee]))"
    moves = [node.move for node in read_tree(data).walk()]
    assert [node.move for node in read_tree(write_tree(read_tree(data))).walk()] == moves


def test_every_node_of_a_tree_can_be_shown() -> None:
    root = read_tree(b"(;SZ[4];B[aa](;W[bb];B[])(;AW[cc]AE[aa]PL[W];W[dd]))")
    boards = [game_at(node).diagram().replace("\n", "/").replace(" ", "") for node in root.walk()]
    assert boards == [
        "..../..../..../....",
        "X.../..../..../....",
        "X.../.O../..../....",
        "X.../.O../..../....",
        "..../..../..O./....",
        "..../..../..O./...O",
    ]
