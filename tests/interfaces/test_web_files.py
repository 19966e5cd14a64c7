"""Records into the page and out of it, and the questions before something is lost, in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.interfaces.browser import Browser, browsing, drop, start
from tests.interfaces.web_parts import Server

pytestmark = pytest.mark.xdist_group("browser")

SGF = "(;GM[1]SZ[9]KM[7]PB[Ann]PW[Bob]DT[2016-11-09]RE[B+R];B[ee];W[cc];B[gg])"
SEVERAL = "(;SZ[9]PB[Ann]PW[Bob];B[ee])(;SZ[13]PB[Cid]PW[Dee];B[jj];W[dd])(;SZ[9]GN[Third])"
PEOPLE = "Two people"


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


@pytest.fixture
def page(window: Browser, server: Server) -> Iterator[Browser]:
    """The page as a new visitor sees it."""
    window.driver.delete_all_cookies()
    window.open(server.address)
    window.log()
    yield window
    assert window.complaints() == []


def dialogs(page: Browser) -> list[str]:
    """What the dialogs on the screen say."""
    return [one.text for one in page.all(".q-dialog .dialog") if one.is_displayed()]


def paste(page: Browser, text: str) -> None:
    """Ctrl+V where the focus is."""
    page.run(
        """const data = new DataTransfer(); data.setData("text/plain", arguments[0]);
        const to = document.querySelector(".q-dialog") ?? document.body;
        to.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));""",
        text,
    )


def test_a_pasted_record_opens_and_the_dialog_goes(page: Browser) -> None:
    page.press("open")
    page.until(lambda: page.part("sgf-text").is_displayed())
    page.part("sgf-text").send_keys(SGF)
    page.press("open-text")
    page.until(lambda: page.text("place") == "Move 0 of 3")
    page.until(lambda: dialogs(page) == [])


def test_a_record_pasted_anywhere_opens_and_rubbish_does_not(page: Browser) -> None:
    paste(page, "not a record")
    paste(page, SGF)
    page.until(lambda: page.text("place") == "Move 0 of 3")
    page.press("new-game")
    page.until_at_rest("start")
    paste(page, SEVERAL)  # a dialog has the page for itself
    assert len(dialogs(page)) == 1
    ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
    page.until_no_dialog()


def test_a_chosen_file_opens_and_the_dialog_goes(page: Browser, tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_bytes("(;SZ[9]PB[聂卫平]PW[马晓春];B[ee])".encode("gbk"))
    page.press("open")
    page.until(lambda: page.part("choose-file").is_displayed())
    page.all("input[type=file]")[0].send_keys(str(tmp_path / "game.sgf"))
    page.until(lambda: page.text("place") == "Move 0 of 1")
    page.until(lambda: dialogs(page) == [])
    names = [one.text for one in page.all(".player .name")]
    assert names == ["聂卫平", "马晓春"]  # guessed: the file names no encoding
    assert page.text("game-facts") == "Komi not given, taken as 7"


def test_any_game_of_a_collection_opens(page: Browser) -> None:
    drop(page, SEVERAL)
    page.until(lambda: any("3 games" in text for text in dialogs(page)))
    page.press("which-game")
    page.until(lambda: [one.text for one in page.all(".q-menu .q-item")])
    assert [one.text for one in page.all(".q-menu .q-item")] == ["1. Ann – Bob", "2. Cid – Dee", "3. Third"]
    page.part("which-game").send_keys("Dee")
    page.until(lambda: [one.text for one in page.all(".q-menu .q-item")] == ["2. Cid – Dee"])
    page.all(".q-menu .q-item")[0].click()
    page.until(lambda: page.text("place") == "Move 0 of 2")
    page.until(lambda: dialogs(page) == [])


def test_a_running_game_is_not_left_without_asking(page: Browser) -> None:
    start(page, PEOPLE)
    page.click_point(40)
    page.until_stone(40)
    drop(page, SGF)
    page.until(lambda: "stays among your games" in page.text("question"))
    page.press("no")
    page.until(lambda: dialogs(page) == [])
    assert page.stones() == {40: "black"}
    page.press("new-game")
    page.press("start")
    page.until(lambda: page.part("question").is_displayed())
    page.press("yes")
    page.until(lambda: page.stones() == {})
    page.until(lambda: dialogs(page) == [])
    drop(page, SGF)  # nothing is lost on an empty board: no question
    page.until(lambda: page.text("place") == "Move 0 of 3")
    page.click_point(30)  # a variation: the record is no longer what the file was
    page.until_stone(30)
    drop(page, SEVERAL.partition(")")[0] + ")")
    page.until(lambda: page.part("question").is_displayed())
    page.press("yes")
    page.until(lambda: page.text("place") == "Move 0 of 1")


def test_giving_up_is_asked_for(page: Browser) -> None:
    start(page, PEOPLE)
    page.click_point(40)
    page.until_stone(40)
    page.press("resign")
    page.until(lambda: "Give up" in page.text("question"))
    page.press("no")
    page.until(lambda: dialogs(page) == [])
    assert page.text("status") == "White to play"
    page.press("resign")
    page.press("yes")
    page.until(lambda: page.text("status") == "Black wins by resignation")


def test_a_new_game_begins_without_analysis(page: Browser) -> None:
    page.press("analysis")
    page.until(lambda: page.part("headline").is_displayed())
    start(page, PEOPLE)
    page.until(lambda: not page.part("headline").is_displayed())


def test_the_wheel_and_letters(page: Browser) -> None:
    drop(page, SGF)
    page.until(lambda: page.text("place") == "Move 0 of 3")
    board = page.part("board")
    wheel = ActionChains(page.driver, duration=20).move_to_element(board)
    wheel.perform()
    for turn, place in ((1, 1), (1, 2), (-1, 1)):
        page.run(
            """const event = new WheelEvent("wheel", { deltaY: 100 * arguments[1], bubbles: true, cancelable: true });
            // Turned faster than this the wheel takes one step for many.
            return new Promise((done) => setTimeout(() => done(arguments[0].dispatchEvent(event)), 100));""",
            board,
            turn,
        )
        page.until(lambda place=place: page.text("place") == f"Move {place} of 3")  # type: ignore[misc]
    start(page, PEOPLE)
    body = page.driver.find_element(By.TAG_NAME, "body")
    page.click_point(40)
    page.until_stone(40)
    body.send_keys("h")  # where to look
    page.until(lambda: page.all(".table .hinted rect"))
    body.send_keys("h")  # and the move
    page.until(lambda: page.all(".candidate"))
    body.send_keys("p")
    page.until(lambda: page.text("status") == "White passed. Black to play")
    body.send_keys("u")
    page.until(lambda: page.text("status") == "White to play")
    body.send_keys(Keys.BACKSPACE)
    page.until(lambda: page.stones() == {})
    body.send_keys("a")
    page.until(lambda: page.part("headline").is_displayed())


def test_keys_open_choose_and_ask(page: Browser) -> None:
    start(page, "Black")
    body = page.driver.find_element(By.TAG_NAME, "body")
    body.send_keys("t")
    page.until(lambda: page.part("teaching").get_attribute("aria-checked") == "true")
    for key, shown in (("l", "games-search"), ("g", "start"), ("?", "key-list"), ("o", "sgf-text"), ("r", "question")):
        body.send_keys(key)
        page.until_at_rest(shown)
        body.send_keys(Keys.ESCAPE)
        page.until_no_dialog()
    body.send_keys("r")
    page.press("yes")
    page.until(lambda: page.text("status") == "White wins by resignation")
    page.until_no_dialog()  # while it fades it still has the keys for itself
    body.send_keys("4")
    page.until(lambda: page.part("tool-triangle").get_attribute("aria-pressed") == "true")
    body.send_keys("1")
    page.until(lambda: page.part("tool-play").get_attribute("aria-pressed") == "true")


def test_labels_and_marks_of_a_file_stay(page: Browser) -> None:
    drop(page, "(;SZ[9](;B[ee]LB[aa:best][ii:7]TR[ee](;W[cc])(;W[aa]))(;B[dd]))")
    page.until(lambda: page.text("place") == "Move 0 of 2")
    page.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_RIGHT)
    page.until_stone(40)
    texts = "return [...document.querySelectorAll('.table .marks text')].map((one) => one.textContent).sort()"
    page.until(lambda: page.run(texts) == ["7", "A", "best"])  # no letter of ours upon the label
    page.driver.find_element(By.TAG_NAME, "body").send_keys("m")
    page.until(lambda: page.run(texts) == ["7", "A", "best"])
    assert page.all(".table .marks path")  # the triangle stays where the number would be


def test_a_hidden_tab_lets_the_analysis_rest(page: Browser) -> None:
    page.press("analysis")
    page.until(lambda: page.all('[data-testid="moves"] tbody tr'))
    visits = page.text("facts")
    page.until(lambda: page.text("facts") != visits)
    hide = "Object.defineProperty(document, 'hidden', { value: %s, configurable: true });"
    page.run(hide % "true" + "document.dispatchEvent(new Event('visibilitychange'))")

    def rests() -> bool:
        before = page.text("facts")
        page.run("return new Promise((done) => setTimeout(done, 900))")
        return page.text("facts") == before

    page.until(rests)
    resting = page.text("facts")
    page.run(hide % "false" + "document.dispatchEvent(new Event('visibilitychange'))")
    page.until(lambda: page.text("facts") != resting)


def test_the_saved_file_is_named_after_the_game(page: Browser, server: Server) -> None:
    drop(page, "(;SZ[9]PB[柯洁]PW[Bob/../x]DT[2016-11-09];B[ee])")
    page.until(lambda: page.text("place") == "Move 0 of 1")
    cookies = {one["name"]: one["value"] for one in page.driver.get_cookies()}
    answer = httpx.get(f"{server.address}game.sgf", cookies=cookies)
    named = answer.headers["content-disposition"]
    assert 'filename="2016-11-09 - Bob..x.sgf"' in named
    assert "filename*=UTF-8''2016-11-09%20-%20%E6%9F%AF%E6%B4%81%20-%20Bob..x.sgf" in named


def test_the_api_page_names_the_address_it_came_from(page: Browser, server: Server) -> None:
    page.driver.get(f"{server.address}api")
    page.until(lambda: f"curl -s -X POST {server.address}api/games" in page.all("pre")[0].text)
    page.driver.get(server.address)
