"""Studying a game in a real browser: the review with its keys, editing, and games played out of it."""

import re
from collections.abc import Iterator

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.interfaces.browser import Browser, browsing, drop, pick, start
from tests.interfaces.web_parts import Server, serving

pytestmark = pytest.mark.xdist_group("browser")

SGF = "(;GM[1]SZ[9]KM[7]PB[Ann]PW[Bob]RE[B+R];B[ee];W[cc];B[gg]C[a good move];W[gc];B[cg];W[aa];B[ba];W[ii];B[ih])"
LONG = (  # enough moves of each player to say how strong they seem
    "(;GM[1]SZ[9]KM[7]PB[Ann]PW[Bob];B[ee];W[cc];B[cd];W[dc];B[ed];W[bd];B[be];W[ac];B[ec];W[eb];B[fb];W[db];B[gc];W[gf]"
    ";B[gg];W[ff];B[fg];W[ef];B[eg];W[df];B[dg];W[cf];B[bf];W[ce];B[de];W[dd];B[cg];W[bc];B[ge];W[hg];B[hh];W[hf])"
)

HERE_IN_SIGHT = """
    const row = document.querySelector(".mistake.here").getBoundingClientRect();
    const list = document.querySelector(".mistakes").getBoundingClientRect();
    return row.top > list.top - 1 && row.bottom < list.bottom + 1;"""


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With the network of the package: an untrained one knows no mistakes."""
    with serving(tmp_path_factory.mktemp("study"), "--no-browser") as running:
        yield running


@pytest.fixture
def page(window: Browser, server: Server) -> Iterator[Browser]:
    """The page as a new visitor sees it."""
    window.driver.delete_all_cookies()
    window.open(server.address)
    window.log()
    yield window
    assert window.complaints() == []


def key(page: Browser, name: str) -> None:
    page.driver.find_element(By.TAG_NAME, "body").send_keys(name)


def until_reviewed(page: Browser) -> None:
    page.until(lambda: page.all('[data-testid="lost"]'))
    page.until(lambda: not page.part("review-bar").is_displayed())


def test_a_review_has_dots_numbers_and_keys_from_mistake_to_mistake(page: Browser) -> None:
    drop(page, SGF)
    until_reviewed(page)
    assert len(page.all(".graph-dot")) >= 5
    assert "Ann" in page.text("lost")
    assert "Opening" in page.text("lost")
    rows = page.all(".mistake")
    assert rows
    numbers = [int(row.get_attribute("data-number") or 0) for row in rows]
    assert numbers == sorted(numbers)
    top = page.part("mistakes").rect["y"]
    if numbers[0] > 1:
        key(page, "n")
        page.until(lambda: page.text("place").startswith(f"Move {numbers[0] - 1} of"))
    else:
        rows[0].click()
    page.until(lambda: page.all(".mistake.here"))
    page.until(lambda: page.all('[data-testid="moves"] tbody tr'))  # the better move is being looked at
    assert page.part("mistakes").rect["y"] == top
    assert [int(row.get_attribute("data-number") or 0) for row in page.all(".mistake")] == numbers
    key(page, "\ue010")  # End
    page.until(lambda: page.text("place") == "Move 9 of 9")
    key(page, "b")
    page.until(lambda: page.text("place") == f"Move {[n - 1 for n in numbers if n < 10][-1]} of 9")


def test_the_mistake_one_walks_to_is_seen_in_the_list(page: Browser) -> None:
    drop(page, SGF)
    until_reviewed(page)
    page.run("document.querySelector('.mistakes').style.maxHeight = '70px'")  # as if there were many
    key(page, Keys.END)
    key(page, "b")
    page.until(lambda: page.run(HERE_IN_SIGHT))
    assert page.run("return document.querySelector('.mistakes').scrollTop") > 0
    assert page.run("return window.scrollY") == 0


def test_the_review_says_how_strong_the_players_seem(page: Browser) -> None:
    drop(page, LONG)
    until_reviewed(page)
    page.until(lambda: page.all(".numbers .strength"))
    told = page.all(".numbers .strength")[0].text
    assert re.fullmatch(r"Plays like(\sabout \d+[kd] ± \d+){2}", told)
    page.open(page.driver.current_url)
    page.until(lambda: page.all(".numbers .strength"))
    assert page.all(".numbers .strength")[0].text == told


def test_an_unreviewed_stretch_of_the_curve_is_empty(page: Browser) -> None:
    drop(page, SGF)
    until_reviewed(page)
    whole = page.all(".graph-edge")[0].get_attribute("d") or ""
    assert whole.count("M") == 1
    for _ in range(2):
        key(page, "\ue014")  # right
    page.until(lambda: page.text("place") == "Move 2 of 9")
    page.click_point(0)
    page.until(lambda: page.text("place") == "Move 3 of 3")
    page.until(lambda: (page.all(".graph-edge")[0].get_attribute("d") or "").count("L") == 2)
    page.press("review")
    page.until(lambda: (page.all(".graph-edge")[0].get_attribute("d") or "").count("L") == 3)


def test_squares_of_territory_leave_numbers_and_the_last_move_readable(page: Browser) -> None:
    drop(page, "(;GM[1]SZ[9];B[ee];W[cc]TB[cc][ee]TW[aa])")
    page.until(lambda: page.text("place") == "Move 0 of 2")
    key(page, "\ue010")
    page.until(lambda: len(page.all(".owners rect")) == 3)
    ring, square = page.run(
        """const box = (e) => e.getBoundingClientRect();
        const middle = (e) => [box(e).x + box(e).width / 2, box(e).y + box(e).height / 2];
        const ring = middle(document.querySelector('.last-move'));
        const near = (e) => Math.hypot(middle(e)[0] - ring[0], middle(e)[1] - ring[1]);
        const squares = [...document.querySelectorAll('.owners rect')].sort((a, b) => near(a) - near(b));
        return [ring, middle(squares[0])];"""
    )
    assert abs(ring[0] - square[0]) > 8


def test_a_stray_click_shows_in_the_tree_and_is_deleted(page: Browser) -> None:
    drop(page, SGF)
    page.until(lambda: len(page.all(".variations .node")) == 10)
    page.click_point(0)
    page.until(lambda: len(page.all(".variations .node")) == 11)
    page.press("edit-delete")
    page.until(lambda: len(page.all(".variations .node")) == 10)
    page.press("edit-restore")
    page.until(lambda: page.stones() == {0: "black"})
    page.press("edit-make_main")
    page.until(lambda: not page.part("edit-make_main").is_displayed())
    key(page, "\ue017")  # Delete
    page.until(lambda: page.stones() == {})
    page.all('.variations [data-node="4"]')[0].click()
    page.until(lambda: page.text("place") == "Move 4 of 9")


def test_tools_draw_marks_and_set_up_stones(page: Browser) -> None:
    drop(page, SGF)
    page.until(lambda: page.text("place") == "Move 0 of 9")
    page.press("tool-letter")
    for point in (0, 1):
        page.click_point(point)
    page.until(lambda: [one.text for one in page.all(".marks text")] == ["A", "B"])
    page.press("tool-white")
    page.click_point(80)
    page.until_stone(80, "white")
    page.press("tool-play")
    page.press("edit-pass")
    page.until(lambda: page.text("place") == "Move 2 of 2")
    saved = page.run("return fetch('/game.sgf').then((answer) => answer.text())")
    assert "LB[aa:A][ba:B]" in saved
    assert "AW[ii]" in saved


def test_a_comment_stays_with_the_move_it_was_typed_at(page: Browser) -> None:
    drop(page, SGF)
    page.until(lambda: page.text("place") == "Move 0 of 9")
    page.part("comment").send_keys("a plan")
    page.all('[aria-label="Forward one move"]')[0].click()  # before the pause after which it is sent
    page.until(lambda: page.text("place") == "Move 1 of 9")
    page.until(lambda: page.part("comment").get_attribute("value") == "")
    page.all('[aria-label="Back one move"]')[0].click()
    page.until(lambda: page.part("comment").get_attribute("value") == "a plan")
    page.open(page.driver.current_url)
    page.until(lambda: page.part("comment").get_attribute("value") == "a plan")


def test_play_from_here_asks_for_colour_and_level(page: Browser) -> None:
    drop(page, SGF)
    page.until(lambda: page.text("place") == "Move 0 of 9")
    page.press("play-from-here")
    page.until(lambda: page.part("here-start").is_displayed())
    page.choose("White")
    pick(page, "here-level", "Like 12 kyu")
    page.press("here-start")
    page.until(lambda: len(page.stones()) == 1)  # the engine begins
    page.until(lambda: page.text("status") == "Your turn (White)")
    page.press("resign")
    page.press("yes")
    page.until(lambda: page.text("status") == "Black wins by resignation")
    saved = page.run("return fetch('/game.sgf').then((answer) => answer.text())")
    assert "RE[B+R]" in saved
    assert saved.index(";B[ee]") < saved.index("Black wins by resignation")


def test_a_teacher_speaks_after_a_bad_move_and_hints_in_two_steps(page: Browser) -> None:
    before = page.part("hint").rect
    page.press("hint")
    page.until(lambda: page.text("remark").startswith("Look at the"))
    assert page.part("hint").rect == before  # the second step is asked for at the same place
    assert page.all(".hinted rect")
    assert not page.all(".candidate")
    page.press("hint")
    page.until(lambda: page.all(".candidate"))
    page.press("teaching")
    page.choose("2 points")
    page.click_point(0)
    page.until(lambda: page.text("remark").startswith("That loses about"))
    page.press("why")
    page.until(lambda: "was better" in page.text("remark"))
    page.until(lambda: page.all('.preview [data-pv="1"]'))
    page.press("take-back")
    page.until(lambda: page.stones() == {})
    page.click_point(0)
    page.until(lambda: page.part("go-on").is_displayed())
    key(page, "w")
    page.until(lambda: "was better" in page.text("remark"))
    key(page, "c")
    page.until(lambda: len(page.stones()) == 2)
    page.until(lambda: "0 of 1 moves were good" in page.text("teach-score"))


def test_the_moves_of_a_record_are_guessed(page: Browser) -> None:
    drop(page, SGF)
    page.until(lambda: page.text("place") == "Move 0 of 9")
    page.press("guess")
    page.until(lambda: page.text("status") == "Black to play: find the move.")
    page.click_point(40)  # as the record has it
    page.until(lambda: "1 of 1 right" in page.text("remark"))
    page.until_stone(40, "black")
    for name in ("variations", "graph", "edit-pass"):  # they would tell the answers
        assert not page.part(name).is_displayed()
    for _ in range(3):
        page.click_point(4)
    page.until_stone(20, "white")  # shown after three tries
    page.until(lambda: "1 of 2 right" in page.text("remark"))
    for name in (Keys.DELETE, "p", "2"):  # keys that edit are not for answers
        key(page, name)
    page.press("stop")
    page.until(lambda: page.part("variations").is_displayed())
    assert page.text("place") == "Move 2 of 9"
    assert page.part("tool-play").get_attribute("aria-pressed") == "true"


def test_problems_come_from_the_mistakes_of_the_record(page: Browser) -> None:
    drop(page, LONG)
    until_reviewed(page)
    rows = {int(row.get_attribute("data-number") or 0): row.text for row in page.all(".mistake")}
    page.until(lambda: page.text("problems").endswith("problems from mistakes"))
    count = int(page.text("problems").split()[0])
    assert 2 <= count <= len(rows)
    page.press("problems")
    page.until(lambda: page.text("status").endswith("to play: find the move."))
    assert not page.part("graph").is_displayed()
    before = int(page.text("place").split()[1])
    better = re.search(r"better ([A-HJ])(\d)", rows[before + 1])
    assert better
    taken, answer = page.stones(), 9 * (9 - int(better[2])) + "ABCDEFGHJ".index(better[1])
    page.click_point(next(point for point in range(81) if point not in {*taken, answer}))
    page.until(lambda: "0 of 1 right" in page.text("remark"))
    page.click_point(answer)
    page.until(lambda: any(f"Right: {better[1]}{better[2]}." in one.text for one in page.all(".q-notification")))
    page.until(lambda: int(page.text("place").split()[1]) > before)  # at the next one
    page.press("stop")
    page.until(lambda: page.part("problems").is_displayed())
    assert int(page.text("problems").split()[0]) == count
    assert page.text("place").endswith("of 32")  # the record is as it was


def test_games_are_kept_found_and_opened_again(page: Browser) -> None:
    drop(page, SGF)
    page.until(lambda: page.text("place") == "Move 0 of 9")
    drop(page, "(;GM[1]SZ[9]PB[Carl]PW[Dora]RE[W+2.5];B[ee];W[cc])")
    page.until(lambda: page.text("place") == "Move 0 of 2")
    page.press("my-games")
    page.until(lambda: len(page.all('[data-testid="kept"]')) == 2)
    page.part("games-search").send_keys("ann")
    page.until(lambda: [one.text.splitlines()[0] for one in page.all('[data-testid="kept"]')] == ["Ann – Bob"])
    page.click(lambda: page.all('.game-row [aria-label="Collection"]')[0])
    page.until(lambda: page.part("collect").is_displayed())
    page.until(lambda: page.run("return document.activeElement.dataset.testid") == "collection-name")
    page.part("collection-name").send_keys("lessons", Keys.ENTER)
    page.until(lambda: "lessons" in page.text("kept"))
    page.part("games-search").send_keys(" lessons")
    page.until(lambda: len(page.all('[data-testid="kept"]')) == 1)
    page.part("games-search").send_keys(" nowhere")
    page.until(lambda: "No game says all that." in page.text("games"))
    page.part("games-search").send_keys(Keys.BACKSPACE * 8)
    page.until(lambda: len(page.all('[data-testid="kept"]')) == 1)
    page.press("kept")
    page.until(lambda: page.text("place") == "Move 0 of 9")


def test_a_game_that_was_left_is_taken_up_again_and_one_thrown_away_is_gone(page: Browser) -> None:
    start(page, "Black", level="Casual")
    page.click_point(40)
    page.until(lambda: len(page.stones()) == 2)
    stones = page.stones()
    page.press("new-game")
    page.until_at_rest("start")
    page.press("start")
    page.press("yes")
    page.until(lambda: page.stones() == {})
    page.until_no_dialog()
    page.press("my-games")
    page.press("kept")
    page.until(lambda: page.stones() == stones)
    assert page.text("status") == "Your turn (Black)"
    assert "Tesuji (Casual)" in page.all(".player")[1].text
    page.until_no_dialog()
    page.press("my-games")
    page.until_at_rest("kept")
    page.click(lambda: page.all('.game-row [aria-label="Throw away"]')[0])
    page.press("yes")
    page.until(lambda: page.stones() == {})
    page.until(lambda: not page.all('[data-testid="kept"]'))
    page.press("close")
    page.until_no_dialog()
    page.press("my-games")
    page.until(lambda: "No games here yet." in page.text("games"))


def test_an_open_border_is_named_and_marked(page: Browser) -> None:
    start(page, "Two people")
    for row in range(8):  # two walls that leave the first line open
        for point in (row * 9 + 3, row * 9 + 4):
            page.click_point(point)
            page.until_stone(point)
    page.press("pass")
    page.until(lambda: "Black passed" in page.text("status"))
    page.press("pass")
    page.until(lambda: "is open: there is still something to play" in page.text("doubts"))
    assert page.all(".table .hinted.open rect")
    page.press("resume")
    page.until(lambda: page.text("status") == "Black to play")


def test_what_the_teacher_says_and_what_is_asked_stand_in_sight_on_a_phone(server: Server) -> None:
    with browsing(400, 800, touch=True) as phone:
        phone.open(server.address)
        phone.press("teaching")
        phone.choose("2 points")
        phone.run("window.scrollTo(0, 0)")
        phone.tap_point(0)
        phone.until(lambda: phone.text("remark").startswith("That loses about"))
        assert all(in_sight(phone, name) for name in ("remark", "take-back", "why", "go-on"))
        phone.press("take-back")
        drop(phone, SGF)
        phone.until(lambda: phone.text("place") == "Move 0 of 9")
        phone.press("guess")
        phone.run("window.scrollTo(0, 0)")
        phone.until(lambda: phone.text("status") == "Black to play: find the move.")
        assert all(in_sight(phone, name) for name in ("status", "stop"))


def in_sight(page: Browser, name: str) -> bool:
    """Whether a part is on the screen without scrolling."""
    box = page.part(name).rect
    return bool(page.run("return window.scrollY") == 0 and box["y"] + box["height"] <= 800)
