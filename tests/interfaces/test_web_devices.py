"""The page by finger, by keyboard and by ear, on a phone and on a desk."""

from collections.abc import Iterator
from functools import partial

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.interfaces.browser import Browser, browsing, drop, start
from tests.interfaces.web_parts import Server

LONG = "(;SZ[9]" + "".join(f";{'BW'[n % 2]}[{'abcdefghi'[n % 9]}{'acegi'[n // 9]}]" for n in range(24)) + ")"
PEOPLE = "Two people"


def fresh(window: Browser, server: Server) -> Iterator[Browser]:
    """The page as a new visitor sees it; whatever is done with it, its console stays silent."""
    window.driver.delete_all_cookies()
    window.open(server.address)
    window.log()
    yield window
    assert window.complaints() == []


@pytest.fixture(scope="module")
def phone_window() -> Iterator[Browser]:
    with browsing(400, 860, touch=True) as browser:
        yield browser


@pytest.fixture(scope="module")
def desk_window() -> Iterator[Browser]:
    with browsing(1280, 700) as browser:
        yield browser


@pytest.fixture
def phone(phone_window: Browser, server: Server) -> Iterator[Browser]:
    yield from fresh(phone_window, server)


@pytest.fixture
def desk(desk_window: Browser, server: Server) -> Iterator[Browser]:
    yield from fresh(desk_window, server)


def test_a_finger_plays_on_a_small_board(phone: Browser) -> None:
    start(phone, PEOPLE)
    for point, color in ((40, "black"), (41, "white")):
        phone.tap_point(point)
        phone.until_stone(point, color)
    assert phone.all(".ghost") == []  # a finger hovers nowhere


def test_on_a_large_board_a_finger_aims_first(phone: Browser) -> None:
    start(phone, PEOPLE, size="19 × 19")
    phone.tap_point(60)
    phone.until(lambda: phone.all(".crosshair"))
    assert phone.stones() == {}
    phone.tap_point(61)  # not quite: the cross moves
    phone.until(lambda: phone.all(".ghost")[0].get_attribute("data-point") == "61")
    assert phone.stones() == {}
    phone.tap_point(61)
    phone.until(lambda: phone.stones() == {61: "black"})
    assert phone.all(".crosshair") == []


def outside(page: Browser) -> list[str]:
    """Visible parts that stick out of the window to the right or left."""
    script = """const wide = document.documentElement.clientWidth;
        return [...document.querySelectorAll("button, .card, .goban, .dialog, table, label")].filter((one) => {
          const box = one.getBoundingClientRect();
          return box.width && (box.right > wide + 1 || box.left < -1);
        }).map((one) => one.outerHTML.slice(0, 120));"""
    found: list[str] = page.run(script)
    return found


def put_away(page: Browser) -> bool:
    """Presses the cross of a dialog until that is gone: what it shows may still come and move it from under a click."""
    shown = [one for one in page.all(".q-dialog .dialog") if one.is_displayed()]
    if shown:
        next(one for one in page.all('[data-testid="close"]') if one.is_displayed()).click()
    return not shown


def test_nothing_sticks_out_of_a_phone(phone: Browser) -> None:
    drop(phone, LONG)
    phone.until(lambda: phone.text("place") == "Move 0 of 24")
    phone.press("analysis")
    phone.until(lambda: phone.all('[data-testid="moves"] tbody tr'))
    assert outside(phone) == []
    for name, closing in (("new-game", "Cancel"), ("networks", ""), ("open", "")):
        phone.press(name)
        phone.until(lambda: [one for one in phone.all(".q-dialog .dialog") if one.is_displayed()])
        phone.until(lambda: outside(phone) == [])
        if closing:
            phone.choose(closing)
        else:
            phone.until(lambda: put_away(phone))
        phone.until_no_dialog()
    assert phone.run("return document.documentElement.scrollWidth <= window.innerWidth")


def stands_at(page: Browser, number: int) -> bool:
    return page.text("place") == f"Move {number} of 24"


def test_keys_walk_through_the_game_and_the_page_stays(desk: Browser) -> None:
    drop(desk, LONG)
    desk.until(lambda: desk.text("place") == "Move 0 of 24")
    body = desk.driver.find_element(By.TAG_NAME, "body")
    for key, place in (
        (Keys.PAGE_DOWN, 10),
        (Keys.ARROW_RIGHT, 11),
        (Keys.ARROW_LEFT, 10),
        (Keys.END, 24),
        (Keys.PAGE_UP, 14),
        (Keys.ARROW_DOWN, 14),
        (Keys.HOME, 0),
    ):
        body.send_keys(key)
        desk.until(partial(stands_at, desk, place))
        assert desk.run("return window.scrollY") == 0


def test_a_game_can_be_played_without_a_mouse(desk: Browser) -> None:
    start(desk, PEOPLE)
    shifted = ActionChains(desk.driver, duration=20).key_down(Keys.SHIFT)
    shifted.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_UP).key_up(Keys.SHIFT).perform()
    desk.until(lambda: desk.all(".cursor"))
    ActionChains(desk.driver).send_keys(Keys.ENTER).perform()
    desk.until(lambda: desk.stones() == {32: "black"})  # the first arrow shows the cursor in the centre


def test_keys_do_nothing_behind_a_dialog_or_with_the_command_key(desk: Browser) -> None:
    start(desk, PEOPLE)
    desk.click_point(40)
    desk.until_stone(40)
    body = desk.driver.find_element(By.TAG_NAME, "body")
    for name in ("new-game", "settings"):
        desk.press(name)
        desk.until(lambda: desk.all(".q-dialog, .q-menu"))
        ActionChains(desk.driver).send_keys("u", "p").perform()
        body.send_keys(Keys.ESCAPE)
        desk.until(lambda: not desk.all(".q-dialog, .q-menu"))
    ActionChains(desk.driver).key_down(Keys.META).send_keys("p").key_up(Keys.META).perform()  # prints, on a Mac
    ActionChains(desk.driver).send_keys("p").perform()
    desk.until(lambda: desk.text("place") == "Move 2 of 2")
    assert set(desk.stones()) == {40}


def test_stones_sound_only_when_asked_to(desk: Browser) -> None:
    start(desk, PEOPLE)
    desk.run(
        """window.knocks = 0;
        const sources = AudioBufferSourceNode.prototype, begin = sources.start;
        sources.start = function (...when) { window.knocks += 1; return begin.apply(this, when); };"""
    )
    desk.click_point(40)
    desk.until_stone(40)
    assert desk.run("return window.knocks") == 0
    desk.press("settings")
    desk.press("look-sound")
    ActionChains(desk.driver).send_keys(Keys.ESCAPE).perform()
    desk.until(lambda: not desk.all(".look-body"))
    for point, knocks in ((41, 1), (42, 2)):
        desk.click_point(point)
        desk.until_stone(point)
        assert desk.run("return window.knocks") == knocks
