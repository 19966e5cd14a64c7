"""The page in the visitor's language, in a real browser."""

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.by import By

from tests.interfaces.browser import Browser, browsing
from tests.interfaces.web_parts import Server

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def page(server: Server) -> Iterator[Browser]:
    """A browser that asks for German."""
    with browsing() as browser:
        browser.speak("de-DE,de;q=0.9")
        browser.open(server.address)
        yield browser


def pick(page: Browser, name: str) -> None:
    """Another language in the settings; the page comes again in it."""
    page.press("settings")
    page.press("language")
    page.until(lambda: [one for one in page.all(".q-menu .q-item") if one.text == name])
    page.run("window.before = true")
    next(one for one in page.all(".q-menu .q-item") if one.text == name).click()
    page.until(lambda: page.run("return !window.before && window.socket?.connected === true"))


def test_the_browsers_language_then_the_chosen_one(page: Browser) -> None:
    assert page.text("new-game") == "Neue Partie"
    assert page.text("status") == "Du bist am Zug (Schwarz)"
    assert page.run("return document.documentElement.lang") == "de"
    page.press("analysis")
    page.until(lambda: "Gewinn" in page.text("moves"))
    page.press("analysis")
    pick(page, "日本語")
    page.until(lambda: page.text("new-game") == "新しい対局")
    assert page.text("status") == "あなたの番です\uff08黒\uff09"
    page.press("new-game")
    page.until(lambda: page.part("start").is_displayed())
    body = page.driver.find_element(By.TAG_NAME, "body").text
    for left in ("Black", "White", "Start", "Cancel", "Komi", "Level", "Board"):
        assert left not in body
    assert page.complaints() == []
