"""A first game proposed, played on the clock and played again, in a real browser."""

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from tests.interfaces.browser import Browser, browsing, pick
from tests.interfaces.web_parts import Server

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def page(server: Server) -> Iterator[Browser]:
    with browsing() as browser:
        browser.open(server.address)
        yield browser


def test_a_start_that_knows_you(page: Browser) -> None:
    assert page.text("how-strong") == "How strong are you?"
    page.press("how-strong")  # who is new here need not look for it
    page.until(lambda: page.part("strength").is_displayed())
    pick(page, "strength", "I know the rules")
    page.until(lambda: "many slips" in page.text("about-level"))
    page.until(lambda: "Komi 0.5, Chinese rules, 2 stones" in page.text("more"))  # nothing is hidden by a fold
    page.press("time")
    page.choose("Per move")
    page.press("start")
    page.until(lambda: page.text("game-facts") == "Komi 0.5, Chinese rules, 2 stones")
    page.until(lambda: page.text("status") == "Your turn (Black)")  # White began: stones were given
    assert not page.all('[data-testid="how-strong"]')
    clock = page.until(lambda: [one for one in page.all('[data-testid="clock"]') if one.is_displayed()])
    assert len(clock) == 1  # the engine needs none
    first = clock[0].text
    page.until(lambda: clock[0].text < first)
    assert first.startswith("0:")
    page.press("resign")
    page.press("yes")
    page.press("rematch")
    page.until(lambda: page.text("status") == "Your turn (Black)")
    assert len(page.stones()) == 3
    page.press("new-game")
    page.until(lambda: page.part("start").is_displayed())
    page.until(lambda: "I know the rules" in page.all(".q-dialog .dialog")[-1].text)
    assert page.complaints() == []


def test_two_people_choose_no_opponent(page: Browser) -> None:
    page.open(page.driver.current_url)
    page.press("new-game")
    page.until_at_rest("start")
    page.choose("Two people")
    page.until(lambda: not page.part("level").is_displayed())
    page.press("more")
    page.until(lambda: page.part("more").find_elements("css selector", ".grid-fields")[0].is_displayed())
    assert not page.part("second-network").is_displayed()
    page.choose("Watch")
    page.until(lambda: page.part("level").is_displayed())
    page.until(lambda: page.part("second-network").is_displayed())
    page.choose("Two people")
    page.press("start")
    page.choose("Leave it")
    page.until_no_dialog()
    page.open(page.driver.current_url)
    page.press("new-game")
    page.until_at_rest("start")
    assert not page.part("level").is_displayed()  # two people play here: that is proposed again


def test_a_board_that_cannot_be_is_refused_in_a_sentence(page: Browser) -> None:
    page.open(page.driver.current_url)
    page.press("new-game")
    page.until_at_rest("start")
    pick(page, "strength", "New to Go")
    page.press("time")
    page.choose("Per move")
    seconds = page.until(lambda: [one for one in page.all('[aria-label="Seconds"]') if one.is_displayed()])[0]
    seconds.send_keys(Keys.CONTROL, "a")
    seconds.send_keys("0")
    page.press("start")
    page.until(lambda: any("That time cannot be kept" in one.text for one in page.all(".q-notification")))


def test_levels_are_those_of_the_board(page: Browser) -> None:
    page.open(page.driver.current_url)
    page.press("new-game")
    page.until(lambda: page.part("start").is_displayed())
    page.choose("Black")  # two people played last
    page.choose("9 × 9")
    pick(page, "level", "Like 12 kyu")
    page.until(lambda: "as people of this rank" in page.text("about-level"))
    page.choose("19 × 19")
    page.until(lambda: "as people of this rank" not in page.text("about-level"))
    page.press("level")
    page.until(lambda: len(page.all(".q-menu .q-item")) > 10)
    assert not [one.text for one in page.all(".q-menu .q-item") if one.text.startswith("Like a")]
    assert page.complaints() == []
